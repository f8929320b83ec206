internal import QuarryEngine

/// The statements that change the rows of one table.
struct RowPatch: Sendable {
  /// How the rows of a table are written.
  enum Way: Hashable, Sendable {
    /// The table keeps its definition.
    case inPlace
    /// The table is recreated. Its rows are copied to a temporary table and changed there.
    case throughCopy
    /// The table is recreated, and all rows are inserted.
    case whole
    /// The rows are those of another table, from which the index is built: `INSERT INTO notes(notes) VALUES('rebuild')`.
    case rebuild
    /// The rows cannot be written.
    case none
  }

  let table: DiffTable
  let way: Way
  /// The table after the change.
  let result: TableSchema
  /// The numbers of changed rows.
  var counts: TableDifference
  /// The names of the key and of the columns before the change, or nil for columns that did not exist.
  private let oldNames: [String?]
  /// The names of the key and of the columns after the change.
  private let names: [String]
  /// The columns of unique indexes, in lowercase, or nil if any column may be part of one.
  private let uniqueColumns: Set<String>?

  /// Creates the statements of a table that is changed from one side of a comparison to the other.
  init(_ table: DiffTable, _ way: Way, result: TableSchema, counts: TableDifference) {
    self.init(
      table, way, result: result, counts: counts,
      oldNames: table.key.names(in: table.before ?? result).map(Optional.some) + table.columns.map(\.from),
      names: table.key.names(in: result) + table.columns.map(\.name))
  }

  /// Creates the statements of a table whose columns may have other names than on both sides of a comparison.
  init(_ table: DiffTable, _ way: Way, result: TableSchema, counts: TableDifference, oldNames: [String?], names: [String]) {
    (self.table, self.way, self.result, self.counts) = (table, way, result, counts)
    (self.oldNames, self.names) = (oldNames, names)
    let keys = Set(names.prefix(table.key.columns.count).map(\.asciiLowercased))
    let indexes = result.indexes.filter { index in
      index.isUnique
        && !(index.origin == .primaryKey && Set(index.terms.map { $0.column?.asciiLowercased }) == Set(keys.map(Optional.some)))
    }
    let isKnown = indexes.allSatisfy { index in !index.isPartial && index.terms.allSatisfy { $0.column != nil } }
    // A generated column changes with any other column.
    let hasGenerated = indexes.contains { $0.terms.contains { $0.column.flatMap(result.column(named:))?.generation != nil } }
    let rowID = result.columns.first(where: \.isRowID)?.name.asciiLowercased
    let others = [rowID].compactMap(\.self).filter { !keys.contains($0) }
    uniqueColumns = isKnown && !hasGenerated ? Set(indexes.flatMap(\.terms).compactMap { $0.column?.asciiLowercased } + others) : nil
  }

  private var name: SQLText { "main.\(identifier: result.entry.reference.name)" }
  private var copyName: String { "quarry_\(result.entry.reference.name)" }
  private var keyCount: Int { table.key.columns.count }

  /// Whether the table is recreated.
  var isRemade: Bool { ![.inPlace, .rebuild].contains(way) }

  /// The table whose differences are the changes of rows.
  var source: DiffTable { way == .whole ? table.onlyAfter : table }

  /// The positions of the columns that can be written: generated ones may be part of a key that the user has chosen.
  private var places: [Int] {
    names.indices.filter { index in
      // A column that is also the rowid is written once.
      if index > 0, table.key.kind == .rowID, names[index].isSameIdentifier(as: names[0]) { return false }
      guard let column = result.column(named: names[index]) else { return index == 0 && table.key.kind == .rowID }
      return column.generation == nil
    }
  }

  /// Returns how the rows of a table are written, or nil if nothing needs to be written.
  ///
  /// - Parameter way: How they are written unless the table is virtual.
  static func way(_ way: Way, of schema: TableSchema) -> Way? {
    guard case .virtual = schema.entry.kind else { return way }
    if case .table? = schema.sql.flatMap(FullTextContent.init) { return .rebuild }
    if schema.editability(of: .insert).reason == nil { return way }
    return way == .inPlace ? nil : Way.none
  }

  // MARK: Copies

  /// Copies the rows before the table is dropped.
  ///
  ///     CREATE TEMP TABLE quarry_t AS SELECT +id AS c0, +name AS c1 FROM main.t
  var copying: [SQLText] {
    guard way == .throughCopy else { return [] }
    // A unary plus removes the affinity, so that the copy has the exact values.
    let values = oldNames.enumerated().map { index, name -> SQLText in
      let value: SQLText = name.map { "+\(identifier: $0)" } ?? "NULL"
      return "\(value) AS \(identifier: "c\(index)")"
    }
    let keys = (0..<keyCount).map { "\(identifier: "c\($0)")" as SQLText }.joined(by: ", ")
    return [
      "CREATE TEMP TABLE \(identifier: copyName) AS SELECT \(values.joined(by: ", ")) FROM \(name)",
      "CREATE INDEX temp.\(identifier: copyName + "_key") ON \(identifier: copyName)(\(keys))",
    ]
  }

  /// Inserts the copied rows into the new table.
  var restoring: [PatchStatement] {
    guard way == .throughCopy else { return [] }
    return [
      .restore("\(insertion("INSERT")) ORDER BY rowid", table: table.name), .sql("DROP TABLE temp.\(identifier: copyName)"),
    ]
  }

  private func insertion(_ verb: SQLText) -> SQLText {
    let (from, to) = (places.map { "\(identifier: "c\($0)")" as SQLText }, places.map { "\(identifier: names[$0])" as SQLText })
    return "\(verb) INTO \(name)(\(to.joined(by: ", "))) SELECT \(from.joined(by: ", ")) FROM temp.\(identifier: copyName)"
  }

