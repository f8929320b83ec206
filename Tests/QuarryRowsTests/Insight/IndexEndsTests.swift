import QuarryEngine
import QuarryRows
import Synchronization
import TestSupport
import Testing

@Suite("What indexes tell of the values of columns", .gated) struct IndexEndsTests {
  private static let set = RowSet(.table(TableReference(name: "t")))

  /// Makes a table of values of all storage classes, a third of them NULL, with an index of each kind.
  private static func makeTable(rows: Int) throws -> DatabaseQueue {
    try makeDatabase(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, up, down, folded TEXT COLLATE NOCASE, other TEXT COLLATE NOCASE, part, second, computed,
        long TEXT, none, u INTEGER UNIQUE, w TEXT COLLATE NOCASE UNIQUE)
      """,
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
      INSERT INTO t SELECT i + 7,
        CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN i WHEN 2 THEN -i - 0.5 WHEN 3 THEN 't' || i ELSE CAST('b' || i AS BLOB) END,
        CASE i % 3 WHEN 0 THEN NULL WHEN 1 THEN i ELSE -i * 1.5 END,
        CASE i % 3 WHEN 0 THEN NULL WHEN 1 THEN 'a' || (i % 900) ELSE 'Z' || i END, CASE i % 2 WHEN 0 THEN 'b' || i ELSE 'A' || i END,
        i, i, i, printf('%.300c', 'x') || (i % 7), NULL, i * 3, 'w' || i FROM n
      """,
      "CREATE INDEX up_i ON t(up)", "CREATE INDEX down_i ON t(down DESC, id)", "CREATE INDEX folded_i ON t(folded)",
      "CREATE INDEX other_i ON t(other COLLATE BINARY)", "CREATE INDEX part_i ON t(part) WHERE part > 10",
      "CREATE INDEX second_i ON t(up, second)", "CREATE INDEX computed_i ON t(-computed)", "CREATE INDEX long_i ON t(long)",
      "CREATE INDEX none_i ON t(none)")
  }

  @Test("are least and greatest as SQL finds them without an index, whatever its direction; no other index is taken")
  func ends() async throws {
    let queue = try Self.makeTable(rows: 500)
    try await queue.read { db in
      let schema = try db.tableSchema(TableReference(name: "t"))
      let ends = try IndexEnds(of: schema.rowSetColumns, in: schema, db).ends
      #expect(Set(ends.keys) == ["id", "up", "down", "folded", "long", "none", "u", "w"])
      for (name, found) in ends {
        let row = try #require(
          try Row.fetchOne(db, sql: "SELECT min(\(name)), max(\(name)) FROM t NOT INDEXED").map { row -> [DatabaseValue] in
            [try row[0], try row[1]]
          })
        let limit = FrequencyTable.prefixLimit
        let expected = row.map { value -> DatabaseValue in
          if case .text(let text) = value { .text(String(text.prefix(limit))) } else { value }
        }
        #expect(found.least == expected[0] && found.greatest == expected[1], "\(name)")
      }
    }
  }

  @Test("stand in a profile of a large table from its first report on, and are the same at its end")
  func reports() async throws {
    let queue = try Self.makeTable(rows: 30_000)
    let connections = ReadConnections(foreground: queue, background: queue)
    let reports = Mutex<[TableProfile]>([])
    let profile = try await connections.profile(ProfileRequest(Self.set)) { report in reports.withLock { $0.append(report) } }
    for report in reports.withLock(\.self) {
      for (column, last) in zip(report.columns, profile.columns) where ["id", "up", "down", "long", "u"].contains(column.name) {
        #expect(column.min == last.min && column.max == last.max, "\(column.name)")
      }
    }
    // A filter leaves out the rows that an index would tell of.
    let filter = RowFilter(Column<Int>("id") > 29_000)
    let narrowed = try await connections.profile(ProfileRequest(RowSet(.table(TableReference(name: "t")), filter: filter)))
    #expect(narrowed.columns[0].min == .integer(29_001))
  }

  @Test("are how many values a unique index keeps apart, with a filter too, and the quartiles of integers without gaps")
  func unique() async throws {
    let queue = try Self.makeTable(rows: 9_000)
    let connections = ReadConnections(foreground: queue, background: queue)
    let filters = [nil, RowFilter(Column<Int>("id") > 1_000)]
    for filter in filters {
      let set = RowSet(.table(TableReference(name: "t")), filter: filter)
      let names = ["id", "u", "w", "second"]
      let facets = try await connections.facets(FacetRequest(set, columns: names.map { InsightColumn($0) }))
      let rows = facets[0].rows
      #expect(facets.prefix(3).allSatisfy { $0.distinct == .exact(rows) } && !facets[3].distinct.isExact)
      for isExact in [false, true] {
        let profile = try await connections.profile(ProfileRequest(set, columns: names, isExact: isExact))
        #expect(profile.columns.prefix(3).allSatisfy { $0.distinct == .exact(rows) })
        #expect(profile.columns[3].distinct.isExact == isExact)
        try await queue.read { db in
          for (quarter, quartile) in zip([1, 2, 3], [profile.columns[0].p25, profile.columns[0].p50, profile.columns[0].p75]) {
            let sql = "SELECT id FROM t WHERE id > ? ORDER BY id LIMIT 1 OFFSET ?"
            let expected = try Int64.fetchOne(db, sql: sql, arguments: [filter == nil ? 0 : 1_000, (rows * quarter + 3) / 4 - 1])
            #expect(quartile == expected.map { Quartile(.integer($0)) })
          }
        }
      }
    }
  }
}
