internal import QuarryEngine
internal import QuarryRows

/// The changes of an open transaction in one database of its connection.
final class RecordedTransaction {
  /// A changed table.
  final class TouchedTable {
    /// The number of the table in the transaction.
    let id: Int
    /// The name of the table before the transaction.
    let name: String
    /// The layout of the table before its first change.
    let layout: RecordedLayout
    /// Whether the rows are identified by their rowids.
    let hasRowID: Bool
    /// The columns of the recorded cells, if no others of the table can change.
    ///
    /// Nil if whole rows are recorded. Unchecked: only one row is recorded at a time.
    @exclusivity(unchecked) fileprivate(set) var cellColumns: [Int]?
    /// Reads the current rows of the table.
    ///
    /// Nil before the first use, and after the name or the columns of the table have changed.
    fileprivate var reader: RecordedRowReader?

    fileprivate init(id: Int, name: String, layout: RecordedLayout) {
      self.id = id
      self.name = name
      self.layout = layout
      hasRowID = layout.rowIDName != nil
    }
  }

  /// The table that has a name at the moment.
  private final class NamedTable {
    let name: String
    /// Nil for an internal or new table, whose rows need not be recorded.
    let table: TouchedTable?
    /// Whether the table stores the data of a virtual table.
    let isShadow: Bool

    init(_ name: String, _ table: TouchedTable?, isShadow: Bool) {
      (self.name, self.table, self.isShadow) = (name, table, isShadow)
    }
  }

  /// The name of the database.
  let database: String
  let log: ChangeLog
  private unowned let db: Database
  let stage = RecordedRowStage()
  private(set) var tables: [TouchedTable] = []
  /// The table changed last, by its current name.
  ///
  /// Unchecked, like the count below: only the hook changes them for each row.
  @exclusivity(unchecked) private var current: NamedTable?
  /// The number of row changes, not including the tables with the data of virtual tables.
  @exclusivity(unchecked) private(set) var changeCount = 0
  private(set) var sequences: [String: Int64]?
  /// The history of the schema, or nil if no statement has changed it.
  private(set) var schema: RecordedSchemaHistory?

  init(_ database: String, log: ChangeLog, _ db: Database) {
    self.database = database
    self.log = log
    self.db = db
  }

  /// Whether there are no changes.
  var isEmpty: Bool { stage.isEmpty && sequences == nil && schema == nil }

  // MARK: Rows

  /// Records the original rows that a change is about to affect.
  func note(_ change: PreupdateChange) throws {
    let current = try current(named: change.table.name)
    if !current.isShadow { changeCount += 1 }
    guard let table = current.table else { return }
    if table.cellColumns != nil { throw UnsavedChange() }
    if change.kind != .insert { try noteOld(change, of: table) }
    if change.kind != .delete { try noteNew(change, of: table) }
    try checkSize()
  }

  /// Returns a table with rowids whose rows are about to change, or nil if its rows are not recorded.
  ///
  ///     SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name = 'Track'
  ///
  /// - Parameter name: The name of the table. The hook must report the table by exactly the same name.
  func tableToSave(named name: String) throws -> TouchedTable? {
    guard schema == nil else { return nil }
    let sql: SQLText = "SELECT count(*) FROM \(identifier: database).sqlite_schema WHERE type = 'table' AND name = \(name)"
    guard try Int.fetchOne(db.cachedStatement(literal: sql)) == 1, let table = try table(named: name), table.hasRowID else { return nil }
    return table
  }

  /// Returns a table with rowids of which only cells with known values are about to change, or nil if its rows are recorded otherwise.
  ///
  /// - Parameter name: The name of the table. The hook must report the table by exactly the same name.
  func tableToSaveCells(named name: String) throws -> TouchedTable? {
    guard !tables.contains(where: { $0.name == name }), let table = try tableToSave(named: name) else { return nil }
    // Other columns identify the row or follow from the cells.
    let layout = table.layout
    guard layout.identityColumns.isEmpty, layout.owner == nil, !layout.columns.contains(where: \.isGenerated),
      layout.columns.count < db.columnLimit
    else { return nil }
    return table
  }

  /// Begins to record only cells of a table, and refuses every change of it that the hook reports.
  func beginSavingCells(of table: TouchedTable) { table.cellColumns = [] }

  /// Records cells of a row before they change.
  ///
  /// - Parameters:
  ///   - columns: The columns of the cells, in ascending order.
  ///   - append: Appends the number of each of these columns, followed by the old value.
  func save(_ columns: some Sequence<Int>, of rowID: Int64, in table: TouchedTable, _ append: (inout RecordedBytes) -> Void) throws {
    for column in columns where table.cellColumns?.contains(column) == false { table.cellColumns?.append(column) }
    let isNew = try stage.add(.rowID(rowID), of: table.id) { row in
      append(&row)
      return true
    }
    guard isNew else { throw UnsavedChange() }
    try checkSize()
  }

