internal import QuarryEngine
internal import QuarryRows

/// What a transaction has touched in one database of its connection, until it is committed or rolled back.
final class RecordedTransaction {
  /// A table that was touched.
  final class TouchedTable {
    /// Its number among those of the transaction.
    let id: Int
    /// The name that it had before the transaction.
    let name: String
    /// What it was like when it was first touched.
    let layout: RecordedLayout
    /// Reads its rows as they are now; nil where its name or columns have changed since.
    fileprivate var reader: RecordedRowReader?

    fileprivate init(id: Int, name: String, layout: RecordedLayout, reader: RecordedRowReader) {
      self.id = id
      self.name = name
      self.layout = layout
      self.reader = reader
    }
  }

  /// The name of the database.
  let database: String
  let log: ChangeLog
  private unowned let db: Database
  let stage = RecordedRowStage()
  private(set) var tables: [TouchedTable] = []
  /// The table touched last, by the name that it has now.
  private var current: (name: String, table: TouchedTable?, isShadow: Bool)?
  /// How many times a row was changed, but for those in which modules keep the data of virtual tables.
  private(set) var changeCount = 0
  private(set) var sequences: [String: Int64]?
  /// What has become of the schema; nil where no statement was about it.
  private(set) var schema: RecordedSchemaHistory?

  init(_ database: String, log: ChangeLog, _ db: Database) {
    self.database = database
    self.log = log
    self.db = db
  }

  /// Whether nothing has been touched.
  var isEmpty: Bool { stage.isEmpty && sequences == nil && schema == nil }

  // MARK: Rows

  /// Notes the rows that a change is about to touch, as they are before it.
  func note(_ change: PreupdateChange) throws {
    let table = try table(named: change.table.name)
    if current?.isShadow == false { changeCount += 1 }
    guard let table else { return }
    if change.kind != .insert { try noteOld(change, of: table) }
    if change.kind != .delete { try noteNew(change, of: table) }
    try checkSize()
  }

  private func checkSize() throws {
    if stage.size > log.folder.limit { throw ChangesTooLarge(limit: log.folder.limit) }
  }

  /// Returns a table that is touched, by the name that it has now; nil for one whose rows need not be noted: it is SQLite's own, or new.
  private func table(named name: String) throws -> TouchedTable? {
    if let current, current.name == name { return current.table }
    let table = try findTable(named: name)
    let isShadow = table.map { $0.layout.owner != nil } ?? (schema?.last.owner(of: name) != nil)
    current = (name, table, isShadow || name.asciiLowercased.hasPrefix("sqlite_"))
    return table
  }

  private func findTable(named name: String) throws -> TouchedTable? {
    let original = schema.map { $0.names.original(of: name) } ?? name
    guard let original, !name.asciiLowercased.hasPrefix("sqlite_") else { return nil }
    if let known = tables.first(where: { $0.name == original }) { return known }
    try noteSequences()
    let reference = TableReference(database: database, name: name)
    let layout = try RecordedLayout(of: reference, in: db)
    let reader = try RecordedRowReader(layout, of: reference, in: db)
    let table = TouchedTable(id: tables.count, name: original, layout: layout, reader: reader)
    tables.append(table)
    return table
  }

  /// Returns what reads the rows of a touched table, whose name and columns may be others than when it was first touched.
  private func reader(of table: TouchedTable) throws -> RecordedRowReader {
    if let reader = table.reader { return reader }
    let name = schema?.names.current(of: table.name) ?? table.name
    let reference = TableReference(database: database, name: name)
    let reader = try RecordedRowReader(RecordedLayout(of: reference, in: db), of: reference, in: db)
    table.reader = reader
    return reader
  }

  private func noteOld(_ change: PreupdateChange, of table: TouchedTable) throws {
    let layout = table.layout
    guard layout.rowIDName == nil else {
      return try stage.add(.rowID(change.oldRowID), of: table.id) { row in
        try read(change, .rowID(change.oldRowID), of: table, into: &row)
        return true
      }
    }
    var row: [UInt8]?
    if layout.isMisnumbered {
      // SQLite finds the row by a key that equals its own.
      row = try reader(of: table).row(key(in: layout) { try change.oldValue(at: layout.numbers[$0]) })
    } else {
      var bytes = RecordedBytes()
      try change.forEachOldValue { bytes.append($1) }
      row = bytes.bytes
    }
    guard let found = row else { return }
    let key = try reader(of: table).key(of: found)
    if !layout.isMisnumbered, try hidesDefault(found, in: layout) { row = try reader(of: table).row(key) ?? found }
    try stage.add(key, of: table.id) {
      $0.append(row ?? found)
      return true
    }
  }

