package import QuarryEngine
internal import QuarryRows

/// The layout of a recorded table: its stored columns and the key of its rows.
package struct RecordedLayout: Codable, Hashable, Sendable {
  /// A stored column.
  package struct Column: Codable, Hashable, Sendable {
    package var name: String
    /// Whether the column is generated.
    var isGenerated = false
    /// Whether the column stores every number as a real.
    var isReal = false
  }

  /// The name of the table.
  var name: String
  /// The stored columns, in the order of the table.
  package var columns: [Column]
  /// The name of the rowid, or nil for a table WITHOUT ROWID.
  package var rowIDName: String?
  /// The index of the column that is the rowid, or nil if no column is the rowid.
  var rowIDColumn: Int?
  /// The columns of the primary key of a table WITHOUT ROWID, in the key's order.
  var keyColumns: [Int] = []
  /// The virtual table whose data the table stores, or nil for any other table.
  var owner: String?

  /// The columns for which a NULL from the preupdate hook may mean their default.
  var columnsWithDefault: [Int] = []
  /// The numbers of the columns in the table, counting columns that are not stored.
  var numbers: [Int] = []
  /// The primary key index that stores the rows of a table WITHOUT ROWID.
  var keyIndex: String?
  /// The columns that identify a row in addition to its rowid: the primary key, or all columns.
  ///
  /// A VACUUM may change rowids that are not a column.
  var identityColumns: Set<Int> = []
  /// Whether the preupdate hook reports unreliable values, because its column numbers differ from those of the table.
  var isMisnumbered = false

  private enum CodingKeys: CodingKey {
    case name, columns, rowIDName, rowIDColumn, keyColumns, owner
  }
}

extension RecordedLayout {
  /// Reads the layout of a table.
  ///
  ///     PRAGMA main.table_list; SELECT … FROM pragma_table_xinfo('Track', 'main')
  ///
  /// - Throws: ``DatabaseError``, or `DataSourceError` if the rows of the table cannot be identified.
  package init(of table: TableReference, in db: Database) throws {
    name = table.name
    columns = []
    let sql: SQLText = "SELECT name, type, dflt_value, pk, hidden FROM pragma_table_xinfo(\(table.name), \(table.database))"
    var names: [String] = []
    var key: [(position: Int, index: Int)] = []
    var (hasVirtual, hasReal, declaredTypes) = (false, false, [String]())
    for row in try Row.fetchAll(db.cachedStatement(literal: sql)) {
      let (columnName, type): (String, String) = (try row.schemaText(at: 0) ?? "", try row.schemaText(at: 1) ?? "")
      let hidden: Int = try row[4]
      names.append(columnName)
      if hidden == 2 { hasVirtual = true }
      // A hidden column of a virtual table has no stored value. FTS5 returns a different value each time.
      guard hidden == 0 || hidden == 3 else { continue }
      let isReal = ColumnSchema.Affinity(declaredType: type) == .real
      hasReal = hasReal || isReal
      let index = columns.count
      columns.append(Column(name: columnName, isGenerated: hidden == 3, isReal: isReal))
      declaredTypes.append(type)
      numbers.append(names.count - 1)
      if try row[3] as Int > 0 { key.append((try row[3], index)) }
      if try !(row[2] as DatabaseValue).isNull { columnsWithDefault.append(index) }
    }
    let list: SQLText = "SELECT wr, type FROM pragma_table_list(\(table.name)) WHERE schema = \(table.database)"
    let listed = try Row.fetchOne(db.cachedStatement(literal: list))
    let isWithoutRowID = try listed?[0] as Bool? ?? false
    if try listed?[1] as String? == "shadow" { owner = try Self.owner(of: table, in: db) }
    keyColumns = key.sorted { $0.position < $1.position }.map(\.index)
    if isWithoutRowID {
      isMisnumbered = hasVirtual || hasReal
      let index: SQLText = "SELECT name FROM pragma_index_list(\(table.name), \(table.database)) WHERE origin = 'pk'"
      keyIndex = try String.fetchOne(db.cachedStatement(literal: index))
      return
    }
    isMisnumbered = hasVirtual
    if keyColumns.count == 1, declaredTypes[keyColumns[0]].isSameIdentifier(as: "integer"),
      try Self.isRowID(columns[keyColumns[0]].name, of: table, in: db)
    {
      rowIDColumn = keyColumns[0]
      rowIDName = columns[keyColumns[0]].name
    } else {
      rowIDName = ["rowid", "_rowid_", "oid"].first { free in !names.contains { $0.isSameIdentifier(as: free) } }
    }
    if rowIDColumn == nil { identityColumns = Set(keyColumns.isEmpty ? Array(columns.indices) : keyColumns) }
    keyColumns = []
    guard rowIDName != nil else { throw DataSourceError("changes of \(name) cannot be recorded: its columns hide the rowid") }
  }

  /// Returns the name of the virtual table that stores its data in a table.
  private static func owner(of table: TableReference, in db: Database) throws -> String? {
    let sql: SQLText = """
      SELECT name FROM \(identifier: table.database).sqlite_schema
      WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE %' AND \(table.name) LIKE replace(name, '_', '\\_') || '\\_%' ESCAPE '\\'
      ORDER BY length(name) DESC
      """
    return try Row.fetchOne(db.makeStatement(literal: sql))?.schemaText(at: 0)
  }

