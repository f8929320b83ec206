internal import QuarryEngine

/// The undo of a commit's changes to a schema.
struct UndoSchema {
  private let objects: [RecordedObject]
  private let recorder: ChangeRecorder
  private let tables: [RecordedTable]

  /// Prepares the undo.
  ///
  /// - Parameters:
  ///   - objects: The commit's changes to the schema.
  ///   - tables: The tables that it has changed.
  init(_ objects: [RecordedObject], _ tables: [RecordedTable], _ recorder: ChangeRecorder) {
    self.objects = objects
    self.tables = tables
    self.recorder = recorder
  }

  /// Whether the commit has not changed the schema.
  var isEmpty: Bool { objects.isEmpty }

  /// The names of the tables that the undo creates again.
  var tablesPutBack: [String] { objects.filter { $0.type == "table" && !$0.isKept && $0.oldSQL != nil }.compactMap(\.oldName) }

  /// The names of the tables that the commit has created or dropped, before and after it.
  var tablesReplaced: Set<String> {
    Set(objects.filter { $0.type == "table" && !$0.isKept }.flatMap { [$0.name] + ($0.oldName.map { [$0] } ?? []) })
  }

  /// Returns the name that a table had before the commit.
  ///
  /// A shadow table is renamed together with its virtual table.
  func formerName(of table: LoggedTable) -> String {
    if let owner = table.layout.owner, let former = formerOwner(of: table), former != owner {
      return former + table.name.dropFirst(owner.count)
    }
    return formerName(of: table.name)
  }

  /// Returns the name that the virtual table of a shadow table had before the commit, or nil for any other table.
  func formerOwner(of table: LoggedTable) -> String? { table.layout.owner.map(formerName(of:)) }

  private func formerName(of name: String) -> String {
    objects.first { $0.type == "table" && $0.isKept && $0.name == name }?.oldName ?? name
  }

  // MARK: Conflicts

  /// Finds the objects that have changed since the commit.
  func conflicts(in db: Database) throws -> [UndoConflict] {
    let now = try RecordedSchema(of: "main", in: db)
    var conflicts: [UndoConflict] = []
    func add(_ object: RecordedObject, _ sentence: String, resolvedBy choices: Set<UndoChoices.Choice> = [.overwrite]) {
      conflicts.append(UndoConflict(table: object.name, key: nil, reason: .schema(sentence), resolvedBy: choices))
    }
    for object in objects where object.type != RecordedObject.shadowType {
      let found = now.objects.first { $0.type == object.type && $0.name == object.name }
      if let newSQL = object.newSQL {
        // Without a table, its former columns and name have nothing to go back to.
        if found == nil { add(object, "the \(object.type) is gone", resolvedBy: object.isKept ? [] : [.overwrite]) }
        if let found, found.sql != newSQL { add(object, "the \(object.type) has been altered since") }
      } else if now.objects.contains(where: { $0.name.isSameIdentifier(as: object.name) && !isNew($0) }) {
        add(object, "another object has this name", resolvedBy: [])
      }
      if object.isKept { conflicts += try self.conflicts(inColumnsOf: object, in: db) }
    }
    return conflicts
  }

  /// Returns whether the commit has created an object: a rebuilt table may have its former name in another case.
  private func isNew(_ other: RecordedSchema.Object) -> Bool {
    objects.contains { $0.newSQL != nil && $0.type == other.type && $0.name == other.name }
  }

  /// Returns the conflict that prevents dropping a table created by the commit: its rows have changed since.
  func conflict(inNew table: LoggedTable, in db: Database) throws -> UndoConflict? {
    guard try RecordedSchema(of: "main", in: db).tables[table.name] != nil else { return nil }
    let sum = try RecordedTableSum(of: TableReference(name: table.name), in: db)
    guard sum.description != table.checksum else { return nil }
    return UndoConflict(
      table: table.name, key: nil, reason: .schema("the rows of the table have changed since, and would be dropped"),
      resolvedBy: [.overwrite])
  }

  /// Returns the conflicts that prevent dropping the columns added by a commit: values written since.
  ///
  ///     SELECT count(*) FROM main.Track WHERE "added" IS NOT (0)
  private func conflicts(inColumnsOf object: RecordedObject, in db: Database) throws -> [UndoConflict] {
    // Values that the commit itself has written are recorded with its rows.
    let written = tables.filter { $0.name == object.name }.reduce(0) { $0 + $1.inserted + $1.updated }
    return try addedColumns(of: object, in: db).compactMap { column in
      guard !column.isGenerated else { return nil }
      var sql: SQLText = "SELECT count(*) FROM main.\(identifier: object.name) WHERE \(identifier: column.name) IS NOT ("
      sql.raw(column.defaultSQL ?? "NULL")
      sql.append(")")
      guard let count = try Int.fetchOne(db.makeStatement(literal: sql)), count > written else { return nil }
      let rows = Plural.of(count, "row")
      return UndoConflict(
        table: object.name, key: nil, reason: .schema("the column \(column.name) would be dropped and has new values: \(rows)"),
        resolvedBy: [.overwrite])
    }
  }

