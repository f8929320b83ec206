import Synchronization

/// A proxy between clients and a local node that drops a connection at a request chosen by a test.
///
///     let proxy = try DqliteProxy { request in String(decoding: request, as: UTF8.self).contains("COMMIT") ? .afterIt : nil }
///     let nodes = try DqliteNodes(count: 1, advertised: proxy.address)
///     proxy.connect(toPort: nodes.port(of: 0)) { nodes.kill(0) }
public final class DqliteProxy: Sendable {
  /// The moment at which a connection is dropped.
  public enum Loss: Sendable {
    /// Before the node receives the request.
    case beforeIt
    /// After the node has answered the request, without passing on the answer.
    case afterIt
  }

  private final class Target: Sendable {
    let port = Mutex(0)
    let whenLost = Mutex<(@Sendable () -> Void)?>(nil)
  }

  private let server: ScriptedServer
  private let target: Target

  /// The address for clients.
  public var address: String { server.address }

  /// Begins to listen.
  ///
  /// - Parameter loss: Called with the body of each request.
  public init(_ loss: @escaping @Sendable ([UInt8]) -> Loss?) throws {
    let target = Target()
    self.target = target
    server = try ScriptedServer { client in
      guard let node = try? ScriptedServer.Connection(port: target.port.withLock(\.self)) else { return }
      defer { node.close() }
      client.greet()
      node.send(DqliteBytes.word(1))
      while let request = client.next() {
        let loss = loss(request.body)
        if loss != .beforeIt {
          node.send(DqliteBytes.message(request.type, request.body))
          var hasMore = true
          while hasMore {
            guard let answer = node.next() else { return }
            if loss == nil { client.send(DqliteBytes.message(answer.type, answer.body)) }
            hasMore = answer.type == 7 && answer.body.suffix(8).allSatisfy { $0 == 0xEE }
          }
        }
        if loss != nil {
          target.whenLost.withLock(\.self)?()
          return
        }
      }
    }
  }

  /// Connects clients to a node.
  ///
  /// - Parameter whenLost: Called when a connection is dropped, before the client notices it.
  public func connect(toPort port: Int, whenLost: @escaping @Sendable () -> Void) {
    target.whenLost.withLock { $0 = whenLost }
    target.port.withLock { $0 = port }
  }

  /// Ends all connections.
  public func end() { server.end() }
}
