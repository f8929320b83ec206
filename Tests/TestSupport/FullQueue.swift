import Foundation

/// A local port that answers no more connections, because its queue is full of connections that are not accepted.
///
///     let hanging = try FullQueue()
///     defer { hanging.end() }
public struct FullQueue: Sendable {
  /// The port.
  public let port: Int
  private let sockets: [Int32]

  public init() throws {
    let (listening, port) = try DqliteBytes.listen()
    guard listen(listening, 0) == 0 else { throw DqliteNodes.Failure(reason: "nothing can be listened to") }
    self.port = port
    let clients = (0..<4).map { _ in DqliteBytes.makeSocket() }
    for client in clients {
      _ = fcntl(client, F_SETFL, O_NONBLOCK)
      _ = DqliteBytes.withAddress(port: port) { connect(client, $0, $1) }
    }
    sockets = [listening] + clients
  }

  public func end() { for socket in sockets { close(socket) } }
}
