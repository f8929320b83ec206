import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite(.gated) struct RowReaderTests {
  /// Makes 3,000 rows with gaps, negative rowids, and values of every class.
  private func makeTable() throws -> DatabaseQueue {
    try makeDatabase(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b)",
      """
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2999)
      INSERT INTO t SELECT (i - 1000) * 3 + (i % 7 = 0), CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN i WHEN 2 THEN i / 3.0 WHEN 3 THEN 'é' || i
        ELSE CAST(i AS BLOB) END, i % 13 FROM n
      """)
  }

  private let table = RowSet(.table(TableReference(name: "t")))

  @Test("A rowid table is walked forward and backward page by page")
  func rowIDTable() async throws {
    let oracle = try RowOracle(table, makeTable(), sql: "SELECT * FROM t ORDER BY rowid")
    try await oracle.walk(by: 250)
    try await oracle.walk(by: 37)
  }

  @Test("A table without a rowid column is keyed by its rowid all the same")
  func hiddenRowID() async throws {
    let queue = try makeDatabase(
      "CREATE TABLE t(x)", "INSERT INTO t VALUES ('a'), (NULL), ('b')", "INSERT INTO t(rowid, x) VALUES (-5, 'c')")
    let oracle = RowOracle(table, queue, sql: "SELECT * FROM t ORDER BY rowid")
    try await oracle.walk(by: 2)
    let page = try await oracle.reader.page(PageRequest(.first, limit: 10))
    #expect(page.rows.map(\.key) == [.rowID(-5), .rowID(1), .rowID(2), .rowID(3)])
  }

  @Test("A rowid that columns hide under all its names gives way to another key, or to places")
  func shadowedRowID() async throws {
    let keyed = try makeDatabase(
      "CREATE TABLE t(rowid, _rowid_, oid TEXT NOT NULL UNIQUE)", "INSERT INTO t VALUES (1, 2, 'b'), (1, 2, 'a')")
    let oracle = RowOracle(table, keyed, sql: "SELECT * FROM t ORDER BY \"oid\"")
    try await oracle.walk(by: 1)
    #expect(try await oracle.reader.page(PageRequest(.first, limit: 1)).rows.map(\.key) == [.values([.text("a")])])
    let bare = try makeDatabase("CREATE TABLE t(rowid, _rowid_, oid)", "INSERT INTO t VALUES (1, 2, 'b'), (1, 2, 'a')")
    let places = RowOracle(table, bare, sql: "SELECT * FROM t")
    try await places.walk(by: 1)
    #expect(try await places.reader.page(PageRequest(.first, limit: 1)).rows.map(\.key) == [.position(0)])
    let partly = try makeDatabase("CREATE TABLE t(rowid, oid)", "INSERT INTO t VALUES (1, 'b'), (1, 'a')")
    #expect(
      try await RowReader(table, on: ReadConnections(foreground: partly, background: partly)).page(PageRequest(.last, limit: 1)).rows[0].key
        == .rowID(2))
  }

  @Test("A WITHOUT ROWID table is read in its key's order, with its directions and collations")
  func withoutRowID() async throws {
    let queue = try makeDatabase(
      "CREATE TABLE t(a TEXT COLLATE NOCASE, b, c, PRIMARY KEY(b DESC, a COLLATE RTRIM, c)) WITHOUT ROWID",
      """
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1999)
      INSERT INTO t SELECT char(65 + i % 3, 97 + i % 5),
        CASE i % 4 WHEN 0 THEN i / 50 WHEN 1 THEN i / 7.0 WHEN 2 THEN 'x' || i / 9 ELSE CAST(i / 99 AS BLOB) END, i
      FROM n
      """)
    let oracle = RowOracle(table, queue, sql: "SELECT * FROM t ORDER BY b DESC, a COLLATE RTRIM, c")
    try await oracle.walk(by: 41)
    _ = try await oracle.reader.count()
    await oracle.reader.numbersAreKnown()
    try await oracle.jump(to: [0, 1, 999, 1000, 1001, 1500, 1999, 2000, 5000])
  }

  @Test("A NOCASE key of a WITHOUT ROWID table orders its rows")
  func nocaseKey() async throws {
    let queue = try makeDatabase(
      "CREATE TABLE t(k TEXT PRIMARY KEY COLLATE NOCASE, v) WITHOUT ROWID", "INSERT INTO t VALUES ('b', 1), ('A', 2), ('C', 3), ('d', 4)")
    try await RowOracle(table, queue, sql: "SELECT * FROM t ORDER BY k COLLATE NOCASE").walk(by: 1)
  }

  @Test("Rows are found by number, before and after they are counted and anchored")
  func numbers() async throws {
    let oracle = try RowOracle(table, makeTable(), sql: "SELECT * FROM t ORDER BY rowid")
    let numbers = [-1, 0, 1, 998, 999, 1000, 1001, 2500, 2999, 3000, .max]
    for number in numbers {
      let page = try await oracle.reader.page(PageRequest(.number(number), limit: 3))
      let first = min(max(0, number), 2999)
      #expect(try page.rows.map(\.cells) == oracle.rows(first, number < 3000 ? 3 : 1))
    }
    #expect(try await oracle.reader.count() == .exact(3000))
    await oracle.reader.numbersAreKnown()
    try await oracle.jump(to: numbers)
    let last = try await oracle.reader.page(PageRequest(.last, limit: 10))
    #expect(last.firstNumber == .exact(2990))
  }

  @Test("Rowids without gaps tell the numbers of rows as soon as they are counted")
  func denseRowIDs() async throws {
    let queue = try makeDatabase(
      "CREATE TABLE t(x)", "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999) INSERT INTO t SELECT i FROM n")
    let reader = RowReader(table, on: ReadConnections(foreground: queue, background: queue))
    #expect(try await reader.number(of: .rowID(500)) == .estimated(499))
    #expect(try await reader.count() == .exact(1000))
    await reader.numbersAreKnown()
    #expect(try await reader.number(of: .rowID(500)) == .exact(499))
  }

  @Test("Matching columns narrow the rows, NULL included")
  func matching() async throws {
    let queue = try makeTable()
    let five = RowSet(.table(TableReference(name: "t")), matching: [ColumnMatch(column: "B", value: .integer(5))])
    let oracle = RowOracle(five, queue, sql: "SELECT * FROM t WHERE b = 5 ORDER BY rowid")
    try await oracle.walk(by: 50)
    #expect(try await oracle.reader.count() == .exact(oracle.count()))
    await oracle.reader.numbersAreKnown()
    try await oracle.jump(to: [0, 100, 229, 500])
    let null = RowSet(
      .table(TableReference(name: "t")), matching: [ColumnMatch(column: "a", value: .null), ColumnMatch(column: "b", value: .integer(0))])
    try await RowOracle(null, queue, sql: "SELECT * FROM t WHERE a IS NULL AND b = 0 ORDER BY rowid").walk(by: 10)
    let missing = RowSet(.table(TableReference(name: "t")), matching: [ColumnMatch(column: "nope", value: .null)])
    let error = await #expect(throws: DatabaseError.self) {
      try await RowReader(missing, on: ReadConnections(foreground: queue, background: queue)).page(PageRequest(.first, limit: 1))
    }
    #expect(error?.message == "no such column: nope")
  }

  @Test("An FTS table is read by rowid, an R-tree by place")
  func virtualTables() async throws {
    let queue = try makeDatabase(
      "CREATE VIRTUAL TABLE t USING fts5(x, y)", "INSERT INTO t(rowid, x, y) VALUES (7, 'a', 'b'), (-2, 'c', 'd'), (100, 'e', 'f')",
      "CREATE VIRTUAL TABLE r USING rtree(id, x0, x1)", "INSERT INTO r VALUES (5, 0, 1), (3, 1, 2), (9, 2, 3)")
    let oracle = RowOracle(table, queue, sql: "SELECT * FROM t ORDER BY rowid")
    try await oracle.walk(by: 2)
    #expect(try await oracle.reader.columns().map(\.name) == ["x", "y"])
    #expect(try await oracle.reader.page(PageRequest(.first, limit: 1)).rows[0].key == .rowID(-2))
    try await RowOracle(RowSet(.table(TableReference(name: "r"))), queue, sql: "SELECT * FROM r").walk(by: 2)
  }

  @Test("An empty table is one page that reaches both ends")
  func empty() async throws {
    let queue = try makeDatabase("CREATE TABLE t(x)")
    let reader = RowReader(table, on: ReadConnections(foreground: queue, background: queue))
    for position in [PageRequest.Position.first, .last, .number(5), .after(.rowID(3)), .before(.rowID(3)), .from(.rowID(3))] {
      let page = try await reader.page(PageRequest(position, limit: 5))
      #expect(page == RowPage(rows: [], firstNumber: .exact(0), reachesStart: true, reachesEnd: true), "\(position)")
    }
    #expect(try await reader.count() == .exact(0))
  }

  @Test("2,000 columns are read, with and without a rowid among them")
  func wide() async throws {
    let names = (0..<2000).map { "c\($0)" }.joined(separator: ", ")
    let queue = try makeDatabase(
      "CREATE TABLE t(\(names))", "INSERT INTO t(c0, c1999) VALUES (1, 2), (3, 4)", "CREATE VIEW v AS SELECT * FROM t")
    try await RowOracle(table, queue, sql: "SELECT * FROM t ORDER BY rowid").walk(by: 1)
    try await RowOracle(RowSet(.table(TableReference(name: "v"))), queue, sql: "SELECT * FROM v").walk(by: 1)
    let reader = RowReader(table, on: ReadConnections(foreground: queue, background: queue))
    let match = try await reader.find(.text("4"), columns: Array(0..<2000), from: nil, backwards: false)
    #expect(match == RowMatch(key: .rowID(2), column: 1999, wrapped: false))
  }

  @Test("A table may have any name")
  func oddName() async throws {
    let queue = try makeDatabase("CREATE TABLE \"a\"\"b; drop\"(\"x\"\"y\" TEXT)", "INSERT INTO \"a\"\"b; drop\" VALUES ('v')")
    let set = RowSet(.table(TableReference(name: "a\"b; drop")), matching: [ColumnMatch(column: "x\"y", value: .text("v"))])
    let page = try await RowReader(set, on: ReadConnections(foreground: queue, background: queue)).page(PageRequest(.first, limit: 5))
    #expect(page.rows.map(\.cells) == [[.text("v", byteCount: 1, isValid: true)]])
  }

  @Test("A key of another kind of set is an error")
  func foreignKey() async throws {
    let queue = try makeTable()
    let reader = RowReader(table, on: ReadConnections(foreground: queue, background: queue))
    let error = await #expect(throws: DatabaseError.self) { try await reader.page(PageRequest(.after(.position(3)), limit: 1)) }
    #expect(error?.resultCode == DatabaseError.SQLITE_MISUSE)
  }

  @Test("A count that is cancelled says how far it has come")
  func cancelledCount() async throws {
    let queue = try makeDatabase(
      "CREATE TABLE t(x, y)",
      "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 49999) INSERT INTO t SELECT i, 1 FROM n")
    let ones = RowSet(.table(TableReference(name: "t")), matching: [ColumnMatch(column: "y", value: .integer(1))])
    let reader = RowReader(ones, on: ReadConnections(foreground: queue, background: queue))
    let count = try await reader.count { _, _ in reader.cancelBackgroundWork() }
    #expect(count.value >= 10_000 && count.value < 50_000 && !count.isExact)
    #expect(try await reader.count() == .exact(50_000))
  }
}
