package import QuarryChanges
public import QuarryEngine
public import QuarryFiles
public import QuarryRows
internal import Synchronization

/// The tables, rows and statements of SQLite files, on separate connections so that no operation waits for a slower one.
public final class SQLiteDataSource: DataSource, StatementRunning, RowEditing, CommitRecording, DataInsight, FileImporting, SourceWatching,
  TableDesigning
{
  /// The connections that read the rows of tables and views: one for the visible rows, one for slow reads.
  let rows: ReadConnections
  /// The connection for background reads, such as completion and values of columns.
  let background: DatabaseQueue
  /// The connection that runs statements and reads the rows that they return.
  let script: ScriptConnection
  /// The connections that are waiting for a lock.
  let lockWaits: LockWaits
  /// The files from which the tables of the first database were loaded, or nil if the first database is itself a file.
  public let fileTables: FileTables?
  /// The folder in which commits are recorded, or nil if they are not recorded.
  let changeLogs: ChangeLogFolder?
  /// The rules of the table whose values were checked last.
  ///
  /// Cached because a field is checked at every key press.
  let rules = Mutex<(schema: TableSchema, rules: RowRules?)?>(nil)
  /// The connections for counts, profiles and searches that have been opened.
  let openedInsight = Mutex<[InsightPurpose: ReadConnections]>([:])
  let openInsight: (@Sendable (_ label: String) throws -> ReadConnections)?
  private let watchInterval: Duration?
  private let reopen: (@Sendable () throws -> SQLiteDataSource)?

  /// Creates a data source from connections to the same databases.
  ///
  /// - Parameters:
  ///   - rows: The connections on which rows are read.
  ///   - background: The connection for background reads.
  ///   - insight: Opens connections by their label. Counts, facets and profiles, and the search in all tables get separate connections so
  ///     that none waits for another. Nil to run all of them on `background`.
  ///   - script: The connection on which statements run.
  ///   - lockWaits: The connections that are waiting for a lock.
  ///   - watchInterval: How often the files are checked for external changes, or nil for never.
  ///   - changes: The folder in which commits are recorded, or nil if they are not recorded.
  ///   - fileTables: The files from which the tables of the first database were loaded, or nil if the first database is itself a file.
  ///   - reopen: Reopens all connections at the current files, or nil if that is not possible.
  package init(
    rows: ReadConnections, background: DatabaseQueue, insight: (@Sendable (String) throws -> ReadConnections)? = nil,
    script: ScriptConnection,
    lockWaits: LockWaits = LockWaits(), watchInterval: Duration? = .seconds(1), changes: ChangeLogFolder? = nil,
    fileTables: FileTables? = nil, reopen: (@Sendable () throws -> SQLiteDataSource)? = nil
  ) {
    self.rows = rows
    self.background = background
    openInsight = insight
    self.script = script
    self.lockWaits = lockWaits
    self.watchInterval = watchInterval
    self.fileTables = fileTables
    changeLogs = changes
    self.reopen = reopen
  }

  /// The connection that reads the visible rows.
  public var foreground: DatabaseQueue { rows.foreground }

  /// The path of the first file.
  public var name: String { foreground.path }

  // MARK: Roles

  public var stopsStatements: Bool { true }
  public var editsViews: Bool { true }
  public var recordsStatements: Bool { true }
  public var recordsTriggers: Bool { true }

  public var statements: (any StatementRunning)? { self }
  public var edits: (any RowEditing)? { self }
  /// The record of commits, or nil if commits are not recorded.
  public var commits: (any CommitRecording)? { changeLogs == nil ? nil : self }
  public var insight: (any DataInsight)? { self }
  public var health: (any HealthChecking)? { self }
  public var files: (any FileImporting)? { self }
  /// The role that changes definitions of tables, or nil if the tables are read from other files.
  public var designs: (any TableDesigning)? { fileTables == nil ? self : nil }
  public var watch: (any SourceWatching)? { self }

  // MARK: Schema

  /// Reads the list of tables and views.
  ///
  /// See ``Database/catalog()``.
  public func catalog() async throws -> Catalog {
    try await schemaConnection().read { db in try db.catalog() }
  }

  /// Reads the schema of a table or view.
  ///
  /// See ``Database/tableSchema(_:)``.
  public func schema(of table: TableReference) async throws -> TableSchema {
    try await schemaConnection().read { db in try db.tableSchema(table) }
  }

  /// Reads the foreign keys that refer to a table.
  ///
  /// See ``Database/references(to:)``.
  public func references(to table: TableReference) async throws -> [InboundReference] {
    try await schemaConnection().read { db in try db.references(to: table) }
  }

  /// Reads all tables with the foreign keys between them.
  ///
  /// See ``Database/schemaGraph()``.
  public func schemaGraph() async throws -> SchemaGraph {
    try await schemaConnection().read { db in try db.schemaGraph() }
  }

  /// Returns the columns of a table for a filter.
  public func filterColumns(of schema: TableSchema) async throws -> FilterColumns {
    try await schemaConnection().read { db in FilterColumns(of: schema, in: db) }
  }

  /// Reads the names for completion in a statement.
  public func completionSchema() async throws -> SQLCompletionSchema {
    try await background.read { db in try SQLCompletionSchema(of: db) }
  }

  /// Returns the connection that sees the uncommitted changes of the open transaction.
  func schemaConnection() throws -> DatabaseQueue {
    script.isTransactionOpen ? try script.queue() : foreground
  }

  // MARK: Rows

  /// Returns a reader of the rows of a set.
  ///
  /// Queries run on the statements' connection. So do reads of tables while a transaction is open, so that its changes are visible.
  public func reader(of set: RowSet) throws -> RowReader {
    switch set.source {
    case .returned: return RowReader(set, on: rows)
    case .table where !script.isTransactionOpen: return RowReader(set, on: rows)
    case .query where set.isComputed: return RowReader(set, on: try connections(for: .groups))
    case .table, .query: return RowReader(set, on: ReadConnections(try script.queue()))
    }
  }

  /// Returns a reader of the rows of a set on a separate connection.
  ///
  /// While a transaction is open, the statements' connection is used because only that connection sees the changes.
  public func backgroundReader(of set: RowSet) throws -> RowReader {
    switch set.source {
    case .table where !script.isTransactionOpen: RowReader(set, on: ReadConnections(background))
    case .table, .query, .returned: try reader(of: set)
    }
  }

  /// Writes rows to a file, which must not be one of the database's files.
  public func export(
    _ export: RowSetExport, of reader: RowReader, progress: @escaping @Sendable (RowProgress) -> Void
  ) async throws -> ExportSummary {
    let paths = try await catalog().databases.compactMap(\.path)
    return try await reader.export(export, databases: paths, progress: progress)
  }

  /// Returns values for a parameter.
  ///
  /// See ``Database/values(of:prefix:limit:)``.
  public func values(of choices: ParameterChoices, limit: Int) async throws -> [DatabaseValue] {
    try await background.readUndivided { db in try db.values(of: choices, limit: limit) }
  }

  // MARK: External changes and locks

  /// Returns a stream of external changes to the files, including files that have been moved or replaced.
  public func changes() -> AsyncStream<DataChange> {
    guard let watchInterval else { return AsyncStream { nil } }
    let watch = FileWatch(foreground, interval: watchInterval)
    return AsyncStream { await watch.next() }
  }

  /// The opened files that are no longer at their paths.
  public var movedFiles: [MovedFile] { foreground.movedFiles }

  /// Reopens the databases at their paths.
  public func reopened() throws -> any DataSource {
    guard let reopen else { throw DataSourceError("restart quarry to see the new one") }
    return try reopen()
  }

  /// Opens the file for writing if needed, so that SQLite rolls back an unfinished transaction of another program.
  ///
  /// Does nothing on a read-only source.
  public func undoHalfDoneChange() async {
    do {
      _ = try await foreground.fileStates() as FileStates
    } catch let error as DatabaseError where error.extendedResultCode == DatabaseError.SQLITE_READONLY_ROLLBACK {
      guard script.refusal == nil else { return }
      _ = try? await script.queue().fileStates() as FileStates
    } catch {
      // The next read reports the error.
    }
  }

  /// Calls `body` with the owner of the lock whenever the set of waiting connections changes.
  public func onLockWait(_ body: @escaping @Sendable (LockWait?) -> Void) {
    lockWaits.onChange { [weak self] names in
      let isScriptWaiting = names.contains(ScriptConnection.name) || names.contains(ScriptConnection.openingName)
      // While this program writes, no other program can write, so no other connection holds a lock that blocks readers.
      let isOwn = self?.script.isWriting == true && !isScriptWaiting
      body(names.isEmpty ? nil : isOwn ? .ownTransaction : .anotherProgram)
    }
  }

  /// Cancels all operations that are waiting for a lock.
  public func stopWaiting() { lockWaits.stopAll() }

  // MARK: Transactions

  /// Returns the open transaction, read from the connection itself, or nil if no transaction is open.
  public func transaction() async -> OpenTransaction? {
    let script = script
    // A separate task, because the current task may have been cancelled to stop the statement.
    let reading = Task(executorPreference: TaskThreads.shared) {
      try? await script.openedQueue?.withoutTransaction { db in script.transaction(in: db) }
    }
    return await reading.value ?? nil
  }

  /// Commits or rolls back the open transaction.
  ///
  ///     COMMIT
  ///
  /// - Throws: ``DatabaseError``
  public func endTransaction(isCommitted: Bool) async throws {
    if isCommitted { releaseLocks() }
    let script = script
    try await scriptQueue().withoutTransaction { db in
      defer { script.noteTransaction(in: db) }
      guard db.isInsideTransaction else { return }
      try script.endTransaction(isCommitted: isCommitted, in: db)
      script.noteWriting(in: db)
    }
  }

  /// Releases the read locks of unfinished results, which would block a commit.
  ///
  /// The commit does not wait for this to end. A connection that is waiting for a lock holds none, and would be served only after the
  /// commit.
  func releaseLocks() {
    let (rows, background) = (rows, background)
    Task(executorPreference: TaskThreads.shared) { try? await rows.endLastingReads() }
    Task(executorPreference: TaskThreads.shared) { try? await background.withoutTransaction { $0.endLastingReads() } }
  }

  /// Returns the connection of statements.
  ///
  /// Waits while another program's lock prevents the file from being opened.
  func scriptQueue() async throws -> DatabaseQueue {
    let start = ContinuousClock.now
    defer { lockWaits.note(ScriptConnection.openingName, isWaiting: false) }
    while true {
      do {
        return try script.queue()
      } catch let error as DatabaseOpenError where error.kind == .isLocked {
        if ContinuousClock.now - start > LockWaits.delay { lockWaits.note(ScriptConnection.openingName, isWaiting: true) }
        // Polls, because SQLite does not report when another program releases its lock. A task sleeps here so that no thread is blocked.
        try await Task.pause(for: .milliseconds(50))
      }
    }
  }
}
