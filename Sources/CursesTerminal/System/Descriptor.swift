private import CNcurses
private import Libc
internal import Terminal

/// A file descriptor whose calls are retried when a signal interrupts them.
struct Descriptor: Sendable {
  let number: Int32

  static let input = Descriptor(number: STDIN_FILENO)
  static let output = Descriptor(number: STDOUT_FILENO)

  /// Whether the descriptor is a terminal.
  ///
  /// The corresponding C function is `isatty`.
  var isTerminal: Bool { isatty(number) == 1 }

  /// The size of the terminal, or nil if it is not known.
  ///
  /// The corresponding C function is `ioctl`.
  var windowSize: Size? {
    var size = winsize()
    guard quarry_window_size(number, &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Sets the size that the terminal reports to its programs.
  ///
  /// The corresponding C function is `ioctl`.
  func setWindowSize(_ size: Size) {
    var window = winsize()
    guard quarry_window_size(number, &window) == 0 else { return }
    (window.ws_col, window.ws_row) = (UInt16(clamping: size.columns), UInt16(clamping: size.rows))
    _ = quarry_set_window_size(number, &window)
  }

  /// Whether the program's job is in the foreground.
  ///
  /// The corresponding C function is `tcgetpgrp`.
  var isForeground: Bool { SignalState.isForeground(number) }

  /// The result of a write.
  enum Writing {
    case whole
    /// Waiting for a reader that does not read was abandoned.
    case abandoned
    /// The reader is gone.
    case failed
  }

  /// Writes `bytes`.
  ///
  /// If the reader is slow, `waitForRoom` waits for it, and returns false to abandon the write.
  ///
  /// The corresponding C function is `write`. The descriptor is nonblocking only during this call, because other programs may share the
  /// terminal.
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

  /// Reads available bytes, at most `limit`.
  ///
  /// Returns none at the end or if the terminal has hung up.
  ///
  /// The corresponding C function is `read`.
  func read(limit: Int) -> [UInt8] {
    Array(unsafeUninitializedCapacity: limit) { buffer, count in
      var received = quarry_read(number, buffer.baseAddress, limit)
      while received < 0, errno == EINTR { received = quarry_read(number, buffer.baseAddress, limit) }
      count = max(0, received)
    }
  }

  /// Waits until one of `descriptors` is readable or has ended, and returns which.
  ///
  /// After `milliseconds`, returns none. A negative time is unlimited.
  ///
  /// The corresponding C function is `poll`.
  static func waitForInput(_ descriptors: [Descriptor], milliseconds: Int32) -> [Bool] {
    wait(for: descriptors.map { ($0, POLLIN) }, milliseconds: milliseconds)
  }

  /// Waits until `self` is writable or `other` is readable, and returns which.
  ///
  /// After `milliseconds`, returns neither. A negative time is unlimited.
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

/// A pipe from the program to itself.
///
/// A byte in it ends a wait: 0 for a wake-up, otherwise the number of a signal.
final class WakePipe: Waker {
  let reading: Descriptor
  let writing: Descriptor

  /// Creates the pipe, or returns nil if there are no descriptors left.
  ///
  /// The corresponding C function is `pipe`.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      // A full pipe wakes its reader anyway, and a write to it must not block.
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
    // If the pipe is full, the wait ends anyway.
    quarry_put_byte(writing.number, 0)
  }

  /// Returns the bytes that have arrived since the last call.
  func take() -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let some = reading.read(limit: 512)
      all += some
      if some.count < 512 { return all }
    }
  }
}
