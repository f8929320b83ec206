import Browser
import Foundation
import QuarryEngine
import QuarryRows
import Terminal
import TestSupport
import Testing

@Suite("Walks through real databases", .gated)
struct WalkTests {
  static let sizes = [Size(columns: 120, rows: 36), Size(columns: 80, rows: 24)]

  /// The path of a sample database; nil where the samples are not there.
  private static func sample(_ name: String) -> String? {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let path = root.deletingLastPathComponent().appendingPathComponent("shared/data/\(name)").path
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }

  @Test(
    "every table and view is walked to its last row and column, its records opened, its foreign keys followed and come back from",
    .enabled(if: sample("chinook.db") != nil, "the sample databases are not here"), arguments: ["chinook.db", "northwind.db"], sizes)
  func everything(name: String, size: Size) async throws {
    guard let path = Self.sample(name) else { return }
    try await onOwnThread {
      let driver = try SessionDriver(path: path, columns: size.columns, rows: size.rows)
      let oracle = try DatabaseQueue(path: path)
      for entry in driver.browser.catalog.tables where entry.kind != .system {
        let sql = "SELECT count(*) FROM \(SQLIdentifier.quoted(entry.reference.name))"
        let count = try oracle.read { db in try Int.fetchOne(db, sql: sql) ?? 0 }
        walk(driver, entry.reference, count: count)
      }
    }
  }

  private func walk(_ driver: SessionDriver, _ table: TableReference, count: Int) {
    driver.open(table)
    #expect(driver.browser.grid?.title == table.name)
    driver.press("G")
    #expect(driver.browser.grid?.total == .exact(count), "the count of \(table.name)")
    guard count > 0 else { return }
    driver.press("$")
    driver.screen.expectLine("row \(Plural.grouped(count)) of \(Plural.grouped(count))", "the last row of \(table.name)")
    #expect(driver.browser.grid?.column == (driver.browser.grid?.columns.count ?? 0) - 1)
    driver.press("enter")
    guard let record = driver.browser.top(RecordScreen.self) else {
      Issue.record("Enter opens no record of \(table.name)")
      return
    }
    #expect(record.cells.count == driver.browser.grid?.columns.count)
    driver.press("[")
    driver.press("escape")
    driver.press("g g")
    #expect(driver.browser.grid?.window.number(at: driver.browser.grid?.row ?? -1) == .exact(0))
    followForeignKeys(driver, table)
  }

  private func followForeignKeys(_ driver: SessionDriver, _ table: TableReference) {
    let columns = driver.browser.grid?.columns.indices.filter { driver.browser.grid?.isReference($0) ?? false } ?? []
    for column in columns {
      driver.press("0")
      if column > 0 { driver.press("\(column)".map(String.init).joined(separator: " ") + " l") }
      guard let value = driver.browser.grid?.currentCell?.wholeValue, value != .null else { continue }
      let here = driver.browser.grid?.id
      driver.press("g d")
      if !driver.browser.overlays.isEmpty { driver.press("enter") }
      if driver.browser.grid?.id == here {
        #expect(driver.browser.notice?.text.hasPrefix("there is no row with") == true, "\(table.name): \(driver.screen)")
        continue
      }
      #expect(driver.browser.grid?.currentRow?.cells.contains { $0.wholeValue == value } == true)
      driver.press("ctrl-o")
      #expect(driver.browser.grid?.id == here)
      #expect(driver.browser.grid?.currentCell?.wholeValue == value)
    }
  }

