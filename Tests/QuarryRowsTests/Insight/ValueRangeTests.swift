import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("Values in ranges", .gated) struct ValueRangeTests {
  @Test(
    "have rounded bounds, as few as wanted",
    arguments: [
      (.integer(3), .integer(38), 8, [0, 5, 10, 15, 20, 25, 30, 35, 40]),
      (.integer(-7), .integer(5), 4, [-10, -5, 0, 5, 10]),
      (.real(0.1), .real(0.72), 8, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]),
      (.real(0), .real(10_000), 8, [0, 2000, 4000, 6000, 8000, 10_000]),
    ] as [(DatabaseValue, DatabaseValue, Int, [Double])])
  func bounds(least: DatabaseValue, greatest: DatabaseValue, limit: Int, expected: [Double]) {
    let bounds = NumberRanges.bounds(from: least, to: greatest, limit: limit).compactMap(\.number)
    #expect(Array(bounds.prefix(expected.count)) == expected)
    #expect(bounds.count - 1 <= limit)
  }

  @Test("cover the extremes of what SQLite stores")
  func extremes() {
    for (least, greatest) in [
      (DatabaseValue.integer(.min), DatabaseValue.integer(.max)), (.real(-1.7e308), .real(1.7e308)), (.integer(0), .integer(1)),
      (.integer(.max - 1), .integer(.max)), (.real(1e-300), .real(2e-300)),
    ] {
      let bounds = NumberRanges.bounds(from: least, to: greatest, limit: 8).compactMap(\.number)
      #expect(bounds.count > 1 && bounds.count <= 10)
      #expect((bounds.first ?? 1) <= (least.number ?? 0) && (bounds.last ?? 0) >= (greatest.number ?? 1))
    }
  }

  @Test("of dates are of the calendar, as they are stored")
  func dates() {
    let start = CivilTime.days(2024, 1, 15) * CivilTime.day
    let end = CivilTime.days(2024, 5, 2) * CivilTime.day
    #expect(
      DateRanges.bounds(from: start, to: end, limit: 8, in: .text)
        == ["2024-01-01", "2024-02-01", "2024-03-01", "2024-04-01", "2024-05-01", "2024-06-01"])
    #expect(DateRanges.bounds(from: start, to: start + 5 * 3_600_000, limit: 8, in: .text, separator: "T").first == "2024-01-15")
    #expect(DateRanges.bounds(from: start, to: start + 5 * 3_600_000, limit: 8, in: .text, separator: "T")[1] == "2024-01-15T01:00")
    #expect(DateRanges.bounds(from: start, to: end, limit: 2, in: .seconds) == [1_704_067_200, 1_711_929_600, 1_719_792_000])
    #expect(DateRanges.bounds(from: -1, to: 0, limit: 2, in: .milliseconds) == [-3_600_000, 0, 3_600_000])
  }

  @Test("hold as many rows as their condition finds", arguments: 0..<testRounds(16))
  func conditions(seed: Int) async throws {
    var random = SplitMix(seed: UInt64(seed))
    let oracle = try InsightOracle(rows: 500, seed: UInt64(seed))
    let set = RowSet(InsightOracle.sources[seed % 3], filter: InsightOracle.filter(&random))
    for column in InsightOracle.names {
      let request = CountRequest(InsightColumn(column), in: set, binning: .automatic)
      let counts = try await oracle.connections.counts(request)
      #expect(counts.list(.ascending, 0..<counts.lines).reduce(0) { $0 + $1.count } == counts.rows)
      let profile = try await oracle.connections.profile(ProfileRequest(set, columns: [column]))
      for line in counts.list(.ascending, 0..<counts.lines) + profile.columns[0].histogram {
        guard let bin = line.value.bin else { continue }
        #expect(try Self.rows(bin, column, set, oracle) == line.count, "\(column) \(bin)")
      }
    }
  }

  private static func rows(_ bin: ValueBin, _ column: String, _ set: RowSet, _ oracle: InsightOracle) throws -> Int? {
    // A column's affinity plays no part, and its collation does.
    let value: SQLText = "+\(identifier: column)"
    let end: SQLText = bin.includesUpper ? "\(value) <= \(bin.upper)" : "\(value) < \(bin.upper)"
    let sql: SQLText = "SELECT count(*) FROM (\(set.sqlText)) WHERE \(value) >= \(bin.lower) AND \(end)"
    return try oracle.queue.read { db in
      var count: Int?
      try db.scan(sql) { statement in
        count = Int(try statement.columnInteger(at: 0))
        return false
      }
      return count
    }
  }

  @Test("of which several in a row are empty are one there, and all together cover what lies between the first and the last")
  func outliers() async throws {
    let queue = try makeDatabase(
      "CREATE TABLE t(n INTEGER, r REAL, day TEXT)",
      "WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i WHERE i < 1000) INSERT INTO t SELECT i, i / 8.0, '2024-05-01' FROM i",
      "INSERT INTO t VALUES (1000000, -5e9, '1990-01-01'), (500000, 5e9, '2023-02-01')")
    for (column, expected) in [("n", [1000, 0, 1, 0, 1]), ("r", [1, 0, 1000, 0, 1]), ("day", [1, 0, 1, 1000])] {
      let request = CountRequest(InsightColumn(column), in: RowSet(.table(TableReference(name: "t"))), binning: .automatic)
      let counts = try await ReadConnections(queue).counts(request)
      let lines = counts.list(.ascending, 0..<counts.lines)
      #expect(lines.map(\.count) == expected, "\(lines)")
      #expect(counts.ranges == expected.count && counts.rows == 1002)
      let bins = lines.compactMap(\.value.bin)
      #expect(zip(bins, bins.dropFirst()).allSatisfy { $0.upper == $1.lower && !$0.includesUpper }, "\(bins)")
    }
  }

  @Test("leave infinities and texts by themselves")
  func others() async throws {
    let queue = try makeDatabase("CREATE TABLE t(a)", "INSERT INTO t VALUES (1), (2.5), (100), (9e999), (-9e999), (-9e999), ('x'), (NULL)")
    let connections = ReadConnections(foreground: queue, background: queue)
    let request = CountRequest(InsightColumn("a"), in: RowSet(.table(TableReference(name: "t"))), binning: .automatic)
    let counts = try await connections.counts(request)
    let lines = counts.list(.ascending, 0..<counts.lines)
    #expect(lines.prefix(2) == [ValueCount(.value(.null), 1), ValueCount(.value(.real(-.infinity)), 2)])
    #expect(lines.suffix(2) == [ValueCount(.value(.real(.infinity)), 1), ValueCount(.value("x"), 1)])
    #expect(lines.compactMap { $0.value.bin == nil ? nil : $0.count }.reduce(0, +) == 3)
    #expect(counts.ranges == lines.count { $0.value.bin != nil })
    // Of the values in a range one is known to be there; the infinities and the text are counted each.
    #expect(counts.distinct == .atLeast(3 + lines.count { $0.value.bin != nil && $0.count > 0 }))
    #expect(try await connections.counts(CountRequest(InsightColumn("a"), in: request.set)).ranges == nil)
    let profile = try await connections.profile(ProfileRequest(request.set))
    #expect(profile.columns[0].remarks.contains(.infinities(3)))
    #expect(profile.columns[0].histogram.reduce(0) { $0 + $1.count } == 3)
  }
}