  /// Returns whether the column of a primary key is the rowid.
  ///
  /// `INTEGER PRIMARY KEY DESC` is not the rowid, and has an index.
  ///
  ///     SELECT count(*) FROM pragma_index_list('Track', 'main') WHERE origin = 'pk'
  private static func isRowID(_ column: String, of table: TableReference, in db: Database) throws -> Bool {
    let sql: SQLText = "SELECT count(*) FROM pragma_index_list(\(table.name), \(table.database)) WHERE origin = 'pk'"
    return try Int.fetchOne(db.cachedStatement(literal: sql)) == 0
  }

  /// Returns whether each column of an earlier layout is still at its position, even if it was renamed.
  func hasColumnsInPlace(of earlier: RecordedLayout) -> Bool {
    zip(columns, earlier.columns).allSatisfy { now, then in
      now.name.isSameIdentifier(as: then.name)
        || !columns.contains { $0.name.isSameIdentifier(as: then.name) }
          && !earlier.columns.contains { $0.name.isSameIdentifier(as: now.name) }
    }
  }

  /// Whether rows are identified only by a rowid that another row may have by now.
  var isKeyless: Bool { rowIDName != nil && rowIDColumn == nil }

  /// Returns the key of a row of a table WITHOUT ROWID.
  func key(of row: UnsafeBufferPointer<BorrowedValue>) -> RecordedRowKey {
    var key = RecordedBytes()
    for index in keyColumns where row.indices.contains(index) { key.append(row[index]) }
    return .values(key.bytes)
  }

  /// The columns that an INSERT or UPDATE can write.
  var writableColumns: [Int] { columns.indices.filter { !columns[$0].isGenerated && $0 != rowIDColumn } }

  /// Returns the names of columns, separated by commas.
  func list(_ indices: some Collection<Int>) -> SQLText {
    indices.map { "\(identifier: columns[$0].name)" as SQLText }.joined(by: ", ")
  }

  /// Returns the names of the rowid, if there is one, and of columns.
  func names(withRowIDAnd indices: [Int]) -> [SQLText] {
    ([rowIDName].compactMap(\.self) + indices.map { columns[$0].name }).map { "\(identifier: $0)" }
  }

  /// The condition that matches the row with a key, with a `?` for each of its values.
  ///
  ///     rowid = ?
  ///     "a" = ? AND "b" = ?
  var keyCondition: SQLText {
    if let rowIDName { return "\(identifier: rowIDName) = ?" }
    return keyColumns.map { "\(identifier: columns[$0].name) = ?" as SQLText }.joined(by: " AND ")
  }
}

/// The key of a staged or recorded row in its table.
enum RecordedRowKey: Hashable, Sendable {
  case rowID(Int64)
  /// The values of the primary key of a table WITHOUT ROWID.
  case values([UInt8])
}

extension RecordedRowKey {
  /// Binds the values of the key to parameters of a statement, and returns their number.
  @discardableResult
  func bind(to statement: Statement, from first: Int = 1) throws -> Int {
    switch self {
    case .rowID(let rowID):
      try statement.bindInteger(rowID, at: first)
      return 1
    case .values(let bytes):
      var reader = RecordedBytesReader(bytes)
      var index = first
      while !reader.isAtEnd {
        try reader.value().bind(to: statement, at: index)
        index += 1
      }
      return index - first
    }
  }

  /// The key for display.
  var shown: RecordedKey {
    switch self {
    case .rowID(let rowID): return .rowID(rowID)
    case .values(let bytes):
      var reader = RecordedBytesReader(bytes)
      var values: [DatabaseValue] = []
      while !reader.isAtEnd, let value = try? reader.value() { values.append(value.databaseValue) }
      return .values(values)
    }
  }
}

/// Reads the current values of single rows by their keys.
struct RecordedRowReader {
  let layout: RecordedLayout
  private let statement: Statement

  /// Creates the reader of a table.
  ///
  ///     SELECT "TrackId", "Name" FROM main.Track NOT INDEXED WHERE "TrackId" = ?
  ///
  /// No other index is used, because the entries of a row in other indexes have already changed while the row is being changed.
  init(_ layout: RecordedLayout, of table: TableReference, in db: Database) throws {
    self.layout = layout
    let index: SQLText = layout.keyIndex.map { "INDEXED BY \(identifier: $0)" } ?? "NOT INDEXED"
    let columns = layout.list(layout.columns.indices)
    let sql: SQLText = "SELECT \(columns) FROM \(table.sqlText) \(index) WHERE \(layout.keyCondition)"
    statement = try db.makeStatement(sql: sql.sql, options: .persistent)
  }

  /// Reads a row, or returns nil if it does not exist.
  func row(_ key: RecordedRowKey) throws -> [UInt8]? {
    var row = RecordedBytes()
    return try read(key, into: &row) ? row.bytes : nil
  }

  /// Reads a row into an existing buffer.
  ///
  /// Returns whether the row exists.
  func read(_ key: RecordedRowKey, into row: inout RecordedBytes) throws -> Bool {
    defer { statement.rewind() }
    row.removeAll()
    guard let values = try values(of: key) else { return false }
    row.append(values)
    return true
  }

  /// Reads the values of a row, valid until the next row is read, or returns nil if the row does not exist.
  func values(of key: RecordedRowKey) throws -> UnsafeBufferPointer<BorrowedValue>? {
    try statement.reset()
    try key.bind(to: statement)
    return try statement.step() ? statement.borrowedValues() : nil
  }

  /// Returns the key of a row of a table WITHOUT ROWID.
  func key(of row: [UInt8]) throws -> RecordedRowKey {
    var reader = RecordedBytesReader(row)
    let values = try reader.rest()
    var key = RecordedBytes()
    for index in layout.keyColumns { key.append(values[index].bytes) }
    return .values(key.bytes)
  }
}
