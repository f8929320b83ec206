import QuarryEngine
import QuarryRows
import QuarrySources
import Synchronization

/// Tables in memory, each with its rows under numbers: a data source without SQLite.
final class MemorySource: DataSource, SourceWatching {
  struct Table: Sendable {
    var name: String
    var columns: [String]
    var rows: [[DatabaseValue]]
    /// The column that refers to the first one of another table.
    var reference: (column: String, table: String)?
  }

  private let contents: Mutex<[Table]>
  private let listeners = Mutex<[AsyncStream<DataChange>.Continuation]>([])
  let name = "memory"

  init(tables: [Table]) {
    contents = Mutex(tables)
  }

  var tables: [Table] { contents.withLock(\.self) }

  /// Changes a table as another program would: whoever listens is told.
  func write(to name: String, _ body: (inout Table) -> Void) {
    contents.withLock { tables in
      for index in tables.indices where tables[index].name == name { body(&tables[index]) }
    }
    for listener in listeners.withLock(\.self) { listener.yield(.written) }
  }

  var watch: (any SourceWatching)? { self }

  func reopened() throws -> any DataSource { self }

  func changes() -> AsyncStream<DataChange> {
    let (changes, listener) = AsyncStream.makeStream(of: DataChange.self)
    listeners.withLock { $0.append(listener) }
    return changes
  }

  fileprivate func table(_ reference: TableReference) throws -> Table {
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
    return RowReader(set, from: MemoryRows(try table(reference), of: set, in: self))
  }
}

/// The rows of a table in memory, as a set wants them.
struct MemoryRows: RowSource {
  let columns: [RowSetColumn]
  let isSnapshot = false
  private let set: RowSet
  private let table: MemorySource.Table
  private let source: MemorySource

  init(_ table: MemorySource.Table, of set: RowSet, in source: MemorySource) {
    columns = Self.columns(of: table)
    (self.set, self.table, self.source) = (set, table, source)
  }

  private typealias Row = (key: RowKey, values: [DatabaseValue])

  private func row(_ key: RowKey) -> Row? { rows.first { $0.key == key } }

  /// The rows that are there now.
  private var rows: [Row] {
    guard let table = try? source.table(TableReference(name: table.name)) else { return [] }
    let kept = table.rows.filter { row in
      set.matching.allSatisfy { match in table.columns.firstIndex(of: match.column).map { row[$0] == match.value } ?? false }
    }
    var rows = kept.map { row in (key: RowKey.values([row[0]]), values: row) }
    for key in set.order.description.split(separator: ", ").reversed() {
      let words = key.split(separator: " ").map { $0.filter { $0 != "\"" } }
      guard let place = table.columns.firstIndex(where: { $0 == words[0] }) else { continue }
      let isDescending = words.contains("DESC")
      rows = rows.enumerated().sorted { left, right in
        let (first, second) = (left.element.values[place].description, right.element.values[place].description)
        return first == second ? left.offset < right.offset : (first < second) != isDescending
      }.map(\.element)
    }
    return rows
  }

  static func columns(of table: MemorySource.Table) -> [RowSetColumn] {
    table.columns.enumerated().map { place, name in
      let isNumber = if case .integer? = table.rows.first?[place] { true } else { false }
      return RowSetColumn(
        name: name,
        schema: ColumnSchema(
          name: name, declaredType: isNumber ? "INTEGER" : "TEXT", affinity: isNumber ? .integer : .text, isNullable: place > 0,
          defaultSQL: nil, generation: nil, isHidden: false, primaryKeyPosition: place == 0 ? 1 : nil, isRowID: false))
    }
  }

  private static func window(_ row: Row) -> WindowRow {
    WindowRow(
      key: row.key,
      cells: row.values.map { value in
        switch value {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let text): .text(text, byteCount: text.utf8.count, isValid: true)
        case .blob(let bytes): .blob(bytes, byteCount: bytes.count)
        }
      })
  }

  func page(_ request: PageRequest, progress: @escaping @Sendable (RowProgress) -> Void) async throws -> RowPage {
    let rows = rows
    func index(of key: RowKey) -> Int { rows.firstIndex { $0.key == key } ?? 0 }
    let range: Range<Int> =
      switch request.position {
      case .first: 0..<request.limit
      case .last: rows.count - request.limit..<rows.count
      case .number(let number): number..<number + request.limit
      case .from(let key): index(of: key)..<index(of: key) + request.limit
      case .after(let key): index(of: key) + 1..<index(of: key) + 1 + request.limit
      case .before(let key): index(of: key) - request.limit..<index(of: key)
      }
    let shown = range.clamped(to: 0..<rows.count)
    return RowPage(
      rows: rows[shown].map(Self.window), firstNumber: .exact(shown.lowerBound), reachesStart: shown.lowerBound == 0,
      reachesEnd: shown.upperBound == rows.count)
  }

  func count(progress: @escaping @Sendable (RowNumber, RowProgress?) -> Void) async throws -> RowNumber { .exact(rows.count) }

  func number(of key: RowKey) async throws -> RowNumber? { rows.firstIndex { $0.key == key }.map { .exact($0) } }

  func contains(_ key: RowKey) async throws -> Bool { row(key) != nil }

  func find(_ search: RowSearch, progress: @escaping @Sendable (RowProgress) -> Void) async throws -> RowMatch? {
    guard case .text(let text) = search.needle else { return nil }
    let rows = rows
    let start = rows.firstIndex { $0.key == search.start }.map { $0 + 1 } ?? 0
    for index in Array(start..<rows.count) + Array(0..<start) {
      if let column = search.columns.first(where: { rows[index].values[$0].description.contains(text) }) {
        return RowMatch(key: rows[index].key, column: column, wrapped: index < start)
      }
    }
    return nil
  }

  func record(_ key: RowKey, limit: Int) async throws -> WindowRow? { row(key).map(Self.window) }

  func value(_ key: RowKey, column: Int) async throws -> DatabaseValue? { row(key)?.values[column] }

  func forEachRow(
    from first: RowKey, through last: RowKey, columns: [Int], _ body: @escaping @Sendable ([DatabaseValue]) throws -> Void
  ) async throws {
    let rows = rows
    guard let first = rows.firstIndex(where: { $0.key == first }), let last = rows.firstIndex(where: { $0.key == last }) else { return }
    for row in rows[first...last] { try body(columns.map { row.values[$0] }) }
  }

  func distinctValues(of column: String, prefix: String, limit: Int) async throws -> DistinctValues {
    DistinctValues(values: [], isComplete: false)
  }

  func plan() async throws -> ReadPlan { ReadPlan(kind: .scan, sorts: false, index: nil, details: []) }
}
