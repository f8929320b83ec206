import Browser
import QuarryEngine
import QuarryRows
import Terminal
import TestSupport
import Testing

@Suite("The names of the rows that values refer to", .gated)
struct ReferenceNamesTests {
  private static let shop = [
    "CREATE TABLE genre(id INTEGER PRIMARY KEY, name TEXT)",
    """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
    INSERT INTO genre SELECT i, CASE i WHEN 7 THEN 'Latin' WHEN 8 THEN 'A name that is far too long for any narrow place of the screen' \
    ELSE 'Genre ' || i END FROM n
    """,
    "CREATE TABLE track(id INTEGER PRIMARY KEY, genre INTEGER REFERENCES genre, title TEXT)",
    """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
    INSERT INTO track SELECT i, CASE WHEN i % 50 = 49 THEN 8 WHEN i % 4 = 0 THEN 7 ELSE i % 50 + 1 END, 'Title ' || i FROM n
    """,
    "PRAGMA foreign_keys = OFF",
    "INSERT INTO track VALUES (201, NULL, 'x'), (202, 77, 'y')",
  ]

  private func play(_ keys: String..., columns: Int = 120, _ body: @escaping @Sendable (SessionDriver) throws -> Void) async throws {
    try await SessionDriver.play(on: Self.shop, columns: columns, keys: "tab") { driver in
      driver.open("track")
      driver.play(keys)
      try body(driver)
    }
  }

  /// Returns the first line of the screen that contains a text.
  private static func line(_ text: String, _ driver: SessionDriver) -> String? {
    driver.screen.split(separator: "\n").first { $0.contains(text) }.map(String.init)
  }

  @Test("stand behind the values in the counts, a missing row as such, and NULL without any")
  func counts() async throws {
    try await play("l #") { driver in
      #expect(Self.line("7 · Latin", driver)?.contains("  52    25.7 %") == true, "\(driver.screen)")
      driver.press("s")
      #expect(Self.line("∅ NULL", driver)?.contains("∅ NULL ·") == false, "\(driver.screen)")
      driver.press("s")
      #expect(driver.screen.contains("77 · no such row"), "\(driver.screen)")
    }
  }

  @Test("are found in the counts, also of values that are not in sight")
  func found() async throws {
    try await play("l # s /", "'genre 47'") { driver in
      #expect(driver.screen.contains("47 · Genre 47"), "\(driver.screen)")
      driver.press("enter")
      driver.press("enter")
      #expect(driver.browser.grid?.view.filter == "genre = 47")
    }
  }

  @Test("come back with a column that is counted again")
  func again() async throws {
    try await play("l # l h") { driver in #expect(driver.screen.contains("7 · Latin"), "\(driver.screen)") }
  }

  @Test("stand behind the values of facets, which list a key's values however many they are", arguments: [120, 80])
  func facets(columns: Int) async throws {
    try await play("l g f", columns: columns) { driver in
      #expect(driver.screen.contains("7 · Latin"), "\(driver.screen)")
    }
  }

  @Test("stand beside the values that complete a filter, read by a request of their own")
  func completions() async throws {
    try await play("&", "'genre = '", "tab") { driver in
      let items = driver.browser.rows.filter.bar.completions?.items ?? []
      #expect(items.first { $0.label == "7" }?.detail == "· Latin", "\(driver.screen)")
      #expect(items.first { $0.label == "77" }?.detail == "· no such row")
    }
  }

  @Test("find the values that complete a filter, by a part or by several words of them")
  func completionsByName() async throws {
    try await play("&", "'genre = lat'", "tab") { driver in
      #expect(driver.browser.rows.filter.bar.field.text == "genre = 7", "\(driver.screen)")
    }
    try await play("&", "'genre = 'far na'", "tab") { driver in
      #expect(driver.browser.rows.filter.bar.field.text == "genre = 8", "\(driver.screen)")
    }
    try await play("&", "'genre != 'Genre 4'", "tab") { driver in
      let items = driver.browser.rows.filter.bar.completions?.items ?? []
      #expect(items.map(\.label) == ["4"] + (40...49).map(String.init) + ["14", "24", "34", "54"], "\(driver.screen)")
      #expect(items.first?.detail == "· Genre 4")
    }
    try await play("&", "'genre = nowhere'", "tab") { driver in
      #expect(driver.browser.rows.filter.bar.field.text == "genre = nowhere", "\(driver.screen)")
    }
  }

  @Test("stand behind the most frequent values of a profile, and behind the bars of a chart", arguments: [120, 80])
  func profileAndChart(columns: Int) async throws {
    try await play("l g # j", columns: columns) { driver in
      #expect(driver.screen.contains("7 · Latin"), "\(driver.screen)")
    }
    try await play("g v X", "'genre'", "enter", columns: columns) { driver in
      #expect(driver.screen.contains("7 · Latin"), "\(driver.screen)")
      driver.press("o")
      #expect(driver.screen.contains("7 · Latin"), "\(driver.screen)")
    }
  }

  @Test("keep the completion that is selected")
  func selection() throws {
    var list = try #require(CompletionList(["7", "8"].map { Completion(label: $0, detail: "", range: 0..<0, replacement: $0) }))
    list.move(by: 1)
    list.name([.integer(7): .row(label: "Latin")], glyphs: .unicode)
    #expect(list.current.label == "8")
  }

  @Test("are whole in a record, on further lines where one is too short", arguments: [120, 80])
  func record(columns: Int) async throws {
    try await play("4 9 G enter", columns: columns) { driver in
      let screen = driver.screen.split(separator: "\n").joined().filter { !"│ ".contains($0) }
      #expect(Self.line("8 · A name", driver) != nil, "\(driver.screen)")
      for word in ["narrow", "place", "screen"] { #expect(screen.contains(word), "\(driver.screen)") }
    }
  }
}