  @Test("the mouse opens a table, moves the cursor, opens a record and scrolls")
  func mouse() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE a(x)", "CREATE TABLE b(id INTEGER PRIMARY KEY, name TEXT)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) INSERT INTO b SELECT i, 'name ' || i FROM n")
      try await onOwnThread {
        let driver = try SessionDriver(path: path)
        func click(_ column: Int, _ row: Int) {
          driver.send([Mouse.Action.press(.left), .release].map { .mouse(Mouse($0, at: Point(column: column, row: row))) })
        }
        click(5, 3)
        #expect(driver.browser.grid?.title == "b")
        click(40, 7)
        #expect(driver.browser.focus == .rows)
        #expect(driver.browser.grid?.row == 4)
        for _ in 0..<20 { driver.send([.mouse(Mouse(.wheelDown, at: Point(column: 60, row: 10)))]) }
        #expect(driver.browser.grid?.window.number(at: driver.browser.grid?.top ?? 0) == .exact(60))
        click(40, 7)
        click(40, 7)
        driver.screen.expectLine("name 65")
      }
    }
  }

  @Test("a change by another program is read by a refresh, and a row that is gone leaves the cursor in its place")
  func refresh() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE b(id INTEGER PRIMARY KEY, name TEXT)", "INSERT INTO b VALUES (1, 'one'), (2, 'two'), (3, 'three')")
      try await onOwnThread {
        let driver = try SessionDriver(path: path)
        driver.press("tab")
        driver.press("j")
        let other = try DatabaseQueue(path: path)
        try other.write { db in try db.execute(sql: "DELETE FROM b WHERE id = 2; INSERT INTO b VALUES (4, 'four')") }
        driver.press("R")
        driver.screen.expectLine("four")
        #expect(!driver.screen.contains("two"))
        #expect(driver.browser.grid?.total == .exact(3))
        #expect(driver.browser.grid?.currentRow?.key == .rowID(3))
      }
    }
  }

  @Test(
    "a move right after a jump counts from the row that the jump leads to",
    arguments: [
      ("G k", 3_998), ("G pageup pagedown k", 3_998), ("3 0 0 0 G 3 k", 2_996), ("3 0 0 0 G 3 k 5 0 0 j", 3_496), ("G 5 0 0 k", 3_499),
    ])
  func moveAfterJump(keys: String, number: Int) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE b(id INTEGER PRIMARY KEY, name TEXT)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000) INSERT INTO b SELECT i * i, 'name ' || i FROM n")
      try await onOwnThread {
        let driver = try SessionDriver(path: path)
        driver.press("tab")
        driver.press(keys)
        let grid = try #require(driver.browser.grid)
        #expect(grid.window.number(at: grid.row) == .exact(number))
        #expect(grid.currentRow?.key == .rowID(Int64((number + 1) * (number + 1))))
      }
    }
  }

  @Test("hostile names and values are shown and harm nothing")
  func hostile() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE \"a\"\"b; drop\"(\"c\"\"d\" TEXT)",
        "INSERT INTO \"a\"\"b; drop\" VALUES (char(27) || '[2J' || char(0) || 'x'), (CAST(x'ff41' AS TEXT)), (zeroblob(3000000)), (NULL)",
        "CREATE VIEW broken AS SELECT * FROM nowhere", "CREATE TABLE wide(\((1...2_000).map { "c\($0)" }.joined(separator: ",")))",
        "INSERT INTO wide(c1, c2000) VALUES (1, 'end')")
      try await onOwnThread {
        let driver = try SessionDriver(path: path)
        driver.screen.expectLine("␛[2J␀x")
        driver.screen.expectLine("\u{FFFD}A")
        driver.screen.expectLine("blob 3.0 MB")
        driver.open(TableReference(name: "broken"))
        driver.screen.expectLine("the view does not work: no such table: main.nowhere")
        driver.open(TableReference(name: "wide"))
        driver.press("$")
        driver.screen.expectLine("c2000")
        driver.screen.expectLine("end")
      }
    }
  }

  @Test("rows are copied as they are, whole, in every format")
  func copy() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, b BLOB)",
        "INSERT INTO t VALUES (1, 'it''s', x'00ff'), (2, NULL, NULL)", "INSERT INTO t VALUES (3, printf('%.*c', 5000, 'x'), 1.5)")
      try await onOwnThread {
        let driver = try SessionDriver(path: path)
        driver.press("tab")
        driver.press("Y")
        driver.press("l")
        driver.press("G")
        driver.press("y")
        driver.press("g g")
        driver.press("V")
        driver.press("j")
        driver.press("g y")
        driver.type("insert")
        driver.press("enter")
        #expect(driver.terminal.copies.first == "id\ta\tb\n1\tit's\tx'00ff'\n")
        #expect(driver.terminal.copies.dropFirst().first == String(repeating: "x", count: 5_000))
        #expect(driver.terminal.copies.last?.contains("'it''s'") == true)
        #expect(driver.terminal.copies.last?.split(separator: "\n").count == 2)
        driver.screen.expectLine("copied 2 rows as INSERT to the clipboard (the terminal)")
      }
    }
  }

  @Test("find goes to the next hit, wraps around, and marks what it found")
  func find() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO t SELECT i, 'row ' || i || CASE WHEN i % 1000 = 7 THEN ' Lucky_%' ELSE '' END FROM n"
      )
      try await onOwnThread {
        let driver = try SessionDriver(path: path)
        driver.press("tab")
        driver.press("/")
        driver.type("lucky_%")
        driver.press("enter")
        #expect(driver.browser.grid?.currentRow?.key == .rowID(7))
        driver.press("n")
        #expect(driver.browser.grid?.currentRow?.key == .rowID(1_007))
        driver.press("N")
        driver.press("N")
        #expect(driver.browser.grid?.currentRow?.key == .rowID(4_007))
        driver.screen.expectLine("continued from the bottom")
      }
    }
  }
}
