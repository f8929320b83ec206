public import QuarryChanges
public import QuarryEngine
public import QuarryFiles
public import QuarryRows

/// Where the data of a session comes from: tables with their schema, the rows of row sets, and statements that run in one transaction.
///
/// ``SQLiteDataSource`` is the one for SQLite files. A screen asks a data source and nothing else, so that another conformer, of a cluster
/// or of tables in memory, is shown by the same screens:
///
/// ```swift
/// struct Planets: DataSource {
///   func catalog() async throws -> Catalog { … }
///   func schema(of table: TableReference) async throws -> TableSchema { … }
///   func reader(of set: RowSet) throws -> RowReader { RowReader(set, from: PlanetRows(set)) }
///   …
/// }
/// ```
///
/// What a source can do beyond showing rows its ``capabilities`` tell, and a screen asks them before it offers something. The methods of
/// what it cannot do need no body: the defaults here throw a ``DataSourceError``. A method that takes long ends with a `CancellationError`
/// when its task is cancelled.
public protocol DataSource: Sendable {
  /// What a history calls the source: the path of its file.
  var name: String { get }
  /// What it can do beyond showing rows.
  var capabilities: DataSourceCapabilities { get }

  /// The files that its tables are made of, which may still be read; nil where it is none of files.
  var fileTables: FileTables? { get }

  // MARK: Schema

  /// Reads which tables and views there are.
  func catalog() async throws -> Catalog
  /// Reads what is known of a table or view.
  func schema(of table: TableReference) async throws -> TableSchema
  /// Reads which foreign keys refer to a table.
  func references(to table: TableReference) async throws -> [InboundReference]
  /// Returns the columns of a table as a filter names them.
  func filterColumns(of schema: TableSchema) async throws -> FilterColumns
  /// Reads the names that may be completed in a statement.
  func completionSchema() async throws -> SQLCompletionSchema

  // MARK: Rows

  /// Makes what reads the rows of a set for the screen; while a transaction is open, what it has changed is seen in them.
  func reader(of set: RowSet) throws -> RowReader
  /// Makes what reads rows beside those on the screen, which wait for none of it: counts, values to be offered.
  func backgroundReader(of set: RowSet) throws -> RowReader
  /// Lets rows be read of which a reader says by a ``LongRead`` that this may take long.
  func allowLongRead(of set: RowSet)
  /// Looks for values that a parameter may have.
  func values(of choices: ParameterChoices, limit: Int) async throws -> [DatabaseValue]

  /// Writes rows to a file, as they are shown; it appears once it is whole.
  ///
  /// - Parameters:
  ///   - reader: The reader of the rows, so that what is written is what it has shown.
  ///   - progress: Is called now and then with how many rows have been written.
  /// - Throws: ``OutputFileError`` where the file cannot be written.
  func export(
    _ export: RowSetExport, of reader: RowReader, progress: @escaping @Sendable (RowProgress) -> Void
  ) async throws -> ExportSummary

  // MARK: Insight

  /// Looks for a text in the tables; see ``EverywhereSearch``.
  ///
  /// - Parameter report: Is told the tables, and then what is found in them as soon as it is, on any thread.
  /// - Returns: What was found in each table.
  func search(_ search: EverywhereSearch, report: @escaping @Sendable (SearchReport) -> Void) async throws -> [SearchedTable]
  /// Looks up the rows that foreign keys refer to, with what a person knows them by.
  ///
  /// - Returns: For each lookup what its values refer to, in their order; nothing where that is not known.
  func referredRows(_ lookups: [ReferenceLookup]) async throws -> [[ReferredRow]]

  // MARK: Statements

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

  // MARK: What was committed

  /// Reads what was committed through this program, the latest first.
  func commits() async throws -> [RecordedCommit]
  /// Returns whether staged changes were committed: those of a program that was killed before it could forget them.
  func hasCommitted(_ changes: StagedChanges) async throws -> Bool
  /// Reads rows that a commit has changed, table by table in the order of their keys.
  ///
  /// - Parameters:
  ///   - offset: How many of them are passed over.
  ///   - limit: How many are read at most.
  func rows(ofCommit id: RecordedCommit.ID, from offset: Int, limit: Int) async throws -> [RecordedRow]
  /// Takes a commit back in one transaction, each row only where it still has the values that the commit left.
  ///
  /// - Parameter choices: What is done about rows that have others.
  func undo(_ id: RecordedCommit.ID, choosing choices: UndoChoices) async throws -> UndoResult

  /// Records nothing of the transaction that is open, or else of the next one, because its changes are too large.
  func passOverChanges() async

  // MARK: Edits

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

  // MARK: Import

  /// Says what an import would do; nothing is written.
  func preview(of plan: ImportPlan) async throws -> ImportPreview
  /// Reads a file into a table, in one transaction: all of it, or nothing.
  ///
  /// - Parameter progress: Is called several times a second, on any thread.
  /// - Throws: ``ImportFailure`` where the plan cannot be carried out, or a row fails; ``FileReadError``, ``DatabaseError``.
  func importRows(_ plan: ImportPlan, progress: @escaping @Sendable (ImportProgress) -> Void) async throws -> ImportResult

