extension DqliteFailure {
  /// The code of a node that does not lead.
  ///
  /// The statement did not run.
  private static let notLeader: UInt64 = 10_250
  /// The code of a node that stopped leading while the statement was running.
  private static let leadershipLost: UInt64 = 10_506

  /// Whether the statement certainly did not run, because the node does not lead, or was elected again since the database was opened.
  var isOfFollower: Bool {
    code == Self.notLeader || code == 12 && message.contains("no database opened")
  }

  /// Whether another connection is writing, or the node is making a checkpoint.
  var isBusy: Bool { code == 5 }

  /// Whether a statement without columns was rejected because rows were requested.
  ///
  /// It did not run.
  var isOfNoRows: Bool { code == 1 && message == "not an error" }

  /// Returns the error for callers.
  func error(at node: DqliteNode) -> RemoteError {
    switch code {
    case _ where isOfFollower:
      error(.notLeader, .didNotRun, "\(node) is no longer the leader of the cluster. The statement did not run; run it again.")
    case Self.leadershipLost:
      error(.unavailable, .unknown, "\(node) stopped leading the cluster while the statement ran.")
    case 23: error(.refused, .didNotRun, "The cluster does not allow this statement: \(message).")
    case 100: error(.refused, .didNotRun, "The statement returns rows, but none were requested.")
    case 1005: error(.protocolViolation, .didNotRun, "\(node) did not understand the request: \(message).")
    case _ where [5, 6].contains(code & 0xFF): error(.busy, .didNotRun, "Another program is writing to the cluster: \(message). Try again.")
    case _ where code & 0xFF == 8: error(.readOnly, .didNotRun, "The cluster is open as read-only: \(message).")
    case _ where [7, 10, 11, 13, 14].contains(code & 0xFF):
      // SQLite's own message would suggest a local disk.
      error(
        .refused, .ran,
        "\(node) could not do this: \(message) (\(code)). The statement may be too large, or the disk full: split it, or check the node.")
    case _ where code & 0xFF == 19: error(.constraint, .ran, message)
    default: error(.sql, .ran, message)
    }
  }

  private func error(_ kind: RemoteError.Kind, _ outcome: RemoteError.Outcome, _ text: String) -> RemoteError {
    RemoteError(kind: kind, code: Int32(truncatingIfNeeded: code), message: text, outcome: outcome)
  }
}

extension DqliteFaults {
  /// The error for a node that sends column names endlessly, and never a row.
  static let longNames = refused(
    "The column names are too long: a node would send them endlessly. Shorten them with AS.")

  /// Returns the error for a statement of a transaction that has changed an unexpected number of rows.
  static func unexpectedRows(_ count: Int, _ expected: Int) -> RemoteError {
    RemoteError(
      kind: .unexpectedRows, message: "The statement changed \(count) rows instead of \(expected). Nothing was stored.",
      outcome: .didNotRun)
  }

  /// Returns the error for a node that accepts connections and does not answer.
  static func silent(_ node: DqliteNode, for limit: Duration) -> RemoteError {
    RemoteError(
      kind: .unavailable, code: nil,
      message:
        "\(node) accepts connections but does not answer within \(limit.components.seconds) s. It hangs, is busy, or is not a dqlite node.",
      outcome: .unknown)
  }

  /// Returns the error for a leader that was silent for too long without a successor.
  static func hung(_ node: DqliteNode, for silence: Duration) -> RemoteError {
    RemoteError(
      kind: .unavailable, code: nil,
      message: """
        \(node) has not answered for \(silence.components.seconds) s, and no other node leads: it hangs, or is busy with a statement. \
        Try again, or restart the node.
        """, outcome: .unknown)
  }

  /// Returns the error for a malformed message.
  static func violation(by node: DqliteNode, _ violation: DqliteViolation) -> RemoteError {
    RemoteError(
      kind: .protocolViolation, code: nil, message: "\(node) does not follow the dqlite protocol: \(violation.reason).",
      outcome: .unknown)
  }
}
