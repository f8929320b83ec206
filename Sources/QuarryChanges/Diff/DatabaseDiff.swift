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
  let from: any DiffSide
  let to: any DiffSide
  /// The tables to compare, or nil for all.
  package var tables: [String]?
  /// The columns that identify a row, instead of the primary key.
  ///
  /// Nil for the primary key.
  package var key: [String]?
  /// The columns that are not compared.
  package var ignored: [String] = []
  /// The number of rows of a table that are read at a time.
  package var step = 4000

  /// Creates a comparison.
  package init(_ from: any DiffSide, _ to: any DiffSide) {
    (self.from, self.to) = (from, to)
  }

  // MARK: Schemas

  /// Returns the differences of the schemas.
  ///
  /// Differences in the layout of the SQL are ignored.
  ///
  /// - Parameter findsRenames: Whether columns that have been renamed are found by reading their values.
  package func schema(findsRenames: Bool = true) async throws -> [SchemaDifference] {
    let comparison = try await SchemaComparison.read(from, to, tables)
    let changed = comparison.changed.compactMap { comparison.before[$0] }.filter { $0.kind == "table" }.map(\.name)
    let (before, after) = (try await schemas(of: from, changed), try await schemas(of: to, changed))
    var (pairs, renames): ([String: (before: TableSchema, after: TableSchema)], [String: [ColumnRename]]) = ([:], [:])
    for (name, schema) in before {
      guard let other = after[name] else { continue }
      pairs[name] = (schema, other)
      if findsRenames { renames[name] = try await self.renames(name, schema, other) }
    }
    let found = SchemaDifference.all(comparison, pairs, renames: renames)
    return tables == nil ? try await found + SchemaDifference.numbers(from, to) : found
  }

  /// Reads the schemas of tables by their names in lowercase.
  ///
  /// - Parameter names: The tables to read, or nil for those to compare.
  func schemas(of side: any DiffSide, _ names: [String]?) async throws -> [String: TableSchema] {
    let wanted = (names ?? tables).map { Set($0.map(\.asciiLowercased)) }
    return try await side.schema { db in
      var schemas: [String: TableSchema] = [:]
      for entry in try db.catalog().databases.first(where: { $0.name == "main" })?.entries ?? [] where entry.hasRowsOfItsOwn {
        let name = entry.reference.name.asciiLowercased
        guard wanted?.contains(name) ?? true else { continue }
        schemas[name] = try db.tableSchema(entry.reference)
      }
      return schemas
    }
  }

  /// The names of the tables to compare, and what is known of them before their rows are read.
  struct Tables: Sendable {
    /// The tables by their names in lowercase, as the catalogs list them.
    var entries: [String: CatalogEntry] = [:]
    /// The tables with the same definition whose rows are the same.
    var same: Set<String> = []
    /// The schemas of the other tables.
    var before: [String: TableSchema] = [:]
    var after: [String: TableSchema] = [:]

    /// The names in lowercase, in the order in which the tables are compared.
    var names: [String] { entries.keys.sorted() }
  }

  /// Lists the tables to compare.
  ///
  /// Small tables that are the same are found without reading their schemas.
  ///
  /// - Throws: ``UnknownDiffTable`` if a table is in neither database.
  func tables(since states: (DiffState, DiffState), comparesRows: Bool = true) async throws -> Tables {
    var found = Tables()
    var others: Set<String> = []
    let wanted = tables.map { Set($0.map(\.asciiLowercased)) }
    for side in [from, to] {
      for entry in try await Self.entries(of: side) {
        let name = entry.reference.name.asciiLowercased
        if wanted?.contains(name) ?? true { found.entries[name] = entry } else { others.insert(entry.reference.name) }
      }
    }
    if let missing = tables?.first(where: { found.entries[$0.asciiLowercased] == nil }) {
      let near = NearestNames.to(missing, among: Array(others)).map { "“\($0)”" }.joined(separator: " or ")
      let advice = near.isEmpty ? "`quarry tables` lists the tables of a file" : "did you mean \(near)?"
      throw UnknownDiffTable(table: missing, places: [from.name, to.name], advice: advice)
    }
    if key == nil, comparesRows, let files = FilePair(from, to, since: states) {
      found.same = try await files.sameSmallTables(found.entries)
    }
    // A misspelt column is not to be ignored silently, so that all columns are read.
    let unknown = ignored.isEmpty ? found.names.filter { !found.same.contains($0) } : found.names
    (found.before, found.after) = (try await schemas(of: from, unknown), try await schemas(of: to, unknown))
    let schemas = Array(found.before.values) + Array(found.after.values)
    if let column = ignored.first(where: { name in schemas.allSatisfy { $0.column(named: name) == nil } }), !schemas.isEmpty {
      throw UnknownIgnoredColumn(column: column)
    }
    return found
  }

  private static func entries(of side: any DiffSide) async throws -> [CatalogEntry] {
    try await side.schema { try $0.catalog().databases.first { $0.name == "main" }?.entries.filter(\.hasRowsOfItsOwn) ?? [] }
  }

  /// Finds the columns of a table that have other names on both sides, but the same values.
  ///
  /// Returns none if the rows cannot be compared.
  func renames(_ name: String, _ before: TableSchema, _ after: TableSchema) async throws -> [ColumnRename] {
    guard before.problem == nil, after.problem == nil else { return [] }
    do {
      let key = try await key(of: name, before, after)
      var found: [ColumnRename] = []
      if let old = before.columns.first(where: \.isRowID)?.name, let new = after.columns.first(where: \.isRowID)?.name, key.kind == .rowID {
        // Rows are matched by this column.
        if !old.isSameIdentifier(as: new), after.column(named: old) == nil, before.column(named: new) == nil {
          found.append(ColumnRename(from: old, to: new))
        }
      }
      let whole = DiffTable(name, before, after, by: key, ignoring: ignored, renames: [], readsNewColumns: false)
      guard var search = RenameSearch(whole) else { return found }
      let table = DiffTable(whole, columns: search.columns)
      var (left, right) = try await sides(of: table)
      let count = key.columns.count
      while !search.isOver, !(left.isOver && right.isOver) {
        try Task.checkCancellation()
        try await Self.fill(&left, &right)
        _ = try Self.pass(&left, &right, by: key) { old, new in
          if let old, let new { search.add(old.values.dropFirst(count), new.values.dropFirst(count)) }
        }
      }
      try await left.end()
      try await right.end()
      return found + search.renames
    } catch is DiffObstacle {
      return []
    }
  }

  // MARK: Rows

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

    /// Whether all rows were compared and are the same.
    package var isSame: Bool { notCompared.isEmpty && tables.allSatisfy(\.isSame) }
  }

  /// Compares the rows of tables.
  ///
  /// A table that cannot be compared is listed in the result with the reason. The other tables are still compared.
  ///
  /// - Parameters:
  ///   - progress: Called with a table and the number of its rows that have been compared.
  ///   - end: Called with the result of each compared table after its rows.
  ///   - report: Called with each different row, table by table in the order of their keys. If whole rows are matched, it is called for
  ///     each row that only one side has.
  /// - Throws: ``DataSourceError`` if a table is in neither database, or ``UnknownDiffKey`` if no table has the columns of the key.
  package func rows(
    progress: (_ table: String, _ rows: Int) -> Void = { _, _ in }, end: (TableDifference) throws -> Void = { _ in },
    _ report: (RowDifference) throws -> Void
  ) async throws -> Result {
    try await compare(progress: progress) { event in
      switch event {
      case .found(let differences):
        for difference in differences {
          for _ in 0..<difference.surplus { try report(difference) }
        }
      case .ended(let table): try end(table)
      case .planned, .began, .notCompared: break
      }
    }
  }

  /// A step of the comparison of rows.
  enum Event {
    /// The names of the tables, in the order in which they will be compared.
    case planned([String])
    case began(DiffTable)
    /// Some different rows of the current table, in the order of their keys.
    case found([RowDifference])
    case ended(TableDifference)
    case notCompared(UncomparedTable)
  }

  /// Compares the rows of tables, and reports each step.
  func compare(progress: (_ table: String, _ rows: Int) -> Void, _ receive: (Event) async throws -> Void) async throws -> Result {
    let states = (try await from.state(), try await to.state())
    let tables = try await tables(since: states)
    let names = tables.names
    func shown(_ name: String) -> String { tables.entries[name]?.reference.name ?? name }
    try await receive(.planned(names.map(shown)))
    var (result, unknownKeys) = (Result(), 0)
    for name in names {
      let shown = shown(name)
      do {
        var counts = TableDifference(table: shown)
        if !tables.same.contains(name) {
          let table = try await table(shown, tables.before[name], tables.after[name])
          try await receive(.began(table))
          counts = try await differences(of: table, since: states, { progress(shown, $0) }) { try await receive(.found($0)) }
        }
        result.tables.append(counts)
        try await receive(.ended(counts))
      } catch let obstacle as DiffObstacle {
        if obstacle.isUnknownKey { unknownKeys += 1 }
        let table = UncomparedTable(table: shown, reason: obstacle.reason)
        result.notCompared.append(table)
        try await receive(.notCompared(table))
      }
    }
    if let key, unknownKeys > 0, unknownKeys == names.count { throw UnknownDiffKey(columns: key) }
    try await check(&result, since: states)
    return result
  }

  /// Notes whether the sides have changed since their states were read.
  func check(_ result: inout Result, since states: (DiffState, DiffState)) async throws {
    for (before, after) in [(states.0, try await from.state()), (states.1, try await to.state())] {
      if before.connection != after.connection { result.isOfUnknownMoment = true } else if before != after { result.isTorn = true }
    }
  }

  /// Determines how the rows of a table are compared.
  ///
  /// - Throws: ``DiffObstacle`` if they cannot be compared.
  func table(
    _ name: String, _ before: TableSchema?, _ after: TableSchema?, renames: [ColumnRename] = [], readsNewColumns: Bool = false
  ) async throws -> DiffTable {
    for (side, schema) in [(from, before), (to, after)] {
      if let problem = schema?.problem { throw DiffObstacle("“\(side.name)” cannot read the table: \(problem)") }
    }
    let key = try await key(of: name, before, after)
    return DiffTable(name, before, after, by: key, ignoring: ignored, renames: renames, readsNewColumns: readsNewColumns)
  }

  /// Finds the key that matches the rows of a table.
  ///
  /// Does not use a primary key that contains NULLs.
  ///
  ///     SELECT 1 FROM main.tag WHERE (name IS NULL) OR (album IS NULL) LIMIT 1
  private func key(of name: String, _ before: TableSchema?, _ after: TableSchema?) async throws -> DiffKey {
    let found = try DiffKey.find(of: before, after, named: key)
    guard key == nil, found.kind == .columns else { return found }
    for (side, schema) in [(from, before), (to, after)] {
      guard let schema, !schema.entry.isWithoutRowID else { continue }
      let nullable = found.columns.filter { name in schema.column(named: name).map { $0.isNullable && !$0.isRowID } ?? false }
      guard !nullable.isEmpty else { continue }
      let condition = nullable.map { "\(identifier: $0) IS NULL" as SQLText }.joined(by: " OR ")
      let sql: SQLText = "SELECT 1 FROM \(schema.entry.reference.sqlText) WHERE \(condition) LIMIT 1"
      if try await !side.rows(sql, width: 1).isEmpty { return DiffKey.withoutPrimaryKey(of: [before, after].compactMap(\.self)) }
    }
    return found
  }

  private func sides(of table: DiffTable) async throws -> (DiffRows, DiffRows) {
    (
      try await DiffRows(from, table.reference, table.before, by: table.key, table.columns.map(\.from), step: step),
      try await DiffRows(to, table.reference, table.after, by: table.key, table.columns.map(\.to), step: step)
    )
  }

  /// Compares the rows of one table.
  ///
  /// - Throws: ``DiffObstacle`` if they cannot be compared.
  func differences(
    of table: DiffTable, since states: (DiffState, DiffState), _ progress: (Int) -> Void,
    _ report: ([RowDifference]) async throws -> Void
  ) async throws -> TableDifference {
    do {
      var (left, right) = try await sides(of: table)
      var (result, count) = (TableDifference(table: table.name), 0)
      var pages = left.isDirect && right.isDirect ? EqualPages(from, to, table, since: states) : nil
      repeat {
        if let ranges = try await pages?.next() {
          count += ranges.equalRowCount
          left.pass(ranges.equalRowCount, then: ranges.others)
          right.pass(ranges.equalRowCount, then: ranges.others)
        }
        progress(count)
        while !(left.isOver && right.isOver) {
          try Task.checkCancellation()
          try await Self.fill(&left, &right)
          var found: [RowDifference] = []
          count += try Self.pass(&left, &right, by: table.key) { old, new in
            if let difference = RowDifference(old, new, table) { found.append(difference) }
          }
          progress(count)
          for difference in found { result.add(difference) }
          if !found.isEmpty { try await report(found) }
        }
      } while pages?.isOver == false
      let (first, second) = (left, right)
      async let isReached: Void = first.checkReached(since: states.0)
      async let isOtherReached: Void = second.checkReached(since: states.1)
      _ = try await (isReached, isOtherReached)
      try await left.end()
      try await right.end()
      return result
    } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_ERROR {
      // The table has a column that needs another program's functions, or its module fails.
      throw DiffObstacle("the table cannot be read: \(error.sentence)")
    }
  }

  /// Reads more rows if a side has none left: on both sides, so that they are read concurrently.
  private static func fill(_ left: inout DiffRows, _ right: inout DiffRows) async throws {
    guard left.isEmpty || right.isEmpty else { return }
    let (first, second) = (left, right)
    async let found = first.hasRoom ? first.read() : nil
    async let others = second.hasRoom ? second.read() : nil
    if let block = try await found { try left.take(block) }
    if let block = try await others { try right.take(block) }
  }

  /// Passes the rows whose order is known, calls `body` with the different ones, and returns the number of all.
  private static func pass(
    _ left: inout DiffRows, _ right: inout DiffRows, by key: DiffKey, _ body: (DiffRows.Entry?, DiffRows.Entry?) -> Void
  ) throws -> Int {
    var count = 0
    while !left.isEmpty, !right.isEmpty {
      let equalCount = DiffRows.passEqualRows(&left, &right)
      count += equalCount
      if equalCount > 0 { continue }
      guard let (old, new) = try take(&left, &right, by: key) else { break }
      body(old, new)
      count += 1
    }
    return count
  }

  /// Removes the next row, from both sides if both have it, or returns nil after the last row.
  private static func take(
    _ left: inout DiffRows, _ right: inout DiffRows, by key: DiffKey
  ) throws -> (DiffRows.Entry?, DiffRows.Entry?)? {
    let (old, new) = (try left.current(), try right.current())
    let count = key.columns.count
    guard old != nil || new != nil else { return nil }
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
}

