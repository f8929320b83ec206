import Foundation
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("Random groups", .gated, .enabled(if: GroupOracle.shell != nil, "the sqlite3 shell is not installed")) struct GroupOracleTests {
  /// A random shape, with the SQL of its values.
  private struct Sample {
    var levels: [GroupOracle.Value]
    var aggregates: [GroupOracle.Value]
    var across: GroupOracle.Value?
    var filter: GroupOracle.Value
    var table: String

    init(_ random: inout SplitMix) {
      levels = Array(GroupOracle.levels.shuffled(using: &random).prefix([0, 1, 1, 1, 2, 3].randomElement(using: &random) ?? 1))
      aggregates = Array(GroupOracle.aggregates.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random)))
      across = random.below(3) == 0 ? GroupOracle.levels.randomElement(using: &random) : nil
      filter = GroupOracle.filters[random.below(GroupOracle.filters.count)]
      table = ["track", "track", "item"][random.below(3)]
    }

    var shape: GroupShape { GroupShape(levels: levels.map(\.text), aggregates: aggregates.map(\.text), across: across?.text) }
    var source: String { GroupOracle.source(table, filter) }
    /// The clause after the list of a SELECT.
    func grouped(further: Int = 0) -> String {
      let count = levels.count + further
      return source + (count == 0 ? "" : " GROUP BY " + (1...count).map(String.init).joined(separator: ", "))
    }
  }

  private static let rounds = testRounds(40)
  private static let roundsOfFile = 20

  @Test("contain the cells that the sqlite3 shell prints, and lead to their rows")
  func groups() async throws {
    try await withTemporaryFolder { folder in
      for seed in 0..<max(1, Self.rounds / Self.roundsOfFile) {
        let oracle = try GroupOracle(in: folder, seed: UInt64(seed))
        var random = SplitMix(seed: UInt64(seed) + 1_000_000)
        for _ in 0..<Self.roundsOfFile { try await check(Sample(&random), oracle) }
      }
    }
  }

  private func check(_ sample: Sample, _ oracle: GroupOracle) async throws {
    let columns = try await oracle.queue.read { db in
      FilterColumns(of: try db.tableSchema(TableReference(name: sample.table)), in: db)
    }
    var rows = RowSet(.table(TableReference(name: sample.table)))
    rows.filter = try Filter.compile(sample.filter.text, columns: columns).expression.map { RowFilter($0) }
    let groups = try await oracle.connections.groups(sample.shape, of: rows, columns: columns)
    let found = try await Self.rows(groups.rowSet.sqlText, in: oracle.queue)
    let cells = found.map { $0.map(GroupOracle.cell) }
    let likeness = sample.levels.map(\.likeness) + groups.columns.dropFirst(sample.levels.count).map { Self.likeness($0, sample) }
    let expected = try sample.across == nil ? plainRows(sample, oracle) : pivotRows(sample, groups, oracle)
    let name = "\(oracle.path) \(sample.table) \(sample.shape) where \(sample.filter.text)"
    #expect(Self.set(cells, likeness) == Self.set(expected, likeness), "\(name)")
    if let collected = try await oracle.connections.collectedGroups(groups) {
      let stored = try await Self.rows(collected.query, in: collected.connections.background).map { $0.map(GroupOracle.cell) }
      #expect(Self.set(stored, likeness) == Self.set(expected, likeness), "collected: \(name)")
    }
    try await checkRows(found, groups, columns, sample, oracle, name)
  }

  private static func likeness(_ column: CompiledGroups.Column, _ sample: Sample) -> GroupOracle.Likeness {
    if case .aggregate(let index, _) = column.kind { sample.aggregates[index].likeness } else { .none }
  }

  private static func set(_ rows: [[String]], _ likeness: [GroupOracle.Likeness]) -> [String] {
    rows.map { zip($0, likeness).map(GroupOracle.normalized).joined(separator: " | ") }.sorted()
  }

  private static func rows(_ sql: SQLText, in queue: DatabaseQueue) async throws -> [[StoredValue]] {
    try await queue.read { db in
      var rows: [[StoredValue]] = []
      try db.scan(sql) { statement in
        rows.append(try (0..<statement.columnCount).map { try statement.storedValue(at: $0) })
        return true
      }
      return rows
    }
  }

  // MARK: The same in other SQL

  private func plainRows(_ sample: Sample, _ oracle: GroupOracle) throws -> [[String]] {
    try oracle.shellRows((sample.levels + sample.aggregates).map(\.sql), sample.grouped())
  }

  /// Groups by the levels and by the value across, and puts the cells into the columns of the pivot.
  private func pivotRows(_ sample: Sample, _ groups: CompiledGroups, _ oracle: GroupOracle) throws -> [[String]] {
    // Without rows there are no values across.
    guard let across = sample.across, let pivot = groups.pivot else { return try plainRows(sample, oracle) }
    let levels = sample.levels.map(\.sql)
    let all = try oracle.shellRows([across.sql, "count(*)"], "\(sample.source) GROUP BY 1")
    let isNull = all.contains { $0[0] == "null " }
    let frequent = all.filter { $0[0] != "null " }.sorted { Self.count($0) > Self.count($1) }
    #expect(pivot.values.count == min(frequent.count, PivotValues.most) + (isNull ? 1 : 0))
    #expect(pivot.otherCount == max(0, frequent.count - PivotValues.most))
    // Of equally frequent values, any may be among the columns.
    if frequent.count > PivotValues.most {
      let counts = Dictionary(all.map { (GroupOracle.normalized($0[0], across.likeness), Self.count($0)) }, uniquingKeysWith: +)
      let taken = pivot.values.filter { $0 != .null }.map { counts[GroupOracle.normalized(GroupOracle.cell($0), across.likeness)] ?? -1 }
      #expect(taken.sorted(by: >) == frequent.prefix(PivotValues.most).map(Self.count))
    }
    let slots = pivot.values.enumerated().map { "WHEN \(across.sql) IS \(Self.literal($1)) THEN \($0)" }.joined(separator: " ")
    let slot = slots.isEmpty ? "\(pivot.values.count)" : "CASE \(slots) ELSE \(pivot.values.count) END"
    let parts = try oracle.shellRows(levels + [slot] + sample.aggregates.map(\.sql), sample.grouped(further: 1))
    let nothing = try oracle.shellRows(sample.aggregates.map(\.sql), sample.source + " AND 0")[0]
    var found: [String: [String]] = [:]
    let width = groups.columns.count - levels.count
    for part in parts {
      let name = zip(part, sample.levels).map { GroupOracle.normalized($0, $1.likeness) }.joined(separator: " | ")
      var row = found[name] ?? Array(part.prefix(levels.count)) + (0..<width).map { nothing[$0 % nothing.count] }
      let index = Int(part[levels.count].split(separator: " ")[1]) ?? 0
      guard (index + 1) * nothing.count <= width else {
        Issue.record("\(sample.shape): \(part) has no column")
        continue
      }
      for (offset, cell) in part.dropFirst(levels.count + 1).enumerated() { row[levels.count + index * nothing.count + offset] = cell }
      found[name] = row
    }
    return found.values.sorted { $0.joined() < $1.joined() }
  }

  private static func count(_ row: [String]) -> Int { Int(row[1].split(separator: " ")[1]) ?? 0 }

  private static func literal(_ value: StoredValue) -> String {
    switch value {
    case .value(let value): value.sqlLiteral
    case .rawText(let bytes): "CAST(\(DatabaseValue.blob(bytes).sqlLiteral) AS TEXT)"
    }
  }

  // MARK: The way to the rows

  /// Follows each group, and each column of some groups, to its rows.
  private func checkRows(
    _ found: [[StoredValue]], _ groups: CompiledGroups, _ columns: FilterColumns, _ sample: Sample, _ oracle: GroupOracle, _ name: String
  ) async throws {
    let all = try await ids(sample.filter.text, columns, sample, oracle)
    var reached: [Int] = []
    for row in found { reached += try await ids(groups.filter(sample.filter.text, addingGroup: row), columns, sample, oracle) }
    #expect(reached.sorted() == all, "\(name)")
    guard groups.pivot != nil else { return }
    reached = []
    let cells = stride(from: sample.levels.count, to: groups.columns.count, by: sample.aggregates.count)
    for row in found.prefix(5) {
      let whole = try await ids(groups.filter(sample.filter.text, addingGroup: row), columns, sample, oracle)
      var parts: [Int] = []
      for column in cells {
        parts += try await ids(groups.filter(sample.filter.text, addingGroup: row, column: column), columns, sample, oracle)
      }
      #expect(parts.sorted() == whole, "\(name)")
    }
  }

  private func ids(_ filter: String, _ columns: FilterColumns, _ sample: Sample, _ oracle: GroupOracle) async throws -> [Int] {
    let condition = try Filter.compile(filter, columns: columns).sqlText ?? "1"
    let table = sample.table
    return try await oracle.queue.read { db in
      try Int.fetchAll(db, literal: "SELECT id FROM \(identifier: table) WHERE \(condition) ORDER BY id")
    }
  }
}
