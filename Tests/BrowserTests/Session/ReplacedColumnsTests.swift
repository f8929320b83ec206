import Browser
import Foundation
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("Tables whose columns become others while they are on the screen")
struct ReplacedColumnsTests {
  private static let tables = [
    "CREATE TABLE t(id INTEGER PRIMARY KEY, a)", "CREATE TABLE t(id INTEGER PRIMARY KEY, x, y)",
    "CREATE TABLE t(b, a, id INTEGER PRIMARY KEY)", "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b, c)",
    "CREATE TABLE t(a TEXT PRIMARY KEY, b) WITHOUT ROWID", "CREATE VIEW t AS SELECT 1 AS one",
  ]

  private static let inserting = [
    "INSERT INTO t VALUES (1, 'new a')", "INSERT INTO t VALUES (1, 'new x', 'new y')", "INSERT INTO t VALUES ('new b', 'new a', 1)",
    "INSERT INTO t VALUES (1, 'new a', 'new b', 'new c')", "INSERT INTO t VALUES ('new a', 'new b')", "SELECT 1",
  ]

  private static let screens = ["", "enter", "i", "g v", "#", "g f", "g s", "g k", "v l", "l l s"]

  /// Plays on a table `t(id, a, b)` while `replace` puts another file in the place of its own.
  private func play(
    _ table: Int, _ body: @escaping @Sendable (SessionDriver, _ path: String, _ replace: () throws -> Void) throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b)",
        "WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 300) INSERT INTO t SELECT i, 'old a', i % 7 FROM n")
      let other = try makeDatabaseFile(in: folder, named: "other.db", Self.tables[table], Self.inserting[table])
      try await onOwnThread {
        let driver = try SessionDriver(path: path, watchInterval: .milliseconds(5))
        driver.open(TableReference(name: "t"))
        try body(driver, path) { #expect(rename(other, path) == 0) }
      }
    }
  }

  @Test("a file that is replaced is shown with its own columns, whatever is open", arguments: Self.tables.indices, Self.screens)
  func replaced(table: Int, keys: String) async throws {
    try await play(table) { driver, path, replace in
      if !keys.isEmpty { driver.press(keys) }
      try replace()
      let names = try DatabaseQueue(path: path).read { try $0.tableSchema(TableReference(name: "t")).columns.map(\.name) }
      driver.wait { driver.browser.workspace.grid?.columns.map(\.name) == names }
      driver.settle()
      let grid = try #require(driver.browser.workspace.grid)
      #expect(grid.window.rows.allSatisfy { $0.cells.count == names.count })
      #expect(!driver.screen.contains("old a"), "\(driver.screen)")
      for key in ["escape", "escape", "$", "l", "j", "G", "R"] { driver.press(key) }
      #expect(driver.browser.workspace.grid?.columns.map(\.name) == names)
    }
  }

  @Test("what fits of the filter and the sort stays, and what does not is told")
  func view() async throws {
    try await play(0) { driver, _, replace in
      driver.press("&")
      driver.type("id < 5")
      driver.press("enter")
      driver.press("l l s")
      #expect(driver.browser.grid?.view == RowView(filter: "id < 5", sort: "b"))
      try replace()
      driver.wait { driver.browser.workspace.grid?.columns.count == 2 }
      #expect(driver.browser.grid?.view == RowView(filter: "id < 5"))
      driver.screen.expectLine("the sort was removed: “b” no longer exists")
    }
  }

  @Test("a table that the new file does not have is told of")
  func gone() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE t(a)", "INSERT INTO t VALUES ('old')")
      let other = try makeDatabaseFile(in: folder, named: "other.db", "CREATE TABLE u(a)")
      try await onOwnThread {
        let driver = try SessionDriver(path: path, watchInterval: .milliseconds(5))
        driver.open(TableReference(name: "t"))
        #expect(rename(other, path) == 0)
        driver.wait { driver.screen.contains("no such table: t") }
        for key in ["j", "l", "enter", "escape", "g v", "escape", "R"] { driver.press(key) }
        driver.screen.expectLine("no such table: t")
      }
    }
  }

  @Test(
    "a column that another program drops, renames or adds is followed, whatever is open",
    arguments: ["DROP COLUMN b", "RENAME COLUMN a TO z", "ADD COLUMN c DEFAULT 'much'"], Self.screens)
  func altered(change: String, keys: String) async throws {
    try await play(0) { driver, path, _ in
      if !keys.isEmpty { driver.press(keys) }
      let queue = try DatabaseQueue(path: path)
      try queue.write { try $0.execute(sql: "ALTER TABLE t \(change)") }
      let names = try queue.read { try $0.tableSchema(TableReference(name: "t")).columns.map(\.name) }
      driver.wait { driver.browser.workspace.grid?.columns.map(\.name) == names }
      driver.settle()
      #expect(driver.browser.workspace.grid?.window.rows.allSatisfy { $0.cells.count == names.count } == true)
      for key in ["escape", "escape", "$", "l", "j", "G", "R"] { driver.press(key) }
    }
  }
}
