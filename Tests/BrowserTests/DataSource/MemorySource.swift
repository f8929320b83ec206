import QuarryEngine

/// Tables in memory, each with its rows under numbers: a data source without SQLite.
struct MemorySource: DataSource {
  struct Table: Sendable {
    var name: String
    var columns: [String]
    var rows: [[DatabaseValue]]
    /// The column that refers to the first one of another table.
    var reference: (column: String, table: String)?
  }

  let tables: [Table]
  let name = "memory"
  let refusal: String? = "tables in memory cannot be written"

  private func table(_ reference: TableReference) throws -> Table {
    guard let table = tables.first(where: { $0.name == reference.name }) else {
      throw DataSourceError("there is no table \(reference.name)")
    }
    return table
  }

  private func foreignKey(of table: Table) -> ForeignKeySchema? {
    guard let (column, other) = table.reference, let target = tables.first(where: { $0.name == other }) else { return nil }
    return ForeignKeySchema(
      columns: [column], table: TableReference(name: other), referencedColumns: [target.columns[0]], onDelete: "NO ACTION",
      onUpdate: "NO ACTION")
  }

  private func entry(of table: Table) -> CatalogEntry {
    CatalogEntry(
      reference: TableReference(name: table.name), kind: .table, isWithoutRowID: false, isStrict: false, columnCount: table.columns.count)
  }

  func catalog() async throws -> Catalog {
    Catalog(databases: [CatalogDatabase(name: "main", path: nil, entries: tables.map(entry))])
  }

  func schema(of reference: TableReference) async throws -> TableSchema {
    let table = try table(reference)
    return TableSchema(
      entry: entry(of: table), columns: MemoryRows.columns(of: table).compactMap(\.schema), primaryKey: [table.columns[0]],
      foreignKeys: [foreignKey(of: table)].compactMap(\.self), indexes: [], triggers: [], sql: "")
  }

  func references(to reference: TableReference) async throws -> [InboundReference] {
    tables.filter { $0.reference?.table == reference.name }.compactMap { table in
      foreignKey(of: table).map { InboundReference(table: TableReference(name: table.name), key: $0) }
    }
  }

  func filterColumns(of schema: TableSchema) async throws -> FilterColumns { FilterColumns(schema) }

  func reader(of set: RowSet) throws -> RowReader {
    guard case .table(let reference) = set.source else { throw DataSourceError("memory runs no queries") }
    guard set.filter == nil else { throw DataSourceError("rows in memory take no filter") }
    return RowReader(set, from: MemoryRows(try table(reference), of: set))
  }
}

/// The rows of a table in memory, as a set wants them.
struct MemoryRows: RowSource {
  let columns: [RowSetColumn]
  let isSnapshot = false
  private let rows: [(key: RowKey, values: [DatabaseValue])]

  init(_ table: MemorySource.Table, of set: RowSet) {
    columns = Self.columns(of: table)
    let kept = table.rows.enumerated().filter { _, row in
      set.matching.allSatisfy { match in table.columns.firstIndex(of: match.column).map { row[$0] == match.value } ?? false }
    }
    var rows = kept.map { (key: RowKey.rowID(Int64($0.offset + 1)), values: $0.element) }
    for key in set.order.description.split(separator: ", ").reversed() {
      let words = key.split(separator: " ").map { $0.filter { $0 != "\"" } }
      guard let place = table.columns.firstIndex(where: { $0 == words[0] }) else { continue }
      let isDescending = words.contains("DESC")
      rows = rows.enumerated().sorted { left, right in
        let (first, second) = (left.element.values[place].description, right.element.values[place].description)
        return first == second ? left.offset < right.offset : (first < second) != isDescending
      }.map(\.element)
    }
    self.rows = rows
  }

  static func columns(of table: MemorySource.Table) -> [RowSetColumn] {
    table.columns.enumerated().map { place, name in
      let isNumber = if case .integer? = table.rows.first?[place] { true } else { false }
      return RowSetColumn(
        name: name,
        schema: ColumnSchema(
          name: name, declaredType: isNumber ? "INTEGER" : "TEXT", affinity: isNumber ? .integer : .text, isNullable: place > 0,
          defaultSQL: nil, generation: nil, isHidden: false, primaryKeyPlace: place == 0 ? 1 : nil, isRowID: false))
    }
  }

  private func window(_ index: Int) -> WindowRow {
    WindowRow(
      key: rows[index].key,
      cells: rows[index].values.map { value in
        switch value {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let text): .text(text, byteCount: text.utf8.count, isValid: true)
        case .blob(let bytes): .blob(bytes, byteCount: bytes.count)
        }
      })
  }

  private func index(of key: RowKey) -> Int? { rows.firstIndex { $0.key == key } }

  func page(_ request: PageRequest, progress: @escaping @Sendable (RowProgress) -> Void) async throws -> RowPage {
    let range: Range<Int> =
      switch request.position {
      case .first: 0..<request.limit
      case .last: rows.count - request.limit..<rows.count
      case .number(let number): number..<number + request.limit
      case .from(let key): (index(of: key) ?? 0)..<(index(of: key) ?? 0) + request.limit
      case .after(let key): (index(of: key) ?? 0) + 1..<(index(of: key) ?? 0) + 1 + request.limit
      case .before(let key): (index(of: key) ?? 0) - request.limit..<(index(of: key) ?? 0)
      }
    let shown = range.clamped(to: 0..<rows.count)
    return RowPage(
      rows: shown.map(window), firstNumber: .exact(shown.lowerBound), reachesStart: shown.lowerBound == 0,
      reachesEnd: shown.upperBound == rows.count)
  }

  func count(progress: @escaping @Sendable (RowNumber, RowProgress?) -> Void) async throws -> RowNumber { .exact(rows.count) }

  func number(of key: RowKey) async throws -> RowNumber? { index(of: key).map { .exact($0) } }

  func contains(_ key: RowKey) async throws -> Bool { index(of: key) != nil }

  func find(_ search: RowSearch, progress: @escaping @Sendable (RowProgress) -> Void) async throws -> RowMatch? {
    guard case .text(let text) = search.needle else { return nil }
    let start = search.start.flatMap(index).map { $0 + 1 } ?? 0
    for index in Array(start..<rows.count) + Array(0..<start) {
      if let column = search.columns.first(where: { rows[index].values[$0].description.contains(text) }) {
        return RowMatch(key: rows[index].key, column: column, wrapped: index < start)
      }
    }
    return nil
  }

  func record(_ key: RowKey, limit: Int) async throws -> WindowRow? { index(of: key).map(window) }

  func value(_ key: RowKey, column: Int) async throws -> DatabaseValue? { index(of: key).map { rows[$0].values[column] } }

  func forEachRow(
    from first: RowKey, through last: RowKey, columns: [Int], _ body: @escaping @Sendable ([DatabaseValue]) throws -> Void
  ) async throws {
    guard let first = index(of: first), let last = index(of: last) else { return }
    for row in rows[first...last] { try body(columns.map { row.values[$0] }) }
  }

  func distinctValues(of column: String, prefix: String, limit: Int) async throws -> DistinctValues {
    DistinctValues(values: [], isComplete: false)
  }

  func plan() async throws -> ReadPlan { ReadPlan(kind: .scan, sorts: false, index: nil, details: []) }
}
