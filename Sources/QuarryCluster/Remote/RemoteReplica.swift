internal import Essentials
internal import QuarryChanges
internal import QuarryEngine
internal import QuarryRows

/// A local file with the schema of a remote database and, during a commit or an undo, the affected rows.
///
/// Staged changes are first written to this file by the same code as for local files. Conflicts, constraints and the record of old values
/// are therefore handled equally. The changed rows are then sent to the server in one transaction, before the file's transaction is
/// committed. The record of commits belongs to the file.
final class RemoteReplica: Sendable {
  let path: String
  /// The folder of the records, or nil if commits are not recorded.
  let folder: ChangeLogFolder?
  private let queue: DatabaseQueue

  /// Rows of a table by their keys, as stored in the file or on the server.
  typealias Rows = [TableReference: [RowKey: [String: StoredValue]]]

  /// Opens the file.
  ///
  /// Creates it if it does not exist.
  ///
  /// - Parameters:
  ///   - name: The name of the remote database.
  ///   - folder: The folder of the records and of the file, or nil for a temporary file and no record.
  init(of name: String, _ folder: ChangeLogFolder?) throws {
    self.folder = folder
    if let folder {
      try PrivateFile.makeFolder(folder.path)
      path = "\(folder.path)/remote-\(String(Checksum.of(name.utf8), radix: 16)).rows"
      try PrivateFile.makeFile(path)
    } else {
      path = ""
    }
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.triggersEnabled = false
    configuration.isDefensive = false
    configuration.label = "remote replica"
    queue = try DatabaseQueue(path: path, configuration: configuration)
  }

  /// Uses the file with a schema and some rows, and removes them afterwards.
  ///
  /// - Parameter sequences: The AUTOINCREMENT counters, by the names of the tables.
  func withRows<Value: Sendable>(
    _ schema: RemoteSchema, _ rows: Rows, sequences: [String: Int64] = [:], _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    let objects = try await schema.queue.read { db in
      try Row.fetchAll(
        db, sql: "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('table', 'index') AND sql IS NOT NULL ORDER BY rowid"
      ).map { try RemoteSchema.Object(type: $0[0], name: $0[1], sql: $0[2]) }
    }
    return try await queue.withoutTransaction { db in
      try Self.makeSchema(objects, in: db)
      defer { try? Self.empty(db) }
      try Self.fill(rows, in: db)
      for (table, count) in sequences {
        try db.execute(literal: "UPDATE sqlite_sequence SET seq = max(seq, \(count)) WHERE name = \(table)")
      }
      return try body(db)
    }
  }

  /// Returns the log of commits, or nil if no log exists.
  func log() async throws -> ChangeLog? {
    try await queue.withoutTransaction { [folder] db in try folder?.existingLog(ofDatabase: "main", in: db) }
  }

  // MARK: The file

  private static func makeSchema(_ objects: [RemoteSchema.Object], in db: Database) throws {
    let sql = "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('table', 'index') AND sql IS NOT NULL ORDER BY rowid"
    let known = try Row.fetchAll(db, sql: sql).map { try RemoteSchema.Object(type: $0[0], name: $0[1], sql: $0[2]) }
    guard known != objects else { return }
    for object in known where object.type == "table" && !object.name.lowercased().hasPrefix("sqlite_") {
      try? db.execute(sql: "DROP TABLE IF EXISTS \(SQLIdentifier.quoted(object.name))")
    }
    for object in objects where !object.name.lowercased().hasPrefix("sqlite_") {
      if try Int.fetchOne(db, sql: "SELECT 1 FROM sqlite_schema WHERE name = ? COLLATE NOCASE", arguments: [object.name]) == nil {
        try db.makeObject(object.sql)
      }
    }
  }

  private static func empty(_ db: Database) throws {
    for entry in try tables(in: db) { try db.execute(sql: "DELETE FROM \(entry.sql)") }
  }

  private static func tables(in db: Database) throws -> [TableReference] {
    try db.catalog().databases.first { $0.name == "main" }?.entries.filter { entry in
      switch entry.kind {
      case .table, .virtual: true
      case .view, .shadow, .system: false
      }
    }.map(\.reference) ?? []
  }

  private static func fill(_ rows: Rows, in db: Database) throws {
    try empty(db)
    // Existing rows may violate a CHECK that was added later.
    try db.execute(sql: "PRAGMA ignore_check_constraints = ON")
    defer { try? db.execute(sql: "PRAGMA ignore_check_constraints = OFF") }
    for (table, rows) in rows {
      let statements = RowStatements(schema: try db.tableSchema(table))
      for values in rows.values {
        let assigned = values.filter { statements.schema.column(named: $0.key)?.generation == nil }
        try db.execute(literal: statements.insert(assigned.map { ($0.key, StagedValue($0.value)) }).sqlText)
      }
    }
  }

  /// Reads all rows of the file.
  static func rows(in db: Database) throws -> Rows {
    var rows: Rows = [:]
    for table in try tables(in: db) {
      let schema = try db.tableSchema(table)
      let statements = RowStatements(schema: schema)
      let columns = schema.storedNames
      let key = statements.keyColumns
      guard !key.isEmpty else { continue }
      try db.scan("SELECT \((key + columns).map { "\(identifier: $0)" as SQLText }.joined(by: ", ")) FROM \(table.sqlText)") { statement in
        let values = try (0..<key.count + columns.count).map { try statement.storedValue(at: $0) }
        guard let rowKey = statements.key(Array(values.prefix(key.count))) else { return true }
        rows[table, default: [:]][rowKey] = Dictionary(zip(columns, values.dropFirst(key.count)), uniquingKeysWith: { first, _ in first })
        return true
      }
    }
    return rows
  }
}

extension TableSchema {
  /// The names of the stored columns, with the rowid if it is not a column.
  var storedNames: [String] {
    let names = columns.filter { $0.generation == nil && !$0.isHidden }.map(\.name)
    guard let rowIDName, !names.contains(where: { $0.isSameIdentifier(as: rowIDName) }) else { return names }
    return [rowIDName] + names
  }
}