  // MARK: Added columns

  private struct AddedColumn {
    var name: String
    var defaultSQL: String?
    var isGenerated: Bool
  }

  /// Returns the columns that were added to the end of a table since.
  private func addedColumns(of object: RecordedObject, in db: Database) throws -> [AddedColumn] {
    guard let oldName = object.oldName, let oldSQL = object.oldSQL, VirtualTableSyntax(oldSQL) == nil else { return [] }
    let former = try Self.formerColumnCount(oldName, oldSQL)
    let sql: SQLText = "SELECT name, dflt_value, hidden FROM pragma_table_xinfo(\(object.name)) WHERE cid >= \(former)"
    return try Row.fetchAll(db.makeStatement(literal: sql)).map { row in
      try AddedColumn(name: row.schemaText(at: 0) ?? "", defaultSQL: row.schemaText(at: 1), isGenerated: row[2] as Int > 1)
    }
  }

  /// Returns the number of columns in a CREATE TABLE statement, by running it in a separate database.
  private static func formerColumnCount(_ name: String, _ sql: String) throws -> Int {
    try DatabaseQueue().withoutTransaction { db in
      try db.execute(sql: sql)
      return try Int.fetchOne(db.makeStatement(literal: "SELECT count(*) FROM pragma_table_xinfo(\(name))")) ?? 0
    }
  }

  // MARK: Writing

  /// Drops objects that the commit created, restores the names and columns of tables, and recreates dropped tables.
  ///
  /// - Returns: The SQL of indexes and triggers that were not changed but belong to dropped and recreated tables or views.
  func takeBack(in db: Database) throws -> [String] {
    let others = try unchangedObjects(in: db)
    for type in ["trigger", "view", "index"] {
      for object in objects where object.type == type && object.newSQL != nil { try drop(object, in: db) }
    }
    for object in objects where object.type == "table" && object.newSQL != nil && !object.isKept { try drop(object, in: db) }
    for object in objects where object.isKept && !object.isRenamedByModule {
      if try !addedColumns(of: object, in: db).isEmpty { try remake(object, in: db) }
    }
    try renameVirtualTables(in: db)
    if objects.contains(where: \.isKept) { try recorder.alteringSchema(in: db) { try restoreTexts(in: db) } }
    for object in objects where object.type == "table" && !object.isKept {
      if let sql = object.oldSQL { try recorder.execute(sql, in: db) }
    }
    return others
  }

  /// Returns the SQL of unchanged indexes and triggers of tables and views that are dropped and recreated.
  private func unchangedObjects(in db: Database) throws -> [String] {
    let remade = objects.filter { ["table", "view"].contains($0.type) && $0.isRemade }.map(\.name)
    return try RecordedSchema(of: "main", in: db).objects.filter { other in
      ["index", "trigger"].contains(other.type) && !other.isInternal && remade.contains { $0.isSameIdentifier(as: other.tableName) }
        && !objects.contains { $0.type == other.type && $0.name == other.name }
    }.compactMap(\.sql)
  }

  /// Recreates indexes, views and triggers.
  ///
  /// - Parameter others: The SQL of the unchanged objects. See ``takeBack(in:)``.
  func putBack(_ others: [String], in db: Database) throws {
    func former(_ type: String) -> [String] { objects.filter { $0.type == type }.compactMap(\.oldSQL) }
    for sql in former("index") + former("view") + others + former("trigger") { try recorder.execute(sql, in: db) }
  }

  private func drop(_ object: RecordedObject, in db: Database) throws {
    let name: SQLText = "main.\(identifier: object.name)"
    let sql: SQLText =
      switch object.type {
      case "trigger": "DROP TRIGGER IF EXISTS \(name)"
      case "view": "DROP VIEW IF EXISTS \(name)"
      case "index": "DROP INDEX IF EXISTS \(name)"
      default: "DROP TABLE IF EXISTS \(name)"
      }
    try recorder.execute(sql.sql, in: db)
  }

