internal import Synchronization

/// Copies of tables of a remote database, in a temporary one of this machine, on which all is found out that needs every row.
///
/// An aggregate of seconds would keep a server from everything else, and cannot be ended; rows that stream do neither. A copy is of one
/// state of its table, and is made anew when others have written.
final class RemoteCopy: Sendable {
  private let link: RemoteLink
  private let state = Mutex(State())
  private let turn = TaskTurn()

  private struct State: Sendable {
    /// The copies, and what of them is there.
    var queue: DatabaseQueue?
    var schema: Int64?
    var copied: [TableReference: DataState] = [:]
    var queries: [RowSet.Source: (table: TableReference, state: DataState)] = [:]
  }

  init(_ link: RemoteLink) {
    self.link = link
  }

  /// Returns connections to a database that has the rows of a source, and the source as it is called there.
  ///
  /// - Parameter withReferences: Whether it has the tables to which the rows refer, too.
  func connections(
    for source: RowSet.Source, withReferences: Bool = false
  ) async throws -> (connections: ReadConnections, source: RowSet.Source) {
    if case .returned(let rows) = source { return (rows.connections, source) }
    return try await turn.run { [self] in
      let current = try await current()
      let queue = try await opened(current.schema)
      switch source {
      case .table(let table):
        try await copy(table, current, to: queue)
        if withReferences { try await copyReferences(of: table, current, to: queue) }
        return (ReadConnections(queue), source)
      case .query, .returned:
        let table = try await copy(source, current, to: queue)
        return (ReadConnections(queue), .table(table))
      }
    }
  }

  /// Returns connections to a database that has the rows of all tables.
  func connectionsForAll() async throws -> ReadConnections {
    try await turn.run { [self] in
      let current = try await current()
      let queue = try await opened(current.schema)
      let entries = try await link.schema().queue.read { db in try db.catalog().databases.first { $0.name == "main" }?.entries ?? [] }
      for entry in entries where entry.kind == .table { try await copy(entry.reference, current, to: queue) }
      return ReadConnections(queue)
    }
  }

  private func current() async throws -> DataState {
    let sql = "SELECT data_version AS a, schema_version AS b FROM pragma_data_version, pragma_schema_version"
    let answer = try await link.rows(RemoteStatement(sql), on: link.reading(.background))
    guard let row = answer.rows.first, let version = row[0].integer, let schema = row[1].integer else {
      throw DataSourceError("the server does not tell its state")
    }
    return DataState(version: version, changes: link.changes(answer.connection), schema: schema)
  }

