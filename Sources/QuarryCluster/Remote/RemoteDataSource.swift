internal import QuarryChanges
public import QuarryEngine
public import QuarryFiles
public import QuarryRows
public import QuarrySources
internal import Synchronization

/// The tables, rows and statements of a database that another machine serves.
///
/// ```swift
/// let source = RemoteDataSource(cluster, isReadOnly: true)
/// let page = try await source.reader(of: RowSet(.table(TableReference(name: "Track")))).page(PageRequest(.first, limit: 50))
/// ```
///
/// What the schema tells is read from a copy of it in memory. Rows come by key, a page in one round trip; each value is asked for in a way
/// that no server can take for another, and no longer than it is shown.
public final class RemoteDataSource: DataSource, StatementRunning, RowEditing, CommitRecording, DataInsight, SourceWatching {
  let link: RemoteLink
  private let watchInterval: Duration?
  /// Why nothing may be written.
  var refusal: String? { refusing.withLock(\.self) }
  private let refusing: Mutex<String?>
  /// Copies of tables, for what needs all rows.
  let copy: RemoteCopy
  /// Where what is committed is recorded; nil where nothing is.
  let changeLogs: ChangeLogFolder?
  /// The file in which changes are written before they are sent, once it is needed.
  let replica = Mutex<RemoteReplica?>(nil)
  /// Whether the next commit is not recorded.
  let passesOver = Mutex(false)
  /// What the open transaction has done.
  let open = Mutex(RemoteTransaction())

  /// Makes a data source of a remote database.
  ///
  /// - Parameters:
  ///   - database: What serves the rows.
  ///   - refusal: Why nothing may be written, as a sentence; nil where it may.
  ///   - changesFolder: The path of the folder in which what is committed is recorded, so that it can be undone; nil for no record.
  ///   - longReadLimit: The number of rows of a table that a statement may look through without a ``LongRead``.
  ///   - watchInterval: How often it is looked whether others have written; nil for never.
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
  /// Records where there is a place for it.
  public var commits: (any CommitRecording)? { changeLogs == nil ? nil : self }
  public var insight: (any DataInsight)? { self }
  public var watch: (any SourceWatching)? { self }

  public var editRefusal: String? { refusal }

  /// Lets it be written from now on: statements run on a connection that the server does not refuse to write.
  public func allowWriting() throws {
    refusing.withLock { $0 = nil }
    link.allowWriting()
  }

  /// Closes all connections.
  public func close() { link.close() }

  // MARK: Schema

  /// Reads which tables and views there are.
  public func catalog() async throws -> Catalog {
    // Others may have changed the schema since it was read.
    link.forgetSchema()
    return try await inSchema { db in
      var catalog = try db.catalog()
      catalog.databases.removeAll { $0.name != "main" }
      return catalog
    }
  }

  /// Reads what is known of a table or view.
  public func schema(of table: TableReference) async throws -> TableSchema {
    try await inSchema { db in try db.tableSchema(table) }
  }

  /// Reads which foreign keys refer to a table.
  public func references(to table: TableReference) async throws -> [InboundReference] {
    try await inSchema { db in try db.references(to: table) }
  }

  /// Returns the columns of a table as a filter names them.
  public func filterColumns(of schema: TableSchema) async throws -> FilterColumns {
    var columns = try await inSchema { db in FilterColumns(of: schema, in: db) }
    columns.isServed = true
    return columns
  }

  /// Reads the names that may be completed in a statement.
  public func completionSchema() async throws -> SQLCompletionSchema {
    try await inSchema { db in try SQLCompletionSchema(of: db) }
  }

