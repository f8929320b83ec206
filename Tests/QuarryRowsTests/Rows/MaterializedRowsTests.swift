import QuarryEngine
import QuarryRows
import Synchronization
import TestSupport
import Testing

@Suite(.gated) struct MaterializedRowsTests {
  private static let numbers = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 11999)"
  private let query = RowSet(
    .query(sql: "\(numbers) SELECT i % 100 AS x, CASE i % 3 WHEN 0 THEN NULL WHEN 1 THEN 'é' || i ELSE i / 7.0 END AS x FROM n"))

  private func makeReader(_ rowSet: RowSet, _ queue: DatabaseQueue) -> RowReader {
    RowReader(rowSet, on: ReadConnections(foreground: queue, background: queue))
  }

  @Test("A query is walked page by page, with two columns of one name")
  func walking() async throws {
    let queue = try makeDatabase()
    guard case .query(let sql, _) = query.source else { return }
    let oracle = RowOracle(query, queue, sql: sql)
    try await oracle.walk(by: 1234)
    try await oracle.jump(to: [0, 5, 11_999, 12_000, .max])
    #expect(try await oracle.reader.columns() == [RowSetColumn(name: "x", schema: nil), RowSetColumn(name: "x", schema: nil)])
  }

  @Test("Rows are taken as they are asked for, and the count is what has been taken")
  func laziness() async throws {
    let reader = makeReader(
      RowSet(.query(sql: "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n")), try makeDatabase())
    let page = try await reader.page(PageRequest(.number(20_000), limit: 2))
    #expect(page.rows.map(\.cells) == [[.integer(20_000)], [.integer(20_001)]])
    #expect(!page.reachesEnd)
    let count = try await reader.count()
    #expect(count.value >= 20_002 && count.value < 40_000 && !count.isExact)
  }

  @Test("The last row of a query takes all rows, and tells how far it is")
  func lastRow() async throws {
    let reader = makeReader(query, try makeDatabase())
    let reports = Mutex<[RowProgress]>([])
    let page = try await reader.page(PageRequest(.last, limit: 3)) { report in reports.withLock { $0.append(report) } }
    #expect(page.firstNumber == .exact(11_997))
    #expect(page.reachesEnd && !page.reachesStart)
    #expect(reports.withLock { $0.map(\.rows) } == reports.withLock { $0.map(\.rows).sorted() })
    #expect(reports.withLock { $0.last } == RowProgress(rows: 12_000, total: 12_000))
    #expect(try await reader.count() == .exact(12_000))
  }

  @Test("A cursor that waits for its next rows survives other reads and writes of its connection")
  func otherWork() async throws {
    let queue = try makeDatabase("CREATE TABLE t(x)", "INSERT INTO t VALUES (1)")
    let reader = makeReader(query, queue)
    _ = try await reader.page(PageRequest(.first, limit: 1))
    let table = makeReader(RowSet(.table(TableReference(name: "t"))), queue)
    #expect(try await table.page(PageRequest(.first, limit: 1)).rows.count == 1)
    await #expect(throws: DatabaseError.self) { try await queue.read { try $0.execute(sql: "SELECT nonsense") } }
    #expect(try await reader.page(PageRequest(.number(9000), limit: 1)).rows.map(\.key) == [.position(9000)])
  }

  @Test("Rows of two states are not put together: where a cursor was ended and somebody has written, that is an error")
  func twoStates() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE t(x)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000) INSERT INTO t SELECT i FROM n",
        "CREATE VIEW v AS SELECT x FROM t ORDER BY x")
      let (queue, views, writer) = try (DatabaseQueue(path: path), DatabaseQueue(path: path), DatabaseQueue(path: path))
      let connections = ReadConnections(foreground: queue, background: queue, views: { views })
      let reader = RowReader(RowSet(.table(TableReference(name: "v"))), on: connections)
      _ = try await reader.page(PageRequest(.first, limit: 10))
      try await connections.endLastingReads()
      #expect(try await reader.page(PageRequest(.number(3_000), limit: 1)).rows.map(\.cells) == [[.integer(3_001)]])
      try await connections.endLastingReads()
      try await writer.write { try $0.execute(sql: "DELETE FROM t WHERE x < 100") }
      let error = await #expect(throws: DatabaseError.self) { try await reader.page(PageRequest(.number(8_000), limit: 1)) }
      #expect(error?.message.contains("read them again") == true)
      #expect(try await reader.page(PageRequest(.number(10), limit: 1)).rows.map(\.cells) == [[.integer(11)]])
    }
  }

  @Test("A query without an end is stopped while it is taken, and what was taken stays")
  func stopping() async throws {
    let endless = RowSet(.query(sql: "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"))
    let reader = makeReader(endless, try makeDatabase())
    await #expect(throws: CancellationError.self) {
      try await reader.page(PageRequest(.last, limit: 3)) { _ in reader.cancelForegroundWork() }
    }
    let taken = try await reader.count()
    #expect(taken.value > 0 && !taken.isExact)
    let page = try await reader.page(PageRequest(.number(taken.value), limit: 1))
    #expect(page.rows.map(\.cells) == [[.integer(Int64(taken.value))]])
  }

  @Test("A query that yields nothing for hours is stopped at once")
  func stoppingInTheMidst() async throws {
    let queue = try makeDatabase()
    let sql = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1e9) SELECT count(*) FROM n AS a, n AS b"
    let reader = makeReader(RowSet(.query(sql: sql)), queue)
    _ = try await reader.columns()
    let page = Task { try await reader.page(PageRequest(.first, limit: 1)) }
    page.cancel()
    await #expect(throws: CancellationError.self) { try await page.value }
    #expect(try await queue.read { try Int.fetchOne($0, sql: "SELECT 1") } == 1)
  }

  @Test("A view is read by place, and matching narrows it")
  func views() async throws {
    let queue = try makeDatabase(
      "CREATE TABLE t(a, b)", "INSERT INTO t VALUES (1, 'x'), (2, 'y'), (3, 'x')", "CREATE VIEW v AS SELECT b, a * 2 AS d FROM t")
    let view = TableReference(name: "v")
    try await RowOracle(RowSet(.table(view)), queue, sql: "SELECT * FROM v").walk(by: 2)
    let matching = RowSet(.table(view), matching: [ColumnMatch(column: "B", value: .text("x"))])
    try await RowOracle(matching, queue, sql: "SELECT * FROM v WHERE b = 'x'").walk(by: 1)
    #expect(try await makeReader(RowSet(.table(view)), queue).columns().map(\.schema?.name) == ["b", "d"])
    let query = RowSet(.query(sql: "SELECT * FROM v -- all\n;"), matching: [ColumnMatch(column: "d", value: .integer(4))])
    #expect(try await makeReader(query, queue).page(PageRequest(.first, limit: 9)).rows.count == 1)
  }

  @Test("A query's parameters have their values, also under a filter and an order with values of their own")
  func arguments() async throws {
    let queue = try makeDatabase("CREATE TABLE t(a, b)", "INSERT INTO t VALUES (1, 'x'), (2, 'y'), (3, 'x'), (4, NULL)")
    let source = RowSet.Source.query(sql: "SELECT a, b, :extra AS c FROM t WHERE a > ?", arguments: [.text("e"), .integer(1)])
    #expect(try await makeReader(RowSet(source), queue).page(PageRequest(.first, limit: 9)).rows.count == 3)
    let narrowed = RowSet(
      source, matching: [ColumnMatch(column: "b", value: .text("x"))], filter: RowFilter(Column<Int>("a") > 2),
      order: RowOrder([Column<Int>("a").desc()]))
    let rows = try await makeReader(narrowed, queue).page(PageRequest(.first, limit: 9)).rows
    #expect(rows.map(\.cells) == [[.integer(3), .text("x", byteCount: 1, isValid: true), .text("e", byteCount: 1, isValid: true)]])
  }

  @Test("Text that is not UTF-8, NULs and blobs keep their bytes on the way through the store")
  func exactness() async throws {
    let queue = try makeDatabase(
      "CREATE TABLE t(x)", "INSERT INTO t VALUES (CAST(x'ff41' AS TEXT)), (CAST(x'410042' AS TEXT)), (x'ff00'), (1), (1.0)")
    let reader = makeReader(RowSet(.query(sql: "SELECT x FROM t")), queue)
    let cells = try await reader.page(PageRequest(.first, limit: 9)).rows.map(\.cells[0])
    #expect(
      cells == [
        .text("\u{FFFD}A", byteCount: 2, isValid: false), .text("A\0B", byteCount: 3, isValid: true), .blob([255, 0], byteCount: 2),
        .integer(1), .real(1),
      ])
    #expect(try await reader.value(.position(1), column: 0) == .text("A\0B"))
    #expect(try await reader.value(.position(0), column: 0) == .blob([255, 65]))
  }

  @Test("What would write is refused, and so is what does not compile")
  func refusal() async throws {
    let queue = try makeDatabase("CREATE TABLE t(x)")
    let writing = await #expect(throws: DatabaseError.self) {
      try await makeReader(RowSet(.query(sql: "INSERT INTO t VALUES (1) RETURNING x")), queue).page(PageRequest(.first, limit: 1))
    }
    #expect(writing?.resultCode == DatabaseError.SQLITE_READONLY)
    let broken = await #expect(throws: DatabaseError.self) {
      try await makeReader(RowSet(.query(sql: "SELECT * FORM t")), queue).columns()
    }
    #expect(broken?.offset == 9)
  }

  @Test("An error in the midst of a query keeps the rows before it, and is told each time")
  func errorInTheMidst() async throws {
    let queue = try makeDatabase()
    let sql =
      """
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
      SELECT abs(i - 2500 - 9223372036854775807 - 1) FROM n
      """
    let reader = makeReader(RowSet(.query(sql: sql)), queue)
    #expect(try await reader.page(PageRequest(.first, limit: 10)).rows.count == 10)
    for _ in 0..<2 {
      await #expect(throws: DatabaseError.self) { try await reader.page(PageRequest(.last, limit: 1)) }
      #expect(try await reader.page(PageRequest(.from(.position(2400)), limit: 50)).rows.last?.key == .position(2449))
    }
  }
}
