import Browser
import QuarryEngine
import Terminal
import TestSupport
import Testing

@Suite("Screens in ASCII", .gated)
struct AsciiTests {
  private func play(_ size: Size, _ body: @escaping @Sendable (SessionDriver) throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT, made DATE, face BLOB, boss INTEGER REFERENCES people(id))",
        "CREATE INDEX people_name ON people(name)", "CREATE VIEW names AS SELECT name FROM people",
        "CREATE TABLE teams(id INTEGER PRIMARY KEY, lead INTEGER REFERENCES people(id))",
        "INSERT INTO people VALUES (1, 'Ada', '2021-01-31', x'89504e47', NULL), (2, '{\"a\": [1, \"b\"]}', NULL, NULL, 1)",
        "INSERT INTO people(name) VALUES ('a name that is much too long for the column that it stands in, and for the screen as well')",
        "INSERT INTO teams(lead) VALUES (1)")
      try await onOwnThread {
        let driver = try SessionDriver(path: path, columns: size.columns, rows: size.rows, isASCII: true)
        driver.press("tab")
        try body(driver)
      }
    }
  }

  private static func expectASCII(_ driver: SessionDriver, after step: String) {
    let foreign = driver.screen.filter { !$0.isASCII }
    #expect(foreign.isEmpty, "\(foreign) after \(step):\n\(driver.screen)")
  }

  @Test("have nothing of ours in them that is not", arguments: ScreenSizeTests.sizes.prefix(3))
  func everything(size: Size) async throws {
    try await play(size) { driver in
      Self.expectASCII(driver, after: "the start")
      let steps = [
        "?", ":", "ctrl-p", "c", "g y", "g x", "i", "f2 / escape", "enter", "enter j j", "j enter", "/", "n", "&", "f", "& tab", "g s", "s",
        "s l S", "z f",
        "l l -", "v l j", "V j", "g", "g r", "g d", "g v", "g v right", "l g v", "g v Y", "f8", "f9", "tab", "tab /", "f4 :", "f7", "Z",
        "3", "x", "ctrl-c",
      ]
      for step in steps {
        driver.press(step)
        Self.expectASCII(driver, after: step)
        driver.press("escape escape escape escape g F g S g -")
        if driver.browser.sql.isShown { driver.press("f4 q") }
        if driver.browser.focus == .catalog { driver.press("tab") }
      }
    }
  }

  @Test("say in it what is wrong, and quote what was written", arguments: ScreenSizeTests.sizes.prefix(2))
  func sentences(size: Size) async throws {
    try await play(size) { driver in
      for text in [
        "nmae = 'x'", "name = 3", "name ~ :part", "name = 'x' and", "made = 2021-13-01", "12abc", "3 < id < 4", "(name",
        "made = 2021-01-01",
      ] {
        driver.press("& ctrl-u")
        driver.type(text)
        Self.expectASCII(driver, after: text)
        driver.press("alt-l")
        Self.expectASCII(driver, after: "alt-l")
        driver.press("escape escape")
      }
      driver.press("/")
      driver.type("nowhere")
      driver.press("enter")
      Self.expectASCII(driver, after: "a text that is nowhere")
      driver.press("& ctrl-u")
      driver.type("id > :least")
      driver.press("enter")
      driver.type("x")
      driver.press("enter")
      Self.expectASCII(driver, after: "a form")
      driver.press("escape escape f4")
      for text in [
        "select name, id from people where id = :id", "selec 1", "delete from people where id > 100", "begin; delete from teams",
      ] {
        driver.press("ctrl-a ctrl-k alt-w f4 f4")
        driver.type(text)
        Self.expectASCII(driver, after: text)
        driver.press("shift-f5")
        Self.expectASCII(driver, after: "running \(text)")
        driver.press("escape escape")
        Self.expectASCII(driver, after: "leaving \(text)")
        driver.press("f4")
      }
      driver.type("x")
      driver.press("tab")
      Self.expectASCII(driver, after: "completion")
      driver.press("f8")
      Self.expectASCII(driver, after: "history")
    }
  }
}
