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
  /// Looks for values that a parameter may have.
  func values(of choices: ParameterChoices, limit: Int) async throws -> [DatabaseValue]

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
  /// Returns nothing: for a source that completes no names.
  public func completionSchema() async throws -> SQLCompletionSchema { SQLCompletionSchema(tables: []) }
  /// Returns the same reader as for the screen.
  public func backgroundReader(of set: RowSet) throws -> RowReader { try reader(of: set) }
  /// Returns none.
  public func values(of choices: ParameterChoices, limit: Int) async throws -> [DatabaseValue] { [] }
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
  /// Returns none: for a source that nobody else changes.
  public func changes() -> AsyncStream<DataChange> { AsyncStream { nil } }
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

/// What a data source can do beyond showing rows, in its tables' own order or sorted.
public struct DataSourceCapabilities: OptionSet, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Its readers take the filter of a row set.
  public static let filters = DataSourceCapabilities(rawValue: 1)
  /// It runs statements: ``DataSource/prepare(_:)``, ``DataSource/run(_:_:unkeptRows:)``.
  public static let statements = DataSourceCapabilities(rawValue: 2)
  /// It says how it would run a statement: ``DataSource/plan(of:)``.
  public static let plans = DataSourceCapabilities(rawValue: 4)

  /// All that there is.
  public static let all: DataSourceCapabilities = [.filters, .statements, .plans]
}

/// An error of a data source, as a sentence for a person: what it cannot do, or could not find.
public struct DataSourceError: Error, Hashable, CustomStringConvertible {
  /// The sentence.
  public var description: String

  /// Makes an error of a sentence.
  public init(_ description: String) {
    self.description = description
  }
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

  /// Makes the preparation of statements that need nothing.
  public init() {}
}

/// Why one of several statements cannot run.
public struct StatementFailure: Error {
  /// The place of the statement among them.
  public var index: Int
  /// What is wrong with it.
  public var cause: any Error
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
