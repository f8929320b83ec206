import Browser
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("What others write while rows are on the screen", .gated)
struct WatchTests {
  /// Plays on a table `t` with so many rows and a view of it, which another connection writes to.
  private func play(
    rows: Int = 500, lines: Int = 36, watchInterval: Duration = .milliseconds(5),
    _ body: @escaping @Sendable (SessionDriver, DatabaseQueue) throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT)",
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
        INSERT INTO t SELECT i, 'row ' || i FROM n
        """,
        "CREATE VIEW v AS SELECT count(*) AS number FROM t")
      let writer = try DatabaseQueue(path: path)
      try await onOwnThread {
        let driver = try SessionDriver(path: path, rows: lines, watchInterval: watchInterval)
        driver.press("tab")
        try body(driver, writer)
      }
    }
  }

  private static func write(_ sql: String, with writer: DatabaseQueue) throws {
    try writer.write { db in try db.execute(sql: sql) }
  }

  @Test("it is shown in place, with the cursor on its row and its line, in each order and filter", arguments: ["", "l s s", "&"])
  func inPlace(keys: String) async throws {
    try await play { driver, writer in
      if keys.hasPrefix("&") {
        driver.press("&")
        driver.type("id > 30")
        driver.press("enter")
      } else {
        driver.press(keys)
      }
      driver.press("3 0 0 G")
      driver.press("k k")
      let key = try #require(driver.browser.grid?.currentRow?.key)
      let line = driver.browser.grid.map { $0.row - $0.top }
      try Self.write("DELETE FROM t WHERE id % 10 = 3; UPDATE t SET name = '*' || name", with: writer)
      driver.wait { driver.screen.contains("*row") && driver.screen.contains(keys.hasPrefix("&") ? " of 423" : " of 450") }
      #expect(driver.browser.grid?.currentRow?.key == key)
      #expect(driver.browser.grid.map { $0.row - $0.top } == line)
    }
  }

  @Test(
    "a row asked for by its number right after is the row of that number, be it known at once or only when rows are counted",
    arguments: ["", "l s"])
  func numbered(keys: String) async throws {
    try await play(rows: 300_000, watchInterval: .milliseconds(200)) { driver, writer in
      driver.press(keys)
      driver.wait { driver.screen.contains("row 1 of 300,000") }
      try Self.write("DELETE FROM t WHERE id % 7 = 3 AND id < 100000", with: writer)
      driver.press("2 5 0 0 0 1 G")
      driver.wait { driver.screen.contains("row 250,001 of 285,714") }
      let sql = "SELECT id FROM t ORDER BY \(keys.isEmpty ? "" : "name, ")id LIMIT 1 OFFSET 250000"
      let id = try #require(try writer.read { try Int64.fetchOne($0, sql: sql) })
      #expect(driver.browser.grid?.currentRow?.key == .rowID(id))
    }
  }

  @Test("a row that is gone leaves the cursor on the one that followed it")
  func gone() async throws {
    try await play { driver, writer in
      driver.press("3 0 0 G")
      let line = driver.browser.grid.map { $0.row - $0.top }
      try Self.write("DELETE FROM t WHERE id = 300", with: writer)
      driver.wait { driver.browser.grid?.currentRow?.key == .rowID(301) }
      #expect(driver.browser.grid.map { $0.row - $0.top } == line)
    }
  }

  /// A way to look at the rows of `t`: the keys that lead to it, and the rows in its order.
  struct Look: Sendable, CustomTestStringConvertible {
    var keys: String
    var filter = ""
    var rows: String

    static let all = [
      Look(keys: "", rows: "t ORDER BY id"), Look(keys: "l s s", rows: "t ORDER BY name DESC, id"),
      Look(keys: "", filter: "id > 3", rows: "t WHERE id > 3 ORDER BY id"),
      Look(keys: "l s s", filter: "name like 'row%'", rows: "t WHERE name LIKE 'row%' ORDER BY name DESC, id"),
    ]

    var testDescription: String { rows }

    func open(_ driver: SessionDriver) {
      driver.press(keys)
      if !filter.isEmpty { driver.play(["&", "'\(filter)'", "enter"]) }
    }
  }

  @Test(
    "when the last rows are gone, and the cursor's among them, the cursor is on the last one left, on the lowest line",
    arguments: Look.all,
    [(24, 500, 499), (36, 500, 499), (24, 500, 470), (36, 500, 400), (24, 500, 5), (24, 2, 1), (36, 3, 1), (24, 500, 1)])
  func goneAtTheEnd(look: Look, counts: (lines: Int, before: Int, left: Int)) async throws {
    let rows = look.filter.hasPrefix("id") ? counts.before + 3 : counts.before
    try await play(rows: rows, lines: counts.lines) { driver, writer in
      look.open(driver)
      driver.press("G")
      let last = "SELECT id FROM \(look.rows) LIMIT -1 OFFSET \(counts.left)"
      try Self.write("DELETE FROM t WHERE id IN (SELECT id FROM (\(last)))", with: writer)
      driver.wait { driver.screen.contains("row \(counts.left) of \(counts.left)") }
      let remaining = try #require(try writer.read { try Int64.fetchAll($0, sql: "SELECT id FROM \(look.rows)") }.last)
      let grid = try #require(driver.browser.grid)
      #expect(grid.currentRow?.key == .rowID(remaining))
      #expect(grid.row - grid.top == min(counts.left, grid.extent.rows) - 1)
      #expect(grid.window.rows.count >= min(counts.left, grid.extent.rows))
    }
  }

  @Test("a table that is emptied is shown without rows, and what is inserted then is shown")
  func emptied() async throws {
    try await play { driver, writer in
      driver.press("G")
      try Self.write("DELETE FROM t", with: writer)
      driver.wait { driver.screen.contains("t · 0 rows") }
      driver.screen.expectLine("no rows")
      try Self.write("INSERT INTO t VALUES (7, 'again')", with: writer)
      driver.wait { driver.screen.contains("again") && driver.screen.contains("row 1 of 1") }
    }
  }

  @Test("when the row and all before it are gone, the cursor is on the one that followed it", arguments: Look.all, [4, 20, 200])
  func goneAtTheStart(look: Look, number: Int) async throws {
    try await play { driver, writer in
      look.open(driver)
      driver.press((String(number) + "G").map(String.init).joined(separator: " "))
      let following = try #require(try writer.read { try Int64.fetchAll($0, sql: "SELECT id FROM \(look.rows)") }.dropFirst(number).first)
      try Self.write("DELETE FROM t WHERE id IN (SELECT id FROM (SELECT id FROM \(look.rows) LIMIT \(number)))", with: writer)
      driver.wait { driver.screen.contains("row 1 of \(500 - number - (look.filter.hasPrefix("id") ? 3 : 0))") }
      #expect(driver.browser.grid?.currentRow?.key == .rowID(following))
    }
  }

  @Test("the cursor stays on its row whatever others delete, at every moment", arguments: Look.all, ["DELETE", "WAL"])
  func steadyCursor(look: Look, journal: String) async throws {
    try await play { driver, writer in
      try writer.withoutTransaction { db in _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = \(journal)") }
      look.open(driver)
      driver.press("1 8 G")
      let key = try #require(driver.browser.grid?.currentRow?.key)
      guard case .rowID(let id) = key else { return }
      var left = look.filter.hasPrefix("id") ? 497 : 500
      for _ in 0..<40 {
        let deleted = "SELECT id FROM \(look.rows) LIMIT 2 OFFSET \(left / 2)"
        try Self.write("DELETE FROM t WHERE id IN (\(deleted)) AND id <> \(id)", with: writer)
        left = try #require(try writer.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM (SELECT id FROM \(look.rows))") })
        var others: Set<RowKey?> = []
        driver.wait {
          others.insert(driver.browser.grid?.currentRow?.key)
          return driver.screen.contains("row 18 of \(left)")
        }
        #expect(others == [key])
      }
    }
  }

  @Test("a table that is dropped is told of, and its rows stay; one that is made anew is shown as it is now")
  func dropped() async throws {
    try await play { driver, writer in
      try Self.write("DROP VIEW v; DROP TABLE t", with: writer)
      driver.wait { driver.screen.contains("no such table") }
      driver.screen.expectLine("row 7")
      try Self.write("CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, more)", with: writer)
      driver.wait { driver.screen.contains("more") }
      try Self.write("INSERT INTO t(name) VALUES ('first')", with: writer)
      driver.wait { driver.screen.contains("row 1 of 1") }
    }
  }

  @Test("a column that goes takes the order by it along, which is told; one that comes is shown")
  func altered() async throws {
    try await play { driver, writer in
      driver.press("l s s")
      try Self.write("ALTER TABLE t ADD COLUMN more DEFAULT 'much'", with: writer)
      driver.wait { driver.screen.contains("much") && driver.screen.contains("sort name") }
      #expect(!driver.screen.contains("SQLite error"))
      try Self.write("DROP VIEW v; ALTER TABLE t DROP COLUMN name", with: writer)
      driver.wait { driver.screen.contains("the sort was removed: “name” no longer exists") && driver.screen.contains("of 500") }
      #expect(!driver.screen.contains("sort name"))
    }
  }

  @Test("a filter that does not fit the columns any more goes with the true reason")
  func retyped() async throws {
    try await play { driver, writer in
      try Self.write("ALTER TABLE t ADD COLUMN done BOOLEAN DEFAULT 1; UPDATE t SET done = 0 WHERE id > 400", with: writer)
      driver.wait { driver.screen.contains("done") }
      driver.press("&")
      driver.type("done")
      driver.press("enter")
      driver.wait { driver.screen.contains("of 400") }
      try Self.write("DROP VIEW v; DROP TABLE t; CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, done TEXT)", with: writer)
      try Self.write("INSERT INTO t VALUES (1, 'one', 'yes'), (2, 'two', 'no')", with: writer)
      driver.wait { driver.screen.contains("the filter was removed: ") && driver.screen.contains("of 2") }
      #expect(!driver.screen.contains("no longer exists"))
    }
  }

  @Test("what is written while something slow is under way is shown all the same, again and again")
  func besideSlowWork() async throws {
    try await play { driver, writer in
      try writer.withoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
      let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) AS i FROM n"
      try Self.write("CREATE VIEW endless AS \(endless)", with: writer)
      driver.wait { driver.screen.contains("endless") }
      for key in ["ctrl-p"] + "endless".map(String.init) + ["enter"] { driver.pressAtOnce(key) }
      for number in 1...5 {
        try Self.write("UPDATE t SET name = 'write \(number)' WHERE id = 1", with: writer)
        driver.waitAtOnce { driver.screen.contains("write \(number)") }
      }
      driver.pressAtOnce("ctrl-c")
      driver.settleAtOnce()
    }
  }

  @Test("a view's rows stay what they are, which its title tells, until they are read again")
  func view() async throws {
    try await play { driver, writer in
      driver.open(TableReference(name: "v"))
      #expect(driver.browser.grid?.currentRow?.cells == [.integer(500)])
      try Self.write("DELETE FROM t WHERE id > 400", with: writer)
      driver.wait { driver.screen.contains("outdated: F5 refreshes") }
      #expect(driver.browser.grid?.currentRow?.cells == [.integer(500)])
      driver.press("R")
      #expect(driver.browser.grid?.currentRow?.cells == [.integer(400)])
      #expect(!driver.screen.contains("outdated"))
    }
  }

  @Test("rows in an order that nothing gives are put in order anew")
  func reordered() async throws {
    try await play { driver, writer in
      driver.press("l s s")
      driver.press("g g")
      try Self.write("INSERT INTO t VALUES (600, 'zzz'); DELETE FROM t WHERE id = 100", with: writer)
      driver.wait { driver.screen.contains("row 2 of 500") }
      driver.press("g g")
      #expect(driver.browser.grid?.currentRow?.key == .rowID(600))
      driver.press("G")
      try Self.write("UPDATE t SET name = 'a' WHERE id = 600", with: writer)
      driver.wait { driver.browser.grid?.window.rows.last?.key == .rowID(600) }
      try Self.write("DELETE FROM t; INSERT INTO t VALUES (1, 'b'), (2, 'c')", with: writer)
      driver.wait { driver.screen.contains("row 2 of 2") && driver.browser.grid?.window.rows.first?.key == .rowID(2) }
    }
  }

  @Test("rows that one comes back to are those that are there now, with their count")
  func comeBack() async throws {
    try await play { driver, writer in
      driver.press("3 0 0 G")
      driver.open(TableReference(name: "v"))
      try Self.write("DELETE FROM t WHERE id % 10 = 3; UPDATE t SET name = '*' || name", with: writer)
      driver.wait { driver.screen.contains("outdated") }
      driver.press("ctrl-o")
      driver.wait { driver.screen.contains("*row") && driver.screen.contains("row 270 of 450") }
    }
  }

  @Test("a view that is half read keeps its state to itself", arguments: ["DELETE", "WAL"])
  func halfRead(journal: String) async throws {
    try await play { driver, writer in
      try Self.write("CREATE VIEW pairs AS SELECT a.id, b.name FROM t AS a, t AS b", with: writer)
      try writer.withoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = \(journal)") }
      driver.wait { driver.screen.contains("pairs") }
      driver.open(TableReference(name: "pairs"))
      #expect(driver.screen.contains("≥"))
      try Self.write("UPDATE t SET name = 'new'", with: writer)
      driver.wait { driver.screen.contains("outdated") }
      driver.open(TableReference(name: "t"))
      driver.screen.expectLine("new")
      driver.press("ctrl-c")
      driver.press("G")
      driver.screen.expectLine("row 500 of 500")
    }
  }
}
