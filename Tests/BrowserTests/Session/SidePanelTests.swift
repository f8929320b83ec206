import Browser
import QuarryRows
import Terminal
import TestSupport
import Testing

@Suite("The panel beside the rows", .gated)
struct SidePanelTests {
  private func play(columns: Int = 120, _ body: @escaping @Sendable (SessionDriver) throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE city(id INTEGER PRIMARY KEY, name TEXT)", "CREATE TABLE river(id INTEGER PRIMARY KEY, length INTEGER)",
        "INSERT INTO city(name) VALUES ('Lima'), ('Oslo'), ('Rome')", "INSERT INTO river(length) VALUES (6400)")
      try await onOwnThread {
        let driver = try SessionDriver(path: path, columns: columns)
        driver.press("tab")
        try body(driver)
      }
    }
  }

  /// Returns the text right of the frame that opens in a row; nil where no frame is beside something else.
  private static func panel(_ driver: SessionDriver) -> [String]? {
    let lines = driver.screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let top = lines.first(where: { $0.contains("╭") }), let start = top.firstIndex(of: "╭") else { return nil }
    let column = top.distance(from: top.startIndex, to: start)
    return column == 0 ? nil : lines.map { String($0.dropFirst(column)) }
  }

  @Test("a record leaves the rows in sight from 110 columns on, and covers them below")
  func room() async throws {
    try await play { driver in
      driver.press("enter")
      #expect(Self.panel(driver)?.contains { $0.contains("Lima") } ?? false, "\(driver.screen)")
      driver.screen.expectLine("Oslo")
      driver.screen.expectLine("Rome")
    }
    try await play(columns: 109) { driver in
      driver.press("enter")
      #expect(Self.panel(driver) == nil && !driver.screen.contains("Oslo"), "\(driver.screen)")
    }
  }

  @Test("a record that turns to rows with fewer columns shows none of the former ones")
  func fewerColumns() async throws {
    try await play { driver in
      driver.press("enter")
      driver.press("f4")
      driver.type("select 'Quito'")
      driver.pressAtOnce("f5")
      driver.settleAtOnce()
      #expect(Self.panel(driver)?.contains { $0.contains("Quito") } ?? false, "\(driver.screen)")
      #expect(Self.panel(driver)?.contains { $0.contains("Lima") } == false, "\(driver.screen)")
    }
  }

  @Test("a long title of the rows leaves room for which of them the record is")
  func longTitle() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE city(name TEXT PRIMARY KEY)",
        "CREATE TABLE river(id INTEGER PRIMARY KEY, mouth TEXT REFERENCES city)",
        "INSERT INTO city VALUES ('Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch')",
        "INSERT INTO river(mouth) SELECT name FROM city")
      try await onOwnThread {
        let driver = try SessionDriver(path: path)
        driver.press("tab g r")
        driver.press("enter")
        let top = try #require(Self.panel(driver)?.first { $0.contains("╭") })
        #expect(top.contains("river where mouth = Llan") && top.contains("… · row 1 of 1 ─"), "\(driver.screen)")
      }
    }
  }

  @Test("Tab gives the keys to the rows and back, and the record follows the cursor")
  func following() async throws {
    try await play { driver in
      driver.press("enter tab j")
      #expect(!driver.browser.hasTopScreen && driver.browser.focus == .rows)
      #expect(Self.panel(driver)?.contains { $0.contains("Oslo") } ?? false, "\(driver.screen)")
      driver.press("tab ]")
      #expect(driver.browser.top(RecordScreen.self) != nil)
      #expect(Self.panel(driver)?.contains { $0.contains("Rome") } ?? false, "\(driver.screen)")
    }
  }

  @Test("Esc closes it from the rows too, and q closes it before anything else")
  func closing() async throws {
    try await play { driver in
      driver.press("enter tab escape")
      #expect(Self.panel(driver) == nil && driver.browser.overlays.isEmpty)
      driver.press("enter tab q")
      #expect(driver.browser.overlays.isEmpty && !driver.browser.hasEnded)
    }
  }

  @Test("the editor and another table leave it where it is, without the keys")
  func staying() async throws {
    try await play { driver in
      driver.press("enter tab f4")
      #expect(!driver.browser.hasTopScreen && driver.browser.focus == .editor)
      #expect(Self.panel(driver)?.contains { $0.contains("Lima") } ?? false, "\(driver.screen)")
      driver.press("f4 ctrl-p")
      driver.type("riv")
      driver.press("enter")
      #expect(!driver.browser.hasTopScreen && driver.browser.focus == .rows)
      #expect(Self.panel(driver)?.contains { $0.contains("6400") } ?? false, "\(driver.screen)")
    }
  }

  @Test("Enter on another row goes to the panel that is there")
  func again() async throws {
    try await play { driver in
      driver.press("enter tab j enter")
      #expect(driver.browser.overlays.count == 1)
      #expect(driver.browser.top(RecordScreen.self) != nil)
      #expect(Self.panel(driver)?.contains { $0.contains("Oslo") } ?? false, "\(driver.screen)")
    }
  }

  @Test("the details of a table follow the cursor of the catalog")
  func details() async throws {
    try await play { driver in
      driver.press("shift-tab i")
      #expect(Self.panel(driver)?.first { $0.contains("╭") }?.contains("city") ?? false, "\(driver.screen)")
      driver.press("tab j")
      #expect(driver.browser.focus == .catalog)
      #expect(Self.panel(driver)?.first { $0.contains("╭") }?.contains("river") ?? false, "\(driver.screen)")
      #expect(Self.panel(driver)?.contains { $0.contains("length") } ?? false)
    }
  }

  @Test("a click gives the keys to what lies under it")
  func mouse() async throws {
    try await play { driver in
      driver.press("enter")
      driver.send([.mouse(Mouse(.press(.left), at: Point(column: 20, row: 4)))])
      #expect(!driver.browser.hasTopScreen && driver.browser.focus == .rows, "\(driver.screen)")
      driver.send([.mouse(Mouse(.press(.left), at: Point(column: 100, row: 3)))])
      #expect(driver.browser.top(RecordScreen.self) != nil)
    }
  }

  @Test("a terminal that becomes too narrow gives the keys to the record that covers all then")
  func resize() async throws {
    try await play { driver in
      driver.press("enter tab")
      driver.send([.resized(Size(columns: 80, rows: 24))])
      #expect(driver.browser.top(RecordScreen.self) != nil)
      driver.press("escape")
      #expect(driver.browser.overlays.isEmpty)
    }
  }

  @Test("the record follows a sort, a filter and another table")
  func otherRows() async throws {
    try await play { driver in
      driver.press("enter tab l s s")
      #expect(driver.browser.grid?.currentRow?.key == .rowID(3))
      #expect(Self.panel(driver)?.contains { $0.contains("Rome") } ?? false, "\(driver.screen)")
      driver.press("& ctrl-u")
      driver.type("name = 'Oslo'")
      driver.press("enter")
      #expect(Self.panel(driver)?.contains { $0.contains("Oslo") } ?? false, "\(driver.screen)")
      driver.press("shift-tab j enter")
      #expect(Self.panel(driver)?.first { $0.contains("╭") }?.contains("river") ?? false, "\(driver.screen)")
      #expect(Self.panel(driver)?.contains { $0.contains("6400") } ?? false)
    }
  }

  @Test("a key that means nothing in the panel goes to the rows, and the keys with it")
  func passedKeys() async throws {
    try await play { driver in
      driver.press("enter l s s")
      #expect(!driver.browser.hasTopScreen && driver.browser.grid?.currentRow?.key == .rowID(3))
      driver.press("tab &")
      driver.type("id < 3")
      #expect(driver.browser.rows.filter.bar.field.text == "id < 3")
    }
  }
}
