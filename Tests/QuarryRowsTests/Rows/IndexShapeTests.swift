import Foundation
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// Conditions that SQLite serves from indexes of all shapes, by which it may find rows in another order than that of their rowids.
@Suite("Rows found by an index", .gated) struct IndexShapeTests {
  private static let id = Column<Int>("id")
  private static let a = Column<Int?>("a")
  private static let b = Column<Int?>("b")
  private static let c = Column<String?>("c")
  private static let d = Column<Int?>("d")

  private static func makeTable(_ tail: String = "", key: String = "id INTEGER PRIMARY KEY") throws -> DatabaseQueue {
    try makeDatabase(
      "CREATE TABLE t(\(key), a INTEGER, b INTEGER, c TEXT, d INTEGER, e INTEGER)\(tail)",
      """
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 599)
      INSERT INTO t SELECT (i * 7919) % 1200 - 300, i % 5, (i * 31) % 13, CASE i % 4 WHEN 0 THEN NULL ELSE char(97 + i * 7 % 11) END,
        (i * 17) % 23, i % 3
      FROM n
      """,
      "CREATE INDEX t_a_b ON t(a, b)", "CREATE INDEX t_c ON t(c DESC)", "CREATE INDEX t_d ON t(d) WHERE e = 1",
      "CREATE INDEX t_sum ON t(b + d)", "CREATE INDEX t_b_c_d ON t(b, c DESC, d)")
  }

  static let filters: [RowFilter?] = [
    nil, RowFilter(a == 3), RowFilter(a.in([1, 2])), RowFilter(a == 1 || a == 2), RowFilter(a == 1 || c == "b"),
    RowFilter(b.between(2, and: 4)),
    RowFilter(a == 1 && b == 3), RowFilter(a == 1 && b > 3), RowFilter(b == 2 && c == "d"), RowFilter(b == 4), RowFilter(c == nil),
    RowFilter(c > "d"), RowFilter(c.in(["a", "e", "k"])), RowFilter(d > 4 && Column<Int>("e") == 1),
    RowFilter(d.in([4, 5]) && Column<Int>("e") == 1), RowFilter(b + d == 12), RowFilter(b + d > 20), RowFilter((b + d).in([3, 9])),
    RowFilter(a == 77), RowFilter(id.in([1, 2])), RowFilter(id == 5 || id == 3),
  ]

  private static let orders: [RowOrder] = [
    .natural, RowOrder([id]), RowOrder([id.desc()]), RowOrder([b]), RowOrder([c.desc(), b]), RowOrder([a, b, c]),
    RowOrder([b + d]), RowOrder([Column<Int>("e").desc()]),
  ]

  private func check(_ queue: DatabaseQueue, _ filter: RowFilter?) async throws {
    for order in Self.orders {
      let set = RowSet(.table(TableReference(name: "t")), filter: filter, order: order)
      let terms = order.isNatural ? "id" : "\(order.sqlText.queryString), id"
      let sql = "SELECT * FROM t" + (filter.map { " WHERE \($0.sqlText.queryString)" } ?? "") + " ORDER BY \(terms)"
      let oracle = RowOracle(set, queue, sql: sql)
      let count = try oracle.count()
      try await oracle.walk(by: 97)
      #expect(try await oracle.reader.count() == .exact(count))
      await oracle.reader.numbersAreKnown()
      try await oracle.walk(by: 97)
      try await oracle.jump(to: [0, count / 2, count])
    }
  }

  @Test("are those that plain SQL gives, in each order, on a rowid table", arguments: filters)
  func rowIDTable(_ filter: RowFilter?) async throws {
    try await check(Self.makeTable(), filter)
  }

  @Test("are those that plain SQL gives, in each order, on a WITHOUT ROWID table", arguments: filters)
  func withoutRowID(_ filter: RowFilter?) async throws {
    try await check(Self.makeTable(" WITHOUT ROWID", key: "id INT PRIMARY KEY"), filter)
  }

  @Test("are sorted by their rowids where the index gives them in another order")
  func rowIDOrder() async throws {
    let set = RowSet(.table(TableReference(name: "t")), filter: RowFilter(Self.a.in([1, 2])))
    let queue = try Self.makeTable()
    let plan = try await RowReader(set, on: ReadConnections(foreground: queue, background: queue)).plan()
    #expect(plan.sorts)
    #expect(plan.index == "t_a_b")
  }

  @Test("are those that plain SQL gives where rowids take all of their 64 bits")
  func largeRowIDs() async throws {
    let queue = try makeDatabase(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b)",
      "INSERT INTO t VALUES (-9223372036854775808, 1, 2), (9223372036854775807, 1, 1), (9223372036854775806, 2, 0), (0, 2, 9), (-1, 1, 3)",
      "CREATE INDEX t_a_b ON t(a, b)")
    let set = RowSet(.table(TableReference(name: "t")), filter: RowFilter(Self.a.in([1, 2])))
    try await RowOracle(set, queue, sql: "SELECT * FROM t WHERE a IN (1, 2) ORDER BY id").walk(by: 2)
  }
}

@Suite("A damaged table whose rowids are out of order", .gated) struct DamagedOrderTests {
  private static let name = Column<String>("name")

  /// Makes a file whose last row, which had the rowid 20, says 5.
  private func damaged(in folder: URL) throws -> DatabaseQueue {
    let path = try makeDatabaseFile(
      in: folder, "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT)", "INSERT INTO t VALUES (10, 'aaaa'), (20, 'bbbb')")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    // The rowid, the size of the record's header, NULL for the column that is the rowid, and a text of four bytes.
    let range = try #require(bytes.range(of: Data([20, 3, 0, 21] + Array("bbbb".utf8))))
    bytes[range.lowerBound] = 5
    try bytes.write(to: URL(fileURLWithPath: path))
    return try DatabaseQueue(path: path)
  }

  @Test("is read, searched and sorted to its end", arguments: [nil, RowFilter(name.like("%"))], [.natural, RowOrder([name])])
  func rows(filter: RowFilter?, order: RowOrder) async throws {
    try await withTemporaryFolder { folder in
      let queue = try damaged(in: folder)
      let set = RowSet(.table(TableReference(name: "t")), filter: filter, order: order)
      let reader = RowReader(set, on: ReadConnections(foreground: queue, background: queue))
      // A row is found by its rowid only where that is in order.
      #expect(try await reader.page(PageRequest(.first, limit: 10)).rows.count <= 2)
      #expect(try await reader.count() == .exact(2))
      #expect(try await reader.find(.text("zz"), columns: [1], from: nil, backwards: false) == nil)
    }
  }
}
