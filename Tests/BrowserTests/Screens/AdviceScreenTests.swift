import Browser
import Foundation
import QuarryCluster
import QuarryEngine
import QuarryRows
import Terminal
import TestSupport
import Testing

/// Indexes that are proposed with a plan, played by keys.
@Suite(.gated) struct AdviceScreenTests {
  private static let script = [
    "CREATE TABLE event(id INTEGER PRIMARY KEY, kind TEXT, ts INT, amount REAL, name TEXT, note TEXT)",
    """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
    INSERT INTO event SELECT i, CASE WHEN i % 50 THEN 'view' ELSE 'buy' END, i * 7919 % 3001, i % 97, 'Name ' || i, 'x' FROM n
    """,
  ]

  private func play(
    columns: Int = 120, isReadOnly: Bool = false, _ body: @escaping @Sendable (SessionDriver, _ path: String) throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appending(path: "test.db").path
      try await DatabaseQueue(path: path).withoutTransaction { db in for sql in Self.script { try db.execute(sql: sql) } }
      try await onOwnThread {
        let refusal = isReadOnly ? "this session is read-only" : nil
        let driver = try SessionDriver(path: path, columns: columns, rows: 36, refusal: refusal)
        driver.open(TableReference(name: "event"))
        try body(driver, path)
      }
    }
  }

  private func wait(_ driver: SessionDriver) {
    driver.wait {
      let screen = driver.browser.top(AdviceScreen.self)
      return screen?.advice?.stage == .done || screen?.obstacle != nil
    }
  }

  @Test func `gx measures indexes for the rows, and Enter writes one into the editor`() async throws {
    for columns in [120, 80] {
      try await play(columns: columns) { driver, path in
        let before = try Data(contentsOf: URL(filePath: path))
        driver.press("&")
        driver.type("kind = 'buy'")
        driver.press("enter g x")
        wait(driver)
        driver.screen.expectLine("Indexes that avoid this")
        driver.screen.expectLine(beginning: "CREATE INDEX ON event(kind)")
        #expect(driver.browser.top(AdviceScreen.self)?.advice?.ways.first?.sql == "CREATE INDEX event_kind ON event(kind)")
        driver.press("enter")
        #expect(driver.browser.top(AdviceScreen.self) == nil)
        driver.screen.expectLine("1 CREATE INDEX event_kind ON event(kind);")
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
      }
    }
  }

  @Test func `a text is found in the lines around the indexes`() async throws {
    try await play { driver, _ in
      driver.press("&")
      driver.type("kind = 'buy'")
      driver.press("enter g x")
      wait(driver)
      #expect(driver.screen.contains("/ find"))
      driver.play(["/", "'sqlite'", "enter"])
      #expect(driver.browser.top(AdviceScreen.self)?.found == "In SQLite's words")
      driver.press("n")
      #expect(driver.browser.top(AdviceScreen.self)?.found == "In SQLite's words", "it is the only one")
      driver.play(["/", "'SCAN'", "enter"])
      #expect(driver.browser.top(AdviceScreen.self)?.found == "SCAN event")
      driver.play(["/", "'zebra'", "enter"])
      #expect(driver.browser.notice?.text.contains("zebra") == true)
    }
  }

  @Test func `for a cluster, the plan says that indexes are measured only in files`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appending(path: "test.db").path
      try await DatabaseQueue(path: path).withoutTransaction { db in for sql in Self.script { try db.execute(sql: sql) } }
      try await onOwnThread {
        let driver = SessionDriver(source: RemoteDataSource(ServedDatabase(path: path), watchInterval: nil), columns: 80)
        driver.open(TableReference(name: "event"))
        driver.press("g x")
        driver.screen.expectLine(beginning: "Indexes are measured only in files")
      }
    }
  }

  @Test func `a plan that needs no index is shown alone, and a sentence says why nothing is tried`() async throws {
    try await play(isReadOnly: true) { driver, _ in
      driver.press("g x")
      driver.screen.expectLine(beginning: "· reads every row of event")
      driver.press("escape &")
      driver.type("id = 5")
      driver.press("enter g x")
      #expect(driver.browser.top(DetailsScreen.self) != nil)
      driver.press("escape &")
      driver.press("ctrl-u")
      driver.type("length(name) > 7")
      driver.press("enter g x")
      wait(driver)
      driver.screen.expectLine(beginning: "no index on columns avoids this")
      driver.press("enter")
      driver.screen.expectLine("there is no index to write")
      driver.press("escape")
      #expect(driver.browser.overlays.isEmpty)
    }
  }
}
