/// The schema of a database in memory, without rows, where statements that change it can be tried.
///
/// ```swift
/// let copy = try TrialSchema(of: db)
/// try copy.queue.withoutTransaction { try $0.execute(sql: "ALTER TABLE player RENAME COLUMN name TO nickname") }
/// ```
///
/// SQLite itself decides in the copy what a statement does to views, triggers, indexes and foreign keys. The file is only read.
struct TrialSchema {
  /// An object of the schema with its own statement.
  struct Object: Hashable {
    var type: String
    var name: String
    var tableName: String
    var sql: String
  }

  /// The objects of a schema in the order of their creation.
  ///
  ///     SELECT type, name, tbl_name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid
  static func objects(in db: Database) throws -> [Object] {
    let sql = "SELECT type, name, tbl_name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid"
    return try Row.fetchAll(db, sql: sql).map { row in
      try Object(
        type: row.schemaText(at: 0) ?? "", name: row.schemaText(at: 1) ?? "", tableName: row.schemaText(at: 2) ?? "",
        sql: row.schemaSQL(at: 3) ?? "")
    }
  }

  /// The connection to the copy.
  let queue: DatabaseQueue
  /// The errors of objects that cannot be created here, by type and name: a module or a collation is missing.
  let failures: [String: DatabaseError]

  /// Copies the schema of `main`.
  ///
  /// - Parameter sample: The table whose first row is copied; nil for none. SQLite refuses some columns only in a table with rows.
  init(of db: Database, sample: String? = nil) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.label = "copy of the schema"
    queue = try DatabaseQueue(configuration: configuration)
    let objects = try Self.objects(in: db)
    let row = try sample.flatMap { try Self.sample(of: $0, in: db) }
    failures = try queue.withoutTransaction { copy in
      var failures: [String: DatabaseError] = [:]
      for type in ["table", "index", "view", "trigger"] {
        for object in objects where object.type == type && !object.name.asciiLowercased.hasPrefix("sqlite_") {
          do {
            // The shadow tables of a virtual table exist already.
            if type == "table", try copy.hasTable(object.name) { continue }
            try copy.execute(sql: object.sql)
          } catch let error as DatabaseError {
            failures["\(type) \(object.name)"] = error
          }
        }
        if type == "table", let sample, let row { Self.insert(row, into: sample, in: copy) }
      }
      return failures
    }
  }

  /// The first row of a table, without generated columns; nil for an empty table.
  private static func sample(of table: String, in db: Database) throws -> Row? {
    let columns = try String.fetchAll(
      db, sql: "SELECT name FROM pragma_table_xinfo(?, 'main') WHERE hidden = 0", arguments: [table])
    let list = columns.map(SQLIdentifier.quoted).joined(separator: ", ")
    return try Row.fetchOne(db, sql: "SELECT \(list) FROM main.\(SQLIdentifier.quoted(table)) LIMIT 1")
  }

  /// Inserts a row without the checks that it has passed already; a row that still cannot be inserted is omitted.
  private static func insert(_ row: Row, into table: String, in copy: Database) {
    let list = row.columnNames.map(SQLIdentifier.quoted).joined(separator: ", ")
    try? copy.execute(sql: "PRAGMA ignore_check_constraints = ON")
    let sql = "INSERT INTO \(SQLIdentifier.quoted(table))(\(list)) VALUES (\(SQLText.parameters(row.count)))"
    try? copy.execute(sql: sql, arguments: StatementArguments(row.databaseValues))
    try? copy.execute(sql: "PRAGMA ignore_check_constraints = OFF")
  }
}

extension Database {
  fileprivate func hasTable(_ name: String) throws -> Bool {
    try Int.fetchOne(
      self, sql: "SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE", arguments: [name]) != 0
  }

