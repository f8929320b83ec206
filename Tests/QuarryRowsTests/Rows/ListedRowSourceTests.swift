import Foundation
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite(.gated) struct ListedRowSourceTests {
  /// Makes 1,500 rows of every storage class, with NULLs and many equal values, and indexes on some columns.
  static func makeTable(_ tail: String = "", key: String = "id INTEGER PRIMARY KEY") throws -> DatabaseQueue {
    try makeDatabase(
      "CREATE TABLE t(\(key), a, b INTEGER, c TEXT COLLATE NOCASE, d REAL, e TEXT)\(tail)",
      """
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1499)
      INSERT INTO t SELECT i * 3 - 4000,
        CASE i % 6 WHEN 0 THEN NULL WHEN 1 THEN i % 40 WHEN 2 THEN (i % 50) / 3.0 WHEN 3 THEN 'é' || (i % 30) WHEN 4 THEN (i % 40) || ''
          ELSE CAST(i % 20 AS BLOB) END,
        CASE WHEN i % 17 = 0 THEN NULL ELSE (i * 7919) % 200 END,
        CASE i % 9 WHEN 0 THEN NULL ELSE char(65 + i % 3, 97 + i % 5, 65 + i % 7 + 32 * (i % 2)) END,
        CASE i % 11 WHEN 0 THEN NULL ELSE (i * 31) % 997 / 4.0 END,
        CASE WHEN i % 50 = 1 THEN CAST(x'ff41' AS TEXT) ELSE 'e' || (i % 300) END
      FROM n
      """,
      "CREATE INDEX tb ON t(b)", "CREATE INDEX tcd ON t(c, d DESC)", "CREATE INDEX te ON t(e)")
  }

  private static let a = Column<DatabaseValue>("a")
  private static let b = Column<Int?>("b")
  private static let c = Column<String?>("c")
  private static let d = Column<Double?>("d")
  private static let e = Column<String?>("e")

  static let orders: [RowOrder] = [
    .natural, RowOrder([b]), RowOrder([b.desc()]), RowOrder([b.desc(nulls: .first)]), RowOrder([b.asc(nulls: .last)]),
    RowOrder([a]), RowOrder([a.desc()]), RowOrder([a.desc(nulls: .first), b]), RowOrder([c, d.desc()]), RowOrder([c.desc(), d]),
    RowOrder([c.collate(.binary), b.desc()]), RowOrder([d.asc(nulls: .last), c.desc(nulls: .first)]), RowOrder([e.desc(), b]),
    RowOrder([Column<Int>("id").desc()]), RowOrder([Column<Int>("id")]), RowOrder([b + 5, c.collate(.rtrim)]), RowOrder([e]),
  ]

  static let filters: [RowFilter?] = [
    nil, RowFilter(b > 100), RowFilter(b == 3), RowFilter(c == "aBc" || d < 20), RowFilter(a == nil), RowFilter(b < 0),
    RowFilter(b > 5 && e != "e7"),
  ]

  /// Returns none and two other filters, each in its turn.
  private static func filters(with order: RowOrder) -> [RowFilter?] {
    let place = orders.firstIndex(of: order) ?? 0
    return [nil, filters[1 + place % (filters.count - 1)], filters[1 + (place + 2) % (filters.count - 1)]]
  }

  private static func sql(_ order: RowOrder, _ filter: RowFilter?, key: String) -> String {
    "SELECT * FROM t" + (filter.map { " WHERE \($0.sqlText.queryString)" } ?? "") + " ORDER BY "
      + (order.isNatural ? "" : order.sqlText.queryString + ", ") + key
  }

  private func check(_ queue: DatabaseQueue, _ order: RowOrder, _ filter: RowFilter?, key: String, by limit: Int) async throws {
    let set = RowSet(.table(TableReference(name: "t")), filter: filter, order: order)
    let oracle = RowOracle(set, queue, sql: Self.sql(order, filter, key: key))
    let count = try oracle.count()
    #expect(try await oracle.reader.count() == .exact(count))
    await oracle.reader.numbersAreKnown()
    try await oracle.walk(by: limit)
    try await oracle.jump(to: [0, 1, count / 2, count - 1, count, .max].filter { $0 >= 0 })
  }

  @Test("Every order, with and without a filter, is what plain SQL says, on a rowid table", arguments: orders)
  func rowIDTable(_ order: RowOrder) async throws {
    let queue = try Self.makeTable()
    for filter in Self.filters(with: order) { try await check(queue, order, filter, key: "id", by: 400) }
  }

  @Test("Every order, with and without a filter, is what plain SQL says, on a WITHOUT ROWID table", arguments: orders)
  func withoutRowID(_ order: RowOrder) async throws {
    let queue = try Self.makeTable(" WITHOUT ROWID", key: "id INT PRIMARY KEY DESC")
    for filter in Self.filters(with: order) { try await check(queue, order, filter, key: "id DESC", by: 400) }
  }

  @Test("Pages by key are right before any row's number is known", arguments: orders)
  func beforeTheList(_ order: RowOrder) throws {
    let queue = try Self.makeTable()
    for filter in Self.filters {
      let set = RowSet(.table(TableReference(name: "t")), filter: filter, order: order)
      let sql = Self.sql(order, filter, key: "id")
      guard case .ordered(let rows) = try queue.read({ try AccessPath(of: set, in: $0) }) else { continue }
      let expected = try queue.read { try Int64.fetchAll($0, sql: "SELECT id FROM (\(sql))").map { RowKey.rowID($0) } }
      try queue.read { db in
        let soon = ContinuousClock.now + Waiting.limit
        for limit in [1, 7, 100] {
          for index in stride(from: 0, to: expected.count, by: 211) {
            let pages = try [.after(expected[index]), .from(expected[index]), .before(expected[index])].map {
              try rows.run($0, at: rows.place(of: expected[index], in: db), limit: limit, until: soon, in: db)
            }
            let ends = [(index + 1, index + 1 + limit), (index, index + limit), (index - limit, index)].map {
              max(0, $0.0)..<min(expected.count, $0.1)
            }
            let right = ends.map {
              KeyRun(keys: Array(expected[$0]), reachesStart: $0.lowerBound == 0, reachesEnd: $0.upperBound == expected.count)
            }
            #expect(pages == right, "row \(index) of \(sql)")
          }
        }
        #expect(try rows.run(.last, at: nil, limit: 9, until: soon, in: db).keys == Array(expected.suffix(9)))
        let fifth = expected.count > 5 ? expected[5...] : expected.suffix(1)
        #expect(try rows.run(.number(5), at: nil, limit: 9, until: soon, in: db).keys == Array(fifth.prefix(9)))
      }
    }
  }
}

