import Browser
import QuarryEngine
import QuarryRows
import Terminal
import TestSupport
import Testing

@Suite("The paths in a column of JSON", .gated)
struct PathsScreenTests {
  private static func play(columns: Int = 120, rows: Int = 30, body: @escaping @Sendable (SessionDriver) throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE event(id INTEGER PRIMARY KEY, data TEXT, kind TEXT)", "CREATE TABLE other(x)",
        """
        INSERT INTO event VALUES
          (1, '{"user": {"name": "Ada", "age": 36}, "tags": ["a", "b"]}', 'x'), (2, '{"user": {"name": "Bob"}, "n": 1}', 'y'),
          (3, 'no JSON', 'z'), (4, NULL, 'w'), (5, '{"user": {"name": "Cleo", "age": "?"}, "say \\"so\\".": 1}', 'v')
        """)
      try await onOwnThread {
        let driver = try SessionDriver(path: path, columns: columns, rows: rows)
        driver.press("enter")
        try body(driver)
      }
    }
  }

  /// Returns the line of the screen that has a text.
  private static func line(_ text: String, _ driver: SessionDriver) -> String {
    driver.screen.split(separator: "\n").first { $0.contains(text) }.map(String.init) ?? ""
  }

  @Test("are listed with rows, share and types; what is no JSON is counted by itself")
  func list() async throws {
    try await Self.play { driver in
      driver.press("l g j")
      #expect(Self.line("user.name", driver).contains("3     100 %  text"), "\(driver.screen)")
      #expect(Self.line("user.age", driver).contains("2    66.7 %  text 1, integer 1"), "\(driver.screen)")
      #expect(Self.line("tags[*]", driver).contains("1    33.3 %  text"), "\(driver.screen)")
      driver.screen.expectLine("5 rows · 1 NULL · 1 not JSON")
    }
  }

  @Test("become columns behind the JSON, which filter and sort like others, and go again")
  func columns() async throws {
    try await Self.play { driver in
      driver.press("l g j")
      driver.press("j space space")
      #expect(driver.browser.workspace.grid?.view.columns == [])
      driver.press("enter")
      let grid = try #require(driver.browser.workspace.grid)
      #expect(grid.shownNames == ["id", "data", "data.user.name", "data.user.age", "kind"])
      driver.screen.expectLine("Cleo")
      driver.press("l =")
      #expect(driver.browser.workspace.grid?.view.filter == "data.user.name = 'Ada'")
      #expect(driver.browser.workspace.grid?.window.rows.count == 1)
      driver.press("F s s")
      #expect(driver.browser.workspace.grid?.view.sort == "-data.user.name")
      #expect(driver.browser.workspace.grid?.window.rows.first?.key == .rowID(5))
      #expect(driver.browser.workspace.grid.map { $0.columns[$0.column].name } == "data.user.name")
      // The lens of a computed column is that of its JSON.
      driver.press("g j")
      driver.press("j space space enter")
      #expect(driver.browser.workspace.grid?.shownNames == ["id", "data", "kind"])
      #expect(driver.browser.workspace.grid?.view.sort == "-data.user.name")
    }
  }

  @Test("come into sight where the columns before them fill the screen")
  func narrowScreen() async throws {
    try await Self.play(columns: 60) { driver in
      driver.press("l g j")
      driver.press("j space enter")
      // The path has a line for each of its parts.
      for text in ["data.  ", "user.name", "Cleo"] { #expect(driver.screen.contains(text), "\(driver.screen)") }
      #expect(driver.browser.workspace.grid.map { $0.columns[$0.column].name } == "data")
    }
  }

  @Test("are not dropped by Esc before it is asked, and not asked about where nothing was chosen")
  func leaving() async throws {
    try await Self.play { driver in
      driver.press("l g j")
      driver.press("j space escape")
      driver.screen.expectLine("the columns are not shown yet: ⏎ shows them, Esc again drops them")
      #expect(driver.browser.top(PathsScreen.self) != nil)
      // Another choice is another question.
      driver.press("space escape")
      #expect(driver.browser.top(PathsScreen.self) != nil)
      driver.press("enter")
      #expect(driver.browser.workspace.grid?.shownNames == ["id", "data", "data.user.name", "data.user.age", "kind"])
      driver.press("g j")
      driver.press("j space space escape escape")
      #expect(driver.browser.overlays.isEmpty && driver.browser.workspace.grid?.columns.count == 5)
      driver.press("g j")
      driver.press("j space k space escape")
      driver.press("escape")
      #expect(driver.browser.overlays.isEmpty && driver.browser.workspace.grid?.columns.count == 5)
    }
  }

  @Test(
    "are dropped by no other key either before it is asked",
    arguments: [("q", "q"), ("f", "f"), ("s", "s"), ("K", "K"), ("ctrl-q", "^Q")])
  func otherWaysOut(key: String, hint: String) async throws {
    try await Self.play { driver in
      driver.press("l g j")
      driver.press("j space \(key)")
      #expect(driver.screen.contains("⏎ shows them, \(hint) again drops them"), "\(driver.screen)")
      #expect(driver.browser.top(PathsScreen.self) != nil && driver.browser.life == .running)
      driver.press(key)
      #expect(driver.browser.overlays.isEmpty || driver.browser.life != .running)
    }
  }

  @Test(
    "are dropped by no key that leads to another place either before it is asked",
    arguments: [("ctrl-p", "^P"), ("f4", "F4")])
  func waysElsewhere(key: String, hint: String) async throws {
    try await Self.play { driver in
      driver.press("l g j")
      driver.press("j space \(key)")
      #expect(driver.screen.contains("⏎ shows them, \(hint) again drops them"), "\(driver.screen)")
      #expect(driver.browser.top(PathsScreen.self) != nil)
      driver.press(key)
      #expect(!driver.screen.contains("again drops them") && !(driver.browser.top(PathsScreen.self) != nil), "\(driver.screen)")
    }
  }

  @Test("Enter shows the path under the cursor where none is chosen; f and s take it to the bar and the order")
  func actions() async throws {
    try await Self.play { driver in
      driver.press("l g j")
      driver.press("j enter")
      #expect(driver.browser.workspace.grid?.shownNames == ["id", "data", "data.user.name", "kind"])
      driver.press("g j")
      driver.press("j j f")
      #expect(driver.browser.rows.filter.bar.field.text == "data.user.age = ")
      // The first closes the list of values.
      driver.press("escape escape")
      driver.press("g j")
      driver.press("j j s")
      #expect(driver.browser.workspace.grid?.view.sort == "data.user.age")
    }
  }

  @Test("of elements show the first; a key that SQLite's paths cannot name says so, and changes nothing")
  func oddPaths() async throws {
    try await Self.play { driver in
      driver.press("l g j")
      let paths = try #require(driver.browser.top(PathsScreen.self)?.lines.compactMap { $0.json?.path.description })
      let tags = try #require(paths.firstIndex(of: "tags[*]"))
      driver.press("\(tags) j enter")
      #expect(driver.browser.workspace.grid?.shownNames == ["id", "data", "data.tags[0]", "kind"])
      driver.press("g j")
      #expect(Self.line("say", driver).contains("SQLite has no path to it"), "\(driver.screen)")
      #expect(driver.screen.matches(of: /no path/).count == 1, "\(driver.screen)")
      let odd = try #require(paths.firstIndex(of: "\"say \"\"so\"\".\""))
      driver.press("g g \(odd) j space enter")
      driver.screen.expectLine(#"SQLite cannot address "say ""so"".": a key has a quote and a period or bracket"#)
      #expect(driver.browser.workspace.grid?.columns.count == 4)
    }
  }

  @Test("that are columns are remembered, and shown when the table is opened again")
  func memory() async throws {
    try await Self.play { driver in
      driver.press("l g j")
      driver.press("j enter")
      let kept = driver.browser.workspace.memory[TableReference(name: "event")]
      #expect(kept?.columns == ["data.user.name"])
      for (table, columns) in [("other", ["x"]), ("event", ["id", "data", "data.user.name", "kind"])] {
        driver.press("ctrl-p")
        driver.type(table)
        driver.press("enter")
        #expect(driver.browser.workspace.grid?.shownNames == columns)
      }
    }
  }

  @Test("cannot be edited where they are columns, and other columns can")
  func editing() async throws {
    try await Self.play { driver in
      driver.press("l g j")
      driver.press("j enter")
      driver.press("l e")
      #expect(driver.browser.workspace.grid?.column == 3)
      #expect(!driver.screen.contains("stored:"), "\(driver.screen)")
      driver.press("l e")
      driver.screen.expectLine("stored: text 'x'")
    }
  }

  @Test("can be kept: the editor has a column and an index for one, which are not run by themselves")
  func keeping() async throws {
    try await Self.play { driver in
      driver.press("l g j")
      driver.press("j K")
      let sql = driver.browser.sql.buffer.text
      #expect(sql.hasPrefix("ALTER TABLE main.event ADD COLUMN user_name AS (CASE WHEN json_valid(data)"), "\(sql)")
      driver.screen.expectLine("2 CREATE INDEX main.event_user_name ON event (user_name);")
      #expect(driver.browser.workspace.grid?.columns.count == 3)
    }
  }

  @Test("are copied with a row, but for an INSERT")
  func copies() async throws {
    try await Self.play { driver in
      driver.press("l g j")
      driver.press("j enter")
      driver.press("Y")
      #expect(driver.terminal.copies.last?.contains("\tAda\tx") == true, "\(driver.terminal.copies)")
      driver.press("g y")
      driver.type("insert")
      driver.press("enter")
      #expect(driver.terminal.copies.last?.contains("INSERT INTO event(id,data,kind) VALUES") == true, "\(driver.terminal.copies)")
    }
  }

  @Test("are not looked for in a column of numbers, and Esc leaves")
  func obstacles() async throws {
    try await Self.play { driver in
      driver.press("g j")
      driver.screen.expectLine("id contains no text that could be JSON, and no foreign key connects these rows")
      driver.press("l l g j")
      driver.screen.expectLine("There is no JSON in this column.")
      driver.press("escape")
      #expect(!driver.screen.contains("JSON of kind"), "\(driver.screen)")
    }
  }
}

extension GridPane {
  /// The names of the columns as they are shown from left to right.
  fileprivate var shownNames: [String] { layout.shown.map { columns[$0].name } }
}