  /// Records the values that a row has before it changes, so that the hook need not read them.
  func save(_ row: borrowing RecordedBytes, of rowID: Int64, in table: TouchedTable) throws {
    try stage.add(.rowID(rowID), of: table.id) { values in
      row.withUnsafeBytes { values.append($0) }
      return true
    }
    try checkSize()
  }

  private func checkSize() throws {
    if stage.size > log.folder.limit { throw ChangesTooLarge(limit: log.folder.limit) }
  }

  /// Returns a changed table by its current name.
  ///
  /// Returns nil for an internal or new table, whose rows need not be recorded.
  private func table(named name: String) throws -> TouchedTable? { try current(named: name).table }

  private func current(named name: String) throws -> NamedTable {
    if let current, current.name == name { return current }
    let table = try findTable(named: name)
    let isShadow = table.map { $0.layout.owner != nil } ?? (schema?.last.owner(of: name) != nil)
    let found = NamedTable(name, table, isShadow: isShadow || name.asciiLowercased.hasPrefix("sqlite_"))
    current = found
    return found
  }

  private func findTable(named name: String) throws -> TouchedTable? {
    let original = schema.map { $0.names.original(of: name) } ?? name
    guard let original, !name.asciiLowercased.hasPrefix("sqlite_") else { return nil }
    if let known = tables.first(where: { $0.name == original }) { return known }
    try noteSequences()
    let reference = TableReference(database: database, name: name)
    let layout = try RecordedLayout(of: reference, in: db)
    let table = TouchedTable(id: tables.count, name: original, layout: layout)
    tables.append(table)
    return table
  }

  /// Returns the reader of a changed table, whose name and columns may have changed since.
  private func reader(of table: TouchedTable) throws -> RecordedRowReader {
    if let reader = table.reader { return reader }
    let name = schema?.names.current(of: table.name) ?? table.name
    let reference = TableReference(database: database, name: name)
    let layout = try schema == nil ? table.layout : RecordedLayout(of: reference, in: db)
    let reader = try RecordedRowReader(layout, of: reference, in: db)
    table.reader = reader
    return reader
  }

  private func noteOld(_ change: PreupdateChange, of table: TouchedTable) throws {
    guard table.hasRowID else { return try noteOldByKey(change, of: table) }
    try stage.add(.rowID(change.oldRowID), of: table.id) { row in
      try read(change, .rowID(change.oldRowID), of: table, into: &row)
      return true
    }
  }