  /// Returns the errors of views, triggers and foreign keys that do not compile, by their views, events and tables.
  ///
  ///     SELECT * FROM v; INSERT INTO t DEFAULT VALUES; UPDATE t SET a = a; DELETE FROM t; PRAGMA foreign_key_check(t)
  ///
  /// Nothing is executed but the check of the foreign keys, which an empty copy of the schema answers at once.
  func uncompiledParts() throws -> [UncompiledPart: String] {
    var faults: [UncompiledPart: String] = [:]
    func note(_ fault: UncompiledPart, _ body: () throws -> Void) throws {
      do { try body() } catch let error as DatabaseError { faults[fault] = error.message }
    }
    let objects = try TrialSchema.objects(in: self)
    for object in objects where object.type == "view" {
      try note(.view(object.name)) { _ = try makeStatement(sql: "SELECT * FROM \(SQLIdentifier.quoted(object.name))") }
    }
    let triggered = Set(objects.filter { $0.type == "trigger" }.map(\.tableName))
    for table in triggered.sorted() {
      for (event, sql) in try writingStatements(of: table) {
        try note(.trigger(table: table, event: event)) { _ = try makeStatement(sql: sql) }
      }
    }
    for object in objects where object.type == "table" {
      try note(.foreignKeys(table: object.name)) {
        let check = try makeStatement(sql: "PRAGMA foreign_key_check(\(SQLIdentifier.quoted(object.name)))")
        while try check.step() {}
      }
    }
    return faults
  }

  /// Returns remarks on the views that name a table, and on its triggers, that did not compile before a change either.
  func faults(in before: [UncompiledPart: String], concerning table: String, named newName: String) throws -> [String] {
    let objects = try TrialSchema.objects(in: self)
    let concerned = before.filter { part, _ in
      switch part {
      case .view(let name):
        objects.contains { object in
          object.type == "view" && object.name == name && [table, newName].contains { SQLIdentifier.isNamed($0, in: object.sql) }
        }
      case .trigger(let owner, _): owner.isSameIdentifier(as: table)
      case .foreignKeys: false
      }
    }
    return concerned.compactMap { $0.key.remark($0.value) }.sorted()
  }

  /// Returns a statement for each event of triggers.
  private func writingStatements(of table: String) throws -> [(event: String, sql: String)] {
    let name = SQLIdentifier.quoted(table)
    let columns = try String.fetchAll(self, sql: "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0", arguments: [table])
    let all = columns.map { "\(SQLIdentifier.quoted($0)) = \(SQLIdentifier.quoted($0))" }.joined(separator: ", ")
    return [("INSERT", "INSERT INTO \(name) DEFAULT VALUES"), ("DELETE", "DELETE FROM \(name)")]
      + (all.isEmpty ? [] : [("UPDATE", "UPDATE \(name) SET \(all)")])
  }
}

/// A part of a schema that does not compile.
enum UncompiledPart: Hashable {
  case view(String)
  case trigger(table: String, event: String)
  case foreignKeys(table: String)

  /// The fault with other names of its table.
  func renamingTable(_ name: String, to newName: String) -> UncompiledPart {
    switch self {
    case .view: self
    case .trigger(let table, let event): .trigger(table: table.isSameIdentifier(as: name) ? newName : table, event: event)
    case .foreignKeys(let table): .foreignKeys(table: table.isSameIdentifier(as: name) ? newName : table)
    }
  }

  /// The fault as a sentence.
  func sentence(_ message: String) -> String {
    switch self {
    case .view(let name): "the view “\(name)” would no longer compile: \(message)"
    case .trigger(let table, let event): "a trigger on \(event) of “\(table)” would no longer compile: \(message)"
    case .foreignKeys: "a foreign key would no longer be valid: \(message)"
    }
  }

  /// The fault that existed before the change as a sentence; nil for a foreign key, which refuses no change.
  func remark(_ message: String) -> String? {
    switch self {
    case .view(let name): "the view “\(name)” does not compile now either (\(message)): it stays as it is"
    case .trigger(let table, let event): "a trigger on \(event) of “\(table)” does not compile now either (\(message)): it stays as it is"
    case .foreignKeys: nil
    }
  }
}
