import Browser
import QuarryEngine
import QuarryRows
import Terminal
import TestSupport
import Testing

@Suite("Following the end of the rows", .gated)
struct FollowEndTests {
  /// Plays on a table `log` with so many rows and a view of it, which another connection writes to.
  private func play(rows: Int = 500, _ body: @escaping @Sendable (SessionDriver, DatabaseQueue) throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE log(id INTEGER PRIMARY KEY, line TEXT)",
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
        INSERT INTO log SELECT i, 'line ' || i FROM n
        """,
        "CREATE VIEW recent AS SELECT * FROM log")
      let writer = try DatabaseQueue(path: path)
      try await onOwnThread {
        let driver = try SessionDriver(path: path, watchInterval: .milliseconds(5))
        driver.open(TableReference(name: "log"))
        try body(driver, writer)
      }
    }
  }

  private static func write(_ sql: String, with writer: DatabaseQueue) throws {
    try writer.write { db in try db.execute(sql: sql) }
  }

  private static func glows(_ driver: SessionDriver, _ key: Int64, column: Int) -> Bool {
    driver.browser.grid?.glow.contains(.rowID(key), column: column) ?? false
  }

  @Test("goes to the last row, and stays on it as rows come, which are marked")
  func arriving() async throws {
    try await play { driver, writer in
      driver.press("g w")
      driver.screen.expectLine("log · 500 rows · following")
      #expect(driver.browser.grid?.currentRow?.key == .rowID(500), "\(driver.screen)")
      try Self.write("INSERT INTO log(line) VALUES ('new 1'), ('new 2')", with: writer)
      driver.wait { driver.screen.contains("new 2") && driver.screen.contains("row 502 of 502") }
      #expect(driver.browser.grid?.currentRow?.key == .rowID(502))
      #expect(Self.glows(driver, 501, column: 0) && Self.glows(driver, 502, column: 1))
      #expect(!Self.glows(driver, 500, column: 0) && !Self.glows(driver, 400, column: 0))
      try Self.write("UPDATE log SET line = 'changed' WHERE id = 499", with: writer)
      driver.wait { driver.screen.contains("changed") }
      #expect(Self.glows(driver, 499, column: 1) && !Self.glows(driver, 499, column: 0))
    }
  }

  @Test("more rows at once than there is room for leave the cursor on the last", arguments: ["", "&"])
  func many(filter: String) async throws {
    try await play { driver, writer in
      if !filter.isEmpty {
        driver.press("&")
        driver.type("line ~ e")
        driver.press("enter")
      }
      driver.press("g w")
      for round in 1...3 {
        try Self.write(
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO log(line) SELECT 'more ' || i FROM n",
          with: writer)
        driver.wait { driver.screen.contains("row \(Plural.grouped(500 + 1_000 * round)) of \(Plural.grouped(500 + 1_000 * round))") }
      }
      driver.screen.expectLine(beginning: "following")
    }
  }

  @Test("ends with Esc, by moving up, with the same key, and in another table", arguments: ["escape", "k", "g w", "g g", "pageup"])
  func end(keys: String) async throws {
    try await play { driver, writer in
      driver.press("g w")
      try Self.write("INSERT INTO log(line) VALUES ('new 1')", with: writer)
      driver.wait { driver.screen.contains("new 1") }
      driver.press(keys)
      driver.screen.expectLine("no longer following")
      #expect(driver.browser.rows.following.end == nil, "\(driver.screen)")
      let key = driver.browser.grid?.currentRow?.key
      try Self.write("INSERT INTO log(line) VALUES ('new 2')", with: writer)
      driver.wait { driver.screen.contains("502 rows") }
      #expect(driver.browser.grid?.currentRow?.key == key)
      #expect(!Self.glows(driver, 501, column: 0) && !Self.glows(driver, 502, column: 0))
    }
  }

  @Test("goes on when the filter changes, and when it is dropped")
  func filters() async throws {
    try await play { driver, writer in
      driver.press("g w")
      driver.press("&")
      driver.type("line ~ 7")
      driver.press("enter")
      driver.screen.expectLine("log · 95 of 500 rows · following")
      #expect(driver.browser.grid?.currentRow?.key == .rowID(497), "\(driver.screen)")
      try Self.write("INSERT INTO log(line) VALUES ('new 1'), ('new 7')", with: writer)
      driver.wait { driver.screen.contains("new 7") }
      #expect(driver.browser.grid?.currentRow?.key == .rowID(502) && Self.glows(driver, 502, column: 1))
      driver.press("F")
      driver.screen.expectLine("log · 502 rows · following")
      #expect(driver.browser.grid?.currentRow?.key == .rowID(502), "\(driver.screen)")
      try Self.write("INSERT INTO log(line) VALUES ('new 3')", with: writer)
      driver.wait { driver.screen.contains("new 3") && driver.screen.contains("row 503 of 503") }
    }
  }

  @Test(
    "takes place in any order: at its end, or at its beginning where the greatest comes first",
    arguments: [("s", "zz", "row 501 of 501"), ("s s", "zz", "row 1 of 501"), ("s", "aa", "row 501 of 501")])
  func orders(keys: String, line: String, position: String) async throws {
    try await play { driver, writer in
      driver.press("l \(keys)")
      driver.press("g w")
      #expect(driver.screen.contains("rows in this order stay visible"), "\(driver.screen)")
      try Self.write("INSERT INTO log(line) VALUES ('\(line)')", with: writer)
      driver.wait { driver.screen.contains(position) }
      driver.screen.expectLine(beginning: "following")
      if line == "zz" {
        driver.wait { driver.browser.grid?.currentRow?.key == .rowID(501) }
        #expect(Self.glows(driver, 501, column: 1) && !Self.glows(driver, 500, column: 1))
      } else {
        #expect(driver.browser.grid?.currentRow?.key == .rowID(99), "\(driver.screen)")
      }
      driver.press(keys == "s s" ? "j" : "k")
      #expect(driver.browser.rows.following.end == nil, "\(driver.screen)")
    }
  }

  @Test("goes on when the order changes")
  func changedOrder() async throws {
    try await play { driver, writer in
      driver.press("g w")
      driver.press("l s s")
      driver.screen.expectLine("log · 500 rows · sort line▼ · following")
      driver.screen.expectLine("row 1 of 500")
      try Self.write("INSERT INTO log(line) VALUES ('zz')", with: writer)
      driver.wait { driver.browser.grid?.currentRow?.key == .rowID(501) }
      driver.press("g S")
      driver.screen.expectLine("log · 501 rows · following")
      driver.screen.expectLine("row 501 of 501")
    }
  }

  @Test("is refused with the reason where new rows are not read")
  func refusal() async throws {
    try await play { driver, _ in
      driver.open(TableReference(name: "recent"))
      driver.press("g w")
      driver.screen.expectLine("a view cannot be followed: F5 reads its rows again")
    }
  }

  @Test("tells how many rows come a second, until none have come for as long as they are marked")
  func rate() {
    let start = ContinuousClock.now
    var following = EndFollowing(grid: GridID(number: 1))
    let appearance = Appearance(theme: .fallback, glyphs: .unicode)
    func receive(_ rows: Int, after time: Duration) {
      following.receive(EndFollowing.Arrival(rows: rows, last: nil, time: start + time))
    }
    receive(0, after: .zero)
    #expect(following.title(appearance) == "following")
    following.mark(1)
    receive(6, after: .milliseconds(500))
    #expect(following.title(appearance) == "following · 12 rows/s")
    following.mark(2)
    receive(1, after: .seconds(4))
    #expect(following.title(appearance) == "following · 1.8 rows/s")
    // What came more than five seconds ago does not count.
    receive(2, after: .seconds(8))
    #expect(following.title(appearance) == "following · 0.5 rows/s")
    following.calm(after: 1)
    #expect(following.title(appearance) == "following · 0.5 rows/s")
    following.calm(after: 2)
    #expect(following.title(appearance) == "following")
  }

  @Test("many rows are not counted at each change, but once nothing comes any more")
  func counting() throws {
    var browser = BrowserFixture.openBrowser()
    func answerEnd(through last: Int) {
      let rows = (last - 60..<last).map(BrowserFixture.row)
      browser.answerPage(.success(RowPage(rows: rows, firstNumber: nil, reachesStart: false, reachesEnd: true)))
    }
    browser.answer(CountRows.self, .success(.exact(200_000)))
    browser.press("g w")
    answerEnd(through: 200_000)
    for last in [200_001, 200_002] {
      _ = browser.update(.filesChanged)
      answerEnd(through: last)
      #expect(browser.outstanding(CountRows.self).isEmpty)
      browser.answer(CountArrivals.self, .success(EndFollowing.Arrival(rows: 1, last: .rowID(Int64(last)), time: .now)))
    }
    browser.screen.expectLine("albums · ~200,002 rows · following")
    for fade in browser.outstanding(FadeChange.self) { _ = browser.update(.answered(fade.id, .success(()))) }
    #expect(browser.outstanding(CountRows.self).count == 1)
  }

  @Test("marks fade after two seconds, those of each change by themselves")
  func fading() throws {
    var browser = BrowserFixture.openBrowser(total: 40)
    browser.answer(browser.press("g w"), total: 40)
    browser.answer(browser.update(.filesChanged), total: 42)
    #expect(browser.grid?.glow.contains(.rowID(42), column: 0) == true, "\(browser.screen)")
    browser.answer(browser.update(.filesChanged), total: 43)
    let fades = browser.outstanding(FadeChange.self)
    #expect(fades.map(\.request.change) == [1, 2] && FadeChange.time == .seconds(2))
    _ = browser.update(.answered(fades[0].id, .success(())))
    #expect(browser.grid?.glow.contains(.rowID(42), column: 0) == false && browser.grid?.glow.contains(.rowID(43), column: 0) == true)
    _ = browser.update(.answered(fades[1].id, .success(())))
    #expect(browser.grid?.glow == RecentChangeHighlight())
  }
}
