public import QuarryChanges
public import QuarryEngine
public import QuarryRows

/// Changes the rows of a source.
public protocol RowEditing: Sendable {
  /// Whether rows of views can be changed by their INSTEAD OF triggers.
  var editsViews: Bool { get }
  /// The reason why the source is read-only, or nil if it is writable.
  var editRefusal: String? { get }
  /// Allows writes to a source that is read-only until the user allows them.
  func allowWriting() throws
  /// Writes staged changes in one transaction, completely or not at all.
  ///
  /// - Throws: ``CommitFailure`` if rows or the schema prevent it.
  func commit(_ changes: StagedChanges) async throws -> CommitSummary
  /// Returns the changes that foreign keys and triggers will make along with staged changes.
  ///
  /// Empty if they are not known.
  func forecast(of changes: StagedChanges) async throws -> CommitForecast
  /// Reads the complete values of columns of rows, in the order of the keys.
  ///
  /// Nil for a missing row.
  ///
  /// - Parameter columns: The columns, or nil for all.
  func storedRows(_ keys: [RowKey], columns: [String]?, of table: TableReference) async throws -> [[String: StoredValue]?]
  /// Returns the values of an expression for rows with their staged changes, in order.
  ///
  /// Nil for a missing row.
  func values(
    of expression: ColumnExpression, for rows: [StagedRowID], of table: TableReference, with changes: StagedChanges
  ) async throws -> [StoredValue?]
  /// Returns the changes that an expression would make to a column in the rows of a set.
  func edits(of column: String, to expression: ColumnExpression, in set: RowSet, limit: Int) async throws -> [ColumnEdit]
  /// Returns whether the rows of a query can be changed in their table.
  func editability(ofQuery sql: String) async throws -> ResultEditability
  /// Returns the table's keys of a query's rows, in order.
  ///
  /// Nil for a row whose key no longer exists in the table.
  func keys(of rows: [WindowRow], in table: ResultTable) async throws -> [RowKey?]
  /// Returns the constraint that a row with these values would violate, or nil if none can be determined without writing it.
  ///
  /// - Parameter operation: Whether the row is inserted or updated.
  func fault(in values: [String: StagedValue], of table: TableReference, by operation: RowOperation) async throws -> ConstraintFailure?
  /// Returns suggested values for a column.
  ///
  /// - Parameter prefix: The beginning of the values or their labels, ignoring case.
  func choices(for column: String, of table: TableReference, prefix: String, limit: Int) async throws -> [ColumnChoice]
}

extension RowEditing {
  /// Returns an empty forecast, because the changes are not known.
  public func forecast(of changes: StagedChanges) async throws -> CommitForecast { CommitForecast() }
  /// Returns the keys in the rows, for a source that does not look up keys.
  public func keys(of rows: [WindowRow], in table: ResultTable) async throws -> [RowKey?] { rows.map { table.key(of: $0.cells) } }
}
