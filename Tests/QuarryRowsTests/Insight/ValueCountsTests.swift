import Foundation
import Synchronization
import TestSupport
import Testing

@testable import QuarryEngine
@testable import QuarryRows

@Suite("Counts of values", .gated) struct ValueCountsTests {
  @Test("are those of GROUP BY, in every order and range, for any source and filter", arguments: 0..<testRounds(24))
  func agreement(seed: Int) async throws {
    var random = SplitMix(seed: UInt64(seed))
    let oracle = try InsightOracle(rows: [0, 1, 40, 600].randomElement(using: &random) ?? 1, seed: UInt64(seed))
    for source in InsightOracle.sources {
      let set = RowSet(source, filter: InsightOracle.filter(&random))
      for column in InsightOracle.names {
        let collation = InsightOracle.collation(of: column, in: source)
        let expected = try oracle.counts(column, in: set).map { $0.normalized(collation) }
        let counts = try await oracle.connections.counts(CountRequest(InsightColumn(column), in: set))
        #expect(counts.isComplete)
        #expect(counts.rows == expected.reduce(0) { $0 + $1.count })
        #expect(counts.distinct == .exact(expected.count { $0.value != .value(.null) }))
        #expect(counts.nulls == expected.first { $0.value == .value(.null) }?.count ?? 0)
        expectLists(of: counts, expected, collation, &random)
      }
    }
  }

  private func expectLists(
    of counts: ValueCounts, _ expected: [ValueCount], _ collation: TextCollation, _ random: inout SplitMix
  ) {
    let orders: [(CountOrder, [ValueCount])] = [
      (.ascending, expected), (.descending, expected.reversed()), (.mostFrequentFirst, expected.sorted { $0.count > $1.count }),
      (.leastFrequentFirst, expected.sorted { $0.count < $1.count }),
    ]
    for (order, expected) in orders {
      let start = Int.random(in: 0...expected.count, using: &random)
      let range = start..<start + Int.random(in: 0...20, using: &random)
      let listed = counts.list(order, range).map { $0.normalized(collation) }
      #expect(listed == Array(expected[range.clamped(to: 0..<expected.count)]), "\(order) \(range)")
    }
  }

