import Browser
import QuarryEngine
import QuarryRows
import Terminal
import TestSupport
import Testing

@Suite("A bar that is left", .gated)
struct LeftBarTests {
  /// Plays on the tables `people` and `places`, the first of which is open.
  private func play(_ body: @escaping @Sendable (SessionDriver) throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT, country TEXT)",
        "INSERT INTO people(name, country) VALUES ('Ada', 'UK'), ('Bo', 'USA'), ('Cy', 'USA'), ('Di', 'Peru'), ('Ed', 'UK')",
        "CREATE TABLE places(id INTEGER PRIMARY KEY, name TEXT)", "INSERT INTO places(name) VALUES ('here'), ('there')")
      try await onOwnThread {
        let driver = try SessionDriver(path: path)
        driver.press("tab")
        try body(driver)
      }
    }
  }

  private static func names(_ driver: SessionDriver) -> [String] {
    driver.browser.grid?.window.rows.compactMap { if case .text(let text, _, _) = $0.cells[1] { text } else { nil } } ?? []
  }

  private static let all = ["Ada", "Bo", "Cy", "Di", "Ed"]

  @Test("by Esc or F6 shows again what was in force, whether or not the rows had followed the text", arguments: ["escape", "f6"])
  func restored(key: String) async throws {
    try await play { driver in
      for text in ["country = 'USA'", "country = USA", "country = 'USA' and", "USA"] {
        driver.press("&")
        driver.type(text)
        driver.press(key)
        #expect(Self.names(driver) == Self.all, "after \(text)")
        driver.screen.expectLine("filter › all rows", "after \(text)")
        #expect(driver.browser.rows.filter.bar.isTyping == false)
      }
    }
  }

  @Test("puts the cursor back on its row, and keeps the filter that was applied before")
  func row() async throws {
    try await play { driver in
      driver.press("&")
      driver.type("id > 1")
      driver.press("enter j j &")
      driver.type(" and country = 'USA'")
      #expect(Self.names(driver) == ["Bo", "Cy"])
      driver.press("escape")
      #expect(Self.names(driver) == ["Bo", "Cy", "Di", "Ed"])
      #expect(driver.browser.grid?.currentRow?.key == .rowID(4))
      driver.screen.expectLine("filter › id > 1")
    }
  }

  @Test("while it has a fault in it the rows stay as they were, those of what was applied last")
  func faultyRows() async throws {
    try await play { driver in
      let muted = driver.browser.appearance.theme.style(.muted)
      func looks() -> Set<Style> {
        let lines = driver.screen.split(separator: "\n", omittingEmptySubsequences: false)
        guard let row = lines.firstIndex(where: { $0.contains("Cy") }), let surface = driver.terminal.painted else { return [] }
        let cells = surface.cells(inRow: row).drop { $0.text != "│" }
        return Set(cells.filter { ["C", "y", "U", "S", "A"].contains($0.text) }.map(\.style))
      }
      driver.press("&")
      driver.type("country = 'USA'")
      #expect(Self.names(driver) == ["Bo", "Cy"])
      #expect(!looks().contains(muted))
      driver.type(" and")
      #expect(Self.names(driver) == ["Bo", "Cy"])
      #expect(!looks().isEmpty && !looks().contains(muted), "they would flicker with each key")
      driver.type(" id > 2")
      #expect(Self.names(driver) == ["Cy"])
      #expect(!looks().contains(muted))
    }
  }

  @Test("what was written comes back by Up, before what was applied, and after a new start")
  func draft() async throws {
    try await play { driver in
      driver.press("&")
      driver.type("id = 2")
      driver.press("enter &")
      driver.press("ctrl-u")
      driver.type("countri = 'USA'")
      driver.press("escape")
      driver.press("& up")
      #expect(driver.browser.rows.filter.bar.field.text == "countri = 'USA'")
      driver.press("down")
      #expect(driver.browser.rows.filter.bar.field.text == "id = 2")
      #expect(driver.browser.memory.history(of: .filter, for: TableReference(name: "people")) == ["countri = 'USA'", "id = 2"])
    }
  }

  @Test("has a history of its own for each table")
  func histories() async throws {
    try await play { driver in
      driver.press("&")
      driver.type("country = 'USA'")
      driver.press("enter")
      driver.open(TableReference(name: "places"))
      driver.press("& up")
      #expect(driver.browser.rows.filter.bar.field.text == "")
      driver.type("name = 'here'")
      driver.press("enter & ctrl-u up up")
      #expect(driver.browser.rows.filter.bar.field.text == "name = 'here'")
    }
  }

  @Test("for another pane or table writes no more, and the keys are nobody's but that pane's", arguments: ["f4", "ctrl-p"])
  func forsaken(key: String) async throws {
    try await play { driver in
      driver.press("&")
      driver.type("country = 'USA'")
      if key == "f4" { driver.press(key) } else { driver.open(TableReference(name: "places")) }
      #expect(driver.browser.rows.filter.bar.isTyping == false)
      if key == "f4" { #expect(Self.names(driver) == Self.all) }
      driver.press(key == "f4" ? "f4" : "ctrl-o")
      #expect(driver.browser.grid?.title == "people")
      #expect(driver.browser.context == .grid)
    }
  }
}