  // MARK: What the data is like

  /// Counts how often each value of a column occurs.
  ///
  /// - Parameter progress: Is called with what has been counted so far, more and more of it, several times a second; also before an error
  ///   is thrown in the midst of the rows.
  func counts(_ request: CountRequest, progress: @escaping @Sendable (ValueCounts) -> Void) async throws -> ValueCounts
  /// Looks at what the values of columns are like; `progress` is called as by ``counts(_:progress:)``.
  func profile(_ request: ProfileRequest, progress: @escaping @Sendable (TableProfile) -> Void) async throws -> TableProfile
  /// Counts how rows are distributed over the values of several columns, each under the conditions on the other columns; `progress` is
  /// called as by ``counts(_:progress:)``.
  ///
  /// - Returns: A facet for each column, in the order of the request.
  func facets(_ request: FacetRequest, progress: @escaping @Sendable ([Facet]) -> Void) async throws -> [Facet]
  /// Looks for the paths that lead to values in a column of JSON.
  ///
  /// - Parameter progress: Is called with what has been found so far, several times a second.
  func jsonPaths(of column: String, in set: RowSet, progress: @escaping @Sendable (JSONPaths) -> Void) async throws -> JSONPaths
  /// Calls `body` each time that there is news of the copy in which all this is found out, on any thread; nil where there is none.
  func onCopy(_ body: @escaping @Sendable (SourceCopy?) -> Void)
  /// Returns the column whose value could not be had, after the reading of rows has ended with an error; nil where that cannot be told.
  ///
  /// - Parameter rows: How many rows of the set were read before, in no particular order.
  func failingColumn(of set: RowSet, after rows: Int, _ error: DatabaseError) async throws -> String?

  // MARK: What others do

  /// Returns what others do to the data from now on, one after the other.
  ///
  /// A reader asks for the next one once it has handled the last, so that a source may report less often where that takes long. They end
  /// with the task that reads them.
  func changes() -> AsyncStream<DataChange>
  /// The files that are not where they were opened.
  var movedFiles: [MovedFile] { get }
  /// Opens the source anew, on the files that are there now.
  func reopened() throws -> any DataSource
  /// Undoes a change that another program has left half done, where that may be.
  func undoHalfDoneChange() async
  /// Calls `body` with the owner of the lock that is waited for, each time that it changes.
  func onLockWait(_ body: @escaping @Sendable (LockWait?) -> Void)
  /// Ends what waits for a lock.
  func stopWaiting()
}

extension DataSource {
  /// No files.
  public var fileTables: FileTables? { nil }