  private func noteOldByKey(_ change: PreupdateChange, of table: TouchedTable) throws {
    let layout = table.layout
    var row: [UInt8]?
    if layout.isMisnumbered {
      // SQLite finds the row by an equal key.
      row = try reader(of: table).row(key(in: layout) { try change.oldValue(at: layout.numbers[$0]) })
    } else {
      var bytes = RecordedBytes()
      bytes.append(try change.borrowedOldValues())
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

  /// Appends the values of a row before its change from the hook if it provides all of them, and otherwise from the table.
  private func read(_ change: PreupdateChange, _ key: RecordedRowKey, of table: TouchedTable, into row: inout RecordedBytes) throws {
    if !table.layout.isMisnumbered {
      let start = row.count
      row.append(try change.borrowedOldValues())
      if table.layout.columnsWithDefault.isEmpty { return }
      if try !hidesDefault(row.withUnsafeBytes { Array($0[start...]) }, in: table.layout) { return }
      row.truncate(to: start)
    }
    row.append(try reader(of: table).row(key) ?? [])
  }

  /// Returns whether a row has NULL in a column that may really have its default.
  ///
  /// If a row is older than its column, the hook reports NULL, as for a stored NULL.
  private func hidesDefault(_ row: [UInt8], in layout: RecordedLayout) throws -> Bool {
    guard !layout.columnsWithDefault.isEmpty else { return false }
    var reader = RecordedBytesReader(row)
    let values = try reader.rest()
    return layout.columnsWithDefault.contains { !values.indices.contains($0) || values[$0].isNull }
  }

  private func noteNew(_ change: PreupdateChange, of table: TouchedTable) throws {
    if table.hasRowID {
      guard change.kind == .insert || change.newRowID != change.oldRowID else { return }
      try stage.add(.rowID(change.newRowID), of: table.id) { _ in false }
    } else {
      let layout = table.layout
      // In an UPDATE the hook numbers only the stored columns, otherwise all columns.
      let key = try key(in: layout) { try change.newValue(at: change.kind == .update ? $0 : layout.numbers[$0]) }
      try stage.add(key, of: table.id) { row in
        // If an UPDATE does not change the key, the row has been recorded with its old values, or still has them here.
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

  /// Records the current AUTOINCREMENT counters, which the hook does not report.
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

  /// Records the schema before a statement changes it, and the rows of a table to be dropped.
  func willChangeSchema(dropping table: String?) throws {
    try noteSequences()
    if schema == nil { schema = RecordedSchemaHistory(try RecordedSchema(of: database, in: db)) }
    guard let table, let original = schema?.last.tableName(table) else { return }
    if schema?.last.keepsDataElsewhere(original) == true {
      throw DataSourceError("dropping the virtual table \(original) is not reversible: its module stores the rows")
    }
    for name in [original] + (schema?.last.shadowTables(of: original) ?? []) { try keepRows(of: name) }
  }

  /// Records the schema after a statement has changed it.
  ///
  /// - Parameter isAlteration: Whether a table with a new name is the same table renamed.
  func didChangeSchema(isAlteration: Bool) throws {
    try schema?.add(RecordedSchema(of: database, in: db), isAlteration: isAlteration)
    forgetReaders()
  }

  /// Notes that a rollback to a savepoint may have reverted changes of the schema.
  func didRollBackToSavepoint() throws {
    try schema?.goBack(to: RecordedSchema(of: database, in: db))
    forgetReaders()
  }

  private func forgetReaders() {
    current = nil
    for table in tables { table.reader = nil }
  }

  /// Records all rows of a table.
  ///
  ///     SELECT rowid, "TrackId", "Name" FROM main.Track
  private func keepRows(of name: String) throws {
    guard schema?.last.isVirtual(name) != true, let table = try table(named: name) else { return }
    let layout = try reader(of: table).layout
    let rowID: SQLText = layout.rowIDName.map { "\(identifier: $0)" } ?? "NULL"
    let columns = layout.list(layout.columns.indices)
    try db.scan("SELECT \(rowID), \(columns) FROM \(identifier: database).\(identifier: name)") { statement in
      var row = RecordedBytes()
      row.append(try statement.borrowedValues().dropFirst())
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

  /// Writes all changes of the transaction in the database to the log.
  func write(to entry: ChangeLogEntry) throws {
    let objects = try schema.map { try $0.changes(to: RecordedSchema(of: database, in: db)) } ?? []
    // The statement that creates a virtual table fills its shadow tables before they are known to be new.
    for table in tables where schema?.hadTable(table.name) != false { try writeRows(of: table, objects, to: entry) }
    for object in objects {
      if object.type == "table", object.oldName == nil || object.isRemade { try writeNewTable(object, to: entry) }
      try entry.addObject(object)
    }
    guard let sequences else { return }
    // By the names that the tables had before. They have these names again when an undo restores the counters.
    let now = try Dictionary(
      Self.sequences(of: database, in: db).map { name, count in (schema?.names.original(of: name) ?? name, count) },
      uniquingKeysWith: max)
    // Dropping a table drops its counter, so that the undo needs the counter of a table that was created anew.
    let remade = objects.filter { $0.type == "table" && $0.isRemade }.map(\.name)
    for name in Set(now.keys).union(sequences.keys).sorted() where sequences[name] != now[name] || remade.contains(name) {
      // A statement that inserts nothing may still make SQLite create a counter of 0.
      if entry.isEmpty, sequences[name] ?? 0 == now[name] ?? 0 { continue }
      try entry.addSequence(name, old: sequences[name], new: now[name])
    }
  }

  /// Writes the old and new rows of a changed table.
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
    let columns = table.cellColumns?.sorted()
    // The columns have not changed since the cells were saved.
    let layout = try columns == nil ? RecordedLayout(of: reference, in: db) : table.layout
    let rows = try RecordedRowScan(layout, only: columns, of: reference, in: db)
    let isAltered = objects.contains { $0.type == "table" && $0.name == name }
    try entry.addTable(layout, onlyCellsIn: columns, alteration: isAltered ? "altered" : nil) { add in
      try stage.forEach(of: table.id) { key, before in try add(key, before, rows.values(of: key)) }
    }
  }

  /// Writes that a table is new.
  ///
  /// Its rows are not written, because an undo records them when it drops the table.
  ///
  /// Nothing is written for a virtual table whose module stores the rows elsewhere, because an undo cannot drop it.
  private func writeNewTable(_ object: RecordedObject, to entry: ChangeLogEntry) throws {
    let reference = TableReference(database: database, name: object.name)
    let sum: RecordedTableSum
    if object.isVirtual {
      // FTS4 cannot list the rows of a contentless index.
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
