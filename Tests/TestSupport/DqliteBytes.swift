import Foundation

/// Messages that tests send directly to nodes over their own sockets.
public enum DqliteBytes {
  public static func word(_ value: UInt64) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }

  public static func text(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8) + [0]
    return bytes + [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8)
  }

  /// Returns a message with its header.
  public static func message(_ type: UInt8, _ body: [UInt8]) -> [UInt8] {
    Array(word(UInt64(body.count / 8)).prefix(4)) + [type, 0, 0, 0] + body
  }

  /// Sends a request to a local node, and returns the body of its answer.
  public static func ask(port: Int, _ type: UInt8, _ body: [UInt8]) throws -> [UInt8] {
    let socket = try connect(port: port)
    defer { close(socket) }
    var limit = timeval(tv_sec: Int(Waiting.seconds), tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let bytes = word(1) + message(type, body)
    guard write(socket, bytes, bytes.count) == bytes.count else { throw DqliteNodes.Failure(reason: "port \(port) takes nothing") }
    let header = try read(8, from: socket)
    let size = header[0..<4].reversed().reduce(0) { $0 << 8 | Int($1) } * 8
    let answer = try read(size, from: socket)
    guard header[4] != 0 else { throw DqliteNodes.Failure(reason: String(decoding: answer.dropFirst(8), as: UTF8.self)) }
    return answer
  }

  private static func read(_ count: Int, from socket: Int32) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = bytes.withUnsafeMutableBytes { recv(socket, $0.baseAddress?.advanced(by: filled), count - filled, 0) }
      guard got > 0 else { throw DqliteNodes.Failure(reason: "no answer") }
      filled += got
    }
    return bytes
  }

  /// Connects to a local port.
  static func connect(port: Int) throws -> Int32 {
    let socket = makeSocket()
    guard withAddress(port: port, { Foundation.connect(socket, $0, $1) }) == 0 else {
      close(socket)
      throw DqliteNodes.Failure(reason: "port \(port) refuses")
    }
    return socket
  }

  /// Listens on a free local port.
  static func listen() throws -> (socket: Int32, port: Int) {
    let socket = makeSocket()
    guard withAddress(port: 0, { bind(socket, $0, $1) }) == 0 else { throw DqliteNodes.Failure(reason: "no free port") }
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) }
    }
    return (socket, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// Returns whether a program could listen on a port now.
  static func canBind(_ port: Int) -> Bool {
    let socket = makeSocket()
    defer { close(socket) }
    return withAddress(port: port) { bind(socket, $0, $1) } == 0
  }

  #if os(Linux)
    /// Listens on a socket in the abstract namespace.
    static func listen(abstract name: String) throws -> Int32 {
      let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: ([0] + Array(name.utf8)).prefix($0.count)) }
      let size = socklen_t(MemoryLayout<sa_family_t>.size + 1 + name.utf8.count)
      let result = withUnsafePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, size) }
      }
      guard result == 0 else { throw DqliteNodes.Failure(reason: "no socket @\(name)") }
      return socket
    }
  #endif

  static func makeSocket() -> Int32 {
    #if os(Linux)
      socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #else
      socket(AF_INET, SOCK_STREAM, 0)
    #endif
  }

  static func withAddress(port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
  }
}
