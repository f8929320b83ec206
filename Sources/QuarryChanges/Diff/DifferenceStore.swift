package import QuarryEngine
internal import QuarryRows
internal import Synchronization

/// The differences between the rows of two databases, as a comparison finds them.
///
/// A table may have millions of differences, and a comparison reads each row once. The values of both sides are therefore written to a
/// temporary database, which SQLite stores in a file and deletes with the connection. Memory holds the counts of each table, SQLite's page
/// cache, and the rows that are requested. Stored differences have consecutive numbers from 1, so that any of them is found by its key.
/// They do not change if the databases are written later.
///
///     CREATE TABLE d0(n INTEGER PRIMARY KEY, change, oldCount, newCount)   -- the differences of the first table
///     CREATE TABLE o0(n INTEGER PRIMARY KEY, c0, c1 COLLATE NOCASE, …)     -- the old rows, without types: each value is stored exactly
///     CREATE TABLE w0(n INTEGER PRIMARY KEY, c0, c1 COLLATE NOCASE, …)     -- the new rows
///     CREATE TABLE f0(i INTEGER PRIMARY KEY, n)                            -- the differences that match a filter
package final class DifferenceStore: Sendable {
  let queue: DatabaseQueue
  private let state = Mutex(State())

  private struct State {
    var tables: [ComparedTable] = []
    var details: [Int: DiffTable] = [:]
    var filters: [Int: AppliedFilter] = [:]
  }

  /// A filter whose matches are stored.
  private struct AppliedFilter {
    /// The condition as SQL.
    var text: String
    /// The number of the last difference that was checked.
    var last = 0
    var count = 0
  }

  /// The number of differences that a filter checks at a time.
  private static let filterStep = 20_000

  /// The number of bytes after which no more differences are read at a time.
  private static let readLimit = 32 << 20

  /// Creates a store without differences.
  package init() throws {
    queue = try DatabaseQueue(path: "")
    try queue.withoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = MEMORY") }
  }

  /// The tables in the order in which they are compared.
  package var tables: [ComparedTable] { state.withLock(\.tables) }

  // MARK: Comparing

  /// Compares the rows of two databases, and stores the differences.
  ///
  /// - Parameter progress: Called after each step.
  /// - Throws: The same errors as ``DatabaseDiff/rows(progress:end:_:)``.
  package func compare(_ diff: DatabaseDiff, _ progress: @escaping @Sendable () -> Void) async throws -> DatabaseDiff.Result {
    var current = 0
    return try await diff.compare { _, rows in
      self.change(current) { $0.state = .running(rows: rows) }
      progress()
    } _: { event in
      switch event {
      case .planned(let names): self.plan(names)
      case .began(let table): current = self.begin(table)
      case .found(let differences): try await self.add(differences, to: current, diff)
      case .ended(let table): self.end(table)
      case .notCompared(let table): self.note(table)
      }
      progress()
    }
  }

  private func plan(_ names: [String]) {
    state.withLock { $0.tables = names.map { ComparedTable(name: $0) } }
  }

  private func change(_ table: Int, _ body: (inout ComparedTable) -> Void) { state.withLock { body(&$0.tables[table]) } }

  private func note(_ table: UncomparedTable) {
    state.withLock { state in
      guard let index = state.tables.firstIndex(where: { $0.name == table.table }) else { return }
      state.tables[index].state = .notCompared(table.reason)
    }
  }

  private func end(_ table: TableDifference) {
    state.withLock { state in
      guard let index = state.tables.firstIndex(where: { $0.name == table.table }) else { return }
      state.tables[index].state = .compared
    }
  }

  private func begin(_ table: DiffTable) -> Int {
    state.withLock { state in
      let index = state.tables.firstIndex { $0.name == table.name } ?? 0
      state.details[index] = table
      state.tables[index].begin(table)
      return index
    }
  }

  private func add(_ differences: [RowDifference], to index: Int, _ diff: DatabaseDiff) async throws {
    guard let table = state.withLock({ $0.details[index] }) else { return }
    if tables[index].stored == 0, !tables[index].isTooWide { try await create(index, table, diff) }
    let (first, isTooWide) = (tables[index].stored + 1, tables[index].isTooWide)
    if !isTooWide { try await queue.write { db in try Self.write(differences, from: first, to: index, table, db) } }
    change(index) { $0.add(differences, of: table) }
  }

  /// Creates the tables for the differences of a table, and determines the columns for its filters.
  private func create(_ index: Int, _ table: DiffTable, _ diff: DatabaseDiff) async throws {
    let columns = try await DifferenceColumns.filterColumns(of: table, diff)
    change(index) { $0.filterColumns = columns }
    let collations = table.collations
    let list = collations.enumerated().map { ", c\($0) COLLATE \($1)" }.joined()
    try await queue.withoutTransaction { db in
      try db.execute(sql: "CREATE TABLE d\(index)(n INTEGER PRIMARY KEY, change, oldCount, newCount)")
      for side in ["o", "w"] { try db.execute(sql: "CREATE TABLE \(side)\(index)(n INTEGER PRIMARY KEY\(list))") }
    }
  }

  private static func write(_ differences: [RowDifference], from first: Int, to index: Int, _ table: DiffTable, _ db: Database) throws {
    let places = String(repeating: ", ?", count: table.names.count)
    let insertion = try db.cachedStatement(sql: "INSERT INTO d\(index) VALUES (?, ?, ?, ?)")
    let sides = try ["o", "w"].map { try db.cachedStatement(sql: "INSERT INTO \($0)\(index) VALUES (?\(places))") }
    for (offset, difference) in differences.enumerated() {
      let number = Int64(first + offset)
      try insertion.bindInteger(number, at: 1)
      try insertion.bindText(difference.change.rawValue, at: 2)
      try insertion.bindInteger(Int64(difference.counts.old), at: 3)
      try insertion.bindInteger(Int64(difference.counts.new), at: 4)
      _ = try insertion.step()
      try insertion.reset()
      for (side, row) in zip(sides, [difference.old, difference.new]) {
        guard let row else { continue }
        try side.bindInteger(number, at: 1)
        for (index, value) in row.enumerated() { try side.bind(value, at: index + 2) }
        _ = try side.step()
        try side.reset()
      }
    }
  }

  // MARK: Reading

  /// Reads differences of a table by their positions from 0, among all or among the matches of its filter.
  ///
  /// Returns fewer if they are very long, but at least one.
  package func differences(of table: Int, at range: Range<Int>, isFiltered: Bool) async throws -> [StoredDifference] {
    guard let width = state.withLock({ $0.details[table]?.names.count }), !range.isEmpty, tables[table].stored > 0 else { return [] }
    let (first, end) = (raw(range.lowerBound), raw(range.upperBound))
    let columns = ["o", "w"].flatMap { side in (0..<width).map { "\(side).c\($0)" } }.joined(separator: ", ")
    let filter: SQLText = isFiltered ? "f\(raw(table)) AS f JOIN " : ""
    let condition: SQLText = isFiltered ? "f.n = d.n AND f.i > \(first) AND f.i <= \(end)" : "d.n > \(first) AND d.n <= \(end)"
    let sql: SQLText = """
      SELECT d.n, d.change, d.oldCount, d.newCount, o.n, w.n, \(raw: columns) FROM \(filter)d\(raw(table)) AS d \
      LEFT JOIN o\(raw(table)) AS o ON o.n = d.n LEFT JOIN w\(raw(table)) AS w ON w.n = d.n WHERE \(condition) ORDER BY d.n
      """
    return try await queue.read { db in
      var (found, size): ([StoredDifference], Int) = ([], 0)
      try db.scan(sql) { statement in
        found.append(try StoredDifference(statement, width: width))
        size += found.last?.byteCount ?? 0
        return size < Self.readLimit
      }
      return found
    }
  }

  private func raw(_ number: Int) -> SQLText { "\(raw: String(number))" }

  // MARK: Filters

  /// Returns the differences of a table found since the last call that match a condition.
  ///
  ///     INSERT INTO f0(n) SELECT n FROM (SELECT d.n, d.change, o.c0 AS "old.id", w.c0 AS "new.id" FROM …) WHERE "new.id" > 5 …
  ///
  /// - Parameter condition: A condition on the columns of ``ComparedTable/filterColumns``.
  /// - Returns: The number of matches.
  package func filter(_ table: Int, _ condition: SQLText, _ progress: @escaping @Sendable (Int) -> Void) async throws -> Int {
    guard tables[table].stored > 0 else { return 0 }
    var filter = try await startFilter(table, condition)
    while filter.last < tables[table].stored {
      try Task.checkCancellation()
      let last = min(filter.last + Self.filterStep, tables[table].stored)
      let rows = view(of: table)
      let list = raw(table)
      let (from, to) = (raw(filter.last), raw(last))
      let sql: SQLText = """
        INSERT INTO f\(list)(n) SELECT n FROM (\(rows)) WHERE n > \(from) AND n <= \(to) AND (\(condition)) ORDER BY n
        """
      filter.count += try await queue.write { db in
        try db.execute(literal: sql)
        return db.changesCount
      }
      filter.last = last
      state.withLock { [filter] in $0.filters[table] = filter }
      progress(filter.count)
    }
    return filter.count
  }

  /// Returns the filter of a table, without matches if it is a new one.
  private func startFilter(_ table: Int, _ condition: SQLText) async throws -> AppliedFilter {
    let text = condition.queryString
    if let filter = state.withLock({ $0.filters[table] }), filter.text == text { return filter }
    try await queue.withoutTransaction { db in
      try db.execute(sql: "DROP TABLE IF EXISTS f\(table); CREATE TABLE f\(table)(i INTEGER PRIMARY KEY, n)")
    }
    let filter = AppliedFilter(text: text)
    state.withLock { $0.filters[table] = filter }
    return filter
  }

  /// The differences of a table with the columns of its filters.
  private func view(of table: Int) -> SQLText {
    let columns = tables[table].columns.enumerated().flatMap { index, column -> [SQLText] in
      zip(["o", "w"], zip(["old", "new"], [column.old, column.new])).compactMap { side, named in
        named.1.map { "\(raw: side).c\(raw: String(index)) AS \(identifier: "\(named.0).\($0)")" }
      }
    }
    let (list, number) = (columns.joined(by: ", "), raw(table))
    return """
      SELECT d.n AS n, d.change AS change, \(list) FROM d\(number) AS d LEFT JOIN o\(number) AS o ON o.n = d.n \
      LEFT JOIN w\(number) AS w ON w.n = d.n
      """
  }

  // MARK: Finding

  /// Finds the next difference of a table whose values contain a text, regardless of case.
  ///
  /// - Parameter position: The position among all differences, or among the matches of the filter, from which the search begins.
  /// - Returns: The position of the difference, or nil if nothing is found.
  package func position(
    of text: String, in table: Int, from position: Int, backwards: Bool, isFiltered: Bool
  ) async throws -> Int? {
    guard let width = state.withLock({ $0.details[table]?.names.count }), tables[table].stored > 0 else { return nil }
    let pattern = "%" + text.map { "%_\\".contains($0) ? "\\\($0)" : "\($0)" }.joined() + "%"
    // A chain of many ORs would be nested too deeply for SQLite.
    let matches = ["o", "w"].map { side -> SQLText in
      let values = (0..<width).map { "\(raw: "\(side).c\($0)") LIKE \(pattern) ESCAPE '\\'" as SQLText }
      return "1 IN (\(values.joined(by: ", ")))"
    }
    let (list, place, start) = (raw(table), isFiltered ? "f.i" : "d.n", raw(position + 1))
    let filter: SQLText = isFiltered ? "f\(list) AS f JOIN d\(list) AS d ON f.n = d.n" : "d\(list) AS d"
    let (comparison, order) = backwards ? ("<=", "DESC") : (">=", "ASC")
    let sql: SQLText = """
      SELECT \(raw: place) FROM \(filter) LEFT JOIN o\(list) AS o ON o.n = d.n LEFT JOIN w\(list) AS w ON w.n = d.n \
      WHERE \(raw: place) \(raw: comparison) \(start) AND (\(matches.joined(by: " OR "))) ORDER BY \(raw: place) \(raw: order) LIMIT 1
      """
    return try await queue.read { db in
      var found: Int?
      try db.scan(sql) { statement in
        found = Int(try statement.columnInteger(at: 0)) - 1
        return false
      }
      return found
    }
  }

  // MARK: SQL

  /// Returns the statements that make a change in the first database, or nil if rows of the table cannot be written.
  package func statements(for difference: StoredDifference, in table: Int) -> [PatchStatement]? {
    guard let details = state.withLock({ $0.details[table] }), let schema = details.before ?? details.after,
      RowPatch.way(.inPlace, of: schema) == .inPlace
    else { return nil }
    let names = details.key.names(in: schema) + details.columns.map { $0.from ?? $0.name }
    let patch = RowPatch(
      details, .inPlace, result: schema, counts: TableDifference(table: details.name), oldNames: names.map(Optional.some), names: names)
    let entries = (
      difference.old.map { DiffRows.Entry(values: $0, count: difference.counts.old) },
      difference.new.map { DiffRows.Entry(values: $0, count: difference.counts.new) }
    )
    guard let row = RowDifference(entries.0, entries.1, details) else { return nil }
    return ([patch.taking(row)].compactMap(\.self) + patch.giving(row)).map(PatchStatement.sql)
  }
}

extension Statement {
  /// Binds a value exactly as it is stored.
  fileprivate func bind(_ value: StoredValue, at index: Int) throws {
    switch value {
    case .value(let value): try bind(value, at: index)
    case .rawText(let bytes): try bytes.withUnsafeBytes { try bindText($0, at: index) }
    }
  }
}

extension DifferenceStore: Hashable {
  /// Returns whether both are the same store.
  package static func == (left: DifferenceStore, right: DifferenceStore) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
