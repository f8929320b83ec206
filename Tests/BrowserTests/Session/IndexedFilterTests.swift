import Browser
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("Filters that an index serves", .gated)
struct IndexedFilterTests {
  private static let filters = [
    "a = 3", "a in (1, 2)", "a = 5 or a = 6", "a = 5 or c = 6", "b = 4", "b = 4 and c > 3", "b = 4 and c = 3", "b between 2 and 4",
    "c in (1, 2)", "c > 10", "d = 2 and a = 5", "a + b = 9", "a + b > 15", "id in (7, 3)", "a = 99",
  ]

  /// Plays on a table of 700 rows whose indexes are on one column, on two, descending, partial, and on an expression.
  private func play(_ body: @escaping @Sendable (SessionDriver, DatabaseQueue) throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE t(id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, c INTEGER, d INTEGER)",
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 700)
        INSERT INTO t SELECT i, i * 5 % 7, i * 3 % 11, i * 8 % 13, i % 5 FROM n
        """,
        "CREATE INDEX t_a ON t(a)", "CREATE INDEX t_b_c ON t(b, c)", "CREATE INDEX t_c ON t(c DESC)",
        "CREATE INDEX t_d ON t(d, b) WHERE a = 5", "CREATE INDEX t_sum ON t(a + b)")
      try await onOwnThread {
        let driver = try SessionDriver(path: path)
        driver.press("tab")
        try body(driver, DatabaseQueue(path: path))
      }
    }
  }

  /// Expects the first row, the last and one between to be those of the statement.
  private static func expect(_ driver: SessionDriver, _ queue: DatabaseQueue, _ sql: String) throws {
    let ids = try queue.read { try Int64.fetchAll($0, sql: sql) }
    #expect(driver.browser.grid?.total == .exact(ids.count), "\(sql)")
    for (keys, number) in [("g g", 0), ("G", ids.count - 1), ("\(ids.count / 2 + 1) G".map { "\($0) " }.joined(), ids.count / 2)] {
      driver.press(keys)
      let id: CellValue? = ids.indices.contains(number) ? .integer(ids[number]) : nil
      #expect(driver.browser.grid?.currentRow?.cells.first == id, "after \(keys) in \(sql)")
    }
  }

  @Test("show its rows in the table's order and in others", arguments: filters)
  func rows(filter: String) async throws {
    try await play { driver, queue in
      driver.press("&")
      driver.type(filter)
      driver.press("enter")
      try Self.expect(driver, queue, "SELECT id FROM t WHERE \(filter) ORDER BY id")
      for order in ["d", "-id", "b, -c"] {
        driver.press("g s ctrl-u")
        driver.type(order)
        driver.press("enter")
        let terms = order.replacing("-id", with: "id DESC").replacing("-c", with: "c DESC")
        try Self.expect(driver, queue, "SELECT id FROM t WHERE \(filter) ORDER BY \(terms), id")
      }
      driver.press("g S")
      try Self.expect(driver, queue, "SELECT id FROM t WHERE \(filter) ORDER BY id")
    }
  }

  @Test("show the rows that refer to one, whatever the index is on")
  func referringRows() async throws {
    try await playOnReferences { driver in
      driver.press("g r")
      #expect(driver.screen.contains(/b +a = 1 +3/), "\(driver.screen)")
      #expect(driver.screen.contains(/c +a = 1 +0/), "\(driver.screen)")
      driver.press("enter")
      #expect(driver.browser.grid?.total == .exact(3), "\(driver.screen)")
      #expect(driver.browser.grid?.currentRow?.cells.first == .integer(1))
      driver.screen.expectLine("filter › where a = 1", "the bar says what the title does:\n\(driver.screen)")
      driver.press("l l =")
      driver.screen.expectLine("filter › where a = 1 · n = 9")
    }
  }

  private func playOnReferences(_ body: @escaping @Sendable (SessionDriver) throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE a(id INTEGER PRIMARY KEY)", "CREATE TABLE b(id INTEGER PRIMARY KEY, a REFERENCES a, n INTEGER)",
        "CREATE TABLE c(a REFERENCES a)", "INSERT INTO a VALUES (1), (2)",
        "INSERT INTO b VALUES (1, 1, 9), (2, 1, 3), (3, 2, 5), (4, 1, 1)", "CREATE INDEX b_a_n ON b(a, n)")
      try await onOwnThread {
        let driver = try SessionDriver(path: path)
        driver.press("tab")
        try body(driver)
      }
    }
  }
}
