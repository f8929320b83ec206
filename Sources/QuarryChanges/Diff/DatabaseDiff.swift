internal import QuarryEngine
internal import QuarryRows

/// Compares two databases: files or databases on servers.
///
/// Tables are read by key, some rows of both at a time, so that memory use does not grow with their size. Values are equal only if they are
/// stored alike: `1` equals neither `'1'` nor `1.0`.
///
/// ```swift
/// let diff = DatabaseDiff(from, to)
/// for difference in try await diff.schema() { … }
/// let tables = try await diff.rows { difference in … }
/// ```
package struct DatabaseDiff: Sendable {
  private let from: any DiffSide
  private let to: any DiffSide
  /// The tables to compare, or nil for all.
  package var tables: [String]?
  /// The columns that identify a row, instead of the primary key.
  ///
  /// Nil for the primary key.
  package var key: [String]?
  /// The columns that are not compared.
  package var ignored: [String] = []
  /// The number of rows of a table that are read at a time.
  package var step = 500

  /// Creates a comparison.
  package init(_ from: any DiffSide, _ to: any DiffSide) {
    (self.from, self.to) = (from, to)
  }

  /// Returns the differences of the schemas.
  ///
  /// Differences in the layout of the SQL are ignored.
  package func schema() async throws -> [SchemaDifference] {
    try await SchemaDifference.all(from, to, tables: tables)
  }

  /// The numbers of different rows.
  package struct Result: Sendable {
    package var tables: [TableDifference] = []
    /// The tables whose rows were not compared.
    package var notCompared: [UncomparedTable] = []
    /// Whether the data was changed externally during the comparison, so that the rows do not belong to one state.
    package var isTorn = false
    /// Whether a connection was lost during the comparison, so that it is not known whether the rows belong to one state.
    package var isOfUnknownMoment = false

    /// Creates the result of an empty comparison.
    package init() {}
  }

  /// Compares the rows of tables.
  ///
  /// A table that cannot be compared is listed in the result with the reason. The other tables are still compared.
  ///
  /// - Parameters:
  ///   - progress: Called with a table and the number of its rows that have been compared.
  ///   - report: Called with each different row, table by table in the order of their keys.
  /// - Throws: ``DataSourceError`` if a table is in neither database, or ``UnknownDiffKey`` if no table has the columns of the key.
  package func rows(
    progress: (_ table: String, _ rows: Int) -> Void = { _, _ in }, _ report: (RowDifference) throws -> Void
  ) async throws -> Result {
    let states = (try await from.state(), try await to.state())
    let (before, after) = (try await schemas(of: from), try await schemas(of: to))
    var result = Result()
    let names = Set(before.keys).union(after.keys).sorted()
    if let missing = tables?.first(where: { !names.contains($0.asciiLowercased) }) {
      throw DataSourceError("there is no table “\(missing)” in “\(from.name)” or “\(to.name)”")
    }
    var unknownKeys = 0
    for name in names {
      guard let table = (after[name] ?? before[name])?.entry.reference else { continue }
      do {
        result.tables.append(try await compare(table, before[name], after[name], since: states, { progress(table.name, $0) }, report))
      } catch let obstacle as DiffObstacle {
        if obstacle.isUnknownKey { unknownKeys += 1 }
        result.notCompared.append(UncomparedTable(table: table.name, reason: obstacle.reason))
      }
    }
    if let key, unknownKeys > 0, unknownKeys == names.count { throw UnknownDiffKey(columns: key) }
    for (before, after) in [(states.0, try await from.state()), (states.1, try await to.state())] {
      if before.connection != after.connection { result.isOfUnknownMoment = true } else if before != after { result.isTorn = true }
    }
    return result
  }

  /// Reads the schemas of the tables to compare.
  private func schemas(of side: any DiffSide) async throws -> [String: TableSchema] {
    try await side.schema { [tables] db in
      var schemas: [String: TableSchema] = [:]
      for entry in try db.catalog().databases.first(where: { $0.name == "main" })?.entries ?? [] where entry.hasRowsOfItsOwn {
        guard tables?.contains(where: { $0.isSameIdentifier(as: entry.reference.name) }) ?? true else { continue }
        schemas[entry.reference.name.asciiLowercased] = try db.tableSchema(entry.reference)
      }
      return schemas
    }
  }

  /// Finds the key that matches the rows of a table.
  ///
  /// Does not use a primary key that contains NULLs.
  ///
  ///     SELECT 1 FROM main.tag WHERE (name IS NULL) OR (album IS NULL) LIMIT 1
  private func key(of table: TableReference, _ before: TableSchema?, _ after: TableSchema?) async throws -> DiffKey {
    let found = try DiffKey.find(of: before, after, named: key)
    guard key == nil, found.kind == .columns else { return found }
    for (side, schema) in [(from, before), (to, after)] {
      guard let schema, !schema.entry.isWithoutRowID else { continue }
      let nullable = found.columns.filter { name in schema.column(named: name).map { $0.isNullable && !$0.isRowID } ?? false }
      guard !nullable.isEmpty else { continue }
      let condition = nullable.map { "\(identifier: $0) IS NULL" as SQLText }.joined(by: " OR ")
      let sql: SQLText = "SELECT 1 FROM \(table.sqlText) WHERE \(condition) LIMIT 1"
      if try await !side.rows(sql, width: 1).isEmpty { return DiffKey.withoutPrimaryKey(of: [before, after].compactMap(\.self)) }
    }
    return found
  }

  /// Compares the rows of one table.
  ///
  /// - Throws: ``DiffObstacle`` if they cannot be compared.
  private func compare(
    _ table: TableReference, _ before: TableSchema?, _ after: TableSchema?, since states: (DiffState, DiffState), _ progress: (Int) -> Void,
    _ report: (RowDifference) throws -> Void
  ) async throws -> TableDifference {
    for (side, schema) in [(from, before), (to, after)] {
      if let problem = schema?.problem { throw DiffObstacle("“\(side.name)” cannot read the table: \(problem)") }
    }
    let key = try await key(of: table, before, after)
    let columns = comparedColumns(before, after, besides: key)
    do {
      var left = try await DiffRows(from, table, before, by: key, columns, step: step)
      var right = try await DiffRows(to, table, after, by: key, columns, step: step)
      var result = TableDifference(table: table.name)
      try await merge(&left, &right, into: &result, key, columns, progress, report)
      try await left.checkReached(since: states.0)
      try await right.checkReached(since: states.1)
      try await left.end()
      try await right.end()
      return result
    } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_ERROR {
      // The table has a column that needs another program's functions, or its module fails.
      throw DiffObstacle("the table cannot be read: \(error.sentence)")
    }
  }

  private func merge(
    _ left: inout DiffRows, _ right: inout DiffRows, into result: inout TableDifference, _ key: DiffKey, _ columns: [String],
    _ progress: (Int) -> Void, _ report: (RowDifference) throws -> Void
  ) async throws {
    var count = 0
    while true {
      try Task.checkCancellation()
      try await Self.fill(&left, &right)
      progress(count)
      guard left.current != nil || right.current != nil else { return }
      while !left.isEmpty, !right.isEmpty, left.current != nil || right.current != nil {
        count += 1
        let (old, new) = Self.take(&left, &right, by: key)
        for difference in differences(old, new, result.table, key, columns) {
          result.add(difference.change)
          try report(difference)
        }
      }
    }
  }

  /// Reads more rows for the sides that have none left, concurrently.
  private static func fill(_ left: inout DiffRows, _ right: inout DiffRows) async throws {
    let (first, second) = (left, right)
    async let found = first.isEmpty ? first.read() : nil
    async let others = second.isEmpty ? second.read() : nil
    if let rows = try await found { try left.take(rows) }
    if let rows = try await others { try right.take(rows) }
  }

  /// Removes the next row, from both sides if both have it.
  private static func take(_ left: inout DiffRows, _ right: inout DiffRows, by key: DiffKey) -> (DiffRows.Entry?, DiffRows.Entry?) {
    let (old, new) = (left.current, right.current)
    let count = key.columns.count
    let isFirst: Bool? =
      switch (old, new) {
      case (let old?, let new?): key.precedes(old.values.prefix(count), new.values.prefix(count))
      case (nil, _): false
      case (_, nil): true
      }
    if isFirst != false { left.advance() }
    if isFirst != true { right.advance() }
    return (isFirst == false ? nil : old, isFirst == true ? nil : new)
  }

  /// Returns the columns common to both tables, or those of the only table.
  ///
  /// Excludes the key and generated columns.
  private func comparedColumns(_ before: TableSchema?, _ after: TableSchema?, besides key: DiffKey) -> [String] {
    let schemas = [after, before].compactMap(\.self)
    return schemas.first?.columns.filter { column in
      column.generation == nil && !column.isHidden && !key.columns.contains { $0.isSameIdentifier(as: column.name) }
        && !ignored.contains { $0.isSameIdentifier(as: column.name) } && schemas.allSatisfy { $0.column(named: column.name) != nil }
    }.map(\.name) ?? []
  }

  /// Returns the differences of two rows with the same key.
  ///
  /// For equal rows, returns one difference for each row that only one side has.
  private func differences(
    _ old: DiffRows.Entry?, _ new: DiffRows.Entry?, _ table: String, _ key: DiffKey, _ columns: [String]
  ) -> [RowDifference] {
    guard key.kind == .wholeRows else {
      return [difference(old?.values, new?.values, table, key.columns, columns)].compactMap(\.self)
    }
    let surplus = (new?.count ?? 0) - (old?.count ?? 0)
    guard let row = (new ?? old)?.values, surplus != 0,
      var difference = difference(surplus < 0 ? row : nil, surplus > 0 ? row : nil, table, [], key.columns)
    else { return [] }
    difference.key = []
    return Array(repeating: difference, count: abs(surplus))
  }

  /// Returns the difference of two rows whose values begin with the key, or nil if the rows do not differ.
  private func difference(
    _ old: [StoredValue]?, _ new: [StoredValue]?, _ table: String, _ key: [String], _ columns: [String]
  ) -> RowDifference? {
    // Equal keys may be stored differently: 'Abc' and 'abc' under NOCASE, 1 and 1.0.
    let isBoth = old != nil && new != nil
    let cells = (key + columns).enumerated().compactMap { index, column -> RowDifference.Cell? in
      let (from, to) = (old?[index], new?[index])
      return from == to || index < key.count && !isBoth ? nil : RowDifference.Cell(column: column, from: from, to: to)
    }
    let change: DiffChange = old == nil ? .added : new == nil ? .removed : .changed
    guard change != .changed || !cells.isEmpty, let row = new ?? old else { return nil }
    return RowDifference(table: table, key: Array(zip(key, row)).map { (column: $0, value: $1) }, change: change, cells: cells)
  }
}
