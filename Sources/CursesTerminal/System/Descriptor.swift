private import CNcurses
private import Libc
internal import Terminal

/// A file descriptor, its calls begun again where a signal broke them off.
struct Descriptor: Sendable {
  let number: Int32

  static let input = Descriptor(number: STDIN_FILENO)
  static let output = Descriptor(number: STDOUT_FILENO)

  /// Tells whether it is a terminal's.
  ///
  /// The corresponding C function is `isatty`.
  var isTerminal: Bool { isatty(number) == 1 }

  /// The size of the terminal; nil where it does not tell.
  ///
  /// The corresponding C function is `ioctl`.
  var windowSize: Size? {
    var size = winsize()
    guard quarry_window_size(number, &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Tells the programs of the terminal another size.
  ///
  /// The corresponding C function is `ioctl`.
  func setWindowSize(_ size: Size) {
    var window = winsize()
    guard quarry_window_size(number, &window) == 0 else { return }
    (window.ws_col, window.ws_row) = (UInt16(clamping: size.columns), UInt16(clamping: size.rows))
    _ = quarry_set_window_size(number, &window)
  }

  /// Whether the program's job has the terminal.
  ///
  /// The corresponding C function is `tcgetpgrp`.
  var isForeground: Bool { SignalState.isForeground(number) }

  /// How a write ended.
  enum Writing {
    case whole
    /// The wait for a reader that does not read has been given up.
    case abandoned
    /// Nobody is there to read.
    case failed
  }

  /// Writes `bytes`; where the reader is slow, `waitForRoom` waits for it, and returns false where it does so no longer.
  ///
  /// The corresponding C function is `write`. A terminal that several programs share does not block for no longer than this takes.
  func write(_ bytes: [UInt8], waitForRoom: () -> Bool) -> Writing {
    let flags = fcntl(number, F_GETFL)
    _ = fcntl(number, F_SETFL, flags | O_NONBLOCK)
    defer { _ = fcntl(number, F_SETFL, flags) }
    return bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let count = quarry_write(number, buffer.baseAddress?.advanced(by: done), buffer.count - done)
        if count < 0, errno == EAGAIN {
          guard waitForRoom() else { return .abandoned }
        } else if count < 0, errno != EINTR {
          return .failed
        }
        done += max(0, count)
      }
      return .whole
    }
  }

  /// Reads what there is, at most `limit` bytes; returns none at the end or where the terminal has hung up.
  ///
  /// The corresponding C function is `read`.
  func read(limit: Int) -> [UInt8] {
    Array(unsafeUninitializedCapacity: limit) { buffer, count in
      var received = quarry_read(number, buffer.baseAddress, limit)
      while received < 0, errno == EINTR { received = quarry_read(number, buffer.baseAddress, limit) }
      count = max(0, received)
    }
  }

  /// Waits until one of `descriptors` can be read, or has ended; returns which, none after `milliseconds`, which are endless below 0.
  ///
  /// The corresponding C function is `poll`.
  static func waitForInput(_ descriptors: [Descriptor], milliseconds: Int32) -> [Bool] {
    wait(for: descriptors.map { ($0, POLLIN) }, milliseconds: milliseconds)
  }

  /// Waits until `self` can be written, or `other` can be read; returns which, none after `milliseconds`, which are endless below 0.
  ///
  /// The corresponding C function is `poll`.
  func waitForRoom(orInputOf other: Descriptor, milliseconds: Int32) -> (hasRoom: Bool, hasInput: Bool) {
    let ready = Self.wait(for: [(self, POLLOUT), (other, POLLIN)], milliseconds: milliseconds)
    return (ready[0], ready[1])
  }

  private static func wait(for descriptors: [(descriptor: Descriptor, events: Int32)], milliseconds: Int32) -> [Bool] {
    var polls = descriptors.map { pollfd(fd: $0.descriptor.number, events: Int16($0.events), revents: 0) }
    while poll(&polls, nfds_t(polls.count), milliseconds) < 0, errno == EINTR {}
    return polls.map { $0.revents != 0 }
  }
}

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
      // A full pipe wakes its reader as well as one more byte would, and a write must not wait for it.
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
