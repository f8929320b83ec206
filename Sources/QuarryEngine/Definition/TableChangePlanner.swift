/// Makes the plan of a change by trying its statements in a copy of the schema.
struct TableChangePlanner {
  private let change: TableChange
  private let copy: Database
  private let failures: [String: DatabaseError]
  /// The tables with the statistics of ANALYZE, which SQLite does not rename.
  private let statistics: [String]
  private var steps: [TableChangePlan.Step] = []
  private var remarks: [String] = []
  /// Views and triggers that do not compile now, which are created again at the end with the same text.
  private var setAside: [TrialSchema.Object] = []

  /// Prepares the plan.
  ///
  /// - Parameters:
  ///   - copy: A copy of the schema, which is changed.
  ///   - failures: The errors of objects that the copy does not have.
  ///   - statistics: The tables with the statistics of ANALYZE.
  init(_ change: TableChange, in copy: Database, failures: [String: DatabaseError], statistics: [String]) {
    (self.change, self.copy, self.failures, self.statistics) = (change, copy, failures, statistics)
  }

  // MARK: Creating

  /// Creates the table in the copy.
  mutating func create() throws -> Draft {
    for sql in change.new.statements { try perform(.schema, sql) }
    return Draft(method: .create, steps: steps, remarks: remarks, current: nil, target: change.new)
  }

  // MARK: Changing

  /// A plan before its effects on other objects are known.
  struct Draft {
    var method: TableChangePlan.Method
    var steps: [TableChangePlan.Step]
    var remarks: [String]
    /// The definition after SQLite has renamed the table and its columns; nil for a new table.
    var current: TableDefinition?
    /// The definition that the table will have.
    var target: TableDefinition
  }

  /// Changes the table in the copy.
  ///
  /// - Parameter byAltering: Whether only ALTER TABLE is tried; otherwise the table is rebuilt.
  /// - Returns: The draft; nil if ALTER TABLE cannot make the change.
  mutating func change(_ old: TableDefinition, byAltering: Bool) throws -> Draft? {
    if let error = failures["table \(old.name)"] { throw error }
    try rename(old)
    let current = try copy.tableDefinition(TableReference(name: change.new.name))
    let target = change.target(old, renamed: current)
    if target.withoutIndexes != current.withoutIndexes {
      guard byAltering else {
        try rebuild(current, target)
        return try draft(.rebuild, current, target)
      }
      guard try alter(current, target) else { return nil }
    } else {
      try replaceIndexes(current, target)
    }
    return try draft(steps.isEmpty ? .nothing : .alter, current, target)
  }

  /// Runs a statement in the copy and adds it to the plan.
  ///
  /// SQLite renames and drops nothing while a view or trigger of the database does not compile. Such an object is dropped before and
  /// created again afterwards.
  private mutating func perform(_ kind: TableChangePlan.Step.Kind, _ sql: String) throws {
    while true {
      do {
        try copy.execute(sql: sql)
        return steps.append(TableChangePlan.Step(kind, sql))
      } catch let error as DatabaseError {
        guard try dropBroken(after: error) else { throw error }
      }
    }
  }

  /// Drops the view or trigger that an error names as one that does not compile; returns whether there is one.
  private mutating func dropBroken(after error: DatabaseError) throws -> Bool {
    let objects = try TrialSchema.objects(in: copy)
    let broken = objects.first { object in
      ["view", "trigger"].contains(object.type) && error.message.hasPrefix("error in \(object.type) \(object.name): ")
    }
    guard let broken else { return false }
    let reason = error.message.dropFirst("error in \(broken.type) \(broken.name): ".count)
    remarks.append("the \(broken.type) “\(broken.name)” does not compile now either (\(reason)): it stays as it is")
    setAside += [broken] + objects.filter { $0.type == "trigger" && broken.type == "view" && $0.tableName == broken.name }
    let drop = "DROP \(broken.type.uppercased()) \(SQLIdentifier.quoted(broken.name))"
    try copy.execute(sql: drop)
    steps.append(TableChangePlan.Step(.schema, drop))
    return true
  }

  private mutating func draft(_ method: TableChangePlan.Method, _ current: TableDefinition, _ target: TableDefinition) throws -> Draft {
    for object in setAside { try perform(.schema, object.sql) }
    return Draft(method: method, steps: steps, remarks: remarks, current: current, target: target)
  }

  // MARK: Renaming

  /// Renames the columns and then the table, so that SQLite follows in views, triggers, indexes and foreign keys.
  private mutating func rename(_ old: TableDefinition) throws {
    let table = SQLIdentifier.quoted(old.name)
    for (name, newName) in change.columnRenames(of: old) {
      try perform(.schema, "ALTER TABLE \(table) RENAME COLUMN \(SQLIdentifier.quoted(name)) TO \(SQLIdentifier.quoted(newName))")
    }
    guard change.new.name != old.name else { return }
    var name = old.name
    if name.isSameIdentifier(as: change.new.name) {
      // SQLite refuses to change only the case of a name.
      name = try unusedName(old.name)
      try perform(.schema, "ALTER TABLE \(table) RENAME TO \(SQLIdentifier.quoted(name))")
    }
    try perform(.schema, "ALTER TABLE \(SQLIdentifier.quoted(name)) RENAME TO \(SQLIdentifier.quoted(change.new.name))")
    for table in statistics {
      let sql = "UPDATE \(table) SET tbl = \(Self.text(change.new.name)) WHERE tbl = \(Self.text(old.name))"
      steps.append(TableChangePlan.Step(.bookkeeping, sql))
    }
  }

