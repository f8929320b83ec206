/// A SQL database that another machine serves: what a ``RemoteDataSource`` needs of it, and no more.
///
/// ``DqliteCluster`` is the conformer for dqlite. A server is asked by ``RemoteStatement``s alone; all that is known
/// of tables comes from `sqlite_schema` and the `pragma_…` functions.
public protocol RemoteDatabase: Sendable {
  /// What titles and histories call it: `dqlite://10.0.0.1:9001/demo`; no password or key is part of it.
  var name: String { get }
  /// What its wire can carry.
  var capabilities: RemoteCapabilities { get }

  /// Opens a session: a connection of its own, found anew where the one before was lost.
  ///
  /// - Parameters:
  ///   - purpose: What it is for, as activities call it: `rows`, `background`, `statements`.
  ///   - isReadOnly: Whether the server refuses what writes.
  /// - Throws: ``RemoteError``
  func session(for purpose: String, isReadOnly: Bool) async throws -> any RemoteSession

  /// Returns what is known of the machines that serve it, from now on, as it changes.
  func states() -> AsyncStream<RemoteState>

  /// Closes all sessions; what runs on them ends with a ``RemoteError``.
  func close()
}

/// A connection to a server, on which statements run one after the other; where it is lost, the next statement makes it anew.
///
/// Reads may be asked for at once: a session that can sends them together, so that they take the time of one round trip.
public protocol RemoteSession: Sendable {
  /// Runs a statement that yields rows.
  ///
  /// - Parameter body: Is called with the rows as they come, on any thread, one batch after the other; the first batch may be empty and tells
  ///   the columns. What it throws ends the reading.
  /// - Throws: ``RemoteError``, `CancellationError`, and what `body` throws.
  func forEachBatch(_ statement: RemoteStatement, _ body: @Sendable (RemoteRows) throws -> Void) async throws

  /// Runs a statement that yields no rows.
  func execute(_ statement: RemoteStatement) async throws -> RemoteChange

  /// Runs statements in one transaction of their own: all of them, or none.
  ///
  /// - Throws: ``RemoteBatchError``, which names the statement that failed.
  func transact(_ statements: [RemoteStatement]) async throws -> [RemoteChange]

  /// Whether a transaction that was begun by a statement is open.
  var isInsideTransaction: Bool { get }

  /// Whether a transaction went with its connection, and nobody has been told; the next statement throws that.
  var hasLostTransaction: Bool { get }

  /// Calls `body` when a transaction has gone with its connection while no statement ran, on any thread.
  func onLostTransaction(_ body: @escaping @Sendable () -> Void)

  /// Ends what runs, the only way that a server knows, and the session; may be called at any time, from any thread.
  func close()
}

extension RemoteSession {
  /// A session that keeps its connection loses none.
  public var hasLostTransaction: Bool { false }
  public func onLostTransaction(_ body: @escaping @Sendable () -> Void) {}
}

/// Rows as they came over the wire.
public struct RemoteRows: Sendable {
  /// The names of the columns.
  public var columns: [String]
  /// The values, row after row.
  public var values: [RemoteValue]
  /// The number of the connection that they came over, which no other connection to the same database has: `data_version` begins anew on
  /// each, and a session may have made another one without a word.
  public var connection: Int

  /// The number of rows.
  public var count: Int { columns.isEmpty ? 0 : values.count / columns.count }

  /// Makes a batch of rows.
  public init(columns: [String], values: [RemoteValue], connection: Int) {
    (self.columns, self.values, self.connection) = (columns, values, connection)
  }
}

/// A value as it came over the wire.
public enum RemoteValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  /// The bytes of a text, which need not be valid UTF-8.
  case text(ArraySlice<UInt8>)
  case blob(ArraySlice<UInt8>)
}

/// What a statement that yields no rows has done.
public struct RemoteChange: Sendable {
  /// The number of rows that it has changed.
  public var rows: Int
  /// The rowid of the row that it inserted last.
  public var lastRowID: Int64

  /// Makes what a statement has done.
  public init(rows: Int, lastRowID: Int64) {
    (self.rows, self.lastRowID) = (rows, lastRowID)
  }
}

/// What a server's wire can carry.
public struct RemoteCapabilities: Sendable {
  /// Whether RETURNING is safe.
  public var returning: Bool
  /// The greatest number of parameters of a statement.
  public var parameterLimit: Int
  /// Whether a statement that runs can be ended before it has done its next step.
  public var interrupts: Bool

  /// Makes the capabilities of a server.
  public init(returning: Bool, parameterLimit: Int, interrupts: Bool) {
    (self.returning, self.parameterLimit, self.interrupts) = (returning, parameterLimit, interrupts)
  }
}

/// The machines that serve a database.
public struct RemoteState: Sendable, Hashable {
  public enum Connection: Sendable, Hashable {
    case connected
    /// The one that was asked is lost; another one is looked for.
    case searching
    /// None of the machines may be asked: what is shown may be old.
    case unavailable
  }
  public var connection: Connection
  /// The address of the machine that answers.
  public var leader: String?
  /// The number of machines whose agreement counts.
  public var voters: Int

  /// Makes a state.
  public init(connection: Connection, leader: String?, voters: Int) {
    (self.connection, self.leader, self.voters) = (connection, leader, voters)
  }
}

/// What a server, or the way to it, has against a statement.
public struct RemoteError: Error, Sendable {
  public enum Kind: Sendable {
    case sql, constraint, busy, readOnly, notLeader, outcomeUnknown, unavailable, refused, protocolViolation
    /// A statement of a transaction has changed another number of rows than it must, and the transaction was rolled back.
    case unexpectedRows
  }
  /// Whether the statement ran.
  public enum Outcome: Sendable { case ran, didNotRun, unknown }

  public var kind: Kind
  /// SQLite's extended result code; nil where the error is none of SQLite's.
  public var code: Int32?
  /// A sentence, with the way out.
  public var message: String
  public var outcome: Outcome

  /// Makes an error.
  public init(kind: Kind, code: Int32? = nil, message: String, outcome: Outcome) {
    (self.kind, self.code, self.message, self.outcome) = (kind, code, message, outcome)
  }
}

/// The error of a statement of a transaction; none of its statements has had an effect, unless the error's outcome is unknown.
public struct RemoteBatchError: Error, Sendable {
  /// The place of the statement that failed, from 0; nil where BEGIN or COMMIT failed.
  public var index: Int?
  /// What failed, with the outcome of the whole transaction.
  public var error: RemoteError

  /// Makes the error of a statement.
  public init(index: Int?, error: RemoteError) {
    (self.index, self.error) = (index, error)
  }
}
