import Browser
import QuarryEngine
import Terminal
import TestSupport
import Testing

@Suite("The details of a table", .gated)
struct DetailsTests {
  private static let sql = "CREATE TABLE people(\n\tid INTEGER PRIMARY KEY,\n\tname TEXT, note TEXT, made DATE)"
  private static let index = "CREATE INDEX people_name ON people(name)"
  private static let trigger =
    "CREATE TRIGGER people_made AFTER INSERT ON people BEGIN UPDATE people SET made = date() WHERE id = new.id; END"

  private func play(_ body: @escaping @Sendable (SessionDriver) throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, Self.sql, Self.index, Self.trigger, "INSERT INTO people(name, note) VALUES ('Ada', 'counts'), ('Bo', 'sings')")
      try await onOwnThread {
        let driver = try SessionDriver(path: path, columns: 80, rows: 12)
        driver.press("tab i")
        try body(driver)
      }
    }
  }

  private func copied(_ effects: [Effect]) -> [String] {
    effects.compactMap { if case .copyToClipboard(let text) = $0 { text.text } else { nil } }
  }

  @Test("what is longer than a line goes on under itself, or has a line of its own, and is copied whole")
  func wrapping() {
    let line = StyledLine("  id", .key).adding("  integer  ", .keyword).adding("primary key, the rowid, not null", .muted)
    #expect(line.wrapped(to: 60) == [line])
    #expect(line.wrapped(to: 30).map(\.text) == ["  id  integer  primary key,", "               the rowid, not", "               null"])
    let far = StyledLine("  a_long_name  integer", .key).adding("  primary key", .muted)
    #expect(far.wrapped(to: 30).map(\.text) == ["  a_long_name  integer", "    primary key"])
    #expect(StyledLine("  FOREIGN KEY (a) REFERENCES b").wrapped(to: 20).map(\.text) == ["  FOREIGN KEY (a)", "    REFERENCES b"])
  }

  @Test("y copies the DDL with all that belongs to it, as it was written, and Y all lines")
  func copy() async throws {
    try await play { driver in
      var browser = driver.browser
      #expect(copied(browser.press("y")) == ["\(Self.sql);\n\(Self.index);\n\(Self.trigger);\n"])
      #expect(copied(browser.press("Y")).first?.contains("\nColumns\n  id") == true)
    }
  }

  @Test("/ finds a text in it, n and N go on, and what is not there is told")
  func find() async throws {
    try await play { driver in
      driver.press("/")
      #expect(driver.browser.context == .bar)
      driver.type("PEOPLE_NAME")
      driver.press("enter")
      driver.screen.expectLine("people_name (name)")
      let first = driver.browser.top(DetailsScreen.self)?.hit
      driver.press("n")
      let second = driver.browser.top(DetailsScreen.self)?.hit
      #expect(first != nil && second != nil && first != second)
      driver.screen.expectLine("CREATE INDEX people_name ON people(name);")
      driver.press("N")
      #expect(driver.browser.top(DetailsScreen.self)?.hit == first)
      driver.press("/")
      driver.type("nowhere")
      driver.press("enter")
      driver.screen.expectLine("“nowhere” was not found")
      driver.press("escape")
      #expect(driver.browser.overlays.isEmpty)
    }
  }

  @Test("Esc leaves the line that is typed before the screen under it")
  func escape() async throws {
    try await play { driver in
      driver.press("/")
      driver.type("q")
      driver.press("escape")
      #expect(driver.browser.overlays.count == 1)
      driver.press("/ f4")
      #expect(driver.browser.top(PromptScreen.self) == nil)
    }
  }

  @Test("help has their name, and no key of a record in it")
  func help() async throws {
    try await play { driver in
      driver.press("?")
      driver.screen.expectLine("Keys in the details of people")
      driver.type("record")
      #expect(!driver.screen.contains("next record"))
      driver.press("escape g d")
      driver.screen.expectLine("follow-foreign-key is not available here; Esc goes back")
      driver.press("n")
      driver.screen.expectLine("no search to repeat: / searches")
    }
  }

  @Test("a record is searched as well: its values, and the names of its fields")
  func record() async throws {
    try await play { driver in
      driver.press("escape enter /")
      driver.type("count")
      driver.press("enter")
      func field() -> Int? { driver.browser.top(RecordScreen.self)?.field }
      #expect(field() == 2)
      driver.press("/")
      driver.type("MADE")
      driver.press("enter")
      #expect(field() == 3)
    }
  }
}
