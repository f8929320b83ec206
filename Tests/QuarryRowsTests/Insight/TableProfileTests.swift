import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("Profiles", .gated) struct TableProfileTests {
  @Test("say what plain SQL says, exactly or estimated", arguments: 0..<testRounds(24))
  func agreement(seed: Int) async throws {
    var random = SplitMix(seed: UInt64(seed))
    let oracle = try InsightOracle(rows: [0, 1, 60, 800].randomElement(using: &random) ?? 1, seed: UInt64(seed))
    for source in InsightOracle.sources {
      let set = RowSet(source, filter: InsightOracle.filter(&random))
      let profile = try await oracle.connections.profile(ProfileRequest(set, columns: InsightOracle.names, isExact: seed % 2 == 0))
      #expect(profile.isComplete)
      for column in profile.columns {
        let expected = try oracle.profile(column.name, in: set)
        Self.expect(column, expected, InsightOracle.collation(of: column.name, in: source))
        let counts = try oracle.counts(column.name, in: set, isBinary: true).filter { $0.value != .value(.null) }.map(\.count)
        #expect(column.top.map(\.count) == Array(counts.sorted(by: >).prefix(8)))
        #expect(column.histogram.count <= 8)
      }
    }
  }

  private static func expect(_ column: ColumnProfile, _ expected: ColumnProfile, _ collation: TextCollation) {
    #expect(column.rows == expected.rows && column.nulls == expected.nulls, "\(column.name)")
    #expect(column.integers == expected.integers && column.reals == expected.reals, "\(column.name)")
    #expect(column.texts == expected.texts && column.blobs == expected.blobs && column.empty == expected.empty, "\(column.name)")
    #expect(column.distinct == expected.distinct, "\(column.name)")
    #expect(column.min.normalized(collation) == expected.min.normalized(collation), "\(column.name)")
    #expect(column.max.normalized(collation) == expected.max.normalized(collation), "\(column.name)")
    #expect(column.minLength == expected.minLength && column.maxLength == expected.maxLength, "\(column.name)")
    for (quartile, expected) in zip([column.p25, column.p50, column.p75], [expected.p25, expected.p50, expected.p75]) {
      #expect(quartile?.value.normalized() == expected?.value.normalized() && quartile?.error == nil, "\(column.name)")
    }
    #expect(column.mean == expected.mean, "\(column.name)")
  }

  @Test("estimate what has many values within the error that they state, or find it exactly", arguments: [30_000, 200_000])
  func estimates(rows: Int) async throws {
    let queue = try makeDatabase(
      "CREATE TABLE t(a INTEGER, b REAL, c TEXT, d)",
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
      INSERT INTO t SELECT i * 7919 % 1000003, exp(i * 31 % 10007 / 1000.0), 'text ' || (i * 17 % 12345),
        CASE i % 4 WHEN 0 THEN i WHEN 1 THEN i + 0.5 WHEN 2 THEN 'd' || i ELSE CAST('d' || (i - 1) AS BLOB) END FROM n
      """)
    let connections = ReadConnections(foreground: queue, background: queue)
    let set = RowSet(.table(TableReference(name: "t")))
    let (estimated, exact) = try await (
      connections.profile(ProfileRequest(set)), connections.profile(ProfileRequest(set, isExact: true))
    )
    for (column, exact) in zip(estimated.columns, exact.columns) {
      let counted = try await connections.counts(CountRequest(InsightColumn(column.name), in: set))
      #expect(exact.distinct == counted.distinct, "\(column.name)")
      guard case .estimated(let distinct, let error) = column.distinct else {
        Issue.record("\(column.name) has too few values")
        continue
      }
      // The error holds for nineteen of twenty: twice as much is never seen.
      #expect(Double(abs(distinct - exact.distinct.value)) <= 2 * error * Double(exact.distinct.value), "\(column.name)")
      for (quartile, exact) in zip([column.p25, column.p50, column.p75], [exact.p25, exact.p50, exact.p75]) {
        guard let quartile, let exact, let value = quartile.value.number, let other = exact.value.number else { continue }
        #expect(exact.error == nil)
        #expect((value - other).magnitude <= (quartile.error ?? 0) * value.magnitude + 1e-9, "\(column.name)")
        #expect((quartile.error ?? 0) < 0.01)
      }
      #expect(column.histogram == exact.histogram)
      #expect(column.histogram.reduce(0) { $0 + $1.count } == column.integers + column.reals)
    }
    try await queue.read { db in
      for (name, column) in zip(["a", "b", "d"], [exact.columns[0], exact.columns[1], exact.columns[3]]) {
        let numbers = "FROM t WHERE typeof(\(name)) IN ('integer', 'real')"
        let count = try Int.fetchOne(db, sql: "SELECT count(*) \(numbers)") ?? 0
        for (quarter, quartile) in zip([1, 2, 3], [column.p25, column.p50, column.p75]) {
          let sql = "SELECT \(name) \(numbers) ORDER BY \(name) LIMIT 1 OFFSET \((count * quarter + 3) / 4 - 1)"
          #expect(try Double.fetchOne(db, sql: sql) == quartile?.value.number, "\(name)")
        }
      }
    }
  }

  @Test("remark what is worth a second look")
  func remarks() async throws {
    let queue = try makeDatabase(
      "PRAGMA foreign_keys = OFF", "CREATE TABLE parent(id INTEGER PRIMARY KEY)", "INSERT INTO parent VALUES (1), (2)",
      "CREATE TABLE t(id, number TEXT, day, name TEXT, parent INTEGER REFERENCES parent(id), code TEXT)",
      """
      INSERT INTO t VALUES (1, '10', '2024-05-01', ' a', 1, 'x'), (2, '2.5', '2024-05-02T10:00:00', 'b', 7, CAST(x'ff' AS TEXT)),
        (2, '-3e5', '2024-05-03 10:00', 'c ', 8, 'y'), (NULL, '4', '2024-05-04', 'd', NULL, 'z')
      """)
    let connections = ReadConnections(foreground: queue, background: queue)
    let profile = try await connections.profile(ProfileRequest(RowSet(.table(TableReference(name: "t")))))
    let remarks = Dictionary(uniqueKeysWithValues: profile.columns.map { ($0.name, $0.remarks) })
    #expect(remarks["id"] == [.repeatedKey(rows: 3)])
    #expect(remarks["number"] == [.numbersAsText(4)])
    #expect(remarks["day"] == [.dateForms(["2024-05-01", "2024-05-01 10:00", "2024-05-01T10:00"])])
    #expect(remarks["name"] == [.blanks(2)])
    #expect(remarks["parent"] == [.missingParents(rows: 2, table: "parent")])
    #expect(remarks["code"] == [.malformedTexts(1)])
    #expect(profile.columns[2].dates == .text)
    #expect(ColumnRemark.missingParents(rows: 2, table: "parent").sentence == "2 rows without a referenced row in parent")
  }

  @Test("remark dates with the year last beside others, and none of what only looks like them")
  func yearLast() async throws {
    let queue = try makeDatabase(
      "CREATE TABLE t(day, local, part)",
      """
      INSERT INTO t VALUES ('2024-05-01', '1.5.2024', '2024-05-01'), ('31.12.2024', '02.05.2024', '10.20.3000.1'),
        ('12/31/2024', '3.5.2024', '99/12/2024'), ('1/2/2024', '31.12.1999', '1./2.2024'), ('2024-05-02', '4.5.2024', '123.1.2024')
      """)
    let profile = try await ReadConnections(queue).profile(ProfileRequest(RowSet(.table(TableReference(name: "t")))))
    #expect(profile.columns.map(\.remarks) == [[.dateForms(["2024-05-01", "01.05.2024", "01/05/2024"])], [], []])
  }

  @Test(
    "tell texts apart by their bytes, and find the ends as min() and max() do, whatever an index compares by", arguments: [true, false])
  func collations(isExact: Bool) async throws {
    let queue = try makeDatabase(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, n TEXT COLLATE NOCASE, r TEXT COLLATE RTRIM, b TEXT)",
      "CREATE UNIQUE INDEX bytes ON t(n COLLATE BINARY)", "CREATE UNIQUE INDEX folded ON t(b COLLATE NOCASE)",
      "INSERT INTO t(n, r, b) VALUES ('b', 'x', 'p'), ('A', 'x ', 'q'), ('a', 'y', 'r'), ('B', 'y  ', 's'), ('C', 'y', 't')")
    let profile = try await ReadConnections(queue).profile(
      ProfileRequest(RowSet(.table(TableReference(name: "t"))), isExact: isExact))
    #expect(profile.columns.map(\.distinct) == [.exact(5), .exact(5), .exact(4), .exact(5)])
    #expect(profile.columns[1].min.normalized(.nocase) == "a" && profile.columns[1].max == "C")
    #expect(profile.columns[2].top.map(\.count) == [2, 1, 1, 1])
  }

  @Test("take all NULL, one value, no row, and as many columns as SQLite has")
  func extremes() async throws {
    let names = (0..<2000).map { "c\($0)" }
    let queue = try makeDatabase(
      "CREATE TABLE nil(a, b)", "INSERT INTO nil VALUES (NULL, 7), (NULL, 7)", "CREATE TABLE empty(a)",
      "CREATE TABLE wide(\(names.joined(separator: ", ")))",
      "INSERT INTO wide(c0, c99, c100, c1999) VALUES (1, 'a', x'00', 2.5), (2, 'b', x'01', 3.5)")
    let connections = ReadConnections(foreground: queue, background: queue)
    func profile(_ table: String) async throws -> TableProfile {
      try await connections.profile(ProfileRequest(RowSet(.table(TableReference(name: table))), isExact: true))
    }
    let nothing = try await profile("nil").columns
    #expect(nothing[0].nulls == 2 && nothing[0].distinct == .exact(0) && nothing[0].min == .null && nothing[0].histogram.isEmpty)
    #expect(nothing[1].distinct == .exact(1) && nothing[1].p50 == Quartile(7) && nothing[1].histogram.map(\.count) == [2])
    let empty = try await profile("empty")
    #expect(empty.rows == 0 && empty.columns[0].mean == nil)
    let wide = try await profile("wide").columns
    #expect(wide.count == 2000)
    #expect(wide[0].p25 == Quartile(1) && wide[99].max == "b" && wide[100].blobs == 2 && wide[1999].mean == 3)
    #expect(wide[1000].nulls == 2)
  }
}
