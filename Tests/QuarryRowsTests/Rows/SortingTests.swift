import TestSupport
import Testing

@testable import QuarryEngine
@testable import QuarryRows

@Suite("Rows sorted outside of SQLite", .gated) struct SortingTests {
  private static let values = [
    "NULL", "0", "-0.0", "1", "1.0", "-1", "0.5", "9007199254740992", "9007199254740993", "9007199254740993.0", "-9007199254740993",
    "9223372036854775807", "9223372036854775806", "9223372036854775808.0", "-9223372036854775808", "9e999", "-9e999", "1e300", "-1e-300",
    "''", "' '", "'a'", "'A'", "'a '", "'ab'", "'aB  '", "'abcdef'", "'abcdeF'", "'abcdefg'", "'ABCDEFH'", "'abcdef '", "'é'", "'日本語の'",
    "'z'", "CAST(x'ff' AS TEXT)", "CAST(x'6100' AS TEXT)", "CAST(x'610000' AS TEXT)", "CAST(x'610062' AS TEXT)",
    "CAST(x'616263646566006768' AS TEXT)", "CAST(x'6162630065666768' AS TEXT)", "x''", "x'00'", "x'0000'", "x'61'", "x'616263646566'",
    "x'61626364656667'", "x'ffffffffffffff'",
  ]

  /// Makes a table with each of the values beside each, in an order that is none.
  private static func table(encoding: String = "UTF-8") throws -> DatabaseQueue {
    let list = values.enumerated().map { "(\($0), \($1))" }.joined(separator: ", ")
    return try makeDatabase(
      "PRAGMA encoding = '\(encoding)'", "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b, c TEXT COLLATE NOCASE)",
      """
      WITH v(n, x) AS (VALUES \(list))
      INSERT INTO t SELECT (one.n * \(values.count) + other.n) * 7919 % 100003 - 50000, one.x, other.x,
        CASE WHEN instr(CAST(other.x AS BLOB), x'00') > 0 THEN 'zero' ELSE other.x END FROM v one, v other
      """)
  }

  private static func rows(_ order: RowOrder, filter: RowFilter? = nil, in db: Database) throws -> OrderedQuery {
    let set = RowSet(.table(TableReference(name: "t")), filter: filter, order: order)
    guard case .ordered(let rows) = try AccessPath(of: set, in: db) else { throw SortRefusal() }
    #expect(rows.isSorted)
    return rows
  }

  /// Reads the rows in order; nil where the sorting is left to SQLite.
  private static func read(
    _ rows: OrderedQuery, in db: Database, memory: Int = .max, runLimit: Int = 100, around focus: Int64? = nil, bounds: RowIDBounds? = nil
  ) throws -> (runs: [SortedRun], selection: RowSelection)? {
    let list = try KeyList(state: .unknown, width: nil, focus: focus.map(RowKey.rowID))
    let bounds = try #require(try bounds ?? rows.table.rowIDBounds(in: db))
    let scan = try SortScan(
      rows, into: list, bounds: bounds, total: 1, limits: SortLimits(memory: memory, run: runLimit, reach: 20), in: db)
    do { try scan.work(in: db) } catch is SortRefusal { return nil }
    return scan.finish()
  }

  /// Returns the rowids that are sorted here; nil where that is left to SQLite.
  private static func sorted(_ rows: OrderedQuery, in db: Database, memory: Int = .max, runLimit: Int = 100, bounds: RowIDBounds? = nil)
    throws -> [Int64]?
  {
    guard let runs = try read(rows, in: db, memory: memory, runLimit: runLimit, bounds: bounds)?.runs else { return nil }
    for run in runs { run.sort() }
    var merge = SortMerge(runs)
    return Array(
      sequence(state: merge.next()) { next in
        defer { next = merge.next() }
        return next
      })
  }

  private static let a = Column<DatabaseValue>("a")
  private static let b = Column<DatabaseValue>("b")
  private static let c = Column<String?>("c")

  static let orders: [RowOrder] = [
    RowOrder([a]), RowOrder([a.desc()]), RowOrder([a.asc(nulls: .last)]), RowOrder([a.desc(nulls: .first)]), RowOrder([c]),
    RowOrder([c.desc()]), RowOrder([c.collate(.binary)]), RowOrder([c.collate(.rtrim).desc()]), RowOrder([c.collate(.rtrim)]),
    RowOrder([a, b]), RowOrder([a.desc(), b]), RowOrder([a, b.desc()]), RowOrder([a.desc(nulls: .first), b.desc(nulls: .first)]),
    RowOrder([c, b.asc(nulls: .last)]), RowOrder([c.collate(.rtrim), b.desc(), c.desc()]), RowOrder([b, c.collate(.rtrim).desc()]),
  ]

