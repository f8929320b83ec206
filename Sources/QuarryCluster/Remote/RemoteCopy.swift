internal import Essentials
internal import QuarryChanges
internal import QuarryEngine
internal import QuarryRows
internal import QuarrySources
internal import Synchronization

/// Local copies of a remote database's tables, in a temporary database, for operations that need every row.
///
/// An aggregate that runs for seconds would block the server and cannot be cancelled. Streaming rows avoids both problems. A copy contains
/// one state of its table. It is discarded after an external change and then created again. If the needed columns are known, only these are
/// copied. Conditions are evaluated locally, so that one copy serves all of them.
final class RemoteCopy: Sendable {
  private let link: RemoteLink
  private let state = Mutex(State())
  private let turn = TaskTurn()
  /// The progress of the copies being made.
  let progress = RemoteCopyProgress()

  private struct State: Sendable {
    /// The database of the copies.
    var queue: DatabaseQueue?
    /// The server's state when the copies were made.
    var current: DataState?
    var copied: Set<TableReference> = []
    /// Local tables with some columns of a remote table.
    var parts: [TableReference: (table: TableReference, columns: Set<String>)] = [:]
    var queries: [RowSet.Source: TableReference] = [:]
    /// The number of local tables created so far.
    var made = 0

    mutating func makeName() -> String {
      made += 1
      return "rows of the server \(made)"
    }
  }

  init(_ link: RemoteLink) {
    self.link = link
  }

  /// Returns connections to a database with the rows of a source, and the name of the source there.
  ///
  /// - Parameters:
  ///   - values: The expressions to be read from each row, including conditions. Nil if any column may be read.
  ///   - others: Other expressions. The other tables that an expression reads, such as those of a path, are copied too.
  ///   - withReferences: Whether to also copy the tables to which the rows refer.
  func connections(
    for source: RowSet.Source, reading values: [SQLText]? = nil, and others: [SQLText] = [], withReferences: Bool = false
  ) async throws -> (connections: ReadConnections, source: RowSet.Source) {
    if case .returned(let rows) = source { return (rows.connections, source) }
    return try await copying { [self] queue in
      switch source {
      case .table(let table):
        let expressions = ((values ?? []) + others).filter { !$0.isEmpty }
        // A subquery names the table, so that a copy under another name will not do.
        let hasSubqueries = expressions.contains { $0.sql.contains("(SELECT ") }
        if hasSubqueries { try await copyTables(readBy: expressions, of: table, to: queue) }
        if !hasSubqueries, let values, let part = try await copyPart(of: table, values, to: queue) {
          return (ReadConnections(queue), .table(part))
        }
        try await copy(table, to: queue)
        if withReferences { try await copyReferences(of: table, to: queue) }
        return (ReadConnections(queue), source)
      case .query, .returned:
        return (ReadConnections(queue), .table(try await copy(source, to: queue)))
      }
    }
  }

  /// Returns connections to a database with the rows of all tables.
  func connectionsForAll() async throws -> ReadConnections {
    try await copying { [self] queue in
      let entries = try await link.schema().queue.read { db in try db.catalog().databases.first { $0.name == "main" }?.entries ?? [] }
      for entry in entries where entry.kind == .table { try await copy(entry.reference, to: queue) }
      return ReadConnections(queue)
    }
  }

  /// Makes copies after the copies that are already being made, and reports their time.
  private func copying<Value: Sendable>(_ body: @Sendable (DatabaseQueue) async throws -> Value) async throws -> Value {
    try await turn.run { [self] in
      let moment = Date.now
      do {
        let value = try await body(opened(link.dataState(on: link.reading(.background))))
        progress.tell(.ready(moment))
        return value
      } catch {
        progress.tell(nil)
        throw error
      }
    }
  }

  /// Returns the temporary database after removing outdated copies.
  private func opened(_ current: DataState) async throws -> DatabaseQueue {
    let known = state.withLock { ($0.queue, $0.current) }
    if let queue = known.0, known.1?.schema == current.schema {
      if known.1 != current {
        let made = state.withLock { state in
          let made = Array(state.queries.values) + state.parts.values.map(\.table)
          (state.current, state.copied, state.queries, state.parts) = (current, [], [:], [:])
          return made
        }
        try await queue.withoutTransaction { db in
          for table in made { try db.execute(sql: "DROP TABLE IF EXISTS \(table.sql)") }
        }
      }
      return queue
    }
    let queue = try await makeDatabase(current.schema)
    state.withLock { $0 = State(queue: queue, current: current) }
    return queue
  }

