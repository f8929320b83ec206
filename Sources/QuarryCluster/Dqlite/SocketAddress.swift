internal import Libc
internal import QuarryEngine
internal import Synchronization

/// The address of a socket as a `sockaddr` of any family.
struct SocketAddress: Sendable, Hashable {
  let family: CInt
  private let bytes: [UInt8]

  /// Creates the address of a Unix socket in the abstract namespace, whose name is not a path.
  ///
  /// Only Linux has this namespace.
  init(abstract name: String) throws(SocketError) {
    #if os(Linux)
      family = AF_UNIX
      let name = [0] + Array(name.utf8)
      guard name.count <= MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { throw .system(ENAMETOOLONG) }
      bytes = withUnsafeBytes(of: sa_family_t(AF_UNIX)) { Array($0) } + name
    #else
      throw .system(EAFNOSUPPORT)
    #endif
  }

  private init?(_ information: addrinfo) {
    guard let address = information.ai_addr else { return nil }
    family = information.ai_family
    bytes = Array(UnsafeRawBufferPointer(start: address, count: Int(information.ai_addrlen)))
  }

  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var storage = sockaddr_storage()
    withUnsafeMutableBytes(of: &storage) { $0.copyBytes(from: bytes.prefix($0.count)) }
    return withUnsafePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(bytes.count)) }
    }
  }

  /// Returns the addresses of a host, the best one first.
  ///
  /// The corresponding C function is `getaddrinfo`.
  ///
  /// - Parameter isNumber: Whether the host must be an IP address, for which the call returns at once. Looking up a name may block for
  ///   long.
  static func addresses(of host: String, port: Int, isNumber: Bool) throws(SocketError) -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    #if canImport(Glibc)
      hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
    #else
      hints.ai_socktype = SOCK_STREAM
    #endif
    hints.ai_flags = AI_NUMERICSERV | (isNumber ? AI_NUMERICHOST : 0)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &list) == 0 else { throw .unknownHost }
    defer { freeaddrinfo(list) }
    let addresses = sequence(first: list) { $0?.pointee.ai_next }.prefix { $0 != nil }
      .compactMap { entry in entry.flatMap { SocketAddress($0.pointee) } }
    guard !addresses.isEmpty else { throw .unknownHost }
    return addresses
  }
}

/// The addresses of a host, looked up on a separate thread, because a lookup blocks and cannot be cancelled.
final class HostLookup: Sendable {
  private let found = Mutex<Result<[SocketAddress], SocketError>?>(nil)

  /// Starts a lookup.
  ///
  /// - Parameter wakeup: Wakes the thread that waits for the result.
  init(_ host: String, port: Int, _ wakeup: Wakeup) throws(ThreadError) {
    _ = try WorkerThread { [self] in
      let result = Result { () throws(SocketError) in try SocketAddress.addresses(of: host, port: port, isNumber: false) }
      found.withLock { $0 = result }
      wakeup.wake()
    }
  }

  /// Returns the result, or nil until it is known.
  func result() throws(SocketError) -> [SocketAddress]? {
    try found.withLock(\.self)?.get()
  }
}
