internal import Libc

/// The reason why a connection could not be made, or has ended.
enum SocketError: Error, Hashable {
  /// The host name has no address.
  case unknownHost
  /// The system's error number.
  case system(CInt)
  /// Connecting has exceeded this time limit.
  case timeout(Duration)
  /// One side has closed the connection.
  case ended
}

/// A nonblocking socket.
///
/// It must be used on one thread only, and closes with its last reference.
final class ClientSocket {
  let descriptor: CInt

  /// Begins to connect.
  ///
  /// The socket becomes writable once it is connected, or once connecting has failed.
  ///
  /// The corresponding C functions are `socket` and `connect`.
  init(connectingTo address: SocketAddress) throws(SocketError) {
    descriptor = socket(address.family, Self.kind, 0)
    guard descriptor >= 0 else { throw .system(errno) }
    Self.setFlags(descriptor)
    let result = address.withPointer { connect(descriptor, $0, $1) }
    // After an interruption, connecting also continues.
    guard result == 0 || errno == EINPROGRESS || errno == EINTR else { throw .system(errno) }
  }

  deinit { close(descriptor) }

  /// A nonblocking byte stream that is not inherited by other programs.
  static let kind: CInt = {
    #if canImport(Darwin)
      SOCK_STREAM
    #elseif canImport(Musl)
      SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK
    #else
      CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    #endif
  }()

  /// Sets the flags that ``kind`` cannot contain on Darwin.
  static func setFlags(_ descriptor: CInt) {
    #if canImport(Darwin)
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      var isOn: CInt = 1
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<CInt>.size))
    #endif
  }

  /// The error of connecting once the socket is writable, or nil if it is connected.
  var connectingError: SocketError? {
    var (code, size) = (CInt(0), socklen_t(MemoryLayout<CInt>.size))
    let result = getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
    if result != 0 { return .system(errno) }
    return code == 0 ? nil : .system(code)
  }

  /// Makes the socket send small messages at once, and detect within ten seconds that the other machine is gone.
  ///
  /// Options that a Unix socket does not have are ignored.
  func setOptions() {
    let protocolNumber = CInt(IPPROTO_TCP)
    set(TCP_NODELAY, of: protocolNumber, to: 1)
    set(SO_KEEPALIVE, of: SOL_SOCKET, to: 1)
    #if os(Linux)
      for (option, value) in [(TCP_KEEPIDLE, 4), (TCP_KEEPINTVL, 2), (TCP_KEEPCNT, 3), (TCP_USER_TIMEOUT, 10_000)] as [(CInt, CInt)] {
        set(option, of: protocolNumber, to: value)
      }
    #endif
  }

  /// Makes the socket acknowledge received bytes at once until the next read.
  ///
  /// Only Linux has this option.
  func acknowledgeAtOnce() {
    #if os(Linux)
      set(TCP_QUICKACK, of: CInt(IPPROTO_TCP), to: 1)
    #endif
  }

  private func set(_ option: CInt, of level: CInt, to value: CInt) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<CInt>.size))
  }

  /// Sends as many bytes as possible.
  ///
  /// - Returns: The number of bytes sent, or 0 if the system accepts none now.
  func write(_ bytes: ArraySlice<UInt8>) throws(SocketError) -> Int {
    #if canImport(Darwin)
      let flags: CInt = 0
    #else
      let flags = CInt(MSG_NOSIGNAL)
    #endif
    while true {
      let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
      if count >= 0 { return count }
      let code = errno
      if code == EAGAIN || code == EWOULDBLOCK { return 0 }
      if code != EINTR { throw .system(code) }
    }
  }

  /// Receives bytes.
  ///
  /// - Returns: The number of bytes, 0 at the end of the connection, or nil if none are available now.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(SocketError) -> Int? {
    while true {
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count >= 0 { return count }
      let code = errno
      if code == EAGAIN || code == EWOULDBLOCK { return nil }
      if code != EINTR { throw .system(code) }
    }
  }
}