  /// Returns nothing: for a source that completes no names.
  public func completionSchema() async throws -> SQLCompletionSchema { SQLCompletionSchema(tables: []) }
  /// Returns the same reader as for the screen.
  public func backgroundReader(of set: RowSet) throws -> RowReader { try reader(of: set) }
  /// Writes the rows that the reader gives: see ``RowReader/export(_:databases:progress:)``.
  public func export(
    _ export: RowSetExport, of reader: RowReader, progress: @escaping @Sendable (RowProgress) -> Void
  ) async throws -> ExportSummary {
    try await reader.export(export, progress: progress)
  }
  /// Does nothing: for a source whose reading can be stopped.
  public func allowLongRead(of set: RowSet) {}
  /// Returns none.
  public func values(of choices: ParameterChoices, limit: Int) async throws -> [DatabaseValue] { [] }
  /// Throws ``DataSourceError``.
  public func search(_ search: EverywhereSearch, report: @escaping @Sendable (SearchReport) -> Void) async throws -> [SearchedTable] {
    throw DataSourceError("\(name) cannot be searched as a whole")
  }
  /// Returns nothing: for a source that looks up no references.
  public func referredRows(_ lookups: [ReferenceLookup]) async throws -> [[ReferredRow]] { lookups.map { _ in [] } }
  /// Throws ``DataSourceError``.
  public func plan(of sql: String) async throws -> [PlanStep] {
    throw DataSourceError("\(name) does not tell how it would run a statement")
  }
  /// Throws ``DataSourceError``.
  public func prepare(_ statements: [String]) async throws -> StatementPreparation { throw DataSourceError("\(name) runs no statements") }
  /// Throws ``DataSourceError``.
  public func run(_ sql: String, _ values: [String: DatabaseValue], unkeptRows: Int?) async throws -> StatementResult {
    throw DataSourceError("\(name) runs no statements")
  }
  /// Returns nil: for a source without transactions.
  public func transaction() async -> OpenTransaction? { nil }
  /// Does nothing.
  public func endTransaction(isCommitted: Bool) async throws {}
  /// Returns none: for a source that keeps no record of what is committed.
  public func commits() async throws -> [RecordedCommit] { [] }
  /// Returns none.
  public func rows(ofCommit id: RecordedCommit.ID, from offset: Int, limit: Int) async throws -> [RecordedRow] { [] }
  /// Throws ``DataSourceError``.
  public func undo(_ id: RecordedCommit.ID, choosing choices: UndoChoices) async throws -> UndoResult {
    throw DataSourceError("\(name) keeps no record of what is committed")
  }
  /// Does nothing.
  public func passOverChanges() async {}
  /// Returns false.
  public func hasCommitted(_ changes: StagedChanges) async throws -> Bool { false }
  /// That the source cannot be edited, unless it can do ``DataSourceCapabilities/edits``.
  public var editRefusal: String? { capabilities.contains(.edits) ? nil : "\(name) cannot be edited" }
  /// Throws ``DataSourceError`` where the source may not be written.
  public func allowWriting() throws {
    if let editRefusal { throw DataSourceError(editRefusal) }
  }
  /// Throws ``DataSourceError``.
  public func commit(_ changes: StagedChanges) async throws -> CommitSummary { throw DataSourceError("\(name) cannot be edited") }
  public func forecast(of changes: StagedChanges) async throws -> CommitForecast { CommitForecast() }
  /// Throws ``DataSourceError``.
  public func storedRows(_ keys: [RowKey], columns: [String]?, of table: TableReference) async throws -> [[String: StoredValue]?] {
    throw DataSourceError("\(name) cannot be edited")
  }
  /// Throws ``DataSourceError``.
  public func values(of expression: ColumnExpression, for rows: [RowKey], of table: TableReference) async throws -> [StoredValue?] {
    throw DataSourceError("\(name) cannot be edited")
  }
  /// Throws ``DataSourceError``.
  public func edits(of column: String, to expression: ColumnExpression, in set: RowSet, limit: Int) async throws -> [ColumnEdit] {
    throw DataSourceError("\(name) cannot be edited")
  }
  /// That they cannot be changed: for a source that does not know where the columns of a query come from.
  public func editability(ofQuery sql: String) async throws -> ResultEditability { .refused("\(name) cannot change the rows of a query") }
  /// Returns the keys that the rows have: for a source that looks none up.
  public func keys(of rows: [WindowRow], in table: ResultTable) async throws -> [RowKey?] { rows.map { table.key(of: $0.cells) } }
  /// Returns nil: for a source whose rules are not known before a row is written.
  public func fault(
    in values: [String: StagedValue], of table: TableReference, by operation: RowOperation
  ) async throws -> ConstraintFailure? { nil }
  /// Returns none.
  public func choices(for column: String, of table: TableReference, prefix: String, limit: Int) async throws -> [ColumnChoice] { [] }
  /// Throws ``DataSourceError``.
  public func preview(of plan: ImportPlan) async throws -> ImportPreview { throw DataSourceError("\(name) imports no files") }
  /// Throws ``DataSourceError``.
  public func importRows(_ plan: ImportPlan, progress: @escaping @Sendable (ImportProgress) -> Void) async throws -> ImportResult {
    throw DataSourceError("\(name) imports no files")
  }
  /// Returns none: for a source that nobody else changes.
  public func changes() -> AsyncStream<DataChange> { AsyncStream { nil } }
  /// Throws ``DataSourceError``.
  public func counts(_ request: CountRequest, progress: @escaping @Sendable (ValueCounts) -> Void) async throws -> ValueCounts {
    throw DataSourceError("\(name) counts no values")
  }
  /// Throws ``DataSourceError``.
  public func profile(_ request: ProfileRequest, progress: @escaping @Sendable (TableProfile) -> Void) async throws -> TableProfile {
    throw DataSourceError("\(name) makes no profiles")
  }
  /// Throws ``DataSourceError``.
  public func facets(_ request: FacetRequest, progress: @escaping @Sendable ([Facet]) -> Void) async throws -> [Facet] {
    throw DataSourceError("\(name) counts no values")
  }
  /// Throws ``DataSourceError``.
  public func jsonPaths(
    of column: String, in set: RowSet, progress: @escaping @Sendable (JSONPaths) -> Void
  ) async throws -> JSONPaths {
    throw DataSourceError("\(name) looks into no JSON")
  }
  /// Does nothing: for a source that looks at the rows themselves.
  public func onCopy(_ body: @escaping @Sendable (SourceCopy?) -> Void) {}
  /// Returns nil: it cannot be told.
  public func failingColumn(of set: RowSet, after rows: Int, _ error: DatabaseError) async throws -> String? { nil }
  /// None: for a source without files.
  public var movedFiles: [MovedFile] { [] }
  /// Throws ``DataSourceError``.
  public func reopened() throws -> any DataSource { throw DataSourceError("start anew to see the new one") }
  /// Does nothing.
  public func undoHalfDoneChange() async {}
  /// Does nothing: for a source that never waits for a lock.
  public func onLockWait(_ body: @escaping @Sendable (LockWait?) -> Void) {}
  /// Does nothing.
  public func stopWaiting() {}
}

/// The owner of a lock that something waits for.
public enum LockWait: Hashable, Sendable {
  /// Another program's.
  case anotherProgram
  /// That of the transaction which is open in the source itself.
  case ownTransaction
}

// MARK: - Statements

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