  // MARK: ALTER TABLE

  /// Drops and adds columns and indexes; returns whether that makes the target.
  private mutating func alter(_ current: TableDefinition, _ target: TableDefinition) throws -> Bool {
    let count = change.origins.prefix { $0 != nil }.count
    let (kept, added) = (Array(target.columns.prefix(count)), target.columns.dropFirst(count))
    guard change.origins.dropFirst(count).allSatisfy({ $0 == nil }), added.allSatisfy({ column in !current.has(column.name) }),
      kept == current.columns.filter({ column in kept.contains { $0.name == column.name } })
    else { return false }
    let table = SQLIdentifier.quoted(target.name)
    do {
      for index in current.indexes where !target.indexes.contains(index) { try drop(index) }
      for column in current.columns where !target.has(column.name) {
        try perform(.schema, "ALTER TABLE \(table) DROP COLUMN \(SQLIdentifier.quoted(column.name))")
      }
      for column in added { try perform(.schema, "ALTER TABLE \(table) ADD COLUMN \(column.sql)") }
    } catch DatabaseError.SQLITE_ERROR, DatabaseError.SQLITE_CONSTRAINT {
      return false
    }
    guard try copy.tableDefinition(TableReference(name: target.name)).withoutIndexes == target.withoutIndexes else { return false }
    for index in target.indexes where !current.indexes.contains(index) { try perform(.schema, index.sql) }
    return true
  }

  private mutating func replaceIndexes(_ current: TableDefinition, _ target: TableDefinition) throws {
    for index in current.indexes where !target.indexes.contains(index) { try drop(index) }
    for index in target.indexes where !current.indexes.contains(index) { try perform(.schema, index.sql) }
  }

  private mutating func drop(_ index: IndexDefinition) throws {
    try perform(.schema, "DROP INDEX \(SQLIdentifier.quoted(index.name))")
  }

  // MARK: A new table

  /// Rebuilds the table with its rows, indexes and triggers.
  private mutating func rebuild(_ current: TableDefinition, _ target: TableDefinition) throws {
    let objects = try TrialSchema.objects(in: copy).filter { $0.tableName.isSameIdentifier(as: current.name) }
    let interim = try unusedName("new_" + target.name)
    let (table, new) = (SQLIdentifier.quoted(current.name), SQLIdentifier.quoted(interim))
    try perform(.schema, target.createTable(named: interim))
    try perform(.copy, TableCopy(change, current, target).sql(from: current.name, to: interim))
    if current.isAutoIncremented, target.isAutoIncremented { try keepSequence(of: current.name, as: interim) }
    let (former, later) = (Self.text(current.name), Self.text(interim))
    for name in statistics { steps.append(.init(.bookkeeping, "UPDATE \(name) SET tbl = \(later) WHERE tbl = \(former)")) }
    try perform(.schema, "DROP TABLE \(table)")
    // Otherwise SQLite would refuse to rename, because views and triggers name a table that does not exist at that moment.
    try perform(.setting, "PRAGMA legacy_alter_table = ON")
    try perform(.schema, "ALTER TABLE \(new) RENAME TO \(table)")
    try perform(.setting, "PRAGMA legacy_alter_table = OFF")
    for index in target.indexes {
      let same = current.indexes.contains(index) ? objects.first { $0.type == "index" && $0.name == index.name } : nil
      try perform(.schema, same?.sql ?? index.sql)
    }
    for trigger in objects where trigger.type == "trigger" { try perform(.schema, trigger.sql) }
    for name in statistics { steps.append(.init(.bookkeeping, "UPDATE \(name) SET tbl = \(former) WHERE tbl = \(later)")) }
    if current.hasComments(in: objects) { remarks.append("comments in the definition of the table are lost") }
  }

  /// Gives the new table the counter of AUTOINCREMENT.
  private mutating func keepSequence(of table: String, as interim: String) throws {
    let (former, later) = (Self.text(table), Self.text(interim))
    try perform(.bookkeeping, "DELETE FROM sqlite_sequence WHERE name = \(later)")
    try perform(
      .bookkeeping, "INSERT INTO sqlite_sequence(name, seq) SELECT \(later), seq FROM sqlite_sequence WHERE name = \(former)")
  }

  private func unusedName(_ name: String) throws -> String {
    let names = Set(try String.fetchAll(copy, sql: "SELECT name FROM sqlite_schema").map(\.asciiLowercased))
    var (candidate, number) = ("quarry_" + name, 1)
    while names.contains(candidate.asciiLowercased) {
      number += 1
      candidate = "quarry_\(name)_\(number)"
    }
    return candidate
  }

  private static func text(_ text: String) -> String { SQLIdentifier.delimited(text, by: "'") }
}
