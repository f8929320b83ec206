import Foundation
import Synchronization

/// A local server scripted by a test for rare behavior of real servers.
///
///     let server = try ScriptedServer { connection in
///       while let request = connection.next() { connection.send(DqliteBytes.message(8, DqliteBytes.word(0))) }
///     }
///     defer { server.end() }
public final class ScriptedServer: Sendable {
  /// The address of the server.
  public let address: String
  private let socket: Int32
  private let clients = Clients()

  /// A client's connection.
  public struct Connection: Sendable {
    package let socket: Int32

    init(socket: Int32) {
      self.socket = socket
      // A program started meanwhile would otherwise keep the connection open.
      _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
      var limit = timeval(tv_sec: Int(Waiting.seconds), tv_usec: 0)
      setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Connects to a local server.
    package init(port: Int) throws {
      self.init(socket: try DqliteBytes.connect(port: port))
    }

    package func close() { _ = Foundation.close(socket) }

    /// Reads the next dqlite message.
    ///
    /// Returns nil if the client is gone, or has sent nothing for ``Waiting/limit``.
    public func next() -> (type: UInt8, body: [UInt8])? {
      guard let header = read(8) else { return nil }
      let words = header[0..<4].reversed().reduce(0) { $0 << 8 | Int($1) }
      return read(words * 8).map { (header[4], $0) }
    }

    /// Reads the protocol version, which a client sends first.
    public func greet() { _ = read(8) }

    public func send(_ bytes: [UInt8]) {
      _ = Foundation.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Ends the connection.
    public func end() {
      shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Waits until the client is gone.
    public func waitForEnd() {
      while read(1) != nil {}
    }

    private func read(_ count: Int) -> [UInt8]? {
      var bytes = [UInt8](repeating: 0, count: count)
      var filled = 0
      while filled < count {
        let got = bytes.withUnsafeMutableBytes { recv(socket, $0.baseAddress?.advanced(by: filled), count - filled, 0) }
        guard got > 0 else { return nil }
        filled += got
      }
      return bytes
    }
  }

  /// Listens, and runs the script for each client on a separate thread.
  ///
  /// The connection is closed at the end of the script.
  public convenience init(_ play: @escaping @Sendable (Connection) -> Void) throws {
    let (socket, port) = try DqliteBytes.listen()
    try self.init(socket, "127.0.0.1:\(port)", play)
  }

  #if os(Linux)
    /// Listens on a socket in the abstract namespace, whose address is `@name`.
    public convenience init(abstract name: String, _ play: @escaping @Sendable (Connection) -> Void) throws {
      try self.init(try DqliteBytes.listen(abstract: name), "@\(name)", play)
    }
  #endif

  private init(_ socket: Int32, _ address: String, _ play: @escaping @Sendable (Connection) -> Void) throws {
    (self.socket, self.address) = (socket, address)
    guard listen(socket, 16) == 0 else { throw DqliteNodes.Failure(reason: "nothing can be listened to") }
    let (listening, clients) = (socket, clients)
    Thread.detachNewThread {
      while case let client = accept(listening, nil, nil), client >= 0 {
        clients.add(client)
        Thread.detachNewThread {
          play(Connection(socket: client))
          clients.close(client)
        }
      }
      close(listening)
    }
  }

  /// Ends the scripts, and stops listening.
  public func end() {
    // The threads close their own sockets. The number of a closed socket may already be reused by another test.
    shutdown(socket, Int32(SHUT_RDWR))
    clients.end()
  }

  /// The sockets of clients whose scripts are running.
  private final class Clients: Sendable {
    private let sockets = Mutex<Set<Int32>>([])

    func add(_ socket: Int32) {
      sockets.withLock { _ = $0.insert(socket) }
    }

    func close(_ socket: Int32) {
      sockets.withLock { sockets in
        sockets.remove(socket)
        shutdown(socket, Int32(SHUT_RDWR))
        _ = Foundation.close(socket)
      }
    }

    func end() {
      sockets.withLock { for socket in $0 { shutdown(socket, Int32(SHUT_RDWR)) } }
    }
  }
}
