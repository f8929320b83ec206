internal import QuarryChanges
public import QuarryEngine
public import QuarryFiles
public import QuarryRows
public import QuarrySources
internal import Synchronization

/// The tables, rows and statements of a database on a server.
///
/// ```swift
/// let source = RemoteDataSource(cluster, isReadOnly: true)
/// let page = try await source.reader(of: RowSet(.table(TableReference(name: "Track")))).page(PageRequest(.first, limit: 50))
/// ```
///
/// The schema is read from a copy in memory. Rows are read by key, one page per round trip. Each value is requested in a form that
/// preserves its type, and is truncated to the displayed length.
public final class RemoteDataSource: DataSource, StatementRunning, RowEditing, CommitRecording, DataInsight, SourceWatching {
  let link: RemoteLink
  private let watchInterval: Duration?
  /// The reason why the database is read-only, or nil if it is writable.
  var refusal: String? { refusing.withLock(\.self) }
  private let refusing: Mutex<String?>
  /// Local copies of tables for operations that need all rows.
  let copy: RemoteCopy
  /// The folder in which commits are recorded, or nil if they are not recorded.
  let changeLogs: ChangeLogFolder?
  /// The local file in which changes are made before they are sent.
  ///
  /// Created when first needed.
  let replica = Mutex<RemoteReplica?>(nil)
  /// Whether the next commit is not recorded.
  let passesOver = Mutex(false)
  /// The effects of the open transaction.
  let open = Mutex(RemoteTransaction())

  /// Creates a data source for a remote database.
  ///
  /// - Parameters:
  ///   - database: The database on the server.
  ///   - refusal: The reason why the database is read-only, as a sentence. Nil if it is writable.
  ///   - changesFolder: The path of the folder in which commits are recorded for undo, or nil for no record.
  ///   - longReadLimit: The number of rows of a table that a statement may scan without a ``LongRead``.
  ///   - watchInterval: How often the server is checked for external changes, or nil for never.
  public init(
    _ database: any RemoteDatabase, refusal: String? = nil, changesFolder: String? = nil, longReadLimit: Int = 500_000,
    watchInterval: Duration? = .seconds(1)
  ) {
    changeLogs = changesFolder.map { ChangeLogFolder(path: $0) }
    link = RemoteLink(database, isReadOnly: refusal != nil, longReadLimit: longReadLimit)
    copy = RemoteCopy(link)
    refusing = Mutex(refusal)
    self.watchInterval = watchInterval
  }

  public var name: String { link.database.name }

  // MARK: Roles

  public var stopsStatements: Bool { false }
  public var editsViews: Bool { false }
  public var recordsStatements: Bool { false }
  public var recordsTriggers: Bool { false }

  public var statements: (any StatementRunning)? { self }
  public var edits: (any RowEditing)? { self }
  /// The record of commits, or nil if commits are not recorded.
  public var commits: (any CommitRecording)? { changeLogs == nil ? nil : self }
  public var insight: (any DataInsight)? { self }
  public var watch: (any SourceWatching)? { self }

  public var editRefusal: String? { refusal }

  /// Allows writes from now on, and runs statements on a connection that the server allows to write.
  public func allowWriting() throws {
    refusing.withLock { $0 = nil }
    link.allowWriting()
  }

  /// Closes all connections.
  public func close() { link.close() }

  // MARK: Schema

  /// Reads the list of tables and views.
  public func catalog() async throws -> Catalog {
    // The schema may have been changed externally since it was read.
    link.forgetSchema()
    return try await inSchema { db in
      var catalog = try db.catalog()
      catalog.databases.removeAll { $0.name != "main" }
      return catalog
    }
  }

  /// Reads the schema of a table or view.
  public func schema(of table: TableReference) async throws -> TableSchema {
    try await inSchema { db in try db.tableSchema(table) }
  }

  /// Reads the foreign keys that refer to a table.
  public func references(to table: TableReference) async throws -> [InboundReference] {
    try await inSchema { db in try db.references(to: table) }
  }

  /// Reads all tables with the foreign keys between them.
  public func schemaGraph() async throws -> SchemaGraph {
    var graph = try await inSchema { db in try db.schemaGraph() }
    graph.tables.removeAll { $0.reference.database != "main" }
    return graph
  }

  /// Returns the columns of a table for a filter.
  public func filterColumns(of schema: TableSchema) async throws -> FilterColumns {
    var columns = try await inSchema { db in FilterColumns(of: schema, in: db) }
    columns.isServed = true
    return columns
  }

  /// Reads the names for completion in a statement.
  public func completionSchema() async throws -> SQLCompletionSchema {
    try await inSchema { db in try SQLCompletionSchema(of: db) }
  }

