public import QuarryEngine
public import QuarryRows

/// Runs the statements of a source.
///
/// A source with this role can also read row sets with filters.
public protocol StatementRunning: Sendable {
  /// Whether a running statement can be cancelled.
  ///
  /// If false, cancelling only stops waiting for it.
  var stopsStatements: Bool { get }

  /// Reads the names for completion in a statement.
  func completionSchema() async throws -> SQLCompletionSchema
  /// Returns values for a parameter.
  func values(of choices: ParameterChoices, limit: Int) async throws -> [DatabaseValue]
  /// Returns the query plan of a statement.
  func plan(of sql: String) async throws -> [PlanStep]
  /// Returns the requirements of statements before they run.
  ///
  /// - Throws: ``StatementFailure`` for the first statement that cannot run.
  func prepare(_ statements: [String]) async throws -> StatementPreparation
  /// Runs a statement.
  ///
  /// A statement that writes runs in a transaction, which stays open.
  ///
  /// - Parameters:
  ///   - values: The values of the parameters by name or number: `:min`, `2`.
  ///   - unkeptRows: The maximum number of rows to read if rows are discarded, or nil to keep all rows.
  func run(_ sql: String, _ values: [String: DatabaseValue], unkeptRows: Int?) async throws -> StatementResult
  /// Returns the open transaction, or nil if no transaction is open.
  func transaction() async -> OpenTransaction?
  /// Commits or rolls back the open transaction.
  func endTransaction(isCommitted: Bool) async throws
}

/// The requirements of statements before they run.
public struct StatementPreparation: Sendable {
  /// The parameters of all statements without duplicates, in order of first appearance.
  public var parameters: [StatementParameter] = []
  /// The data that the statements would destroy, as parts of sentences: `deletes every row of t: 12 rows`.
  public var warnings: [String] = []
  /// The long-running operations on a server that cannot be cancelled, as parts of sentences: ``LongRead/act``.
  public var longReads: [String] = []
  /// Remarks about probable mistakes that compile, one sentence each.
  public var remarks: [String] = []
  /// Whether a statement cannot be reverted by a rollback or an undo.
  public var isIrreversible = false

  /// Creates the preparation of statements without requirements.
  public init() {}
}

/// The reason why one of several statements cannot run.
public struct StatementFailure: Error {
  /// The index of the statement.
  public var index: Int
  /// The error of the statement.
  public var cause: any Error

  package init(index: Int, cause: any Error) {
    (self.index, self.cause) = (index, cause)
  }
}

/// The result of a statement.
public enum StatementResult: Sendable {
  /// Rows, which are read on demand.
  case rows(RowSet.Source)
  /// The number of rows that were read and discarded.
  ///
  /// If `isAll` is false, reading stopped before the end.
  case read(count: Int, isAll: Bool)
  /// The number of changed rows, and the rowid of the last inserted row, or nil if none was inserted.
  case done(changes: Int, lastRowID: Int64?)
}

/// An open transaction.
public struct OpenTransaction: Hashable, Sendable {
  /// The number of rows that the transaction has inserted, updated and deleted.
  public var changes: Int
  /// Whether the transaction has changed more than rows.
  public var changesSchema = false

  /// Creates the description of a transaction.
  public init(changes: Int, changesSchema: Bool = false) {
    self.changes = changes
    self.changesSchema = changesSchema
  }

  /// Whether a rollback would lose nothing.
  public var isEmpty: Bool { changes == 0 && !changesSchema }
}