  @Test("stand as SQLite sorts them, whatever their values, directions and collations are", arguments: orders)
  func order(_ order: RowOrder) throws {
    try Self.table().read { db in
      let expected = try Int64.fetchAll(db, sql: "SELECT id FROM t ORDER BY \(order.sqlText.queryString), id")
      for runLimit in [100, 100_000] {
        let sorted = try Self.sorted(Self.rows(order, in: db), in: db, runLimit: runLimit)
        #expect(sorted == expected)
      }
      let wide = RowIDBounds(least: .min, greatest: .max)
      let sorted = try Self.sorted(Self.rows(order, in: db), in: db, bounds: wide)
      #expect(sorted == expected, "by rowids that lie far apart")
    }
  }

  @Test("are known at both ends and around a row before all are sorted", arguments: orders)
  func selection(_ order: RowOrder) throws {
    try Self.table().read { db in
      let expected = try Int64.fetchAll(db, sql: "SELECT id FROM t ORDER BY \(order.sqlText.queryString), id")
      let end = RowExcerpt(first: expected.count - 20, ids: expected.suffix(20))
      for place in [0, 1, 6, 1000, expected.count - 3, expected.count - 1] {
        let read = try #require(try Self.read(Self.rows(order, in: db), in: db, around: expected[place]))
        #expect(read.selection.total == expected.count)
        let around = max(0, place - 20)..<min(expected.count, place + 21)
        #expect(
          read.selection.excerpts == [
            RowExcerpt(first: 0, ids: Array(expected[..<20])), end, RowExcerpt(first: around.lowerBound, ids: Array(expected[around])),
          ])
      }
      let read = try #require(try Self.read(Self.rows(order, in: db), in: db, around: 200_000))
      #expect(read.selection.excerpts == [RowExcerpt(first: 0, ids: Array(expected[..<20])), end])
    }
  }

  @Test("are read first, which is told of how many there are")
  func progress() throws {
    let list = try KeyList(state: .unknown, width: nil)
    list.set(total: 10)
    list.set(read: 4)
    #expect(list.progress == RowProgress(rows: 4, total: 10))
    list.set(read: 6, of: 12)
    #expect(list.progress == RowProgress(rows: 6, total: 12))
  }

  @Test("are those that a filter keeps")
  func filtered() throws {
    try Self.table().read { db in
      let rows = try Self.rows(RowOrder([Self.b]), filter: RowFilter(Column<Int>("id") > 100), in: db)
      let expected = try Int64.fetchAll(db, sql: "SELECT id FROM t WHERE id > 100 ORDER BY b, id")
      let sorted = try Self.sorted(rows, in: db)
      #expect(sorted == expected)
    }
  }

  @Test("may be sorted by expressions, whose texts, with a collation that is not known, are left to SQLite")
  func expressions() throws {
    try Self.table().read { db in
      let numbers = try Self.sorted(Self.rows(RowOrder([Self.c.length()]), in: db), in: db)
      let expected = try Int64.fetchAll(db, sql: "SELECT id FROM t ORDER BY length(c), id")
      #expect(numbers == expected)
      let texts = try Self.sorted(Self.rows(RowOrder([Self.c.lower()]), in: db), in: db)
      #expect(texts == nil)
    }
  }

  @Test("are left to SQLite where NOCASE compares texts up to a NUL alone")
  func zeros() throws {
    let order = RowOrder([Column<String?>("b").collate(.nocase)])
    let sorted = try Self.table().read { db in try Self.sorted(Self.rows(order, in: db), in: db) }
    #expect(sorted == nil)
  }

  @Test("are left to SQLite where texts are kept in another encoding, whose bytes have another order")
  func encoding() throws {
    let sorted = try Self.table(encoding: "UTF-16").read { db in try Self.sorted(Self.rows(RowOrder([Self.a]), in: db), in: db) }
    #expect(sorted == nil)
  }

  @Test("are left to SQLite where their keys take more memory than they may")
  func memory() throws {
    let sorted = try Self.table().read { db in
      try Self.sorted(Self.rows(RowOrder([Self.a, Self.b]), in: db), in: db, memory: 10_000)
    }
    #expect(sorted == nil)
  }
}