  /// Reads from the copy of the schema in memory.
  func inSchema<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await link.schema().queue.read(body)
  }

  // MARK: Rows

  /// Returns a reader of the rows of a set that reads each page in one round trip.
  public func reader(of set: RowSet) throws -> RowReader {
    if case .returned(let rows) = set.source { return RowReader(set, on: rows.connections) }
    return RowReader(set, finding: { [link] in try await link.rowSource(of: set) })
  }

  /// Writes the rows of a set.
  ///
  /// If the connection to the leader is lost during a brief read, the export restarts from the first row.
  public func export(
    _ export: RowSetExport, of reader: RowReader, progress: @escaping @Sendable (RowProgress) -> Void
  ) async throws -> ExportSummary {
    guard link.longReads.isBrief(reader.rowSet) else { return try await reader.export(export, progress: progress) }
    return try await link.beginningAnew { try await reader.export(export, progress: progress) }
  }

  /// Allows a long-running read of the first rows of a set.
  public func allowLongRead(of set: RowSet) { link.longReads.allow(set) }

  // MARK: External changes

  /// Returns a stream of external changes and of the machines that serve the database.
  public func changes() -> AsyncStream<DataChange> {
    let (changes, teller) = AsyncStream.makeStream(of: DataChange.self)
    link.onLostTransaction {
      teller.yield(.transactionLost("the connection to the leader was lost, and the open transaction was rolled back"))
    }
    let following = Task(executorPreference: TaskThreads.shared) { [link, states = link.database.states()] in
      var wasLost = false
      for await state in states {
        var connection = SourceConnection(state)
        if !wasLost, state.connection == .connected, let name = await link.emptyDatabaseName {
          connection.warning = "“\(name)” has no tables: a mistyped name opens an empty database"
        }
        teller.yield(.connection(connection))
        // A new connection does not report external changes that were made before it was opened.
        if wasLost, state.connection == .connected { teller.yield(.written) }
        wasLost = state.connection != .connected
      }
    }
    let watching = Task(executorPreference: TaskThreads.shared) { [link, watchInterval] in
      guard let watchInterval else { return }
      let watch = RemoteWatch(link, interval: watchInterval)
      while let change = await watch.next() { teller.yield(change) }
    }
    teller.onTermination = { _ in
      following.cancel()
      watching.cancel()
    }
    return changes
  }

  /// Reopens the database.
  public func reopened() throws -> any DataSource {
    RemoteDataSource(
      link.database, refusal: refusal, changesFolder: changeLogs?.path, longReadLimit: link.longReads.limit, watchInterval: watchInterval)
  }
}

extension SourceConnection {
  /// Creates the description of a server's state.
  fileprivate init(_ state: RemoteState) {
    switch state.connection {
    case .connected:
      let leader = state.leader.map { "leader \($0)" } ?? "no leader"
      let whole = state.voters > 1 ? "\(leader), \(state.voters) voters" : leader
      self.init(badges: [whole, leader, state.leader ?? leader, ""])
    case .searching:
      self.init(badges: ["leader lost"], warning: "leader lost, looking for the new one; the rows stay visible", isLost: true)
    case .unavailable:
      let warning = "the cluster has no leader: the rows may be old"
      self.init(badges: ["no leader: rows may be old", "rows may be old"], warning: warning, isLost: true)
    }
  }
}

extension RemoteLink {
  /// The name of the database if it has no tables, or nil.
  var emptyDatabaseName: String? {
    get async {
      guard let queue = try? await schema().queue else { return nil }
      let count = try? await queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") }
      return count == 0 ? database.name : nil
    }
  }

  /// Returns the source of a set's rows, with the access path chosen by the schema.
  ///
  /// - Throws: `DatabaseError` if the table or a column does not exist, or the set needs a feature that the server lacks.
  func rowSource(of rowSet: RowSet) async throws -> any RowSource {
    if case .query(let sql, _) = rowSet.source { try RemoteGuard.check(sql) }
    let schema = try await schema()
    let path = try await schema.queue.read { db in try AccessPath(of: rowSet, in: db) }
    for sql in [rowSet.condition, rowSet.order.sqlText] + rowSet.computed.map(\.sqlText) { try sql.checkForServer() }
    switch path {
    case .keyset(let rows): return RemoteTableRows(OrderedQuery(rows), schema: schema.version, of: rowSet, on: self)
    case .ordered(let query): return RemoteTableRows(query, schema: schema.version, of: rowSet, on: self)
    case .sequence(let sequence):
      var kind: StatementKind?
      if case .query(let sql, _) = rowSet.source { kind = StatementKind(of: sql) }
      let width = try await schema.queue.read { db in try db.makeStatement(sql: sequence.sql.sql).columnCount }
      let isWhole = kind.map { $0.isPragma || $0.isExplanation } ?? false
      let fetcher = RemoteFetcher(sequence, of: rowSet, width: width, isWhole: isWhole, on: self)
      return try MaterializedRows(fetcher, columns: sequence.columns, of: rowSet, on: ReadConnections(schema.queue))
    }
  }
}

extension SQLText {
  /// Rejects SQL that calls the program's own regular expression function, which the server does not have.
  ///
  /// - Throws: ``DataSourceError``
  package func checkForServer() throws {
    guard sql.contains(" REGEXP ") else { return }
    throw DataSourceError("=~ cannot be used here: the server has no regular expressions; ~ searches for text")
  }
}

/// Polls a remote database for external changes.
///
///     SELECT data_version, schema_version FROM pragma_data_version, pragma_schema_version
actor RemoteWatch {
  private let link: RemoteLink
  private let interval: Duration
  private var seen: DataState?

  init(_ link: RemoteLink, interval: Duration) {
    self.link = link
    self.interval = interval
  }

  /// Waits for an external change.
  ///
  /// Returns nil if its task is cancelled.
  func next() async -> DataChange? {
    if seen == nil { seen = try? await link.dataState(on: .rows) }
    while true {
      do { try await Task.pause(for: interval) } catch { return nil }
      // If the server does not answer, the next poll tries again.
      guard let state = try? await link.dataState(on: .rows), state != seen else { continue }
      let isFirst = seen == nil
      if let seen, seen.schema != state.schema { link.forgetSchema() }
      seen = state
      if !isFirst { return .written }
    }
  }
}