  @Test("of more values than fit into a part are listed from any place in any order", arguments: ["i", "i / 2.0", "'text ' || i", "x"])
  func manyValues(expression: String) async throws {
    let queue = try makeDatabase(
      "CREATE TABLE t(a)",
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000),
        m(i, x) AS (SELECT i * 7919 % 45007, CASE i % 3 WHEN 0 THEN i WHEN 1 THEN i / 4.0 ELSE 'b' || i END FROM n)
      INSERT INTO t SELECT \(expression) FROM m
      """)
    let connections = ReadConnections(foreground: queue, background: queue)
    let set = RowSet(.table(TableReference(name: "t")))
    let counts = try await connections.counts(CountRequest(InsightColumn("a"), in: set))
    let expected = try await queue.read { db in
      var counts: [ValueCount] = []
      try db.scan("SELECT a, count(*) FROM t GROUP BY a ORDER BY a") { statement in
        counts.append(ValueCount(.value(try statement.columnValue(at: 0)), Int(try statement.columnInteger(at: 1))))
        return true
      }
      return counts.map { $0.normalized() }
    }
    #expect(counts.lines == expected.count)
    var random = SplitMix(seed: 3)
    for _ in 0..<10 { expectLists(of: counts, expected, .binary, &random) }
    #expect(counts.list(.ascending, 0..<counts.lines).map { $0.normalized() } == expected)
  }

  @Test("are told apart by the collation of what is counted, wherever that comes from, and one of the values stands for all")
  func collations() async throws {
    let queue = try makeDatabase(
      "CREATE TABLE t(n TEXT COLLATE NOCASE, r TEXT COLLATE RTRIM, b TEXT)",
      """
      INSERT INTO t SELECT value, value, value FROM json_each('["USA", "usa", "Usa ", "usa  ", "É", "é", "", " "]')
      UNION ALL SELECT text, text, text FROM (SELECT CAST(x'610062' AS TEXT) AS text UNION ALL SELECT CAST(x'410063' AS TEXT))
      """,
      "CREATE VIEW v AS SELECT r, n AS b, b COLLATE NOCASE AS n FROM t WHERE 'x' <> r")
    let connections = ReadConnections(queue)
    let sources: [RowSet.Source] = [
      .table(TableReference(name: "t")), .table(TableReference(name: "v")),
      .query(sql: "SELECT n, r, b FROM t WHERE n <> ?1 UNION ALL SELECT r, n, b FROM t", arguments: ["no such"]),
    ]
    let columns = ["n", "r", "b"].map { InsightColumn($0) } + [InsightColumn("x", expression: "b COLLATE NOCASE || '' COLLATE RTRIM")]
    for source in sources {
      let set = RowSet(source)
      for column in columns {
        let groups: [(values: Set<String>, count: Int)] = try await queue.read { db in
          let group: SQLText = "json_group_array(hex(\(column.expression)))"
          let sql: SQLText = "SELECT \(group), count(*) FROM (\(set.sqlText)) GROUP BY \(column.expression) ORDER BY \(column.expression)"
          var groups: [(Set<String>, Int)] = []
          try db.scan(sql) { statement in
            let values = try JSONDecoder().decode([String].self, from: Data(statement.columnText(at: 0).utf8))
            groups.append((Set(values), Int(try statement.columnInteger(at: 1))))
            return true
          }
          return groups
        }
        let counts = try await connections.counts(CountRequest(column, in: set))
        let lines = counts.list(.ascending, 0..<counts.lines)
        #expect(lines.map(\.count) == groups.map(\.count), "\(column.name) \(source)")
        for (line, group) in zip(lines, groups) {
          guard case .value(.text(let text)) = line.value else {
            Issue.record("\(line)")
            continue
          }
          #expect(group.values.contains(text.utf8.map { String(format: "%02X", $0) }.joined()), "\(column.name) \(text)")
        }
      }
    }
  }

  @Test("that do not fit into memory go through a file, and are the same")
  func spilling() throws {
    let store = RunStore(SpillBudget(memory: 1000))
    let (integers, texts) = (NumberBuffer(limit: 100), ByteTable())
    var runs = CountedRuns()
    for number in 0..<5000 {
      if integers.append(NumberKey.key(of: Int64(number * 7919 % 1201 - 600))) {
        runs.integers.append(try #require(try integers.seal(in: store)))
      }
      "text \(number % 701)".withBytes { _ = texts.count($0) }
      if number % 500 == 499 { runs.texts.append(try #require(try texts.seal(in: store))) }
    }
    let counting = PartCounting(runs.segments)
    try counting.work {}
    let counts = counting.finish()
    #expect(counts.count == 1201 + 701)
    let lines = counts.list(.ascending, 0..<counts.count)
    #expect(lines.reduce(0) { $0 + $1.count } == 10_000)
    #expect(lines.prefix(1201).map(\.value) == (-600...600).map { .value(.integer(Int64($0))) })
    #expect(
      lines.dropFirst(1201).map(\.value)
        == (0...700).map { "text \($0)" }.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }.map { .value(.text($0)) })
  }

  @Test("of two connections are those of one, and grow while rows are read")
  func parallel() async throws {
    try await ParallelScanTests().withFile(gap: "i * 3") { connections, queue in
      let set = RowSet(.table(TableReference(name: "t")))
      let seen = Seen<ValueCounts>()
      let counts = try await connections.counts(CountRequest(InsightColumn("a"), in: set)) { seen.add($0) }
      let alone = try await ReadConnections(foreground: queue, background: queue).counts(CountRequest(InsightColumn("a"), in: set))
      #expect(counts.rows == 60_000)
      #expect(
        counts.list(.ascending, 0..<counts.lines).map { $0.normalized() } == alone.list(.ascending, 0..<alone.lines).map { $0.normalized() }
      )
      let reports = seen.all
      #expect(reports.last?.isComplete == true)
      #expect(reports.map(\.rows) == reports.map(\.rows).sorted())
      for report in reports { #expect(report.list(.ascending, 0..<report.lines).reduce(0) { $0 + $1.count } == report.rows) }
    }
  }
}

/// What was reported.
final class Seen<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  func add(_ value: Value) { values.withLock { $0.append(value) } }
  var all: [Value] { values.withLock(\.self) }
}

extension String {
  fileprivate func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) { Array(utf8).withUnsafeBytes(body) }
}