  private func makeDatabase(_ version: Int64) async throws -> DatabaseQueue {
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
          try? db.makeObject(object.sql)
        }
      }
    }
    return queue
  }

  // MARK: Copying

  private func copy(_ table: TableReference, to queue: DatabaseQueue) async throws {
    guard !state.withLock({ $0.copied.contains(table) }) else { return }
    let schema = try await link.schema().queue.read { db in try db.tableSchema(table) }
    if let problem = schema.problem { throw DatabaseError(DatabaseError.SQLITE_ERROR, problem) }
    let isStored = schema.entry.kind == .table
    if !isStored { try await link.longReads.check(RowSet(.table(table)), on: link) }
    let columns = isStored ? schema.columns.filter { $0.generation == nil && !$0.isHidden } : schema.rowSetColumns.compactMap(\.schema)
    let rowID = isStored && !schema.entry.isWithoutRowID ? schema.rowIDName : nil
    let names = columns.map(\.name) + (rowID.map { name in columns.contains { $0.name.isSameIdentifier(as: name) } ? [] : [name] } ?? [])
    let list = names.map { "\(identifier: $0)" as SQLText }
    let source: SQLText = "SELECT \(list.joined(by: ", ")) FROM \(table.sqlText)"
    if isStored {
      let total = await total(of: schema)
      try await link.beginningAnew {
        try await queue.withoutTransaction { db in try db.execute(sql: "DELETE FROM \(SQLIdentifier.quoted(table.name))") }
        try await fill(table, names, from: source, arguments: [], named: table.name, total: total, queue)
      }
    } else {
      try await makeTable(table, columns.map { ($0.name, $0.declaredType, "BINARY") }, in: queue)
      try await fill(table, names, from: source, arguments: [], named: table.name, total: nil, queue)
    }
    state.withLock { _ = $0.copied.insert(table) }
  }

  /// Copies the needed columns of a table, and the columns copied before.
  ///
  /// Returns nil if copying only some columns is of no use.
  private func copyPart(of table: TableReference, _ values: [SQLText], to queue: DatabaseQueue) async throws -> TableReference? {
    guard !state.withLock({ $0.copied.contains(table) }) else { return nil }
    let schema = try await link.schema().queue.read { db in try db.tableSchema(table) }
    let stored = schema.columns.filter { !$0.isHidden }
    guard schema.entry.kind == .table, schema.problem == nil else { return nil }
    let read = try await link.schema().queue.read { db -> Set<String> in
      let sql: SQLText = "SELECT \(values.filter { !$0.isEmpty }.joined(by: ", ")) FROM \(table.sqlText)"
      let region = try db.makeStatement(literal: sql).databaseRegion
      return region.columns.reduce(into: []) { names, entry in if entry.key.isSameTable(as: table) { names.formUnion(entry.value) } }
    }
    let known = state.withLock { $0.parts[table] }
    if let known, read.isSubset(of: known.columns) { return known.table }
    let wanted = read.union(known?.columns ?? [])
    let columns = stored.filter { column in wanted.contains { $0.isSameIdentifier(as: column.name) } }
    // A name that is not a column is the rowid.
    guard !columns.isEmpty, columns.count == wanted.count, columns.count < stored.count else { return nil }
    let part = TableReference(name: state.withLock { $0.makeName() })
    let source: SQLText = "SELECT \(columns.map { "\(identifier: $0.name)" as SQLText }.joined(by: ", ")) FROM \(table.sqlText)"
    let total = await total(of: schema)
    try await link.beginningAnew {
      try await makeTable(part, columns.map { ($0.name, $0.declaredType, $0.collation) }, in: queue)
      try await fill(part, columns.map(\.name), from: source, arguments: [], named: table.name, total: total, queue)
    }
    state.withLock { $0.parts[table] = (part, wanted) }
    if let known { try await queue.withoutTransaction { try $0.execute(sql: "DROP TABLE IF EXISTS \(known.table.sql)") } }
    return part
  }

  private func makeTable(
    _ table: TableReference, _ columns: [(name: String, type: String, collation: String)], in queue: DatabaseQueue
  ) async throws {
    let list = columns.map { "\(SQLIdentifier.quoted($0.name)) \($0.type) COLLATE \(SQLIdentifier.quoted($0.collation))" }
    try await queue.withoutTransaction { db in
      try db.execute(sql: "DROP TABLE IF EXISTS \(table.sql); CREATE TABLE \(table.sql)(\(list.joined(separator: ", ")))")
    }
  }

  /// Returns the approximate number of rows of a table, estimated from its rowids, or nil if it has none.
  ///
  ///     SELECT (SELECT min(TrackId) FROM main.Track), (SELECT max(TrackId) FROM main.Track)
  private func total(of schema: TableSchema) async -> Int? {
    guard schema.entry.kind == .table, let name = schema.rowIDName else { return nil }
    let table = schema.entry.reference.sqlText
    let sql: SQLText = """
      SELECT (SELECT min(\(identifier: name)) FROM \(table)) AS a, (SELECT max(\(identifier: name)) FROM \(table)) AS b
      """
    let limit = link.database.capabilities.parameterLimit
    guard let row = try? await link.rows(RemoteStatement(own: sql, limit: limit, isBrief: true), on: link.reading(.background)).rows.first,
      let least = row[0].integer, let greatest = row[1].integer
    else { return nil }
    return RowIDBounds(least: least, greatest: greatest).span
  }

  /// Copies the other tables that expressions on the rows of a table read.
  private func copyTables(readBy values: [SQLText], of table: TableReference, to queue: DatabaseQueue) async throws {
    let tables = try await link.schema().queue.read { db -> Set<TableReference> in
      guard try db.tableSchema(table).entry.kind == .table else { return [] }
      return try db.makeStatement(literal: "SELECT \(values.joined(by: ", ")) FROM \(table.sqlText)").databaseRegion.tables
    }
    for other in tables where !other.isSameTable(as: table) { try await copy(other, to: queue) }
  }

  /// Copies the tables to which the rows of a table refer.
  private func copyReferences(of table: TableReference, to queue: DatabaseQueue) async throws {
    let schema = try await link.schema().queue.read { db in try db.tableSchema(table) }
    for referred in Set(schema.foreignKeys.map(\.table)) where referred != table {
      // The profile reports a missing table.
      do { try await copy(referred, to: queue) } catch is DatabaseError {}
    }
  }

  /// Copies the rows of a query into a local table.
  private func copy(_ source: RowSet.Source, to queue: DatabaseQueue) async throws -> TableReference {
    guard case .query(let sql, let arguments) = source else { throw DataSourceError("these rows have no source") }
    if let known = state.withLock({ $0.queries[source] }) { return known }
    let columns = try await link.rowSource(of: RowSet(source)).columns
    try await link.longReads.check(RowSet(source), on: link)
    let table = TableReference(name: state.withLock { $0.makeName() })
    var taken: Set<String> = []
    let names = columns.enumerated().map { place, column in
      taken.insert(column.name.lowercased()).inserted ? column.name : "\(column.name):\(place)"
    }
    try await makeTable(table, zip(names, columns).map { ($0, $1.declaredType, "BINARY") }, in: queue)
    try await fill(table, names, from: "\(raw: sql)", arguments: arguments, named: "the rows of the query", total: nil, queue)
    state.withLock { $0.queries[source] = table }
    return table
  }

  /// Inserts the rows of a SELECT into a table as they arrive from the server.
  ///
  /// - Parameters:
  ///   - name: The name of the rows in progress reports.
  ///   - total: The approximate number of rows, or nil if it is not known.
  private func fill(
    _ table: TableReference, _ names: [String], from source: SQLText, arguments: [DatabaseValue], named name: String, total: Int?,
    _ queue: DatabaseQueue
  ) async throws {
    try RemoteProjection.checkWidth(names.count)
    let list = names.indices.map { "c\($0)" }
    let cells = list.map { RemoteProjection.cell($0, limit: nil) + " AS a" }.joined(separator: ", ")
    // The line break ends a comment at the end of the query.
    let sql = "WITH \"rows of the query\"(\(list.joined(separator: ", "))) AS (\(source.sql)\n) SELECT \(cells) FROM \"rows of the query\""
    let columns = names.map(SQLIdentifier.quoted).joined(separator: ", ")
    let insertion = "INSERT INTO \(table.sql)(\(columns)) VALUES (\(SQLText.parameters(names.count)))"
    let report = progress.beginning(name, total: total)
    try await link.forEachBatch(RemoteStatement(sql, arguments + source.values), on: link.reading(.background)) { batch in
      try Task.checkCancellation()
      try queue.write { db in
        let statement = try db.cachedStatement(sql: insertion)
        try batch.forEachRow { row in try statement.insert(row.prefix(names.count)) }
      }
      report(batch.count)
    }
  }
}

extension Statement {
  /// Inserts a row of values that ``RemoteProjection/cell(_:limit:)`` has requested without truncation.
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
