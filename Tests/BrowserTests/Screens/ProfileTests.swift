import Browser
import Foundation
import QuarryEngine
import QuarryRows
import Terminal
import TestSupport
import Testing

@Suite("The profile of a table", .gated)
struct ProfileTests {
  private func play(
    _ sql: String..., columns: Int = 120, rows: Int = 36, _ body: @escaping @Sendable (SessionDriver) throws -> Void
  ) async throws {
    try await SessionDriver.play(on: sql, columns: columns, rows: rows, keys: "tab g #", body)
  }

  private static let cities = [
    "CREATE TABLE city(id INTEGER PRIMARY KEY, name TEXT, height, note TEXT)",
    "INSERT INTO city(name, height) VALUES ('Lima', 1), ('Lima', 2), ('Oslo', 4.5), (NULL, 'high')",
  ]

  /// The line of a column, from its name on.
  private static func line(of column: String, _ driver: SessionDriver) -> String? {
    driver.screen.split(separator: "\n").map(String.init).first { $0.contains("  \(column)  ") }
  }

  @Test("says of each column what its values are like")
  func listing() async throws {
    try await play(Self.cities[0], Self.cities[1]) { driver in
      driver.screen.expectLine("Profile of city · 4 rows · 4 columns")
      let name = try #require(Self.line(of: "name", driver))
      #expect(name.contains("text") && name.contains("25.0 %") && name.contains("Lima"))
      let height = try #require(Self.line(of: "height", driver))
      #expect(height.contains("iiiirrtt") || height.contains("iiiirtt") || height.contains("r") && height.contains("t"), "\(height)")
      #expect(try #require(Self.line(of: "note", driver)).contains("100 %"))
      driver.play(["j"])
      let lines = driver.screen.split(separator: "\n")
      let heading = try #require(lines.firstIndex { $0.contains("most frequent") }, "\(driver.screen)")
      #expect(lines[heading + 1].contains("Lima") && lines[heading + 1].contains("  2    50.0 %  ██"), "\(driver.screen)")
    }
    try await play(Self.cities[0], Self.cities[1], columns: 60, rows: 18) { driver in
      driver.play(["j"])
      #expect(driver.screen.contains("most frequent"), "\(driver.screen)")
    }
  }

  private static let payments = [
    "CREATE TABLE payment(id INTEGER PRIMARY KEY, cents INTEGER, year INTEGER, rate REAL)",
    """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
    INSERT INTO payment SELECT i, 1234567 + i * 1000, 1900 + i / 2, 12345.5 + i FROM n
    """,
  ]

  @Test("has the least and the greatest value in sight at 80 columns, with separators but in years")
  func numbers() async throws {
    try await play(Self.payments[0], Self.payments[1], columns: 80, rows: 24) { driver in
      let lines = driver.screen.split(separator: "\n").map(String.init)
      let heading = try #require(lines.first { $0.contains("distinct") && $0.contains("types") })
      #expect(heading.contains("min") && heading.contains("max"), "\(driver.screen)")
      #expect(try #require(Self.line(of: "cents ", driver)).contains(" 1,235,567  1,434,567  "), "\(driver.screen)")
      #expect(try #require(Self.line(of: "year ", driver)).contains("1900       2000  "), "\(driver.screen)")
      #expect(try #require(Self.line(of: "rate ", driver)).contains("12,346.5   12,545.5  "), "\(driver.screen)")
    }
  }

  @Test("shows the ranges of the column under the cursor in the room below the list, with their bounds at the edges")
  func ranges() async throws {
    try await play(Self.payments[0], Self.payments[1], columns: 80, rows: 24) { driver in
      driver.play(["2 j"])
      let lines = driver.screen.split(separator: "\n").map(String.init)
      let axis = try #require(lines.firstIndex { $0.contains("└┬") }, "\(driver.screen)")
      #expect(lines[axis + 1].contains("1900") && lines[axis + 1].contains("2000"), "\(driver.screen)")
      #expect(lines[axis - 1].contains("███"), "\(driver.screen)")
    }
  }

  @Test("has the columns of its final values, whatever was estimated before them")
  func finalWidths() {
    func profile(_ quartile: Int64, isComplete: Bool) -> TableProfile {
      var column = ColumnProfile(name: "year", declaredType: "INTEGER")
      (column.rows, column.integers, column.p75) = (10, 10, Quartile(.integer(quartile)))
      return TableProfile(rows: 10, columns: [column], isComplete: isComplete, progress: RowProgress(rows: 10, total: 100))
    }
    func screen(after estimates: [Int64]) -> String {
      var browser = BrowserFixture.openBrowser(columns: 120)
      browser.press("g #")
      for estimate in estimates {
        browser.report(LoadProfile.self, content: profile(estimate, isComplete: false), progress: RowProgress(rows: 10, total: 100))
      }
      browser.answer(LoadProfile.self, .success(profile(7, isComplete: true)))
      return browser.screen
    }
    #expect(screen(after: [1_234_567_890]) == screen(after: []))
  }

  @Test("scrolls sideways at 80 columns, with the names in their place")
  func sideways() async throws {
    try await play(Self.cities[0], Self.cities[1], columns: 80, rows: 24) { driver in
      driver.screen.expectLine("types")
      #expect(!driver.screen.contains("mean"), "\(driver.screen)")
      driver.play(["l l l l l l l l"])
      driver.screen.expectLine("mean")
      #expect(!driver.screen.contains("types") && driver.screen.contains("  height  "), "\(driver.screen)")
      driver.play(["2 0 l"])
      driver.screen.expectLine("top")
      driver.play(["2 0 h"])
      driver.screen.expectLine("types")
    }
  }

