import Browser
import Foundation
import QuarryEngine
import QuarryRows
import Terminal
import TestSupport
import Testing

@Suite("Groups of rows, by key", .gated)
struct GroupingTests {
  private static let script = [
    "CREATE TABLE genre(id INTEGER PRIMARY KEY, name TEXT UNIQUE)",
    "INSERT INTO genre VALUES (1, 'Rock'), (2, 'Jazz')",
    "CREATE TABLE track(id INTEGER PRIMARY KEY, title TEXT, genre_id INTEGER REFERENCES genre, kind TEXT, seconds INTEGER, added TEXT)",
    """
    INSERT INTO track VALUES
      (1, 'a', 1, 'live', 100, '2024-01-05'), (2, 'b', 1, 'studio', 210, '2024-02-05'), (3, 'c', 1, 'live', 330, '2025-02-06'),
      (4, 'd', 2, 'studio', 120, '2025-02-07'), (5, 'e', NULL, NULL, 480, '2025-03-08')
    """,
  ]

  /// Plays on the tracks, with the cursor on a column.
  private func play(_ column: Int, _ keys: String = "g G", _ body: @escaping @Sendable (SessionDriver) throws -> Void) async throws {
    try await SessionDriver.play(on: Self.script, columns: 120, rows: 24, keys: "tab") { driver in
      driver.open("track")
      if column > 0 { driver.press("\(column) l") }
      driver.press(keys)
      try body(driver)
    }
  }

  /// The first cells of the rows, as shown.
  private static func rows(_ driver: SessionDriver, columns: Int) -> [[String]] {
    guard let grid = driver.browser.grid else { return [] }
    return grid.window.rows.map { row in
      (0..<columns).map { index in
        switch row[index] {
        case .integer(let number)?: "\(number)"
        case .real(let number)?: "\(number)"
        case .text(let text, _, _)?: text
        case .null?: "NULL"
        case .blob?, nil: "?"
        }
      }
    }
  }

  @Test("of a column are shown with their counts, the largest first, and with the names of a foreign key")
  func groups() async throws {
    try await play(2) { driver in
      driver.screen.expectLine("track grouped by genre_id · 3 groups of 5 rows · sort count▼ genre_id▲")
      #expect(Self.rows(driver, columns: 2) == [["1", "3"], ["NULL", "1"], ["2", "1"]])
      #expect(driver.screen.contains("1 · Rock"))
      driver.press("g k")
      #expect(!driver.screen.contains("1 · Rock"))
    }
  }

  @Test("lead to their rows and back")
  func rowsOfGroups() async throws {
    try await play(2) { driver in
      driver.press("enter")
      #expect(driver.browser.grid?.view.filter == "genre_id = 1")
      #expect(driver.browser.grid?.total == .exact(3))
      driver.press("escape")
      driver.screen.expectLine("track grouped by genre_id · 3 groups of 5 rows · sort count▼ genre_id▲")
      driver.press("j enter")
      #expect(driver.browser.grid?.view.filter == "genre_id is null")
      driver.press("escape escape")
      #expect(driver.browser.grid?.title == "track")
      #expect(driver.browser.grid?.view.filter.isEmpty == true)
    }
  }

  @Test("of filtered rows keep the filter, and have one of their own")
  func filters() async throws {
    try await play(3, "&") { driver in
      driver.type("seconds < 300")
      driver.press("enter g G")
      #expect(Self.rows(driver, columns: 2) == [["studio", "2"], ["live", "1"]])
      driver.press("&")
      driver.type("count > 1")
      driver.press("enter")
      driver.screen.expectLine("track grouped by kind · 1 of 2 groups of 3 rows · sort count▼ kind▲")
      driver.press("enter")
      #expect(driver.browser.grid?.view.filter == "seconds < 300 and kind = 'studio'")
      #expect(driver.browser.grid?.total == .exact(2))
    }
  }

  @Test("have several levels, which are selected together or added")
  func levels() async throws {
    try await play(2, "v l g G") { driver in
      #expect(driver.browser.grid?.grouping?.groups.shape.levels == ["genre_id", "kind"])
      #expect(Self.rows(driver, columns: 3).count == 4)
    }
    try await play(3) { driver in
      driver.press("g G")
      driver.type("genre")
      driver.press("enter")
      #expect(driver.browser.grid?.grouping?.groups.shape.levels == ["kind", "genre_id"])
      driver.press("d")
      #expect(driver.browser.grid?.grouping?.groups.shape.levels == ["kind"])
      driver.press("d")
      #expect(driver.browser.notice?.text.contains("only level") == true)
    }
  }

  @Test("show further values, which can be edited and removed")
  func values() async throws {
    try await play(3) { driver in
      driver.press("a")
      driver.type("sum(sec")
      driver.press("enter")
      #expect(Self.rows(driver, columns: 3) == [["live", "2", "430"], ["studio", "2", "330"], ["NULL", "1", "480"]])
      driver.press("$ e")
      driver.press("ctrl-u")
      driver.type("longest = max(seconds)")
      driver.press("enter")
      #expect(driver.browser.grid?.columns.map(\.name) == ["kind", "count", "longest"])
      driver.press("d")
      #expect(driver.browser.grid?.columns.map(\.name) == ["kind", "count"])
    }
  }