  /// Reads something of the schema in memory.
  func inSchema<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await link.schema().queue.read(body)
  }

  // MARK: Rows

  /// Makes what reads the rows of a set, each page in one round trip.
  public func reader(of set: RowSet) throws -> RowReader {
    if case .returned(let rows) = set.source { return RowReader(set, on: rows.connections) }
    return RowReader(set, finding: { [link] in try await link.rowSource(of: set) })
  }

  /// Writes the rows of a set, from their beginning again where the leader is lost in the midst of rows that are soon read.
  public func export(
    _ export: RowSetExport, of reader: RowReader, progress: @escaping @Sendable (RowProgress) -> Void
  ) async throws -> ExportSummary {
    guard link.longReads.isBrief(reader.rowSet) else { return try await reader.export(export, progress: progress) }
    return try await link.beginningAnew { try await reader.export(export, progress: progress) }
  }

  /// Lets the first rows of a set be read however long the server takes for them.
  public func allowLongRead(of set: RowSet) { link.longReads.allow(set) }

  // MARK: What others do

  /// Returns when others have written, and which machines serve the database.
  public func changes() -> AsyncStream<DataChange> {
    let (changes, teller) = AsyncStream.makeStream(of: DataChange.self)
    link.onLostTransaction {
      teller.yield(.transactionLost("the connection to the leader was lost, and with it the open transaction: nothing of it was stored"))
    }
    let following = Task { [link, states = link.database.states()] in
      var wasLost = false
      for await state in states {
        var connection = SourceConnection(state)
        if !wasLost, state.connection == .connected, let name = await link.emptyDatabaseName {
          connection.warning = "“\(name)” has no tables: a name that is mistyped opens an empty database"
        }
        teller.yield(.connection(connection))
        // What others wrote meanwhile is not told by a connection that is new.
        if wasLost, state.connection == .connected { teller.yield(.written) }
        wasLost = state.connection != .connected
      }
    }
    let watching = Task { [link, watchInterval] in
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

  /// Opens the database anew.
  public func reopened() throws -> any DataSource {
    RemoteDataSource(
      link.database, refusal: refusal, changesFolder: changeLogs?.path, longReadLimit: link.longReads.limit, watchInterval: watchInterval)
  }
}

extension SourceConnection {
  /// Makes the description of a server's state.
  fileprivate init(_ state: RemoteState) {
    switch state.connection {
    case .connected:
      let leader = state.leader.map { "leader \($0)" } ?? "no leader"
      let whole = state.voters > 1 ? "\(leader), \(state.voters) voters" : leader
      self.init(badges: [whole, leader, state.leader ?? leader, ""])
    case .searching:
      self.init(badges: ["leader lost"], warning: "leader lost, looking for the new one; what you see stays", isLost: true)
    case .unavailable:
      let warning = "no machine of the cluster leads: what you see may be old"
      self.init(badges: ["no leader: rows may be old", "rows may be old"], warning: warning, isLost: true)
    }
  }
}

extension RemoteLink {
  /// What a database is called that has no tables; nil for any other.
  var emptyDatabaseName: String? {
    get async {
      guard let queue = try? await schema().queue else { return nil }
      let count = try? await queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") }
      return count == 0 ? database.name : nil
    }
  }

  /// Makes the source of a set's rows, as the schema says that they can be read.
  ///
  /// - Throws: `DatabaseError` where there is no such table or column, or the set asks for what the server does not have.
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
  /// Refuses what calls the function of regular expressions, which is this program's own.
  ///
  /// - Throws: ``DataSourceError``
  package func checkForServer() throws {
    guard sql.contains(" REGEXP ") else { return }
    throw DataSourceError("=~ cannot be used here: the server has no regular expressions; ~ looks for a text")
  }
}

/// Looks from time to time whether somebody else has written to a remote database.
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

  /// Waits until others have written; nil when its task is cancelled.
  func next() async -> DataChange? {
    if seen == nil { seen = try? await link.dataState(on: .rows) }
    while true {
      do { try await Task.sleep(for: interval) } catch { return nil }
      // A server that does not answer is asked again the next time.
      guard let state = try? await link.dataState(on: .rows), state != seen else { continue }
      let isFirst = seen == nil
      if let seen, seen.schema != state.schema { link.forgetSchema() }
      seen = state
      if !isFirst { return .written }
    }
  }
}