/// Databases that nobody here wrote; they lie beside the package, and not on every machine.
private let samples: URL = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .appendingPathComponent("../shared/data").standardized

private func hasSample(_ name: String) -> Bool {
  FileManager.default.fileExists(atPath: samples.appendingPathComponent(name).path)
}

@Suite(.gated) struct SampleDatabaseTests {
  @Test(
    "Every table and view of a sample is walked forward and backward, and equals what plain SQL says",
    arguments: ["chinook.db", "northwind.db"])
  func walking(sample: String) async throws {
    guard hasSample(sample) else {
      print("skipped: there is no ../shared/data/\(sample)")
      return
    }
    var configuration = Configuration()
    configuration.isReadonly = true
    let queue = try DatabaseQueue(path: samples.appendingPathComponent(sample).path, configuration: configuration)
    let entries = try await queue.read { try $0.catalog().databases[0].entries }
    #expect(entries.count > 10)
    for entry in entries {
      let schema = try await queue.read { try $0.tableSchema(entry.reference) }
      #expect(schema.problem == nil && schema.columns.count == entry.columnCount)
      let order = schema.entry.kind == .view ? "" : " ORDER BY rowid"
      let oracle = RowOracle(RowSet(.table(entry.reference)), queue, sql: "SELECT * FROM \(entry.reference.sql)\(order)")
      try await oracle.walk(by: max(50, oracle.count() / 20))
    }
  }
}
