internal import Libc

/// A pair of sockets that wakes a thread which waits for others.
final class Wakeup: Sendable {
  /// The end that can be read after ``wake()``.
  let descriptor: CInt
  private let writing: CInt

  init() throws(SocketError) {
    var ends: [CInt] = [-1, -1]
    // Unlike a pipe, a pair of sockets is made so that no program inherits it that another thread starts at this moment.
    guard socketpair(AF_UNIX, ClientSocket.kind, 0, &ends) == 0 else { throw .system(errno) }
    for end in ends { ClientSocket.setFlags(end) }
    (descriptor, writing) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(writing)
  }

  /// Wakes the thread, on any other one.
  ///
  /// A pair that is full wakes it as well.
  func wake() {
    var byte: UInt8 = 1
    while write(writing, &byte, 1) < 0, errno == EINTR {}
  }

  /// Makes the thread able to wait again.
  func clear() {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { bytes in
      while read(descriptor, bytes.baseAddress, bytes.count) == bytes.count {}
    }
  }
}

/// Waits for sockets.
enum SocketPoll {
  /// The events of a socket that has ended, or that the other side sends no more to.
  static let endings = CInt(POLLHUP) | CInt(POLLERR) | CInt(POLLNVAL) | halfClosed

  /// The event of a socket that the other side sends no more to; Darwin reports this by `POLLHUP`.
  static let halfClosed: CInt = {
    #if os(Linux)
      0x2000
    #else
      0
    #endif
  }()

  /// Waits until something happens to a descriptor, or until a deadline.
  ///
  /// It may return earlier, with no events. The corresponding C function is `poll`.
  ///
  /// - Parameters:
  ///   - wanted: Each descriptor with the events to wait for.
  ///   - deadline: nil to wait without a limit.
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

  /// Returns the time that is left, rounded up so that nothing wakes before its deadline; -1 for no limit.
  private static func milliseconds(until deadline: ContinuousClock.Instant?) -> CInt {
    guard let deadline else { return -1 }
    let (seconds, attoseconds) = max(.zero, deadline - .now).components
    let rest = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return CInt(clamping: min(seconds, 1 << 20) * 1000 + rest)
  }
}
