import Browser
import Foundation
import QuarryChanges
import QuarryEngine
import Terminal
import TestSupport
import Testing

/// The tables of the demo that the tour goes through, with a few rows.
enum TourDatabase {
  static let script = [
    "CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT)",
    "CREATE TABLE events(id INTEGER PRIMARY KEY, at TEXT, kind TEXT, person_id INTEGER REFERENCES people(id), seconds REAL)",
    "CREATE TABLE reminders(id INTEGER PRIMARY KEY, title TEXT, priority INTEGER, due DATE)",
    "INSERT INTO people VALUES (1, 'Ada'), (2, 'Zoë')",
    """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 90)
    INSERT INTO events SELECT i, '2024-01-01', CASE i % 3 WHEN 0 THEN 'snoozed' ELSE 'viewed' END, i % 2 + 1, i * 20 FROM n
    """,
    "INSERT INTO reminders VALUES (1, 'Buy milk', 2, '2026-03-02'), (2, 'Bread', 3, NULL), (3, 'Coffee', 1, '2026-02-20')",
  ]
}

@Suite("The tour", .gated)
struct TourTests {
  private func play(
    _ script: [String] = TourDatabase.script, size: Size = Size(columns: 100, rows: 36),
    _ body: @escaping @Sendable (SessionDriver) throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appending(path: "test.db").path
      try Self.makeDatabase(script, at: path)
      try await onOwnThread {
        let driver = try SessionDriver(path: path, columns: size.columns, rows: size.rows)
        driver.press("f10")
        driver.type("tour")
        driver.press("enter")
        try body(driver)
      }
    }
  }

  private static func makeDatabase(_ script: [String], at path: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in
      for sql in script { try db.execute(sql: sql) }
    }
    try queue.close()
  }

  private static func expectStep(_ number: Int, _ driver: SessionDriver, _ place: SourceLocation = #_sourceLocation) {
    let title = TourStep.all[number - 1].title
    #expect(
      driver.screen.contains("\(number) of \(TourStep.all.count)") && driver.screen.contains("Tour: \(title)"), "\(driver.screen)",
      sourceLocation: place)
  }

  @Test("goes on when its steps are done, from the first to the last")
  func doing() async throws {
    try await play { driver in
      let steps: [[String]] = [
        ["ctrl-p", "'ev'", "enter"], ["G g g"], ["&", "'seconds > 900 and kind ~ snoozed'", "enter"],
        ["c", "'kind'", "enter s s c", "'sec'", "enter S"],
        ["c", "'kind'", "enter # enter g f j enter g f"],
        ["c", "'pers'", "enter g d ctrl-o"], ["enter escape V j g y enter"], ["c", "'title'", "enter e", "' again'", "enter u"],
      ]
      for (number, step) in steps.enumerated() {
        Self.expectStep(number + 1, driver)
        driver.play(step)
      }
      Self.expectStep(9, driver)
      #expect(driver.browser.workspace.staged.isEmpty)
      driver.press("f4")
      driver.type("select * from reminders where priority >= :least")
      driver.press("f5")
      driver.type("2")
      driver.press("enter")
      Self.expectStep(10, driver)
      if driver.browser.focus == .editor { driver.press("escape") }
      driver.press("?")
      #expect(driver.browser.overlays.guide == nil)
    }
  }

  @Test("goes on by Space and back by Backspace, opens the tables that it needs, and Esc leaves it")
  func keys() async throws {
    try await play { driver in
      Self.expectStep(1, driver)
      driver.press("space")
      Self.expectStep(2, driver)
      #expect(driver.browser.grid?.title == "events")
      driver.press("space space space space space")
      Self.expectStep(7, driver)
      #expect(driver.browser.grid?.title == "reminders")
      driver.press("backspace")
      Self.expectStep(6, driver)
      driver.press("escape")
      #expect(driver.browser.overlays.guide == nil && !driver.screen.contains("Tour:"))
      driver.screen.expectLine(":tour opens the tour again")
    }
  }

  @Test("leaves their keys to texts, lists and records")
  func texts() async throws {
    try await play { driver in
      driver.press("space space &")
      driver.type("seconds > 3")
      Self.expectStep(3, driver)
      #expect(driver.screen.contains("seconds > 3"))
      driver.press("escape")
      Self.expectStep(3, driver)
      driver.press("enter escape")
      Self.expectStep(3, driver)
      #expect(driver.browser.overlays.isEmpty)
    }
  }

  @Test("its last line can be clicked")
  func click() async throws {
    try await play { driver in
      let lines = driver.screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      let row = try #require(lines.firstIndex { $0.contains("Space next") })
      let place = try #require(lines[row].firstRange(of: "next")?.lowerBound)
      driver.send([.mouse(Mouse(.press(.left), at: Point(column: lines[row].distance(from: lines[row].startIndex, to: place), row: row)))])
      Self.expectStep(2, driver)
    }
  }

  @Test("on another database offers to open the demo, and Esc stays there")
  func offer() async throws {
    try await play(["CREATE TABLE t(x)"]) { driver in
      driver.screen.expectLine("Space opens the demo, Esc stays here")
      driver.press("escape")
      #expect(driver.browser.overlays.guide == nil && !driver.browser.hasEnded)
      driver.press("f10")
      driver.type("tour")
      driver.press("enter space")
      #expect(driver.browser.successor == .demo(isTour: true) && driver.browser.hasEnded)
    }
  }

  @Test("has room of its own below the panes at every size", arguments: ScreenSizeTests.sizes)
  func sizes(size: Size) async throws {
    try await play(size: size) { driver in
      for _ in TourStep.all {
        let layout = ScreenLayout(driver.browser)
        #expect(layout.body.endRow == layout.guide.row || layout.guide.isEmpty)
        if size.columns >= 80 { #expect(driver.screen.contains("Space next")) }
        driver.press("space")
      }
    }
  }

  @Test("names commands that there are, by the keys that they have")
  func names() {
    let commands = Set(CommandList.standard.declarations.map(\.command))
    #expect(TourStep.all.count == 10)
    for step in TourStep.all {
      for name in (step.text + step.task).matches(of: #/\{([a-z-]+)\}/#).map({ String($0.1) }) {
        #expect(commands.contains(Command(rawValue: name)), "\(name)")
      }
      for command in step.commands.joined() { #expect(commands.contains(command), "\(command)") }
    }
  }
}
