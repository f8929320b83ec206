package import QuarryChanges
public import QuarryEngine
public import QuarryFiles
public import QuarryRows
internal import Synchronization

/// The tables, rows and statements of SQLite files, on enough connections that nothing waits for anything slower.
public final class SQLiteDataSource: DataSource, StatementRunning, RowEditing, CommitRecording, DataInsight, FileImporting, SourceWatching {
  /// Read the rows of tables and views: what is on the screen, and, apart from that, all that takes long.
  let rows: ReadConnections
  /// Counts the tables of the catalog, and looks for values of columns.
  let background: DatabaseQueue
  /// Runs statements, and reads the rows that they give.
  let script: ScriptConnection
  /// Which of the connections wait for a lock.
  let lockWaits: LockWaits
  /// The files that the tables of the first database are made of; nil where it is a file itself.
  public let fileTables: FileTables?
  /// Where what is committed is recorded; nil where it is not.
  let changeLogs: ChangeLogFolder?
  /// The rules of the table that values were last checked for: this happens with each key of a field.
  let rules = Mutex<(schema: TableSchema, rules: RowRules?)?>(nil)
  /// The connections on which rows are looked at, once they are open.
  let openedInsight = Mutex<[InsightPurpose: ReadConnections]>([:])
  let openInsight: (@Sendable (_ label: String) throws -> ReadConnections)?
  private let watchInterval: Duration?
  private let reopen: (@Sendable () throws -> SQLiteDataSource)?

  /// Makes a data source of connections to the same databases.
  ///
  /// - Parameters:
  ///   - rows: The connections on which rows are read.
  ///   - background: Serves what is read beside the rows on the screen.
  ///   - insight: Opens connections by their label: those on which values are counted, those of facets, profiles and others, and those on
  ///     which all tables are searched, so that nothing waits for any of them; nil to do all of it on `background`.
  ///   - script: The connection on which statements run.
  ///   - lockWaits: Which of the connections wait for a lock.
  ///   - watchInterval: How often it is looked whether others have written to the files; nil for never.
  ///   - changes: Where what is committed is recorded; nil where it is not.
  ///   - fileTables: The files that the tables of the first database are made of; nil where it is a file itself.
  ///   - reopen: Opens all of them anew, on the files that are there now; nil where that cannot be.
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

  /// The connection that reads what is on the screen.
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
  /// Records where there is a place for it.
  public var commits: (any CommitRecording)? { changeLogs == nil ? nil : self }
  public var insight: (any DataInsight)? { self }
  public var files: (any FileImporting)? { self }
  public var watch: (any SourceWatching)? { self }

  // MARK: Schema

  /// Reads which tables and views there are: see ``Database/catalog()``.
  public func catalog() async throws -> Catalog {
    try await schemaConnection().read { db in try db.catalog() }
  }

  /// Reads what is known of a table or view: see ``Database/tableSchema(_:)``.
  public func schema(of table: TableReference) async throws -> TableSchema {
    try await schemaConnection().read { db in try db.tableSchema(table) }
  }

  /// Reads which foreign keys refer to a table: see ``Database/references(to:)``.
  public func references(to table: TableReference) async throws -> [InboundReference] {
    try await schemaConnection().read { db in try db.references(to: table) }
  }

  /// Returns the columns of a table as a filter names them, with what its values are like.
  public func filterColumns(of schema: TableSchema) async throws -> FilterColumns {
    try await schemaConnection().read { db in FilterColumns(of: schema, in: db) }
  }

  /// Reads the names that may be completed in a statement.
  public func completionSchema() async throws -> SQLCompletionSchema {
    try await background.read { db in try SQLCompletionSchema(of: db) }
  }

  /// Returns the connection that sees what the open transaction has changed.
  func schemaConnection() throws -> DatabaseQueue {
    script.isTransactionOpen ? try script.queue() : foreground
  }

  // MARK: Rows

  /// Makes what reads the rows of a set: those of a query, and those of tables while a transaction is open, where its changes are seen.
  public func reader(of set: RowSet) throws -> RowReader {
    switch set.source {
    case .returned: return RowReader(set, on: rows)
    case .table where !script.isTransactionOpen: return RowReader(set, on: rows)
    case .table, .query: return RowReader(set, on: ReadConnections(try script.queue()))
    }
  }