  /// Returns the statement that inserts one of the copied rows.
  func restoring(_ rowID: Int64, replacing: Bool = false) -> SQLText {
    "\(insertion(replacing ? "INSERT OR REPLACE" : "INSERT")) WHERE rowid = \(rowID)"
  }

  /// The copied rows: the rowid of each, then the values of its key.
  var copiedRows: SQLText {
    let keys = (0..<keyCount).map { "\(identifier: "c\($0)")" as SQLText }
    return "SELECT rowid, \(keys.joined(by: ", ")) FROM temp.\(identifier: copyName) ORDER BY rowid"
  }

  /// The names of the columns of the key after the change.
  var keyNames: [String] { Array(names.prefix(keyCount)) }

  // MARK: Rows

  /// Whether rows have to be deleted or updated.
  var takesRows: Bool { [.inPlace, .throughCopy].contains(way) && counts.removed + counts.changed > 0 }

  /// Whether rows have to be inserted.
  var givesRows: Bool {
    switch way {
    case .whole: true
    case .rebuild, .none: false
    case .inPlace, .throughCopy: counts.added > 0 || way == .inPlace && (counts.changed > 0 || table.key.kind == .wholeRows)
    }
  }

  /// Whether a changed row must be deleted and inserted, so that its unique values never collide with those of another row.
  private func isReplaced(_ difference: RowDifference) -> Bool {
    guard way == .inPlace, difference.change == .changed else { return false }
    guard let uniqueColumns else { return true }
    return difference.cells.contains { uniqueColumns.contains($0.column.asciiLowercased) }
  }

  /// Returns the statement that deletes or updates a row, or nil if the row keeps its values.
  ///
  ///     UPDATE main.t SET name = 'x' WHERE id = 1
  func taking(_ difference: RowDifference) -> SQLText? {
    guard let old = difference.old else { return nil }
    let target: SQLText = way == .throughCopy ? "temp.\(identifier: copyName)" : name
    let condition = condition(old)
    if difference.change == .removed || isReplaced(difference) { return "DELETE FROM \(target) WHERE \(condition)" }
    guard difference.change == .changed, let new = difference.new else { return nil }
    let cells = places.filter { old[$0] != new[$0] }.map { index -> SQLText in
      "\(identifier: way == .throughCopy ? "c\(index)" : names[index]) = \(new[index].sqlText)"
    }
    return cells.isEmpty ? nil : "UPDATE \(target) SET \(cells.joined(by: ", ")) WHERE \(condition)"
  }

  /// Returns the statements that insert a row.
  ///
  ///     INSERT INTO main.t(id, name) VALUES (1, 'x')
  ///
  /// - Parameter replacing: Whether the row takes the place of rows that have its unique values.
  func giving(_ difference: RowDifference, replacing: Bool = false) -> [SQLText] {
    let count: Int
    switch difference.change {
    case .added: count = table.key.kind == .wholeRows ? difference.counts.new - (way == .whole ? 0 : difference.counts.old) : 1
    // Equal rows were deleted together.
    case .removed: count = table.key.kind == .wholeRows ? difference.counts.new : 0
    case .changed, .renamed: count = isReplaced(difference) ? 1 : 0
    }
    guard count > 0, let row = difference.new ?? difference.old else { return [] }
    let hasRowID = table.key.kind == .rowID && result.column(named: names[0]) == nil
    // Without a name for the rowid, SQLite chooses one.
    let places = hasRowID && difference.isRenumbered ? Array(places.dropFirst()) : places
    let list = places.map { "\(identifier: names[$0])" as SQLText }.joined(by: ", ")
    let values = places.map { row[$0].sqlText }.joined(by: ", ")
    let verb: SQLText = replacing ? "INSERT OR REPLACE" : "INSERT"
    return Array(repeating: "\(verb) INTO \(name)(\(list)) VALUES(\(values))", count: count)
  }

  /// Returns the condition that matches a row by its values.
  func condition(_ row: [StoredValue]) -> SQLText {
    let values = row.prefix(keyCount)
    let columns = names.prefix(keyCount).enumerated().map { index, name -> SQLText in
      way == .throughCopy ? "\(identifier: "c\(index)")" : "\(identifier: name)"
    }
    guard table.key.kind == .wholeRows else { return Self.equality(columns, values.map(\.sqlText)) }
    let texts = columns.map { "\($0) COLLATE BINARY" as SQLText }
    let classes = columns.map { "typeof(\($0))" as SQLText }
    let names = values.map { "\($0.className)" as SQLText }
    return "\(Self.equality(texts, values.map(\.sqlText))) AND \(Self.equality(classes, names))"
  }

  /// Returns an equality of lists, which may be as long as a table has columns, unlike a chain of AND.
  private static func equality(_ columns: [SQLText], _ values: [SQLText]) -> SQLText {
    if columns.count == 1 { return "\(columns[0]) IS \(values[0])" }
    return "(\(columns.joined(by: ", "))) IS (\(values.joined(by: ", ")))"
  }
}

extension StoredValue {
  /// The value as an SQL expression with a bound value.
  var sqlText: SQLText {
    switch self {
    case .value(let value): "\(value)"
    case .rawText(let bytes): "CAST(\(DatabaseValue.blob(bytes)) AS TEXT)"
    }
  }

  /// The name that `typeof` returns.
  fileprivate var className: String {
    switch storageClass {
    case .null: "null"
    case .integer: "integer"
    case .real: "real"
    case .text: "text"
    case .blob: "blob"
    }
  }
}
