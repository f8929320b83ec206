/// An SQL database on a server, with the operations that a ``RemoteDataSource`` needs.
///
/// ``DqliteCluster`` implements it for dqlite. Requests to a server are ``RemoteStatement``s only. Information about tables comes from
/// `sqlite_schema` and the `pragma_…` functions.
public protocol RemoteDatabase: Sendable {
  /// The name in titles and histories: `dqlite://10.0.0.1:9001/demo`.
  ///
  /// Never contains a password or key.
  var name: String { get }
  /// The capabilities of the server and its protocol.
  var capabilities: RemoteCapabilities { get }

  /// Opens a session with a separate connection, which is reopened when it is lost.
  ///
  /// - Parameters:
  ///   - purpose: The purpose as shown in activities: `rows`, `background`, `statements`.
  ///   - isReadOnly: Whether the server rejects statements that write.
  /// - Throws: ``RemoteError``
  func session(for purpose: String, isReadOnly: Bool) async throws -> any RemoteSession

  /// Returns the stream of states of the machines that serve the database.
  func states() -> AsyncStream<RemoteState>

  /// Closes all sessions.
  ///
  /// Running statements end with a ``RemoteError``.
  func close()
}

/// A connection to a server on which statements run one after another.
///
/// If it is lost, the next statement reconnects.
///
/// Reads may be requested concurrently. A session that supports it sends them together, in the time of one round trip.
public protocol RemoteSession: Sendable {
  /// Runs a statement that returns rows.
  ///
  /// - Parameter body: Called with each batch of rows as it arrives, on any thread. The first batch may have no rows and contain only the
  ///   column names. An error that it throws ends the read.
  /// - Throws: ``RemoteError``, `CancellationError`, and any error thrown by `body`.
  func forEachBatch(_ statement: RemoteStatement, _ body: @Sendable (RemoteRows) throws -> Void) async throws

  /// Runs a statement that returns no rows.
  func execute(_ statement: RemoteStatement) async throws -> RemoteChange

  /// Runs statements in one transaction, completely or not at all.
  ///
  /// - Throws: ``RemoteBatchError`` with the statement that failed.
  func transact(_ statements: [RemoteStatement]) async throws -> [RemoteChange]

  /// Whether a statement has begun a transaction that is still open.
  var isInsideTransaction: Bool { get }

  /// Whether a transaction was lost with its connection and this has not been reported yet.
  ///
  /// The next statement throws the error.
  var hasLostTransaction: Bool { get }

  /// Calls `body`, on any thread, when a transaction is lost with its connection while no statement is running.
  func onLostTransaction(_ body: @escaping @Sendable () -> Void)

  /// Ends the session and its running statement.
  ///
  /// This is the only way to cancel a statement on the server. May be called from any thread at any time.
  func close()
}

extension RemoteSession {
  /// False by default, for a session that keeps its connection.
  public var hasLostTransaction: Bool { false }
  public func onLostTransaction(_ body: @escaping @Sendable () -> Void) {}
}

/// Rows as received from the server.
public struct RemoteRows: Sendable {
  /// The names of the columns.
  public var columns: [String]
  /// The values, row after row.
  public var values: [RemoteValue]
  /// The unique number of the connection to the database.
  ///
  /// `data_version` restarts on each connection, and a session may reconnect silently.
  public var connection: Int

  /// The number of rows.
  public var count: Int { columns.isEmpty ? 0 : values.count / columns.count }

  /// Creates a batch of rows.
  public init(columns: [String], values: [RemoteValue], connection: Int) {
    (self.columns, self.values, self.connection) = (columns, values, connection)
  }
}

/// A value as received from the server.
public enum RemoteValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  /// The bytes of a text, which may not be valid UTF-8.
  case text(ArraySlice<UInt8>)
  case blob(ArraySlice<UInt8>)
}

/// The result of a statement that returns no rows.
public struct RemoteChange: Sendable {
  /// The number of changed rows.
  public var rows: Int
  /// The rowid of the last inserted row.
  public var lastRowID: Int64

  /// Creates the result of a statement.
  public init(rows: Int, lastRowID: Int64) {
    (self.rows, self.lastRowID) = (rows, lastRowID)
  }
}

/// The capabilities of a server and its protocol.
public struct RemoteCapabilities: Sendable {
  /// Whether RETURNING is safe.
  public var returning: Bool
  /// The maximum number of parameters of a statement.
  public var parameterLimit: Int
  /// Whether a running statement can be cancelled before its next step.
  public var interrupts: Bool

  /// Creates the capabilities of a server.
  public init(returning: Bool, parameterLimit: Int, interrupts: Bool) {
    (self.returning, self.parameterLimit, self.interrupts) = (returning, parameterLimit, interrupts)
  }
}

/// The state of the machines that serve a database.
public struct RemoteState: Sendable, Hashable {
  public enum Connection: Sendable, Hashable {
    case connected
    /// The connection to the leader is lost and a leader is being searched for.
    case searching
    /// No machine can be reached.
    ///
    /// The displayed data may be outdated.
    case unavailable
  }
  public var connection: Connection
  /// The address of the leader.
  public var leader: String?
  /// The number of voters of the cluster.
  public var voters: Int

  /// Creates a state.
  public init(connection: Connection, leader: String?, voters: Int) {
    (self.connection, self.leader, self.voters) = (connection, leader, voters)
  }
}

/// An error of a statement, from the server or the connection.
public struct RemoteError: Error, Sendable {
  public enum Kind: Sendable {
    case sql, constraint, busy, readOnly, notLeader, outcomeUnknown, unavailable, refused, protocolViolation
    /// A statement of a transaction has changed an unexpected number of rows, and the transaction was rolled back.
    case unexpectedRows
  }
  /// Whether the statement ran.
  public enum Outcome: Sendable { case ran, didNotRun, unknown }

  public var kind: Kind
  /// SQLite's extended result code, or nil if the error is not from SQLite.
  public var code: Int32?
  /// A sentence with a suggested solution.
  public var message: String
  public var outcome: Outcome

  /// Creates an error.
  public init(kind: Kind, code: Int32? = nil, message: String, outcome: Outcome) {
    (self.kind, self.code, self.message, self.outcome) = (kind, code, message, outcome)
  }
}

/// An error of a statement in a transaction.
///
/// Unless its outcome is unknown, none of the transaction's statements had an effect.
public struct RemoteBatchError: Error, Sendable {
  /// The index of the failed statement, or nil if BEGIN or COMMIT failed.
  public var index: Int?
  /// The error, with the outcome of the whole transaction.
  public var error: RemoteError

  /// Creates the error of a statement.
  public init(index: Int?, error: RemoteError) {
    (self.index, self.error) = (index, error)
  }
}
