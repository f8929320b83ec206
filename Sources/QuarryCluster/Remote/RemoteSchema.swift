internal import QuarryEngine

/// A local in-memory copy of a remote database's schema.
///
/// All code that reads the schema uses it without asking the server.
///
/// Its tables have no rows. A table whose module is missing locally becomes an ordinary table with the same columns.
final class RemoteSchema: Sendable {
  /// The server's version of the schema: `PRAGMA schema_version`.
  let version: Int64
  /// The connection to the in-memory database.
  let queue: DatabaseQueue
  /// A row of `sqlite_schema`.
  struct Object: Hashable, Sendable {
    var type: String
    var name: String
    /// The CREATE statement of the object, or an empty string if the server has none.
    var sql: String

    /// Creates an object, and keeps only its CREATE statement from the server's SQL.
    init(type: String, name: String, sql: String) {
      let statement = SchemaStatement(Array(sql.utf8))
      (self.type, self.name, self.sql) = (type, name, statement.isCreation ? statement.sql : "")
    }
  }

  /// A row of `sqlite_stat1`, from which SQLite chooses among indexes.
  struct Statistic: Hashable, Sendable {
    var values: [DatabaseValue]
  }

  init(_ objects: [Object], columns: [String: [Column]] = [:], statistics: [Statistic] = [], version: Int64) throws {
    self.version = version
    var configuration = Configuration()
    configuration.label = "remote schema"
    configuration.foreignKeysEnabled = false
    queue = try DatabaseQueue(configuration: configuration)
    try queue.withoutTransaction { db in
      for object in objects { try Self.make(object, columns, in: db) }
      try Self.make(statistics, in: db)
    }
  }

  /// A column of a table that cannot be created locally as on the server.
  struct Column: Hashable, Sendable {
    var name: String
    var type: String
  }

  private static func make(_ object: Object, _ columns: [String: [Column]], in db: Database) throws {
    // SQLite creates its own tables, and a module its shadow tables.
    guard !object.sql.isEmpty, !object.name.lowercased().hasPrefix("sqlite_") else { return }
    if try Int.fetchOne(db, sql: "SELECT 1 FROM sqlite_schema WHERE name = ? COLLATE NOCASE", arguments: [object.name]) != nil { return }
    do {
      try db.makeObject(object.sql)
    } catch is DatabaseError {
      // An object that this SQLite cannot create is missing here, except for the columns of a table.
      guard let columns = columns[object.name], !columns.isEmpty else { return }
      let list = columns.map { "\(SQLIdentifier.quoted($0.name)) \($0.type)" }.joined(separator: ", ")
      try? db.execute(sql: "CREATE TABLE \(SQLIdentifier.quoted(object.name))(\(list))")
    }
  }

  private static func make(_ statistics: [Statistic], in db: Database) throws {
    guard !statistics.isEmpty else { return }
    try db.execute(sql: "ANALYZE sqlite_schema")
    for statistic in statistics where statistic.values.count == 3 {
      try? db.execute(sql: "INSERT INTO sqlite_stat1 VALUES (?, ?, ?)", arguments: StatementArguments(statistic.values))
    }
    try db.execute(sql: "ANALYZE sqlite_schema")
  }
}

extension Database {
  /// Creates an object of a server's schema.
  ///
  /// Rejects anything but a single CREATE statement.
  func makeObject(_ sql: String) throws {
    guard SQLScript(sql).parts.count == 1, StatementKind(of: sql).verb == .create else {
      throw DatabaseError(DatabaseError.SQLITE_CORRUPT, "the schema has an object that is not a CREATE statement", sql: sql)
    }
    try execute(sql: sql)
  }
}

extension RemoteSchema {
  /// Reads the schema in one round trip.
  ///
  /// Reads information that only the server has in a second one.
  ///
  ///     SELECT type, name, sql FROM sqlite_schema
  static func read(from link: RemoteLink) async throws -> RemoteSchema {
    let purpose = link.reading(.rows)
    let question = RemoteStatement(
      catalog: """
        SELECT '' AS a, '' AS b, '' AS c, schema_version AS d FROM pragma_schema_version \
        UNION ALL SELECT type, name, sql, rootpage FROM sqlite_schema
        """)
    let read = try await link.rows(question, on: purpose).rows
    var version: Int64 = 0
    var objects: [Object] = []
    for row in read {
      guard let type = row[0].string, let name = row[1].string else { continue }
      if type.isEmpty, case .integer(let number) = row[3] { version = number; continue }
      objects.append(Object(type: type, name: name, sql: row[2].string ?? ""))
    }
    let hasStatistics = objects.contains { $0.name == "sqlite_stat1" }
    let virtual = objects.filter { $0.sql.uppercased().hasPrefix("CREATE VIRTUAL") }.map(\.name)
    async let statistics = hasStatistics ? Self.statistics(from: link, purpose) : []
    async let columns = virtual.isEmpty ? [:] : Self.columns(of: virtual, from: link, purpose)
    return try await RemoteSchema(objects, columns: columns, statistics: statistics, version: version)
  }

  private static func statistics(from link: RemoteLink, _ purpose: RemoteLink.Purpose) async throws -> [Statistic] {
    try await link.rows(RemoteStatement(catalog: "SELECT tbl AS a, idx AS b, stat AS c FROM sqlite_stat1"), on: purpose).rows.map { row in
      Statistic(values: row.map { $0.string.map { .text($0) } ?? .null })
    }
  }

  private static func columns(
    of tables: [String], from link: RemoteLink, _ purpose: RemoteLink.Purpose
  ) async throws -> [String: [Column]] {
    let names = tables.map { "SELECT \($0) AS t" as SQLText }.joined(by: " UNION ALL ")
    let sql: SQLText = "SELECT n.t AS a, c.name AS b, c.type AS c FROM (\(names)) AS n, pragma_table_xinfo(n.t) AS c WHERE c.hidden <> 1"
    let question = try RemoteStatement(own: sql, limit: link.database.capabilities.parameterLimit, isBrief: true)
    var columns: [String: [Column]] = [:]
    for row in try await link.rows(question, on: purpose).rows {
      guard let table = row[0].string, let name = row[1].string else { continue }
      columns[table, default: []].append(Column(name: name, type: row[2].string ?? ""))
    }
    return columns
  }
}

extension RemoteValue {
  /// The text, or nil for another type.
  var string: String? {
    if case .text(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
  }

  /// The integer, or nil for another type.
  var integer: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }
}
