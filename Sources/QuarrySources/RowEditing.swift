public import QuarryChanges
public import QuarryEngine
public import QuarryRows

/// Changes the rows of a source.
public protocol RowEditing: Sendable {
  /// Whether rows of views are changed, by their INSTEAD OF triggers.
  var editsViews: Bool { get }
  /// Why nothing of the source may be changed; nil where it may.
  var editRefusal: String? { get }
  /// Lets a source be written that is only read until a person asks.
  func allowWriting() throws
  /// Writes what is staged in one transaction: all of it, or nothing.
  ///
  /// - Throws: ``CommitFailure`` where rows or the schema stand against it.
  func commit(_ changes: StagedChanges) async throws -> CommitSummary
  /// Finds what foreign keys and triggers will change along with staged changes; nothing where that cannot be told.
  func forecast(of changes: StagedChanges) async throws -> CommitForecast
  /// Reads values of rows by their columns, however long, in the order of the keys; nil for a row that is not there.
  ///
  /// - Parameter columns: The columns; nil for all.
  func storedRows(_ keys: [RowKey], columns: [String]?, of table: TableReference) async throws -> [[String: StoredValue]?]
  /// Returns what an expression yields for rows, in their order; nil for one that is not there.
  func values(of expression: ColumnExpression, for rows: [RowKey], of table: TableReference) async throws -> [StoredValue?]
  /// Returns what an expression would make of a column in the rows of a set.
  func edits(of column: String, to expression: ColumnExpression, in set: RowSet, limit: Int) async throws -> [ColumnEdit]
  /// Returns whether the rows of a query can be changed in the table that they come from.
  func editability(ofQuery sql: String) async throws -> ResultEditability
  /// Returns what a table knows the rows of a query by, in their order; nil for one that it does not have as the query read it.
  func keys(of rows: [WindowRow], in table: ResultTable) async throws -> [RowKey?]
  /// Returns what a row with these values would break of the table's rules; nil for nothing that can be told without writing it.
  ///
  /// - Parameter operation: Whether the row is new, or is there and gets the values.
  func fault(in values: [String: StagedValue], of table: TableReference, by operation: RowOperation) async throws -> ConstraintFailure?
  /// Looks for values that a column may be given.
  ///
  /// - Parameter prefix: What the values or their labels begin with, without regard to case.
  func choices(for column: String, of table: TableReference, prefix: String, limit: Int) async throws -> [ColumnChoice]
}

extension RowEditing {
  /// Returns nothing: it cannot be told.
  public func forecast(of changes: StagedChanges) async throws -> CommitForecast { CommitForecast() }
  /// Returns the keys that the rows have: for a source that looks none up.
  public func keys(of rows: [WindowRow], in table: ResultTable) async throws -> [RowKey?] { rows.map { table.key(of: $0.cells) } }
}
