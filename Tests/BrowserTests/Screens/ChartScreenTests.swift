import Browser
import Foundation
import QuarryEngine
import QuarryRows
import Terminal
import TestSupport
import Testing

@Suite("The chart of rows", .gated)
struct ChartScreenTests {
  private static let script = [
    "CREATE TABLE sales(id INTEGER PRIMARY KEY, country TEXT, sold DATE, amount REAL, note)",
    """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 240)
    INSERT INTO sales SELECT i, CASE i % 4 WHEN 0 THEN 'Chile' WHEN 1 THEN 'Peru' WHEN 2 THEN '日本' END,
      date('2023-01-01', i || ' days'), i % 10 + 0.5, NULL FROM n
    """,
    "CREATE TABLE empty(x INTEGER, y TEXT)",
    "CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, i % 7 AS k FROM n",
    """
    CREATE VIEW failing AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
    SELECT i, CASE WHEN i = 10001 THEN abs(-9223372036854775808) ELSE i % 10 END AS k FROM n
    """,
    "CREATE TABLE wide(\((1...1_990).map { "c\($0) INTEGER" }.joined(separator: ", ")))", "INSERT INTO wide(c7, c9) VALUES (1, 2), (3, 5)",
  ]

  private func play(
    _ table: String = "sales", columns: Int = 120, rows: Int = 36, isTimeless: Bool = true,
    _ body: @escaping @Sendable (SessionDriver) throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appending(path: "test.db").path
      try await DatabaseQueue(path: path).write { db in for sql in Self.script { try db.execute(sql: sql) } }
      try await onOwnThread {
        let driver = try SessionDriver(path: path, columns: columns, rows: rows, isTimeless: isTimeless)
        driver.open(TableReference(name: table))
        try body(driver)
      }
    }
  }

  @Test("is chosen from the columns, and drawn in another way by a key")
  func kinds() async throws {
    try await play { driver in
      driver.press("g v")
      driver.screen.expectLine("amount over sold  240 rows")
      driver.press("b")
      driver.screen.expectLine("sum of amount by week of sold")
      driver.press("h")
      driver.screen.expectLine("rows by amount in steps of 2")
      driver.press("s")
      driver.screen.expectLine("amount against sold")
      driver.press("escape")
      driver.screen.expectLine("filter › all rows")
    }
  }

  @Test("is about the column under the cursor, and comes back as it was left")
  func focus() async throws {
    try await play { driver in
      driver.press("l g v")
      driver.screen.expectLine("rows by country  240 rows")
      driver.press("o escape h g v")
      #expect(driver.browser.top(ChartScreen.self)?.spec.isByValue == false)
      driver.press("escape l g v")
      #expect(driver.browser.top(ChartScreen.self)?.spec.isByValue == false)
      driver.press("escape c")
      driver.type("amount")
      driver.press("enter g v")
      driver.screen.expectLine("rows by amount in steps of 2", "another column is another chart: \(driver.screen)")
    }
  }

  @Test("takes its columns from lists, and gathers rows as is said")
  func columns() async throws {
    try await play { driver in
      driver.press("l g v Y")
      driver.type("amount")
      driver.press("enter")
      driver.screen.expectLine("sum of amount by country")
      driver.screen.expectLine(beginning: "NULL │")
      for how in ["mean", "count", "min", "max", "sum"] {
        driver.press("a")
        driver.screen.expectLine("\(how) of amount by country")
      }
      driver.press("X")
      driver.type("sold")
      driver.press("enter l C")
      driver.type("country")
      driver.press("enter")
      driver.screen.expectLine("sum of amount by week of sold, by country")
      driver.screen.expectLine("● Peru   ■ 日本   ▲ NULL   ◆ Chile")
      driver.press("u")
      driver.screen.expectLine("sum of amount by month of sold, by country")
      driver.press("Y")
      driver.screen.expectLine("amount")
      #expect(!driver.screen.contains("note"), "\(driver.screen)")
      driver.press("escape X")
      driver.type("note")
      driver.press("enter")
      driver.screen.expectLine("no values of “note” are numbers or dates")
    }
  }

  @Test("reads values under a cursor, and keeps it among them")
  func cursor() async throws {
    try await play { driver in
      driver.play(["l g v down"])
      driver.screen.expectLine("Peru  60")
      driver.press("down down down down down")
      #expect(driver.browser.top(ChartScreen.self)?.cursor == 3)
      driver.press("g g up")
      #expect(driver.browser.top(ChartScreen.self)?.cursor == 0)
      driver.press("9 9 9 down")
      #expect(driver.browser.top(ChartScreen.self)?.cursor == 3)
    }
  }

  @Test("narrows the rows to a bar, a bin and a unit of the calendar by the filter's text")
  func narrowing() async throws {
    try await play { driver in
      driver.press("l g v")
      let names = driver.browser.top(ChartScreen.self)?.sheet?.picture.stops.map(\.name) ?? []
      let place = try #require(names.firstIndex(of: "Chile"))
      driver.play(Array(repeating: "down", count: place + 1) + ["enter"])
      #expect(driver.browser.grid?.view.filter == "country = 'Chile'" && driver.browser.grid?.total == .exact(60))
      driver.play(["l l g v h right enter"])
      #expect(driver.browser.grid?.view.filter == "country = 'Chile' and (amount >= 0 and amount < 2)", "\(driver.screen)")
      driver.play(["g F h g v right enter"])
      #expect(driver.browser.grid?.view.filter == "(sold >= 2023-01-02 and sold < 2023-01-09)", "\(driver.screen)")
      #expect(driver.browser.grid?.total == .exact(7))
    }
  }

  @Test("obeys the filter that is in force")
  func filtered() async throws {
    try await play { driver in
      driver.press("&")
      driver.type("country = 'Chile'")
      driver.press("enter l g v")
      driver.screen.expectLine("rows by country  60 rows")
    }
  }

  @Test("is copied as text")
  func copy() async throws {
    try await play { driver in
      driver.press("l g v y")
      let text = try #require(driver.browser.top(ChartScreen.self)?.text(driver.browser.appearance))
      #expect(text.hasPrefix("rows by country  240 rows\n") && text.contains("Chile │█"), "\(text)")
      #expect(!text.contains("╭"))
    }
  }

  @Test("says when there is nothing to draw, and what failed after how many rows")
  func faults() async throws {
    try await play("empty") { driver in
      driver.press("g v")
      driver.screen.expectLine("there is nothing to draw")
      for key in ["b", "l", "s", "h", "right", "a", "o", "L", "y", "enter"] { driver.press(key) }
    }
    try await play("failing") { driver in
      driver.press("g v")
      driver.screen.expectLine("≥ 10,000 rows")
      #expect(driver.screen.contains("stopped at an error: integer overflow, in column "))
    }
  }

  @Test("grows while rows are read, answers keys meanwhile, and reading ends when it is left or stopped")
  func endless() async throws {
    try await play("endless", isTimeless: false) { driver in
      driver.pressAtOnce("g v")
      driver.waitAtOnce { driver.screen.contains("k against i  ≥ ") }
      driver.pressAtOnce("h")
      driver.waitAtOnce { driver.screen.contains("rows by k in steps of 1  ≥ ") }
      driver.press("ctrl-c")
      #expect(driver.screen.contains(" rows, stopped"), "\(driver.screen)")
      driver.pressAtOnce("R")
      driver.press("escape")
      driver.screen.expectLine("filter › all rows")
    }
  }

  @Test("of a table of 1,990 columns lets choose among them")
  func wide() async throws {
    try await play("wide") { driver in
      driver.press("g v X")
      driver.type("c7")
      driver.press("enter Y")
      driver.type("c9")
      driver.press("enter")
      #expect(driver.browser.top(ChartScreen.self)?.spec.query.x == 6, "\(driver.screen)")
    }
  }

  @Test(
    "keeps to every size",
    arguments: [(200, 50), (80, 24), (40, 10), (1, 1)].map { Size(columns: $0.0, rows: $0.1) })
  func sizes(size: Size) async throws {
    try await play(columns: size.columns, rows: size.rows) { driver in
      driver.press("g v")
      for key in ["b", "l", "a", "s", "h", "right", "down"] {
        driver.press(key)
        guard size.columns >= 40 else { continue }
        #expect(driver.screen.contains("240 rows"), "\(key):\n\(driver.screen)")
        let picture = driver.browser.top(ChartScreen.self)?.sheet?.picture
        #expect(picture.map { $0.size.rows >= 4 && $0.size.columns >= 36 } ?? false)
      }
    }
  }

  @Test("can be read in every theme", arguments: BuiltInThemes.names)
  func themes(name: String) async throws {
    let theme = try #require(ThemeCatalog().theme(named: name)).theme
    let styles = Role.series.map { theme.style($0) }
    for style in styles {
      let contrast = Contrast.ratio(style.foreground, style.background)
      #expect(contrast.map { $0 >= 2.9 } ?? true, "\(style)")
    }
    if name != "mono" { #expect(Set(styles).count == styles.count) }
  }
}
