/// A connection to a node: what is sent, and messages as they are asked for.
///
/// Any task may use it. The socket belongs to a thread of its own (``DqliteEventLoop``), which a ``DqliteMailbox`` connects it with.
package final class DqliteChannel: Sendable {
  /// The node that is connected to.
  let node: DqliteNode
  private let isEncrypted: Bool
  private let mailbox: DqliteMailbox

  private init(node: DqliteNode, isEncrypted: Bool, mailbox: DqliteMailbox) {
    (self.node, self.isEncrypted, self.mailbox) = (node, isEncrypted, mailbox)
  }

  deinit { close() }

  /// Connects to a node, and sends the version of the protocol, which is not answered.
  ///
  /// - Parameter limit: How long connecting may take, with the handshake of TLS.
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

  /// Sends requests at once, behind those that were sent before; if the connection has ended, ``receive(_:within:_:)`` says why.
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

  /// Waits for messages of an answer, and returns all that have come, one at least.
  ///
  /// - Parameter drain: How much of the answer is dropped if the task is cancelled, before the connection ends; nil to end it at once.
  /// - Returns: nil if none has come within the limit; they may then be asked for again.
  /// - Throws: ``RemoteError`` or ``DqliteAbandoned`` if the connection has ended; `CancellationError`.
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

  /// Gives up an answer that nobody wants any more; those behind it are still read.
  func abandon(_ answer: Int, _ drain: DrainLimit) { mailbox.abandon(answer, drain) }

  /// Waits until answers that were given up are over, and returns whether the connection has not ended.
  package func settle() async -> Bool { await mailbox.settle() }

  /// Lets a function be called once the connection has ended, on any thread; at once if it has.
  ///
  /// - Parameter function: Learns whether it ended with an answer that was given up.
  package func onEnd(_ function: @escaping @Sendable (_ wasAbandoned: Bool) -> Void) {
    mailbox.onEnd { ending in
      if case .abandoned = ending { function(true) } else { function(false) }
    }
  }

  /// Ends the connection, and with it what the node runs for it, as far as a node can be stopped; from any task, at any time.
  package func close() { mailbox.close() }
}

/// The end of a connection because of another answer, one that was given up and did not end; nothing of this one had come.
struct DqliteAbandoned: Error {}