  /// Recreates a table with its old columns and their current values.
  ///
  ///     CREATE TEMP TABLE undone AS SELECT rowid, +"a" FROM main.t; DROP TABLE main.t; CREATE TABLE t(a); INSERT INTO …
  private func remake(_ object: RecordedObject, in db: Database) throws {
    guard let oldName = object.oldName, let oldSQL = object.oldSQL else { return }
    let count = try Self.formerColumnCount(oldName, oldSQL)
    let layout = try RecordedLayout(of: TableReference(name: object.name), in: db)
    let columns = layout.columns.indices.filter {
      layout.numbers[$0] < count && !layout.columns[$0].isGenerated && $0 != layout.rowIDColumn
    }
    let others = try RecordedSchema(of: "main", in: db).objects.filter { other in
      other.tableName == object.name && !other.isInternal && other.type != "table"
    }
    let sequence = try RecordedTransaction.sequences(of: "main", in: db)[object.name]
    // A unary plus removes the affinity, so that the copy has the exact values.
    let values = layout.names(withRowIDAnd: columns).map { "+\($0)" as SQLText }.joined(by: ", ")
    try db.execute(literal: "CREATE TEMP TABLE quarry_undone AS SELECT \(values) FROM main.\(identifier: object.name)")
    try recorder.execute(("DROP TABLE main.\(identifier: object.name)" as SQLText).sql, in: db)
    try recorder.execute(oldSQL, in: db)
    let former = try RecordedLayout(of: TableReference(name: oldName), in: db)
    let places = former.names(withRowIDAnd: columns).joined(by: ", ")
    try db.execute(literal: "INSERT INTO main.\(identifier: oldName)(\(places)) SELECT * FROM temp.quarry_undone")
    try db.execute(literal: "DROP TABLE temp.quarry_undone")
    if let sequence { try db.execute(literal: "UPDATE main.sqlite_sequence SET seq = \(sequence) WHERE name = \(oldName)") }
    for other in others {
      if let sql = other.sql { try recorder.execute(sql, in: db) }
    }
  }

  /// Restores the names of virtual tables and thereby of their shadow tables.
  ///
  ///     ALTER TABLE main.notes2 RENAME TO notes
  private func renameVirtualTables(in db: Database) throws {
    var waiting = objects.filter { $0.isKept && $0.isVirtual && $0.oldName != $0.name }.map {
      (name: $0.name, oldName: $0.oldName ?? $0.name)
    }
    while !waiting.isEmpty {
      let free = waiting.firstIndex { next in !waiting.contains { $0.name.isSameIdentifier(as: next.oldName) } }
      // A cycle of names needs one temporary name.
      guard let index = free else {
        try rename(waiting[0].name, to: waiting[0].oldName + "_quarry_undone", in: db)
        waiting[0].name = waiting[0].oldName + "_quarry_undone"
        continue
      }
      let next = waiting.remove(at: index)
      try rename(next.name, to: next.oldName, in: db)
    }
  }

  private func rename(_ name: String, to other: String, in db: Database) throws {
    try recorder.execute(("ALTER TABLE main.\(identifier: name) RENAME TO \(identifier: other)" as SQLText).sql, in: db)
  }

  /// Restores the SQL and names of remaining tables without changing their rows.
  ///
  ///     UPDATE main.sqlite_schema SET name = ?, tbl_name = ?, sql = ? WHERE type = 'table' AND name = ?
  private func restoreTexts(in db: Database) throws {
    try db.execute(sql: "PRAGMA writable_schema = ON")
    defer { try? db.execute(sql: "PRAGMA writable_schema = RESET") }
    for object in objects where object.isKept {
      guard let oldName = object.oldName, let oldSQL = object.oldSQL else { continue }
      try db.execute(
        literal: """
          UPDATE main.sqlite_schema SET name = \(oldName), tbl_name = \(oldName), sql = \(oldSQL)
          WHERE type = 'table' AND name = \(object.isRenamedByModule ? oldName : object.name)
          """)
      guard oldName != object.name, !object.isRenamedByModule else { continue }
      let prefix = "sqlite_autoindex_\(object.name)"
      try db.execute(
        literal: """
          UPDATE main.sqlite_schema
          SET name = \("sqlite_autoindex_\(oldName)") || substr(name, \(prefix.unicodeScalars.count + 1)), tbl_name = \(oldName)
          WHERE type = 'index' AND sql IS NULL AND tbl_name = \(object.name)
          """)
      if try RecordedTransaction.sequences(of: "main", in: db)[object.name] != nil {
        try db.execute(literal: "UPDATE main.sqlite_sequence SET name = \(oldName) WHERE name = \(object.name)")
      }
    }
    let version = try Int.fetchOne(db, sql: "PRAGMA main.schema_version") ?? 0
    var sql: SQLText = "PRAGMA main.schema_version = "
    sql.raw(String(version + 1))
    try db.execute(literal: sql)
  }
}
