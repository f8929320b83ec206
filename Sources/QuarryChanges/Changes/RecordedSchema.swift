package import QuarryEngine

/// A snapshot of the objects of a database's schema.
package struct RecordedSchema: Hashable, Sendable {
  /// A table, index, view or trigger.
  package struct Object: Hashable, Sendable {
    package var type: String
    package var name: String
    package var tableName: String
    var rootPage: Int64
    package var sql: String?

    /// Whether the object was not created by its own statement: SQLite's tables, and indexes of constraints.
    package var isInternal: Bool { sql == nil || name.asciiLowercased.hasPrefix("sqlite_") }
  }

  package let objects: [Object]
  /// The tables that are not internal, by name.
  package let tables: [String: Object]

  /// Reads the schema of a database.
  ///
  ///     SELECT type, name, tbl_name, rootpage, sql FROM main.sqlite_schema
  package init(of database: String, in db: Database) throws {
    let sql: SQLText = "SELECT type, name, tbl_name, rootpage, sql FROM \(identifier: database).sqlite_schema ORDER BY rowid"
    objects = try Row.fetchAll(db.makeStatement(literal: sql)).map { row in
      try Object(
        type: row[0], name: row.schemaText(at: 1) ?? "", tableName: row.schemaText(at: 2) ?? "", rootPage: row[3] ?? 0,
        sql: row.schemaSQL(at: 4))
    }
    let tables = objects.filter { $0.type == "table" && !$0.isInternal }.map { ($0.name, $0) }
    self.tables = Dictionary(tables, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the name of a table as spelled in the schema, or nil if the table does not exist.
  func tableName(_ name: String) -> String? {
    tables[name]?.name ?? tables.keys.first { $0.isSameIdentifier(as: name) }
  }

  /// Returns whether a table is virtual.
  package func isVirtual(_ name: String) -> Bool { tables[name]?.module != nil }

  /// Returns whether a virtual table stores its rows in a place that cannot be recorded.
  package func keepsDataElsewhere(_ name: String) -> Bool {
    guard let module = tables[name]?.module?.asciiLowercased else { return false }
    return Self.shadowSuffixes[module] == nil && !Self.viewingModules.contains(module)
  }

  /// The modules that show data of other tables and store none.
  private static let viewingModules: Set<String> = ["fts4aux", "fts3tokenize", "fts5vocab", "dbstat", "sqlite_dbpage"]

  /// Returns whether a virtual table stores its own rows in tables of the database.
  ///
  /// An index of another table does not.
  func keepsOwnRows(_ name: String) -> Bool {
    guard !shadowTables(of: name).isEmpty, let sql = tables[name]?.sql else { return false }
    if case .table? = FullTextContent(sql) { return false }
    return true
  }

  /// Returns the shadow tables of a virtual table.
  func shadowTables(of name: String) -> [String] {
    guard isVirtual(name) else { return [] }
    return tables.keys.filter { owner(of: $0) == name }.sorted()
  }

  /// Returns the virtual table of a shadow table, or nil for any other table.
  func owner(of name: String) -> String? {
    let virtual = tables.values.filter { $0.module != nil && name.asciiLowercased.hasPrefix($0.name.asciiLowercased + "_") }
    guard let owner = virtual.max(by: { $0.name.utf8.count < $1.name.utf8.count }), let module = owner.module else { return nil }
    let suffix = String(name.asciiLowercased.dropFirst(owner.name.count + 1))
    return Self.shadowSuffixes[module.asciiLowercased]?.contains(suffix) == true ? owner.name : nil
  }

  /// The suffixes of the shadow tables of SQLite's own modules.
  private static let shadowSuffixes: [String: Set<String>] = [
    "fts3": ["content", "segments", "segdir", "docsize", "stat"], "fts4": ["content", "segments", "segdir", "docsize", "stat"],
    "fts5": ["data", "idx", "content", "docsize", "config"], "rtree": ["node", "parent", "rowid"],
    "rtree_i32": ["node", "parent", "rowid"], "geopoly": ["node", "parent", "rowid"],
  ]
}

extension RecordedSchema.Object {
  /// The module of a virtual table, or nil for any other object.
  var module: String? {
    guard type == "table", rootPage == 0, let sql else { return nil }
    return VirtualTableSyntax(sql)?.module
  }
}

/// The tables created, renamed and dropped in a transaction, by their names before it.
struct RecordedNames: Hashable {
  /// The renamed and dropped tables: the new name, or nil.
  private var moved: [String: String?] = [:]
  /// The names of tables that the transaction has created.
  private var new: Set<String> = []

  /// Returns the current name of a table, or nil if it was dropped.
  func current(of original: String) -> String? {
    if let name = moved[original] { return name }
    return original
  }

  /// Returns the original name of a table, or nil for a new table.
  func original(of current: String) -> String? {
    if new.contains(current) { return nil }
    return moved.first { $0.value == current }?.key ?? current
  }

  /// Records the changes of one statement.
  mutating func note(_ before: RecordedSchema, _ after: RecordedSchema, isAlteration: Bool) {
    let gone = before.tables.values.filter { after.tables[$0.name] == nil }
    let made = after.tables.values.filter { before.tables[$0.name] == nil }
    for table in gone {
      let original = original(of: table.name)
      // Virtual tables have no root page. An alteration renames one of them at a time, together with its shadow tables.
      let successor = isAlteration ? made.first { $0.rootPage == table.rootPage } : nil
      new.remove(table.name)
      if let original {
        moved[original] = .some(successor?.name)
      } else if let successor {
        new.insert(successor.name)
      }
    }
    let renamed = isAlteration ? Set(gone.map(\.rootPage)) : []
    for table in made where !renamed.contains(table.rootPage) { new.insert(table.name) }
  }

  /// Records that the rows of a table have been rewritten.
  mutating func noteRemade(_ name: String) {
    if let original = original(of: name) { moved[original] = .some(nil) }
    new.insert(name)
  }
}

/// The history of a schema in a transaction, statement by statement.
struct RecordedSchemaHistory {
  /// The schema before the transaction.
  private let first: RecordedSchema
  /// The schema after the last statement.
  private(set) var last: RecordedSchema
  private(set) var names = RecordedNames()
  private var earlier: [(fingerprint: Int, names: RecordedNames)]

  init(_ schema: RecordedSchema) {
    (first, last) = (schema, schema)
    earlier = [(schema.hashValue, names)]
  }

  /// Returns whether a table existed before the transaction.
  func hadTable(_ name: String) -> Bool { first.tables[name] != nil }

  /// Adds the schema after a statement.
  mutating func add(_ schema: RecordedSchema, isAlteration: Bool) {
    guard schema != last else { return }
    names.note(last, schema, isAlteration: isAlteration)
    if isAlteration {
      for (name, table) in schema.tables {
        guard let before = last.tables[name], before.sql != table.sql, table.hasFewerColumns(than: before) else { continue }
        names.noteRemade(name)
      }
    }
    last = schema
    earlier.append((schema.hashValue, names))
  }

  /// Returns to the last time at which the schema was equal to this one.
  mutating func goBack(to schema: RecordedSchema) {
    guard schema != last, let index = earlier.lastIndex(where: { $0.fingerprint == schema.hashValue }) else { return }
    earlier.removeSubrange((index + 1)...)
    (last, names) = (schema, earlier[index].names)
  }

  /// Returns the changes of the objects.
  func changes(to now: RecordedSchema) -> [RecordedObject] {
    var changes: [RecordedObject] = []
    var kept: [String: String] = [:]
    for table in first.tables.values {
      if let name = names.current(of: table.name) { kept[name] = table.name }
    }
    for object in now.objects where !object.isInternal && !now.isShadow(object) {
      let before = object.type == "table" ? kept[object.name].flatMap { first.tables[$0] } : first.object(like: object)
      let remade = object.type == "table" && before == nil ? first.tables[object.name] : before
      if let before, before.sql == object.sql, before.name == object.name, before.tableName == object.tableName { continue }
      changes.append(
        RecordedObject(
          type: object.type, name: object.name, tableName: object.tableName, oldName: remade?.name, oldTableName: remade?.tableName,
          oldSQL: remade?.sql, newSQL: object.sql, isKept: object.type == "table" && before != nil))
    }
    changes += now.objects.filter(now.isShadow).compactMap { object in
      guard let before = kept[object.name].flatMap({ first.tables[$0] }), before.sql != object.sql else { return nil }
      return RecordedObject(
        type: RecordedObject.shadowType, name: object.name, tableName: object.tableName, oldName: before.name,
        oldTableName: before.tableName, oldSQL: before.sql, newSQL: object.sql, isKept: true)
    }
    for object in first.objects where !object.isInternal && !first.isShadow(object) {
      let isThere =
        object.type == "table"
        ? names.current(of: object.name) != nil || now.tables[object.name] != nil : now.object(like: object) != nil
      if isThere { continue }
      changes.append(
        RecordedObject(
          type: object.type, name: object.name, tableName: object.tableName, oldName: object.name, oldTableName: object.tableName,
          oldSQL: object.sql))
    }
    return changes
  }
}

extension RecordedSchema {
  /// Returns the object with the same type and name, or nil if it does not exist.
  fileprivate func object(like other: Object) -> Object? {
    objects.first { $0.type == other.type && $0.name == other.name }
  }

  fileprivate func isShadow(_ object: Object) -> Bool { object.type == "table" && owner(of: object.name) != nil }
}

extension RecordedSchema.Object {
  /// Returns whether a column has been dropped, according to the CREATE statements.
  fileprivate func hasFewerColumns(than other: RecordedSchema.Object) -> Bool {
    guard let sql, let otherSQL = other.sql else { return false }
    return TopLevelItems.count(in: sql) < TopLevelItems.count(in: otherSQL)
  }
}

/// The columns and constraints between the parentheses of a CREATE TABLE.
private enum TopLevelItems {
  static func count(in sql: String) -> Int {
    let tokens = StatementTokens(sql)
    guard let opener = (0..<tokens.count).first(where: { tokens.isSymbol($0, "(") }) else { return 0 }
    return tokens.items(in: (opener + 1)..<tokens.partner(of: opener)).count
  }
}
