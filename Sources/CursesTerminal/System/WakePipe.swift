private import CNcurses
internal import Terminal

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// A pipe of the program to itself: a byte in it ends a wait, 0 for a wake, else the number of a signal.
final class WakePipe: Waker {
  let reading: Descriptor
  let writing: Descriptor

  /// Makes the pipe; nil where there are no descriptors left.
  ///
  /// The corresponding C function is `pipe`.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      // A full pipe is as good as one more byte in it; nobody may wait for its reader.
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    reading = Descriptor(number: ends[0])
    writing = Descriptor(number: ends[1])
  }

  deinit {
    close(reading.number)
    close(writing.number)
  }

  func wake() {
    // Where the pipe is full, the wait ends anyway.
    quarry_put_byte(writing.number, 0)
  }

  /// Returns the bytes that came since the last time.
  func take() -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let some = reading.read(limit: 512)
      all += some
      if some.count < 512 { return all }
    }
  }
}
