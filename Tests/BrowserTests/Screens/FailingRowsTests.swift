import Browser
import QuarryEngine
import Terminal
import TestSupport
import Testing

@Suite("Rows that cannot be read", .gated)
struct FailingRowsTests {
  private static func play(_ table: String, body: @escaping @Sendable (SessionDriver) throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE t(id INTEGER PRIMARY KEY, a)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000) INSERT INTO t SELECT i, i % 7 FROM n",
        "CREATE VIEW sorted AS SELECT id, a, CASE id WHEN 900 THEN json('{') ELSE id END AS bad FROM t ORDER BY a, id",
        "CREATE VIEW one_column AS SELECT CASE WHEN id > 20 THEN json('{') ELSE id END AS bad FROM t",
        "CREATE VIEW the_last_rows_of_which_fail AS SELECT a, CASE WHEN id > 9000 THEN json('{') ELSE id END AS bad FROM t")
      try await onOwnThread {
        let driver = try SessionDriver(path: path, columns: 80, rows: 24)
        driver.press("ctrl-p")
        driver.type(table)
        driver.press("enter")
        try body(driver)
      }
    }
  }

  /// Returns the words of the screen, since sentences go over several lines within a frame.
  private static func text(_ driver: SessionDriver) -> String {
    driver.screen.split { " │\n".contains($0) }.joined(separator: " ")
  }

  @Test("of a view that sorts are not shown, and the column is named")
  func sorted() async throws {
    try await Self.play("sorted") { driver in
      driver.screen.expectLine("malformed JSON, in column bad of sorted before the first row")
      driver.press("#")
      driver.screen.expectLine("no rows are open")
    }
  }

  @Test("of which the first can be had are not said to fail at that")
  func later() async throws {
    try await Self.play("one_column") { driver in
      driver.screen.expectLine("malformed JSON")
      #expect(!driver.screen.contains("before the first row"), "\(driver.screen)")
    }
  }

  @Test("are named by how many come before them where one goes to the last row, and the rows before stay")
  func last() async throws {
    try await Self.play("the_last_rows_of_which_fail") { driver in
      driver.press("G")
      let text = driver.browser.notice?.text
      #expect(text == "malformed JSON, in the_last_rows_of_which_fail after 9,000 rows", "\(driver.screen)")
      #expect(driver.browser.workspace.grid?.window.rows.isEmpty == false)
    }
  }

  @Test("are said to be left out of a chart and a profile, on a narrow screen too")
  func leftOut() async throws {
    try await Self.play("the_last_rows_of_which_fail") { driver in
      driver.press("g v")
      #expect(Self.text(driver).contains("after 9,000 rows; the rows after it are missing"), "\(driver.screen)")
      driver.press("escape")
      driver.press("g #")
      #expect(Self.text(driver).contains("after 9,000 rows; the rows after it are missing"), "\(driver.screen)")
    }
  }
}
