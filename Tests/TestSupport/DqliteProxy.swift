import Synchronization

/// Stands between clients and a node of this machine, and loses a connection at the request that a test is waiting for.
///
///     let proxy = try DqliteProxy { request in String(decoding: request, as: UTF8.self).contains("COMMIT") ? .afterIt : nil }
///     let nodes = try DqliteNodes(count: 1, advertised: proxy.address)
///     proxy.connect(toPort: nodes.port(of: 0)) { nodes.kill(0) }
public final class DqliteProxy: Sendable {
  /// When a connection is lost.
  public enum Loss: Sendable {
    /// Before the node gets the request.
    case beforeIt
    /// When the node has answered it, which the client does not hear of.
    case afterIt
  }

  private final class Target: Sendable {
    let port = Mutex(0)
    let whenLost = Mutex<(@Sendable () -> Void)?>(nil)
  }

  private let server: ScriptedServer
  private let target: Target

  /// Where clients connect to.
  public var address: String { server.address }

  /// Listens.
  ///
  /// - Parameter loss: Is called with the body of each request.
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

  /// Lets clients be connected to a node.
  ///
  /// - Parameter whenLost: Is called when a connection is lost, before the client sees it.
  public func connect(toPort port: Int, whenLost: @escaping @Sendable () -> Void) {
    target.whenLost.withLock { $0 = whenLost }
    target.port.withLock { $0 = port }
  }

  /// Ends all connections.
  public func end() { server.end() }
}
