internal import Libc

/// A pair of sockets that wakes a thread waiting for other sockets.
final class Wakeup: Sendable {
  /// The end that is readable after ``wake()``.
  let descriptor: CInt
  private let writing: CInt

  init() throws(SocketError) {
    var ends: [CInt] = [-1, -1]
    // Unlike a pipe, a pair of sockets is created without a moment in which a program started by another thread could inherit it.
    guard socketpair(AF_UNIX, ClientSocket.kind, 0, &ends) == 0 else { throw .system(errno) }
    for end in ends { ClientSocket.setFlags(end) }
    (descriptor, writing) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(writing)
  }

  /// Wakes the thread from any other thread.
  ///
  /// A full pair also wakes it.
  func wake() {
    var byte: UInt8 = 1
    while write(writing, &byte, 1) < 0, errno == EINTR {}
  }

  /// Resets the wake-up, so that the thread can wait again.
  func clear() {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { bytes in
      while read(descriptor, bytes.baseAddress, bytes.count) == bytes.count {}
    }
  }
}

/// Waits for sockets.
enum SocketPoll {
  /// The events of a socket that has ended, or whose peer sends no more.
  static let endings = CInt(POLLHUP) | CInt(POLLERR) | CInt(POLLNVAL) | halfClosed

  /// The event of a socket whose peer sends no more.
  ///
  /// Darwin reports `POLLHUP` instead.
  static let halfClosed: CInt = {
    #if os(Linux)
      0x2000
    #else
      0
    #endif
  }()

  /// Waits for events of descriptors, or until a deadline.
  ///
  /// May return earlier without events. The corresponding C function is `poll`.
  ///
  /// - Parameters:
  ///   - wanted: Each descriptor with the events to wait for.
  ///   - deadline: The deadline, or nil for no limit.
  /// - Returns: The events of each descriptor.
  static func wait(
    for wanted: [(descriptor: CInt, events: CInt)], until deadline: ContinuousClock.Instant?
  ) throws(SocketError) -> [CInt] {
    var descriptors = wanted.map { pollfd(fd: $0.descriptor, events: Int16(truncatingIfNeeded: $0.events), revents: 0) }
    let result = poll(&descriptors, nfds_t(descriptors.count), milliseconds(until: deadline))
    if result >= 0 { return descriptors.map { CInt($0.revents) } }
    let code = errno
    guard code == EINTR || code == EAGAIN else { throw .system(code) }
    return wanted.map { _ in 0 }
  }

  /// Returns the remaining time, rounded up so that the wait does not end before its deadline, or -1 for no limit.
  private static func milliseconds(until deadline: ContinuousClock.Instant?) -> CInt {
    guard let deadline else { return -1 }
    let (seconds, attoseconds) = max(.zero, deadline - .now).components
    let rest = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return CInt(clamping: min(seconds, 1 << 20) * 1000 + rest)
  }
}