extension RowDifference {
  /// Creates the difference of two rows whose values begin with the key, or returns nil if the rows do not differ.
  init?(_ old: DiffRows.Entry?, _ new: DiffRows.Entry?, _ table: DiffTable) {
    guard let row = (new ?? old)?.values else { return nil }
    let names = table.names
    guard table.key.kind != .wholeRows else {
      let counts = (old: old?.count ?? 0, new: new?.count ?? 0)
      guard counts.old != counts.new else { return nil }
      let isAdded = counts.new > counts.old
      let cells = zip(names, row).map { name, value in
        Cell(column: name, from: isAdded ? nil : value, to: isAdded ? value : nil)
      }
      self.init(table: table.name, key: [], change: isAdded ? .added : .removed, cells: cells, old: old?.values, new: new?.values)
      self.counts = counts
      return
    }
    // Equal keys may be stored differently: 'Abc' and 'abc' under NOCASE, 1 and 1.0.
    let isBoth = old != nil && new != nil
    let count = table.key.columns.count
    if isBoth, old?.values == new?.values { return nil }
    let cells = names.indices.compactMap { index -> Cell? in
      let (from, to) = (old?.values[index], new?.values[index])
      return from == to || index < count && !isBoth ? nil : Cell(column: names[index], from: from, to: to)
    }
    let key = zip(names, row).prefix(count).map { (column: $0, value: $1) }
    self.init(
      table: table.name, key: key, change: old == nil ? .added : new == nil ? .removed : .changed, cells: cells, old: old?.values,
      new: new?.values)
  }
}