  /// Makes what reads rows on a connection of its own, but where a transaction is open, whose changes only its own connection sees.
  public func backgroundReader(of set: RowSet) throws -> RowReader {
    switch set.source {
    case .table where !script.isTransactionOpen: RowReader(set, on: ReadConnections(background))
    case .table, .query, .returned: try reader(of: set)
    }
  }

  /// Writes rows to a file that is none of the database's own.
  public func export(
    _ export: RowSetExport, of reader: RowReader, progress: @escaping @Sendable (RowProgress) -> Void
  ) async throws -> ExportSummary {
    let paths = try await catalog().databases.compactMap(\.path)
    return try await reader.export(export, databases: paths, progress: progress)
  }

  /// Looks for values that a parameter may have: see ``Database/values(of:prefix:limit:)``.
  public func values(of choices: ParameterChoices, limit: Int) async throws -> [DatabaseValue] {
    try await background.readUndivided { db in try db.values(of: choices, limit: limit) }
  }

  // MARK: What others do

  /// Returns when others have written to the files, and when those are not where they were opened.
  public func changes() -> AsyncStream<DataChange> {
    guard let watchInterval else { return AsyncStream { nil } }
    let watch = FileWatch(foreground, interval: watchInterval)
    return AsyncStream { await watch.next() }
  }

  /// The files that are not where they were opened.
  public var movedFiles: [MovedFile] { foreground.movedFiles }

  /// Opens the files that have taken the places of those that were opened.
  public func reopened() throws -> any DataSource {
    guard let reopen else { throw DataSourceError("start anew to see the new one") }
    return try reopen()
  }

  /// Lets SQLite undo a change that another program has left half done, where this source may write.
  public func undoHalfDoneChange() async {
    do {
      _ = try await foreground.fileStates() as FileStates
    } catch let error as DatabaseError where error.extendedResultCode == DatabaseError.SQLITE_READONLY_ROLLBACK {
      guard script.refusal == nil else { return }
      _ = try? await script.queue().fileStates() as FileStates
    } catch {
      // What is asked for next says so.
    }
  }

  /// Calls `body` with the owner of the lock that is waited for.
  public func onLockWait(_ body: @escaping @Sendable (LockWait?) -> Void) {
    lockWaits.onChange { [weak self] names in
      let isScriptWaiting = names.contains(ScriptConnection.name) || names.contains(ScriptConnection.openingName)
      // While this program writes, no other one can: then no other connection holds a lock that keeps readers out.
      let isOwn = self?.script.isWriting == true && !isScriptWaiting
      body(names.isEmpty ? nil : isOwn ? .ownTransaction : .anotherProgram)
    }
  }

  /// Ends what waits for a lock.
  public func stopWaiting() { lockWaits.stopAll() }

  // MARK: Transactions

  /// Returns the transaction that is open, asked of the connection itself.
  public func transaction() async -> OpenTransaction? {
    let script = script
    // Not as a part of this task, which may have been cancelled to stop the statement.
    return await Task { try? await script.openedQueue?.withoutTransaction { db in script.transaction(in: db) } }.value ?? nil
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

  /// Releases the locks that half-read results keep on the file, which would block a commit.
  ///
  /// The commit does not wait for this to end: a connection that itself waits for a lock holds none, and would get its turn only
  /// afterwards.
  func releaseLocks() {
    let (rows, background) = (rows, background)
    Task { try? await rows.endLastingReads() }
    Task { try? await background.withoutTransaction { $0.endLastingReads() } }
  }

  /// Returns the connection of statements; where its file cannot be opened for another's lock, it waits until that is gone.
  func scriptQueue() async throws -> DatabaseQueue {
    let start = ContinuousClock.now
    defer { lockWaits.note(ScriptConnection.openingName, isWaiting: false) }
    while true {
      do {
        return try script.queue()
      } catch let error as DatabaseOpenError where error.kind == .isLocked {
        if ContinuousClock.now - start > LockWaits.delay { lockWaits.note(ScriptConnection.openingName, isWaiting: true) }
        // Tries again and again, since nothing reports when another program releases its lock; a task waits here, and must not block its
        // thread.
        try await Task.sleep(for: .milliseconds(50))
      }
    }
  }
}