  /// Returns the temporary database, made anew where the schema is another one.
  private func opened(_ version: Int64) async throws -> DatabaseQueue {
    if let known = state.withLock({ $0.schema == version ? $0.queue : nil }) { return known }
    let schema = try await link.schema(ofVersion: version)
    let objects = try await schema.queue.read { db in
      try Row.fetchAll(db, sql: "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL ORDER BY rowid").map { row in
        (name: try row[0] as String, sql: try row[1] as String)
      }
    }
    var configuration = Configuration()
    configuration.label = "remote copy"
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: "", configuration: configuration)
    try await queue.withoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
      for object in objects where !object.name.lowercased().hasPrefix("sqlite_") {
        if try Int.fetchOne(db, sql: "SELECT 1 FROM sqlite_schema WHERE name = ? COLLATE NOCASE", arguments: [object.name]) == nil {
          try? db.execute(sql: object.sql)
        }
      }
    }
    state.withLock { $0 = State(queue: queue, schema: version) }
    return queue
  }

  // MARK: Copying

  private func copy(_ table: TableReference, _ current: DataState, to queue: DatabaseQueue) async throws {
    guard state.withLock({ $0.copied[table] }) != current else { return }
    let schema = try await link.schema().queue.read { db in try db.tableSchema(table) }
    if let problem = schema.problem { throw DatabaseError(DatabaseError.SQLITE_ERROR, problem) }
    let isStored = schema.entry.kind == .table
    let columns = isStored ? schema.columns.filter { $0.generation == nil && !$0.isHidden } : schema.rowSetColumns.compactMap(\.schema)
    let rowID = isStored && !schema.entry.isWithoutRowID ? schema.rowIDName : nil
    let names = columns.map(\.name) + (rowID.map { name in columns.contains { $0.name.isSameIdentifier(as: name) } ? [] : [name] } ?? [])
    try await queue.withoutTransaction { db in
      if isStored {
        try db.execute(sql: "DELETE FROM \(SQLIdentifier.quoted(table.name))")
      } else {
        let list = columns.map { "\(SQLIdentifier.quoted($0.name)) \($0.declaredType)" }.joined(separator: ", ")
        try db.execute(sql: "DROP TABLE IF EXISTS \(table.sql); CREATE TABLE \(table.sql)(\(list))")
      }
    }
    let list = names.map { "\(identifier: $0)" as SQLText }
    let source: SQLText = "SELECT \(list.joined(by: ", ")) FROM \(table.sqlText)"
    try await fill(table.name, names, from: source, arguments: [], queue)
    state.withLock { $0.copied[table] = current }
  }

  /// Copies the tables to which the rows of a table refer.
  private func copyReferences(of table: TableReference, _ current: DataState, to queue: DatabaseQueue) async throws {
    let schema = try await link.schema().queue.read { db in try db.tableSchema(table) }
    for referred in Set(schema.foreignKeys.map(\.table)) where referred != table {
      // One that is not there is told by the profile.
      do { try await copy(referred, current, to: queue) } catch is DatabaseError {}
    }
  }

  /// Copies the rows of a query into a table of its own.
  private func copy(_ source: RowSet.Source, _ current: DataState, to queue: DatabaseQueue) async throws -> TableReference {
    guard case .query(let sql, let arguments) = source else { throw DataSourceError("these rows have no source") }
    if let known = state.withLock({ $0.queries[source] }), known.state == current { return known.table }
    let columns = try await link.rowSource(of: RowSet(source)).columns
    let table = TableReference(name: "rows of query \(state.withLock { $0.queries.count + 1 })")
    var taken: Set<String> = []
    let names = columns.enumerated().map { place, column in
      taken.insert(column.name.lowercased()).inserted ? column.name : "\(column.name):\(place)"
    }
    let list = zip(names, columns).map { "\(SQLIdentifier.quoted($0)) \($1.declaredType)" }.joined(separator: ", ")
    try await queue.withoutTransaction { db in
      try db.execute(sql: "DROP TABLE IF EXISTS \(table.sql); CREATE TABLE \(table.sql)(\(list))")
    }
    try await fill(table.name, names, from: "\(raw: sql)", arguments: arguments, queue)
    state.withLock { $0.queries[source] = (table, current) }
    return table
  }

  private func fill(
    _ table: String, _ names: [String], from source: SQLText, arguments: [DatabaseValue], _ queue: DatabaseQueue
  ) async throws {
    try RemoteProjection.checkWidth(names.count)
    let list = names.indices.map { "c\($0)" }
    let cells = list.map { RemoteProjection.cell($0, limit: nil) + " AS a" }.joined(separator: ", ")
    // The line break ends a comment that the query may end in.
    let sql = "WITH \"rows of the query\"(\(list.joined(separator: ", "))) AS (\(source.sql)\n) SELECT \(cells) FROM \"rows of the query\""
    let columns = names.map(SQLIdentifier.quoted).joined(separator: ", ")
    let insertion = """
      INSERT INTO \(SQLIdentifier.quoted(table))(\(columns)) VALUES (\(Array(repeating: "?", count: names.count).joined(separator: ", ")))
      """
    try await link.forEachBatch(RemoteStatement(sql, arguments + source.values), on: link.reading(.background)) { batch in
      try Task.checkCancellation()
      try queue.write { db in
        let statement = try db.cachedStatement(sql: insertion)
        try batch.forEachRow { row in try statement.insert(row.prefix(names.count)) }
      }
    }
  }
}

extension Statement {
  /// Inserts a row of values that were asked for as a whole by ``RemoteProjection/cell(_:limit:)``.
  func insert(_ row: ArraySlice<RemoteValue>) throws {
    for (index, value) in row.enumerated() {
      switch try StoredValue(value) {
      case .value(let value)?: try bind(value, at: index + 1)
      case .rawText(let bytes)?: try bytes.withUnsafeBytes { try bindText($0, at: index + 1) }
      case nil: try bind(DatabaseValue.null, at: index + 1)
      }
    }
    _ = try step()
    try reset()
  }
}

extension RemoteDataSource {
  /// Counts how often each value of a column occurs, in a copy of the rows.
  public func counts(_ request: CountRequest, progress: @escaping @Sendable (ValueCounts) -> Void) async throws -> ValueCounts {
    var request = request
    let copied = try await copy.connections(for: request.set.source)
    request.set.source = copied.source
    return try await copied.connections.counts(request, progress: progress)
  }

  /// Looks at what the values of columns are like, in a copy of the rows.
  public func profile(_ request: ProfileRequest, progress: @escaping @Sendable (TableProfile) -> Void) async throws -> TableProfile {
    var request = request
    let copied = try await copy.connections(for: request.set.source, withReferences: true)
    request.set.source = copied.source
    return try await copied.connections.profile(request, progress: progress)
  }