  /// Reads the values of a row before its change, from the hook where that tells all of them, else from the table.
  private func read(_ change: PreupdateChange, _ key: RecordedRowKey, of table: TouchedTable, into row: inout RecordedBytes) throws {
    if !table.layout.isMisnumbered {
      try change.forEachOldValue { row.append($1) }
      if try !hidesDefault(row.bytes, in: table.layout) { return }
    }
    row.removeAll()
    row.append(try reader(of: table).row(key) ?? [])
  }

  /// Returns whether a row has NULL in a column whose default it may have instead.
  ///
  /// The hook tells NULL where a row is older than its column, as it does where NULL is stored.
  private func hidesDefault(_ row: [UInt8], in layout: RecordedLayout) throws -> Bool {
    guard !layout.columnsWithDefault.isEmpty else { return false }
    var reader = RecordedBytesReader(row)
    let values = try reader.rest()
    return layout.columnsWithDefault.contains { !values.indices.contains($0) || values[$0].isNull }
  }

  private func noteNew(_ change: PreupdateChange, of table: TouchedTable) throws {
    if table.layout.rowIDName != nil {
      guard change.kind == .insert || change.newRowID != change.oldRowID else { return }
      try stage.add(.rowID(change.newRowID), of: table.id) { _ in false }
    } else {
      let layout = table.layout
      // In an UPDATE the hook counts the columns that are stored, else all.
      let key = try key(in: layout) { try change.newValue(at: change.kind == .update ? $0 : layout.numbers[$0]) }
      try stage.add(key, of: table.id) { row in
        // An UPDATE that leaves the key as it is has been noted with its old values, or finds them here.
        guard let found = try reader(of: table).row(key), try reader(of: table).key(of: found) == key else { return false }
        row.append(found)
        return true
      }
    }
  }

  private func key(in layout: RecordedLayout, _ value: (Int) throws -> DatabaseValue) throws -> RecordedRowKey {
    var key = RecordedBytes()
    for index in layout.keyColumns {
      let value = try value(index)
      if layout.columns[index].isReal, case .integer(let number) = value {
        key.append(DatabaseValue.real(Double(number)))
      } else {
        key.append(value)
      }
    }
    return .values(key.bytes)
  }

  /// Notes what AUTOINCREMENT has counted so far, of which the hook does not tell.
  ///
  ///     SELECT name, seq FROM main.sqlite_sequence
  func noteSequences() throws {
    if sequences == nil { sequences = try Self.sequences(of: database, in: db) }
  }

  static func sequences(of database: String, in db: Database) throws -> [String: Int64] {
    let schema: SQLText = "SELECT count(*) FROM \(identifier: database).sqlite_schema WHERE name = 'sqlite_sequence'"
    guard try Int.fetchOne(db.cachedStatement(literal: schema)) != 0 else { return [:] }
    var sequences: [String: Int64] = [:]
    try db.scan("SELECT name, seq FROM \(identifier: database).sqlite_sequence") { statement in
      guard case .text(let name) = try statement.columnValue(at: 0), case .integer(let count) = try statement.columnValue(at: 1) else {
        return true
      }
      sequences[name] = count
      return true
    }
    return sequences
  }

  // MARK: The schema

  /// Notes what the schema is like before a statement changes it, and keeps the rows of a table that goes.
  func willChangeSchema(dropping table: String?) throws {
    try noteSequences()
    if schema == nil { schema = RecordedSchemaHistory(try RecordedSchema(of: database, in: db)) }
    guard let table, let original = schema?.last.tableName(table) else { return }
    if schema?.last.keepsDataElsewhere(original) == true {
      throw DataSourceError("dropping the virtual table \(original) is not reversible, since its module keeps the rows")
    }
    for name in [original] + (schema?.last.shadowTables(of: original) ?? []) { try keepRows(of: name) }
  }

  /// Notes what has become of the schema.
  ///
  /// - Parameter isAlteration: Whether a table that has another name now is the same.
  func didChangeSchema(isAlteration: Bool) throws {
    try schema?.add(RecordedSchema(of: database, in: db), isAlteration: isAlteration)
    forgetReaders()
  }

