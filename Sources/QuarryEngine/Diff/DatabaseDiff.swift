/// Compares two databases: files, or what servers have.
///
/// Tables are read by key, some rows of both at a time, so that memory does not grow with them. Values are the same where they are stored
/// alike: `1` is neither `'1'` nor `1.0`.
///
/// ```swift
/// let diff = DatabaseDiff(from, to)
/// for difference in try await diff.schema() { … }
/// let tables = try await diff.rows { difference in … }
/// ```
package struct DatabaseDiff: Sendable {
  private let from: any DiffSide
  private let to: any DiffSide
  /// The tables that are compared; nil for all.
  package var tables: [String]?
  /// The columns that tell rows apart, in place of the primary key.
  package var key: [String]?
  /// The columns that are not compared.
  package var ignored: [String] = []
  /// How many rows of a table are read at a time.
  package var step = 500

  /// Makes a comparison.
  package init(_ from: any DiffSide, _ to: any DiffSide) {
    (self.from, self.to) = (from, to)
  }

  /// Returns how the schemas differ; a text that is laid out in another way is the same.
  package func schema() async throws -> [SchemaDifference] {
    try await SchemaDifference.all(from, to, tables: tables)
  }

  /// What the comparison of rows has come to.
  package struct Result: Sendable {
    package var tables: [TableDifference] = []
    /// The tables that nothing tells the rows of apart.
    package var withoutKey: [String] = []
    /// Whether others have written meanwhile, so that not all rows are of one moment.
    package var isTorn = false

    /// Makes the result of a comparison that has looked at nothing.
    package init() {}
  }

  /// Compares the rows of tables.
  ///
  /// - Parameters:
  ///   - progress: Is called with a table and the number of its rows that have been compared.
  ///   - report: Is called with each row that differs, table by table in the order of their keys.
  /// - Throws: ``DataSourceError`` where a table is in neither database, or a key is no key.
  package func rows(
    progress: (_ table: String, _ rows: Int) -> Void = { _, _ in }, _ report: (RowDifference) throws -> Void
  ) async throws -> Result {
    let states = (try await from.state(), try await to.state())
    let (before, after) = (try await Self.schemas(of: from), try await Self.schemas(of: to))
    var result = Result()
    let names = Set(before.keys).union(after.keys).sorted()
    if let missing = tables?.first(where: { !names.contains($0.asciiLowercased) }) {
      throw DataSourceError("there is no table “\(missing)” in “\(from.name)” or “\(to.name)”")
    }
    for name in names where tables?.contains(where: { $0.isSameIdentifier(as: name) }) ?? true {
      guard let table = (after[name] ?? before[name])?.entry.reference else { continue }
      guard let key = try await key(of: table, before[name], after[name]) else {
        result.withoutKey.append(table.name)
        continue
      }
      let compared = try await compare(table, by: key, before[name], after[name], { progress(table.name, $0) }, report)
      result.tables.append(compared)
    }
    result.isTorn = try await states != (from.state(), to.state())
    return result
  }

  private static func schemas(of side: any DiffSide) async throws -> [String: TableSchema] {
    try await side.schema { db in
      var schemas: [String: TableSchema] = [:]
      for entry in try db.catalog().databases.first(where: { $0.name == "main" })?.entries ?? [] where entry.isCompared {
        let schema = try db.tableSchema(entry.reference)
        if let problem = schema.problem { throw DataSourceError("\(entry.reference.name) cannot be read: \(problem)") }
        schemas[entry.reference.name.asciiLowercased] = schema
      }
      return schemas
    }
  }

  /// Finds what tells the rows of a table apart; the rowid where the primary key holds NULLs.
  ///
  ///     SELECT 1 FROM main.tag WHERE (name IS NULL) OR (album IS NULL) LIMIT 1
  private func key(of table: TableReference, _ before: TableSchema?, _ after: TableSchema?) async throws -> DiffKey? {
    guard let found = DiffKey.find(of: before, after, named: key) else { return nil }
    guard key == nil else { return found }
    for (side, schema) in [(from, before), (to, after)] {
      guard let schema, !schema.entry.isWithoutRowID else { continue }
      let nullable = found.columns.filter { name in schema.column(named: name).map { $0.isNullable && !$0.isRowID } ?? false }
      guard !nullable.isEmpty else { continue }
      let condition = nullable.map { "\(identifier: $0) IS NULL" as SQLText }.joined(by: " OR ")
      let sql: SQLText = "SELECT 1 FROM \(table.sqlText) WHERE \(condition) LIMIT 1"
      if try await !side.rows(sql, width: 1).isEmpty { return DiffKey.byRowID(of: [before, after].compactMap(\.self)) }
    }
    return found
  }

  private func compare(
    _ table: TableReference, by key: DiffKey, _ before: TableSchema?, _ after: TableSchema?, _ progress: (Int) -> Void,
    _ report: (RowDifference) throws -> Void
  ) async throws -> TableDifference {
    let columns = comparedColumns(before, after, besides: key)
    var left = DiffRows(from, table, by: key, columns, step: step, isThere: before != nil)
    var right = DiffRows(to, table, by: key, columns, step: step, isThere: after != nil)
    var result = TableDifference(table: table.name)
    var count = 0
    while true {
      try Task.checkCancellation()
      try await Self.fill(&left, &right)
      progress(count)
      guard left.current != nil || right.current != nil else { return result }
      while !left.isEmpty, !right.isEmpty, left.current != nil || right.current != nil {
        count += 1
        let (old, new) = Self.take(&left, &right, by: key)
        guard let difference = difference(old, new, table, key, columns) else { continue }
        switch difference.change {
        case .added: result.added += 1
        case .removed: result.removed += 1
        case .changed: result.changed += 1
        }
        try report(difference)
      }
    }
  }

  /// Reads rows of the sides that have none left, of both at once.
  private static func fill(_ left: inout DiffRows, _ right: inout DiffRows) async throws {
    let (first, second) = (left, right)
    async let found = first.isEmpty ? first.read() : nil
    async let others = second.isEmpty ? second.read() : nil
    if let rows = try await found { try left.take(rows) }
    if let rows = try await others { try right.take(rows) }
  }

  /// Takes the row that comes next, from both sides where both have it.
  private static func take(_ left: inout DiffRows, _ right: inout DiffRows, by key: DiffKey) -> ([StoredValue]?, [StoredValue]?) {
    let (old, new) = (left.current, right.current)
    let count = key.columns.count
    let isFirst: Bool? =
      switch (old, new) {
      case (let old?, let new?): key.precedes(old.prefix(count), new.prefix(count))
      case (nil, _): false
      case (_, nil): true
      }
    if isFirst != false { left.advance() }
    if isFirst != true { right.advance() }
    return (isFirst == false ? nil : old, isFirst == true ? nil : new)
  }

  /// The columns that both tables have, or the one that is there, but for the key and what is computed.
  private func comparedColumns(_ before: TableSchema?, _ after: TableSchema?, besides key: DiffKey) -> [String] {
    let schemas = [after, before].compactMap(\.self)
    return schemas.first?.columns.filter { column in
      column.generation == nil && !column.isHidden && !key.columns.contains { $0.isSameIdentifier(as: column.name) }
        && !ignored.contains { $0.isSameIdentifier(as: column.name) } && schemas.allSatisfy { $0.column(named: column.name) != nil }
    }.map(\.name) ?? []
  }

  private func difference(
    _ old: [StoredValue]?, _ new: [StoredValue]?, _ table: TableReference, _ key: DiffKey, _ columns: [String]
  ) -> RowDifference? {
    let count = key.columns.count
    let cells = columns.enumerated().compactMap { index, column -> RowDifference.Cell? in
      let (from, to) = (old?[count + index], new?[count + index])
      return from == to ? nil : RowDifference.Cell(column: column, from: from, to: to)
    }
    // Keys that are equal may be written in two ways: 'Abc' and 'abc' under NOCASE, 1 and 1.0.
    let respelt = zip(key.columns, 0..<count).compactMap { column, index -> RowDifference.Cell? in
      guard let from = old?[index], let to = new?[index], from != to else { return nil }
      return RowDifference.Cell(column: column, from: from, to: to)
    }
    let change: DiffChange = old == nil ? .added : new == nil ? .removed : .changed
    guard change != .changed || !cells.isEmpty || !respelt.isEmpty, let row = new ?? old else { return nil }
    return RowDifference(
      table: table.name, key: Array(zip(key.columns, row)).map { (column: $0, value: $1) }, change: change, cells: respelt + cells)
  }
}

extension CatalogEntry {
  /// Whether its rows are compared: what a view shows and what a module keeps for itself are those of other tables.
  fileprivate var isCompared: Bool {
    switch kind {
    case .table, .virtual: true
    case .view, .shadow, .system: false
    }
  }
}