  /// Counts how rows are distributed over the values of several columns, in a copy of the rows.
  public func facets(_ request: FacetRequest, progress: @escaping @Sendable ([Facet]) -> Void) async throws -> [Facet] {
    var request = request
    let copied = try await copy.connections(for: request.set.source)
    request.set.source = copied.source
    return try await copied.connections.facets(request, progress: progress)
  }

  /// Looks for the paths that lead to values in a column of JSON, in a copy of the rows.
  public func jsonPaths(
    of column: String, in set: RowSet, progress: @escaping @Sendable (JSONPaths) -> Void
  ) async throws -> JSONPaths {
    var set = set
    let copied = try await copy.connections(for: set.source)
    set.source = copied.source
    return try await copied.connections.jsonPaths(of: column, in: set, progress: progress)
  }

  /// Looks for a text in copies of all tables.
  public func search(_ search: EverywhereSearch, report: @escaping @Sendable (SearchReport) -> Void) async throws -> [SearchedTable] {
    try await copy.connectionsForAll().search(search, report)
  }

  /// Looks up the rows that foreign keys refer to, one round trip for each of them.
  public func referredRows(_ lookups: [ReferenceLookup]) async throws -> [[ReferredRow]] {
    var found: [[ReferredRow]] = []
    for lookup in lookups { found.append(try await referredRows(lookup)) }
    return found
  }

  private func referredRows(_ lookup: ReferenceLookup) async throws -> [ReferredRow] {
    let key = lookup.key
    guard !lookup.values.isEmpty, !key.referencedColumns.isEmpty, key.referencedColumns.count == key.columns.count else { return [] }
    var rows = [ReferredRow](repeating: .missing, count: lookup.values.count)
    guard let schema = try? await schema(of: key.table), schema.problem == nil else { return rows }
    let labels = lookup.labelColumns(in: schema)
    let statement = try RemoteStatement(lookup.sql(labels), limit: link.database.capabilities.parameterLimit)
    for row in try await link.rows(statement, on: link.reading(.rows)).rows {
      guard let place = row.first?.integer.map({ Int($0) }), rows.indices.contains(place), rows[place] == .missing else { continue }
      let texts = row.dropFirst().compactMap(\.label)
      rows[place] = .row(label: texts.isEmpty ? nil : texts.joined(separator: " "))
    }
    return rows
  }
}

extension RemoteValue {
  /// The value as a part of a label; nil for NULL, an empty text and a blob.
  fileprivate var label: String? {
    switch self {
    case .null, .blob: nil
    case .integer(let number): DatabaseValue.integer(number).sqlLiteral
    case .real(let number): DatabaseValue.real(number).sqlLiteral
    case .text(let bytes): bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
  }
}

/// Which rows of a remote database a copy of it has on this machine.
package enum RemoteCopyContent: Sendable {
  /// None: the schema alone, which is whole.
  case schema
  /// Those of a table or view by its name.
  case table(String)
  /// All, with the whole schema.
  case everything
}

extension RemoteDataSource {
  /// Makes a copy of the database on this machine, to be read by what reads files.
  ///
  /// - Throws: ``DataSourceError``, `DatabaseError`
  package func copied(_ content: RemoteCopyContent) async throws -> DatabaseQueue {
    switch content {
    case .schema: return try await link.schema().queue
    case .table(let name):
      let isQualified = name.lowercased().hasPrefix("main.")
      let reference = TableReference(name: isQualified ? String(name.dropFirst(5)) : name)
      return try await copy.connections(for: .table(schema(of: reference).entry.reference), withReferences: true).connections.foreground
    case .everything:
      let queue = try await copy.connectionsForAll().foreground
      let others = try await inSchema { db in
        try String.fetchAll(db, sql: "SELECT sql FROM sqlite_schema WHERE type <> 'table' AND sql IS NOT NULL ORDER BY rowid") as [String]
      }
      try await queue.withoutTransaction { db in
        for sql in others { try? db.execute(sql: sql) }
      }
      return queue
    }
  }

  /// Counts the rows of tables as far as a limit; nil for one that has more, or cannot be counted.
  ///
  ///     SELECT count(*) FROM (SELECT 1 FROM main.Track LIMIT 100001) UNION ALL …
  package func counts(of tables: [TableReference], upTo limit: Int) async throws -> [Int?] {
    var counts: [Int?] = []
    for table in tables {
      let sql: SQLText = "SELECT count(*) AS a FROM (SELECT 1 FROM \(table.sqlText) LIMIT \(raw: String(limit + 1)))"
      let row = try? await link.rows(RemoteStatement(sql.sql), on: .background).rows.first
      counts.append(row?.first?.integer.flatMap { $0 > Int64(limit) ? nil : Int($0) })
    }
    return counts
  }
}
