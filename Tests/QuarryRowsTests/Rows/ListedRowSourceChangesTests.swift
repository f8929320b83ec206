import Foundation
import QuarryEngine
import QuarryRows
import Synchronization
import TestSupport
import Testing

/// What others write while rows are read by a filter and in an order.
@Suite(.gated) struct ListedRowSourceChangesTests {
  private static let b = Column<Int?>("b")
  private static let c = Column<String?>("c")

  static let sets: [(order: RowOrder, filter: RowFilter?)] = [
    (.natural, RowFilter(b > 3)), (RowOrder([b]), nil), (RowOrder([b.desc()]), RowFilter(c != "c2")), (RowOrder([c, b.desc()]), nil),
    (RowOrder([c.desc()]), RowFilter(b < 15)),
  ]

  /// Makes a file with 1,200 rows, read by two connections and written by a third.
  private func withFile(_ tail: String, _ body: (DatabaseQueue, DatabaseQueue, DatabaseQueue) async throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE t(id INT PRIMARY KEY, b INT, c TEXT)\(tail)", "CREATE INDEX tb ON t(b)",
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
        INSERT INTO t SELECT i * 2, CASE WHEN i % 9 THEN i * 7 % 20 END, 'c' || (i % 5) FROM n
        """)
      var configuration = Configuration()
      configuration.isReadonly = true
      let (foreground, background) = try (
        DatabaseQueue(path: path, configuration: configuration), DatabaseQueue(path: path, configuration: configuration)
      )
      try await body(foreground, background, DatabaseQueue(path: path))
    }
  }

  @Test("Counts, numbers and pages are those of plain SQL after each of many random writes", arguments: ["", " WITHOUT ROWID"])
  func randomWrites(_ tail: String) async throws {
    try await withFile(tail) { foreground, background, writer in
      let key = tail.isEmpty ? "rowid" : "id"
      var random = SplitMix(seed: 11)
      for (order, filter) in Self.sets {
        let set = RowSet(.table(TableReference(name: "t")), filter: filter, order: order)
        let sql =
          "SELECT * FROM t" + (filter.map { " WHERE \($0)" } ?? "") + " ORDER BY " + (order.isNatural ? "" : "\(order), ") + key
        let oracle = RowOracle(set, foreground, background: background, sql: sql)
        for _ in 0..<6 {
          let id = Int.random(in: 0...2400, using: &random)
          try await writer.write { db in
            try db.execute(sql: "DELETE FROM t WHERE id BETWEEN ? AND ?", arguments: [id, id + 15])
            try db.execute(sql: "UPDATE t SET b = b + 1 WHERE id % 17 = ?", arguments: [id % 17])
            try db.execute(sql: "INSERT OR IGNORE INTO t VALUES (?, ?, 'c2')", arguments: [2401 - id, id % 20])
          }
          _ = try await oracle.reader.page(PageRequest(.first, limit: 3))
          #expect(try await oracle.reader.count() == .exact(oracle.count()), "\(sql)")
          await oracle.reader.numbersAreKnown()
          try await oracle.jump(to: [0, Int.random(in: 0...900, using: &random), .max], limit: 40)
        }
        try await oracle.walk(by: 300)
      }
    }
  }

  @Test("A sorted page goes on from a row that is gone, and finds the nearest place of one that the filter leaves out")
  func vanishedRow() async throws {
    try await withFile("") { foreground, background, writer in
      for order in [RowOrder([Self.c]), RowOrder([Self.b])] {
        let set = RowSet(.table(TableReference(name: "t")), filter: RowFilter(Self.b > 2), order: order)
        let reader = RowReader(set, on: ReadConnections(foreground: foreground, background: background))
        let first = try await reader.page(PageRequest(.first, limit: 10))
        await reader.numbersAreKnown()
        #expect(try await reader.page(PageRequest(.first, limit: 10)) == first)
        guard case .rowID(let gone) = first.rows[4].key else { return }
        try await writer.write { try $0.execute(sql: "DELETE FROM t WHERE rowid = ?", arguments: [gone]) }
        for _ in 0..<2 {
          let after = try await reader.page(PageRequest(.after(.rowID(gone)), limit: 3))
          #expect(after.rows == Array(first.rows[5..<8]))
          let before = try await reader.page(PageRequest(.before(.rowID(gone)), limit: 9))
          #expect(before.rows == Array(first.rows[..<4]))
          await reader.numbersAreKnown()
        }
        let number = try await reader.number(of: first.rows[7].key)
        #expect(number == .exact(6))
        let (left, expected) = try await writer.read { db in
          (
            try Int64.fetchOne(db, sql: "SELECT rowid FROM t WHERE b = 1 AND c = 'c3'") ?? 0,
            try Int.fetchOne(db, sql: "SELECT count(*) FROM t WHERE b > 2 AND c < 'c3'") ?? 0
          )
        }
        let nearest = try await reader.number(of: .rowID(left))
        if order == RowOrder([Self.b]) {
          #expect(nearest == .estimated(0))
        } else {
          #expect(nearest.map { $0.value >= expected && !$0.isExact } == true)
        }
      }
    }
  }

  @Test("An index that somebody makes is used from then on")
  func newIndex() async throws {
    try await withFile("") { foreground, background, writer in
      let set = RowSet(.table(TableReference(name: "t")), order: RowOrder([Self.c]))
      let oracle = RowOracle(set, foreground, background: background, sql: "SELECT * FROM t ORDER BY c, rowid")
      #expect(try await oracle.reader.plan().sorts)
      _ = try await oracle.reader.page(PageRequest(.first, limit: 3))
      try await writer.write { try $0.execute(sql: "CREATE INDEX tc ON t(c)") }
      try await oracle.walk(by: 500)
      let plan = try await oracle.reader.plan()
      #expect(plan == ReadPlan(kind: .scan, sorts: false, index: "tc", details: plan.details))
    }
  }

  @Test("A page with no patience has what was found, and goes on from there")
  func partialPages() async throws {
    try await withFile("") { foreground, background, _ in
      let set = RowSet(.table(TableReference(name: "t")), filter: RowFilter(Self.b == 3))
      let reader = RowReader(set, on: ReadConnections(foreground: foreground, background: background))
      var page = try await reader.page(PageRequest(.first, limit: 30, patience: .zero))
      var rows = page.rows
      while !page.reachesEnd, let last = page.rows.last {
        page = try await reader.page(PageRequest(.after(last.key), limit: 30, patience: .zero))
        rows += page.rows
      }
      #expect(try await rows.count == foreground.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t WHERE b = 3") })
    }
  }

  @Test("Views and queries are narrowed and ordered, and rows that are equal stay in the source's order")
  func views() async throws {
    let queue = try makeDatabase(
      "CREATE TABLE t(a, b TEXT COLLATE NOCASE)",
      """
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 699)
      INSERT INTO t SELECT (i * 31) % 50, CASE i % 3 WHEN 0 THEN 'x' WHEN 1 THEN 'X' END FROM n
      """,
      "CREATE VIEW v AS SELECT b, a, rowid AS r FROM t ORDER BY a DESC, rowid")
    let (a, b) = (Column<Int?>("a"), Column<String?>("b"))
    for source in [RowSet.Source.table(TableReference(name: "v")), .query(sql: "SELECT * FROM v -- all")] {
      let set = RowSet(source, filter: RowFilter(a > 20), order: RowOrder([b.desc()]))
      try await RowOracle(set, queue, sql: "SELECT * FROM v WHERE a > 20 ORDER BY b DESC, a DESC, r").walk(by: 120)
      try await RowOracle(RowSet(source, filter: RowFilter(b == "x")), queue, sql: "SELECT * FROM v WHERE b = 'x'").walk(by: 120)
      try await RowOracle(RowSet(source, order: RowOrder([a])), queue, sql: "SELECT * FROM v ORDER BY a, r").jump(to: [0, 1, 77, 699, 700])
    }
  }

  @Test("Who waits for an order that is begun anew, since somebody has written, waits for the new one")
  func begunAnew() async throws {
    try await withFile("") { foreground, background, writer in
      let oracle = RowOracle(
        RowSet(.table(TableReference(name: "t")), order: RowOrder([Self.c.desc()])), foreground, background: background,
        sql: "SELECT * FROM t ORDER BY c DESC, rowid")
      let gate = DispatchSemaphore(value: 0)
      async let held: Void = background.withoutTransaction { _ in gate.wait() }
      let (pageWaits, page) = AsyncStream.makeStream(of: RowProgress.self)
      async let first = oracle.reader.page(PageRequest(.first, limit: 20)) { page.yield($0) }
      async let other = oracle.reader.count { _, _ in }
      _ = await pageWaits.first { _ in true }
      try await writer.write { try $0.execute(sql: "DELETE FROM t WHERE id < 300") }
      let (countWaits, count) = AsyncStream.makeStream(of: RowNumber.self)
      async let number = oracle.reader.count { number, _ in count.yield(number) }
      _ = await countWaits.first { _ in true }
      gate.signal()
      #expect(try await first.rows.map(\.cells) == oracle.rows(0, 20))
      #expect(try await number == .exact(oracle.count()))
      #expect(try await other == .exact(oracle.count()))
      try await held
    }
  }

  @Test("A search and a copy go by the set's order")
  func searching() async throws {
    try await withFile("") { foreground, background, _ in
      for order in [RowOrder([Self.c.desc()]), RowOrder([Self.b])] {
        let set = RowSet(.table(TableReference(name: "t")), filter: RowFilter(Self.b > 2), order: order)
        let reader = RowReader(set, on: ReadConnections(foreground: foreground, background: background))
        let expected = try await foreground.read { try Int64.fetchAll($0, sql: "SELECT rowid FROM t WHERE b > 2 ORDER BY \(order), rowid") }
        let ids = try await foreground.read { try Int.fetchAll($0, sql: "SELECT id FROM t WHERE b > 2 ORDER BY \(order), rowid") }
        var key: RowKey?
        var found: [RowKey] = []
        let hits = zip(expected, ids).filter { "\($0.1)".contains("99") }.map { RowKey.rowID($0.0) }
        for _ in hits {
          key = try await reader.find(.text("99"), columns: [0], from: key, backwards: false)?.key
          if let key { found.append(key) }
        }
        #expect(found == hits)
        #expect(try await reader.find(.text("99"), columns: [0], from: key, backwards: true)?.key == hits.dropLast().last)
        #expect(
          try await reader.find(.text("99"), columns: [0], from: key, backwards: false) == RowMatch(key: hits[0], column: 0, wrapped: true))
        let copied = Mutex<[DatabaseValue]>([])
        try await reader.forEachRow(from: .rowID(expected[5]), through: .rowID(expected[70]), columns: [0]) { row in
          copied.withLock { $0 += row }
        }
        #expect(copied.withLock(\.self) == ids[5...70].map { .integer(Int64($0)) })
        #expect(try await reader.record(.rowID(expected[5]), limit: 9)?.cells.first == .integer(Int64(ids[5])))
      }
    }
  }
}
