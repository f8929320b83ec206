import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("Ranges of an index", .gated) struct IndexRangesTests {
  private static let columns = ["id", "a", "b", "c", "d"]
  private static let table = TableReference(name: "t")

  /// Which of the texts that are the same is told depends on which is read first.
  private static func collation(of column: String) -> TextCollation { column == "b" ? .nocase : .binary }

  /// Makes a table that is large enough for an index to be worth it, with values of all storage classes, and texts that differ in case.
  private func makeTable() throws -> DatabaseQueue {
    try makeDatabase(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b TEXT COLLATE NOCASE, c REAL, d NUMERIC, e INTEGER)",
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 21000)
      INSERT INTO t SELECT i * 3,
        CASE i % 7 WHEN 0 THEN NULL WHEN 1 THEN i * 7919 % 1009 WHEN 2 THEN i * 7919 % 1009 / 4.0 WHEN 3 THEN 'text ' || (i * 31 % 977)
          WHEN 4 THEN CAST('blob ' || (i * 17 % 499) AS BLOB) WHEN 5 THEN CAST(x'ff' || (i % 13) AS TEXT) ELSE '' END,
        CASE i % 3 WHEN 0 THEN 'Name ' WHEN 1 THEN 'NAME ' ELSE 'name ' END || (i * 13 % 401),
        CASE WHEN i % 5 THEN i * 7919 % 503 ELSE i / 8.0 END, CASE i % 4 WHEN 0 THEN NULL WHEN 1 THEN '12' || (i % 97) ELSE 'd' || (i % 89) END,
        i FROM n
      """)
  }

  private func counts(_ column: String, in queue: DatabaseQueue) async throws -> [ValueCount] {
    let connections = ReadConnections(foreground: queue, background: queue)
    let counts = try await connections.counts(CountRequest(InsightColumn(column), in: RowSet(.table(Self.table))))
    #expect(counts.rows == 21_000)
    return counts.list(.ascending, 0..<counts.lines).map { $0.normalized(Self.collation(of: column)) }
  }

  /// Returns what is read of an index for a column; nil where the table itself is read.
  private func ranges(reading column: String, in queue: DatabaseQueue) async throws -> IndexRanges? {
    try await queue.read { db in
      let schema = try db.tableSchema(Self.table)
      let rows = try #require(KeysetRows(schema, in: db))
      let (id, bounds) = try (#require(rows.rowIDColumn), #require(try rows.rowIDBounds(in: db)))
      return try IndexRanges(reading: ["\(identifier: column)"], of: schema, rows, id: id, bounds, in: db)
    }
  }

  @Test("divide the rows of one value as well, and lead to each row once")
  func fewValues() async throws {
    let queue = try makeDatabase(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b TEXT, c TEXT, d TEXT)",
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
      INSERT INTO t(id, a) SELECT i * 3, CASE i % 4 WHEN 0 THEN NULL WHEN 1 THEN 'rare ' || i % 1000 ELSE 'value' END FROM n
      """, "CREATE INDEX i ON t(a)")
    let conditions = try #require(try await ranges(reading: "a", in: queue)).conditions
    let counts = try await queue.read { db in
      try conditions.map { condition in
        var count = 0
        try db.scan("SELECT count(*) FROM t WHERE \(condition)") { statement in
          count = try Int(statement.columnInteger(at: 0))
          return false
        }
        return count
      }
    }
    #expect(counts.reduce(0, +) == 200_000)
    #expect(counts.allSatisfy { $0 <= 40_000 })
  }

  @Test(
    "give the counts of the table itself, whatever the index is sorted by",
    arguments: [
      ("CREATE INDEX i ON t(a)", ["a", "id"]), ("CREATE INDEX i ON t(a DESC)", ["a", "id"]), ("CREATE INDEX i ON t(b)", ["b", "id"]),
      ("CREATE INDEX i ON t(c)", ["c", "id"]),
      ("CREATE INDEX i ON t(d, b)", ["d", "b", "id"]), ("CREATE UNIQUE INDEX i ON t(a, id)", ["a", "id"]),
      ("CREATE INDEX i ON t(b COLLATE BINARY)", []), ("CREATE INDEX i ON t(a COLLATE NOCASE)", []),
      ("CREATE INDEX i ON t(a) WHERE a IS NOT NULL", []), ("CREATE INDEX i ON t(a + 1, a)", []),
    ])
  func agreement(index: String, served: [String]) async throws {
    let queue = try makeTable()
    var expected: [String: [ValueCount]] = [:]
    for column in Self.columns { expected[column] = try await counts(column, in: queue) }
    try await queue.write { try $0.execute(sql: index) }
    for column in Self.columns {
      #expect(try await counts(column, in: queue) == expected[column], "\(column)")
      let ranges = try await ranges(reading: column, in: queue)
      #expect((ranges != nil) == served.contains(column), "\(column)")
    }
  }

  @Test("have each row in exactly one of them")
  func partition() async throws {
    let queue = try makeTable()
    try await queue.write { try $0.execute(sql: "CREATE INDEX i ON t(b); CREATE INDEX j ON t(a); CREATE INDEX k ON t(d)") }
    for column in ["a", "b", "d"] {
      let conditions = try #require(try await ranges(reading: column, in: queue)).conditions
      #expect(conditions.count > 30, "\(column)")
      let sum = conditions.map { "(\($0))" as SQLText }.joined(by: " + ")
      try await queue.read { db in
        var rows = 0
        try db.scan("SELECT count(*) FROM t WHERE ifnull(\(sum), 1) = 1") { statement in
          rows = Int(try statement.columnInteger(at: 0))
          return false
        }
        #expect(rows == 21_000, "\(column)")
      }
    }
  }

  @Test("give the profile of the table itself")
  func profile() async throws {
    let queue = try makeTable()
    let connections = ReadConnections(foreground: queue, background: queue)
    func profile(_ column: String) async throws -> ColumnProfile {
      var profile = try await connections.profile(ProfileRequest(RowSet(.table(Self.table)), columns: [column], isExact: true)).columns[0]
      // The order of addition.
      profile.mean = profile.mean.map { ($0 * 1e6).rounded() }
      let collation = Self.collation(of: column)
      (profile.min, profile.max) = (profile.min.normalized(collation), profile.max.normalized(collation))
      profile.top = profile.top.map { $0.normalized(collation) }
      return profile
    }
    for column in ["a", "b", "c"] {
      let expected = try await profile(column)
      try await queue.write { try $0.execute(sql: "CREATE INDEX \(column)_i ON t(\(column))") }
      #expect(try await ranges(reading: column, in: queue) != nil)
      var found = try await profile(column)
      // Those that come first are kept where many occur as often.
      if found.top.map(\.count) == expected.top.map(\.count) { found.top = expected.top }
      #expect(found == expected, "\(column)")
    }
  }

  @Test("are not looked for where rows are narrowed, or a column is not in the index")
  func narrowed() async throws {
    let queue = try makeTable()
    try await queue.write { try $0.execute(sql: "CREATE INDEX i ON t(a)") }
    #expect(try await ranges(reading: "e", in: queue) == nil)
    let connections = ReadConnections(foreground: queue, background: queue)
    let filter = RowFilter(Column<Int>("e") <= 700)
    let counts = try await connections.counts(CountRequest(InsightColumn("a"), in: RowSet(.table(Self.table), filter: filter)))
    #expect(counts.rows == 700)
  }
}
