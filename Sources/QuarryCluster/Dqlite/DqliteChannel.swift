/// A connection to a node that sends requests and receives messages.
///
/// Any task may use it. The socket belongs to a separate thread (``DqliteEventLoop``), and a ``DqliteMailbox`` connects both.
package final class DqliteChannel: Sendable {
  /// The connected node.
  let node: DqliteNode
  private let isEncrypted: Bool
  private let mailbox: DqliteMailbox

  private init(node: DqliteNode, isEncrypted: Bool, mailbox: DqliteMailbox) {
    (self.node, self.isEncrypted, self.mailbox) = (node, isEncrypted, mailbox)
  }

  deinit { close() }

  /// Connects to a node and sends the protocol version, which has no answer.
  ///
  /// - Parameter limit: The time limit for connecting, including the TLS handshake.
  /// - Throws: ``RemoteError``, `CancellationError`
  package static func connect(to node: DqliteNode, tls: DqliteTLS?, within limit: Duration) async throws -> DqliteChannel {
    do {
      let mailbox = try DqliteMailbox()
      try await withTaskCancellationHandler {
        try await mailbox.open { try DqliteEventLoop.start(mailbox, to: node, tls: tls, within: limit) }
      } onCancel: {
        mailbox.close()
      }
      return DqliteChannel(node: node, isEncrypted: tls != nil, mailbox: mailbox)
    } catch {
      try Task.checkCancellation()
      throw DqliteFaults.connecting(to: node, error, isEncrypted: tls != nil)
    }
  }

  /// Sends requests at once, after earlier ones.
  ///
  /// If the connection has ended, ``receive(_:within:_:)`` throws the reason.
  ///
  /// - Returns: The number of their answer.
  package func send(_ requests: [DqliteRequest]) throws(DqliteViolation) -> Int {
    var bytes: [UInt8] = []
    for request in requests {
      let encoded = try request.encoded()
      if bytes.isEmpty { bytes = encoded } else { bytes += encoded }
    }
    return mailbox.send(bytes, count: requests.count)
  }

  /// Waits for messages of an answer, and returns all that have arrived, at least one.
  ///
  /// - Parameter drain: The limits for discarding the answer if the task is cancelled. Beyond them the connection ends. Nil to end it at
  ///   once.
  /// - Returns: Nil if none has arrived within the limit. They may then be requested again.
  /// - Throws: ``RemoteError`` or ``DqliteAbandoned`` if the connection has ended. `CancellationError` if the task is cancelled.
  package func receive(_ answer: Int, within limit: Duration, _ drain: DrainLimit? = nil) async throws -> [DqliteFrame]? {
    do {
      return try await withTaskCancellationHandler {
        try await mailbox.take(answer, within: limit)
      } onCancel: {
        if let drain { abandon(answer, drain) } else { close() }
      }
    } catch {
      try Task.checkCancellation()
      if case DqliteMailbox.Ending.abandoned = error { throw DqliteAbandoned() }
      throw DqliteFaults.receiving(from: node, error, isEncrypted: isEncrypted)
    }
  }

  /// Abandons an answer that is no longer wanted.
  ///
  /// Later answers are still read.
  func abandon(_ answer: Int, _ drain: DrainLimit) { mailbox.abandon(answer, drain) }

  /// Waits until abandoned answers have been discarded, and returns whether the connection is still open.
  package func settle() async -> Bool { await mailbox.settle() }

  /// Calls a function on any thread once the connection has ended, or at once if it already has.
  ///
  /// - Parameter function: Called with whether the connection ended because of an abandoned answer.
  package func onEnd(_ function: @escaping @Sendable (_ wasAbandoned: Bool) -> Void) {
    mailbox.onEnd { ending in
      if case .abandoned = ending { function(true) } else { function(false) }
    }
  }

  /// Closes the connection, and cancels its statements on the node as far as possible.
  ///
  /// May be called from any task at any time.
  package func close() { mailbox.close() }
}

/// An error for a connection that ended because of another, abandoned answer.
///
/// Nothing of this answer had arrived.
struct DqliteAbandoned: Error {}