  @Test("have examples with columns of the table")
  func examples() async throws {
    try await play(3) { driver in
      driver.press("a")
      driver.type("an exp")
      #expect(driver.screen.contains("such as sum(seconds) / count"))
      driver.press("escape")
      driver.press("g G")
      #expect(driver.screen.contains("such as range(seconds, 10)"))
      driver.type("an exp")
      driver.press("enter")
      driver.type("month()")
      driver.screen.expectLine(beginning: "month expects a date, but there are 0 arguments. For example month(title).")
    }
    try await SessionDriver.play(on: ["CREATE TABLE t(day DATE, a INT, b REAL)", "INSERT INTO t VALUES (1, 2, 3)"], keys: "tab") { driver in
      driver.press("g G")
      driver.press("a")
      #expect(driver.screen.contains("such as sum(a * b)"))
      driver.press("escape")
      driver.press("g G")
      #expect(driver.screen.contains("such as month(day)"))
    }
  }

  @Test("with an error stay as they are, the error is shown as it is typed, and can be mended")
  func errors() async throws {
    try await play(3) { driver in
      driver.press("l e ctrl-u")
      driver.type("sum(secnds)")
      driver.screen.expectLine("There is no column secnds. Did you mean sum(seconds)?")
      driver.press("enter")
      driver.screen.expectLine("There is no column secnds. Did you mean sum(seconds)?")
      #expect(driver.browser.grid?.columns.map(\.name) == ["kind", "count"])
      driver.press("ctrl-u")
      driver.type("sum(seconds)")
      driver.press("enter")
      #expect(driver.browser.grid?.columns.map(\.name) == ["kind", "sum(seconds)"])
    }
  }

  @Test("of dates have units, and of numbers ranges")
  func unitsAndRanges() async throws {
    try await play(5) { driver in
      driver.press("u")
      #expect(Self.rows(driver, columns: 2) == [["2024", "2"], ["2025", "3"]])
      driver.press("u u")
      #expect(driver.browser.grid?.grouping?.groups.shape.levels == ["month(added)"])
      #expect(Self.rows(driver, columns: 2) == [["2024-01", "1"], ["2024-02", "1"], ["2025-02", "2"], ["2025-03", "1"]])
      driver.press("2 j enter")
      #expect(driver.browser.grid?.total == .exact(2))
      driver.press("escape u u u")
      #expect(driver.browser.grid?.grouping?.groups.shape.levels == ["added"])
    }
    try await play(4) { driver in
      driver.press("b ctrl-u")
      driver.type("100")
      driver.press("enter")
      #expect(Self.rows(driver, columns: 2) == [["100", "2"], ["200", "1"], ["300", "1"], ["400", "1"]])
      driver.press("u")
      #expect(driver.browser.notice?.text == "go to a level of dates")
    }
  }

  @Test("become columns of a pivot and rows again, and a cell leads to its rows")
  func pivot() async throws {
    try await play(2, "v l g G") { driver in
      driver.press("l g P")
      #expect(driver.browser.grid?.title == "track grouped by genre_id across kind")
      #expect(driver.browser.grid?.columns.map(\.name) == ["genre_id", "live", "studio", "NULL"])
      #expect(Self.rows(driver, columns: 4) == [["NULL", "0", "0", "1"], ["1", "2", "1", "0"], ["2", "0", "1", "0"]])
      driver.press("j 0 l enter")
      #expect(driver.browser.grid?.view.filter == "genre_id = 1 and kind = 'live'")
      #expect(driver.browser.grid?.total == .exact(2))
      driver.press("escape g P")
      #expect(driver.browser.grid?.grouping?.groups.shape.levels == ["genre_id", "kind"])
    }
  }

  @Test("are named where rows are not grouped")
  func ungrouped() async throws {
    try await play(0, "g P") { driver in
      #expect(driver.browser.notice?.text == "these rows are not grouped: gG groups them")
    }
  }

  @Test("of a pivot have the names of a foreign key below its values")
  func headings() async throws {
    try await play(3) { driver in
      driver.press("g G")
      driver.type("genre")
      driver.press("enter")
      driver.press("g P")
      driver.screen.expectLine("track grouped by kind across genre_id · 3 groups of 5 rows · sort kind▲")
      #expect(driver.browser.grid?.columns.map(\.name) == ["kind", "1", "2", "NULL"])
      #expect(driver.screen.contains("Rock") && driver.screen.contains("Jazz"))
      driver.press("g k")
      #expect(!driver.screen.contains("Rock"))
    }
  }

  @Test("are edited in a prompt that completes words")
  func completion() async throws {
    try await play(3) { driver in
      driver.press("l e")
      driver.type(" + sum(sec")
      driver.press("tab")
      #expect(driver.screen.contains("count + sum(seconds"))
      driver.type(") + m")
      driver.press("tab")
      #expect(driver.screen.contains("of the rows of a group"))
      driver.press("escape")
      #expect(!driver.screen.contains("of the rows of a group"))
      driver.press("tab down enter")
      driver.type("id)")
      driver.press("enter")
      #expect(driver.browser.grid?.columns.map(\.name) == ["kind", "count + sum(seconds) + max(id)"])
    }
  }
}