  @Test("Enter counts the values of a column, which keep their rows in the grid; Esc goes back")
  func counts() async throws {
    try await play(Self.cities[0], Self.cities[1]) { driver in
      driver.play(["j enter"])
      driver.screen.expectLine("name · 4 rows · 2 values and NULL")
      driver.play(["escape"])
      #expect(driver.browser.top(ProfileScreen.self) != nil)
      driver.play(["enter enter"])
      #expect(!driver.browser.hasTopScreen && driver.browser.grid?.view.filter == "name = 'Lima'", "\(driver.screen)")
      driver.play(["g #"])
      #expect(driver.screen.contains("2 of 4 rows"), "\(driver.screen)")
      driver.play(["escape"])
      #expect(driver.browser.overlays.isEmpty)
    }
  }

  @Test("finds a column by its name, of 2,000 too")
  func finding() async throws {
    let names = (0..<1_900).map { "c\($0)" }
    try await play("CREATE TABLE t(\(names.joined(separator: ", ")))", "INSERT INTO t(c7) VALUES (1), (2)") { driver in
      driver.screen.expectLine("Profile of t · 2 rows · 1,900 columns")
      driver.play(["/"])
      driver.type("c1899")
      driver.play(["enter"])
      #expect(driver.browser.top(ProfileScreen.self)?.current?.name == "c1899", "\(driver.screen)")
    }
  }

  @Test("an empty table, values that are all NULL, one value, and a view that fails")
  func oddTables() async throws {
    try await play("CREATE TABLE t(a, \"b c\"\"d\")") { driver in
      driver.screen.expectLine("b c\"d")
      #expect(driver.screen.contains("0 rows"), "\(driver.screen)")
      driver.play(["j enter"])
      driver.screen.expectLine("There are no rows to count.")
    }
    try await play("CREATE TABLE t(a, b)", "INSERT INTO t VALUES (NULL, 7)") { driver in
      driver.screen.expectLine("100 %")
      driver.screen.expectLine("7")
    }
    try await play(
      "CREATE TABLE n(i INTEGER PRIMARY KEY)", "INSERT INTO n VALUES (1), (2)",
      "CREATE VIEW v AS SELECT CASE i WHEN 2 THEN abs(-9223372036854775808) END AS b FROM n"
    ) { driver in
      driver.play(["escape"])
      driver.open("v")
      driver.play(["g #"])
      driver.screen.expectLine("integer overflow")
    }
  }

  @Test("the number of different values is a lower bound until all rows are read")
  func growing() {
    var browser = BrowserFixture.openBrowser(columns: 120, rows: 36)
    browser.press("g #")
    var profile = Self.profile(isExact: true)
    profile.isComplete = false
    browser.report(LoadProfile.self, content: profile, progress: profile.progress)
    browser.screen.expectLine("≥ 9,871,234 distinct")
    profile.isComplete = true
    browser.answer(LoadProfile.self, .success(profile))
    browser.screen.expectLine("9,871,234 distinct")
    #expect(!browser.screen.contains("≥"), "\(browser.screen)")
  }

  @Test("what is stopped before anything was read does not look as if it went on")
  func stoppedAtOnce() {
    var browser = BrowserFixture.openBrowser(columns: 120, rows: 36)
    for (keys, state, end) in [("g #", "reading…", "Nothing is read yet."), ("#", "counting…", "Nothing is counted yet.")] {
      browser.press(keys)
      browser.screen.expectLine(state)
      browser.press("ctrl-c")
      browser.screen.expectLine(end)
      browser.screen.expectLine("stopped before the end")
      #expect(!browser.screen.contains(state), "\(browser.screen)")
      browser.press("escape")
    }
  }

  @Test("a search says that no table is searched as long as it does not know them")
  func searchWithoutTables() {
    var browser = BrowserFixture.openBrowser(columns: 120, rows: 36)
    browser.press("g /")
    browser.type("blue")
    browser.press("enter")
    browser.screen.expectLine("no table is searched yet")
    #expect(!browser.screen.contains("0 of 0"), "\(browser.screen)")
    browser.press("ctrl-c")
    browser.screen.expectLine("stopped · no table is searched yet")
  }

  // MARK: Estimates

  private static func profile(isExact: Bool) -> TableProfile {
    var column = ColumnProfile(name: "title", declaredType: "TEXT")
    (column.rows, column.texts) = (10_000_000, 10_000_000)
    column.distinct = isExact ? .exact(9_871_234) : .estimated(9_871_000, error: 0.01)
    column.remarks = isExact ? [] : [.blanks(3)]
    return TableProfile(rows: 10_000_000, columns: [column], isComplete: true, progress: RowProgress(rows: 10_000_000, total: 10_000_000))
  }

  @Test("an estimate says so and how far it goes, and the exact number is one key away")
  func estimates() throws {
    var browser = BrowserFixture.openBrowser(columns: 120, rows: 36)
    for key in Keymap.parse("g #") ?? [] { _ = browser.update(.eventArrived(.key(key))) }
    browser.answer(LoadProfile.self, .success(Self.profile(isExact: false)))
    browser.screen.expectLine("≈ 9,871,000 ± 1 % distinct")
    #expect(browser.screen.contains("= counts exactly"), "\(browser.screen)")
    browser.screen.expectLine("! title")
    browser.screen.expectLine("! 3 text values with spaces at the beginning or end")
    _ = browser.update(.eventArrived(.key(Key("="))))
    #expect(browser.outstanding(LoadProfile.self).last?.request.isExact == true)
    browser.answer(LoadProfile.self, .success(Self.profile(isExact: true)))
    browser.screen.expectLine("9,871,234")
    #expect(!browser.screen.contains("≈"), "\(browser.screen)")
    _ = browser.update(.eventArrived(.key(Key("="))))
    browser.screen.expectLine("all numbers are exact")
  }
}
