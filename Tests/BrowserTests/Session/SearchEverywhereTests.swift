import Browser
import Foundation
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("Search in all tables, by key", .gated)
struct SearchEverywhereTests {
  private static let script = [
    "CREATE TABLE album(id INTEGER PRIMARY KEY, title TEXT, year INTEGER)",
    "INSERT INTO album VALUES (1, 'Pastel Blues', 1965), (2, 'Kind of Blue', 1959), (3, 'Blue Train', 1957)",
    "CREATE TABLE label(name TEXT PRIMARY KEY, city TEXT) WITHOUT ROWID", "INSERT INTO label VALUES ('Blue Note', 'New York')",
    "CREATE TABLE year(year INTEGER)", "INSERT INTO year VALUES (1957), (1958)",
  ]

  private func play(
    _ script: [String] = script, columns: Int = 120, rows: Int = 36, _ body: @escaping @Sendable (SessionDriver) throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appendingPathComponent("test.db").path
      let queue = try DatabaseQueue(path: path)
      try await queue.withoutTransaction { db in for sql in script { try db.execute(sql: sql) } }
      try await onOwnThread {
        let driver = try SessionDriver(path: path, columns: columns, rows: rows)
        driver.press("tab")
        try body(driver)
      }
    }
  }

  /// The value under the cursor of the grid, with its table.
  private static func cell(_ driver: SessionDriver) -> String {
    guard let grid = driver.browser.grid, let cell = grid.currentCell?.wholeValue else { return "" }
    return "\(grid.title).\(grid.columns[grid.column].name) \(cell.plainText)"
  }

  @Test("What is typed is looked for, Enter goes to a hit, and going back comes back to the place in the list")
  func backAndForth() async throws {
    try await play { driver in
      driver.press("g /")
      driver.type("BLUE")
      driver.screen.expectLine("4 hits in 2 tables · 3 tables · views are not searched")
      driver.screen.expectLine("▾ album  3")
      driver.screen.expectLine("▾ label  1")
      driver.press("enter j")
      driver.press("enter")
      #expect(Self.cell(driver) == "album.title Kind of Blue")
      driver.press("ctrl-o")
      driver.screen.expectLine("4 hits in 2 tables · 3 tables · views are not searched")
      driver.press("G enter")
      #expect(Self.cell(driver) == "label.name Blue Note")
      driver.press("k")
      driver.press("backspace")
      driver.press("k k enter")
      #expect(Self.cell(driver) == "album.title Blue Train")
    }
  }

  @Test("Going back from a hit's table to the hits leaves the rows that were there before")
  func trail() async throws {
    try await play { driver in
      let before = driver.browser.grid?.title
      driver.press("g /")
      driver.type("new york")
      driver.press("enter enter")
      #expect(Self.cell(driver) == "label.city New York")
      driver.press("ctrl-o")
      driver.screen.expectLine("Search all tables")
      driver.press("escape")
      #expect(!driver.screen.contains("Search all tables"))
      #expect(driver.browser.grid?.title == before)
      driver.press("ctrl-o")
      driver.screen.expectLine("there is nothing to go back to")
    }
  }

  @Test("Numbers are found in columns of numbers")
  func numbers() async throws {
    try await play { driver in
      driver.press("g /")
      driver.type("1957")
      driver.screen.expectLine("2 hits in 2 tables · 3 tables · views are not searched")
      driver.press("enter G enter")
      #expect(Self.cell(driver) == "year.year 1957")
    }
  }

  @Test("The hits of a table fold, the text can be changed, and Esc leaves")
  func folding() async throws {
    try await play { driver in
      driver.press("g /")
      driver.type("blue")
      driver.press("enter j space")
      driver.screen.expectLine("▸ album  3")
      #expect(!driver.screen.contains("Pastel"))
      driver.press("space")
      driver.screen.expectLine("Pastel Blues")
      driver.press("f")
      driver.type(" t")
      driver.screen.expectLine("1 hit in 1 table · 3 tables · views are not searched")
      #expect(!driver.screen.contains("Pastel"))
      driver.press("ctrl-u")
      driver.screen.expectLine("Views are not searched, only tables.")
      driver.type("zzz")
      driver.screen.expectLine("nothing found · 3 tables · views are not searched")
      driver.press("escape")
      #expect(!driver.screen.contains("Search all tables"))
    }
  }

  @Test("More hits than are listed are counted, and the last line filters the table by the text")
  func more() async throws {
    let many = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 1200) INSERT INTO many SELECT 'it''s ' || i FROM n"
    try await play(["CREATE TABLE many(v TEXT)", many]) { driver in
      driver.press("g /")
      driver.type("it's")
      driver.screen.expectLine("1,200 hits in 1 table · 1 table · views are not searched")
      driver.press("enter G")
      driver.screen.expectLine("200 more hits: ⏎ filters the table by the text")
      driver.press("enter")
      #expect(driver.browser.grid?.view.filter == "~ 'it''s'")
      #expect(driver.browser.grid?.total == .exact(1_200))
    }
  }

  @Test("A small screen has a list too", arguments: [(80, 24), (40, 10), (20, 5), (1, 1)])
  func sizes(columns: Int, rows: Int) async throws {
    try await play(columns: columns, rows: rows) { driver in
      driver.press("g /")
      driver.type("blue")
      driver.press("enter j")
      if columns >= 40 { #expect(driver.screen.contains("Blue")) }
      driver.press("enter")
      #expect(Self.cell(driver) == "album.title Kind of Blue")
    }
  }

  @Test("Enter twice before there is a hit opens the first one that comes; where none comes, the text can be changed")
  func ahead() async throws {
    try await play { driver in
      for key in ["g /", "B", "L", "U", "E", "enter", "enter"] { driver.pressAtOnce(key) }
      driver.settle()
      #expect(Self.cell(driver).hasPrefix("album.title"), "\(driver.screen)")
      for key in ["g /", "x", "y", "z", "enter", "enter"] { driver.pressAtOnce(key) }
      driver.settle()
      #expect(driver.screen.contains("Search all tables"), "\(driver.screen)")
      driver.type("zy")
      #expect(driver.screen.contains("xyzzy"), "\(driver.screen)")
    }
  }

  @Test("Leaving ends the search")
  func cancellation() async throws {
    let slow = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 200000) INSERT INTO many SELECT 'row ' || i FROM n"
    try await play(["CREATE TABLE many(v TEXT)", slow]) { driver in
      driver.pressAtOnce("g /")
      driver.pressAtOnce("r")
      driver.pressAtOnce("escape")
      #expect(driver.browser.outstanding(SearchEverywhere.self).isEmpty)
      driver.settle()
      #expect(!driver.screen.contains("Search all tables"))
    }
  }
}