  /// Notes that a savepoint may have taken changes of the schema back.
  func didRollBackToSavepoint() throws {
    try schema?.goBack(to: RecordedSchema(of: database, in: db))
    forgetReaders()
  }

  private func forgetReaders() {
    current = nil
    for table in tables { table.reader = nil }
  }

  /// Notes all rows of a table.
  ///
  ///     SELECT rowid, "TrackId", "Name" FROM main.Track
  private func keepRows(of name: String) throws {
    guard schema?.last.isVirtual(name) != true, let table = try table(named: name) else { return }
    let layout = try reader(of: table).layout
    let rowID: SQLText = layout.rowIDName.map { "\(identifier: $0)" } ?? "NULL"
    let columns = layout.list(layout.columns.indices)
    try db.scan("SELECT \(rowID), \(columns) FROM \(identifier: database).\(identifier: name)") { statement in
      var row = RecordedBytes()
      for value in try statement.borrowedValues().dropFirst() { row.append(value) }
      let key = try layout.rowIDName == nil ? reader(of: table).key(of: row.bytes) : .rowID(statement.columnInteger(at: 0))
      try stage.add(key, of: table.id) {
        $0.append(row.bytes)
        return true
      }
      try checkSize()
      return true
    }
  }

  // MARK: The record

  /// Writes all that the transaction has changed in the database.
  func write(to entry: ChangeLogEntry) throws {
    let objects = try schema.map { try $0.changes(to: RecordedSchema(of: database, in: db)) } ?? []
    // The statement that makes a virtual table fills the tables behind it before they are known to be new.
    for table in tables where schema?.hadTable(table.name) != false { try writeRows(of: table, objects, to: entry) }
    for object in objects {
      if object.type == "table", object.oldName == nil || object.isRemade { try writeNewTable(object, to: entry) }
      try entry.addObject(object)
    }
    guard let sequences else { return }
    // By the names that the tables had before, which they have again once an undo counts back.
    let now = try Dictionary(
      Self.sequences(of: database, in: db).map { name, count in (schema?.names.original(of: name) ?? name, count) },
      uniquingKeysWith: max)
    for name in Set(now.keys).union(sequences.keys).sorted() where sequences[name] != now[name] {
      // A statement that inserts nothing may still make SQLite begin to count at 0.
      if entry.isEmpty, sequences[name] ?? 0 == now[name] ?? 0 { continue }
      try entry.addSequence(name, old: sequences[name], new: now[name])
    }
  }

  /// Writes what the rows of a touched table are now beside what they were.
  private func writeRows(of table: TouchedTable, _ objects: [RecordedObject], to entry: ChangeLogEntry) throws {
    let name = schema.map { $0.names.current(of: table.name) } ?? table.name
    guard let name else {
      var layout = table.layout
      layout.name = table.name
      return try entry.addTable(layout, alteration: "dropped") { add in
        try stage.forEach(of: table.id) { key, before in try add(key, before, nil) }
      }
    }
    let reference = TableReference(database: database, name: name)
    let layout = try RecordedLayout(of: reference, in: db)
    let rows = try RecordedRowScan(layout, of: reference, in: db)
    let isAltered = objects.contains { $0.type == "table" && $0.name == name }
    try entry.addTable(layout, alteration: isAltered ? "altered" : nil) { add in
      var row = RecordedBytes()
      try stage.forEach(of: table.id) { key, before in
        let isThere = try rows.read(key, into: &row)
        try row.bytes.withUnsafeBytes { try add(key, before, isThere ? $0 : nil) }
      }
    }
  }

  /// Writes that a table is new: its rows are not kept, since an undo keeps them when it drops the table.
  ///
  /// Of a virtual table nothing is written where its module keeps the rows: it cannot be dropped by an undo.
  private func writeNewTable(_ object: RecordedObject, to entry: ChangeLogEntry) throws {
    let reference = TableReference(database: database, name: object.name)
    let sum: RecordedTableSum
    if object.isVirtual {
      // FTS4 does not list the rows of an index without texts.
      guard try RecordedSchema(of: database, in: db).keepsOwnRows(object.name), let found = try? RecordedTableSum(of: reference, in: db)
      else { return }
      sum = found
    } else {
      sum = try RecordedTableSum(of: reference, in: db)
    }
    try entry.addTable(sum.layout, alteration: "new", checksum: sum.description) { _ in }
    try entry.setInserted(sum.count)
  }
}
