public import QuarryEngine
public import QuarryRows

/// Runs the statements of a source, and lets its readers take the filters of row sets.
public protocol StatementRunning: Sendable {
  /// Whether what runs stops when it is asked to; otherwise it is only waited for no longer.
  var stopsStatements: Bool { get }

  /// Reads the names that may be completed in a statement.
  func completionSchema() async throws -> SQLCompletionSchema
  /// Looks for values that a parameter may have.
  func values(of choices: ParameterChoices, limit: Int) async throws -> [DatabaseValue]
  /// Says how a statement would be run.
  func plan(of sql: String) async throws -> [PlanStep]
  /// Says what statements need before they can run.
  ///
  /// - Throws: ``StatementFailure`` for the first that cannot run.
  func prepare(_ statements: [String]) async throws -> StatementPreparation
  /// Runs a statement; what writes does so in a transaction, which stays open.
  ///
  /// - Parameters:
  ///   - values: The values of the parameters, by what tells them apart: `:min`, `2`.
  ///   - unkeptRows: How many rows are read at most where they are not to be kept; nil to keep them all.
  func run(_ sql: String, _ values: [String: DatabaseValue], unkeptRows: Int?) async throws -> StatementResult
  /// Returns the transaction that is open; nil where none is.
  func transaction() async -> OpenTransaction?
  /// Commits or rolls back the open transaction.
  func endTransaction(isCommitted: Bool) async throws
}

/// What has to be known about statements before they run.
public struct StatementPreparation: Sendable {
  /// The parameters of all, each once, in order of first appearance.
  public var parameters: [StatementParameter] = []
  /// What the statements would destroy, as parts of sentences: `deletes every row of t: 12 rows`.
  public var warnings: [String] = []
  /// What the statements would have a server do that takes long and cannot be stopped, as parts of sentences: ``LongRead/act``.
  public var longReads: [String] = []
  /// What the statements may not mean, and compiles all the same, a sentence each.
  public var remarks: [String] = []
  /// Whether one of them can be taken back neither by a rollback nor by an undo.
  public var isIrreversible = false

  /// Makes the preparation of statements that need nothing.
  public init() {}
}

/// Why one of several statements cannot run.
public struct StatementFailure: Error {
  /// The place of the statement among them.
  public var index: Int
  /// What is wrong with it.
  public var cause: any Error

  package init(index: Int, cause: any Error) {
    (self.index, self.cause) = (index, cause)
  }
}

/// What a statement has come to.
public enum StatementResult: Sendable {
  /// Rows, which are read as they are asked for.
  case rows(RowSet.Source)
  /// Rows that were read and not kept: so many, or more where the reading stopped before the end.
  case read(count: Int, isAll: Bool)
  /// So many rows were changed; the rowid of the last that was inserted, nil where none was.
  case done(changes: Int, lastRowID: Int64?)
}

/// A transaction that waits for its end.
public struct OpenTransaction: Hashable, Sendable {
  /// The rows that were inserted, updated and deleted in it.
  public var changes: Int
  /// Whether it has changed anything besides rows.
  public var changesSchema = false

  /// Makes the description of a transaction.
  public init(changes: Int, changesSchema: Bool = false) {
    self.changes = changes
    self.changesSchema = changesSchema
  }

  /// Whether nothing would be lost with it.
  public var isEmpty: Bool { changes == 0 && !changesSchema }
}
