import Browser
import QuarryEngine
import QuarryRows
import Terminal
import TestSupport
import Testing

@Suite("A computed column in the grid", .gated)
struct ComputedColumnsTests {
  private static func play(columns: Int = 120, body: @escaping @Sendable (SessionDriver) throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE artist(id INTEGER PRIMARY KEY, name TEXT)",
        "CREATE TABLE track(id INTEGER PRIMARY KEY, title TEXT, artist INTEGER REFERENCES artist, seconds INTEGER)",
        "INSERT INTO artist VALUES (1, 'AC/DC'), (2, 'Accept'), (3, 'Nobody')",
        "INSERT INTO track VALUES (1, 'a', 1, 120), (2, 'b', 2, 60), (3, 'c', 1, 600), (4, 'd', NULL, NULL)")
      try await onOwnThread {
        let driver = try SessionDriver(path: path, columns: columns, rows: 30)
        try body(driver)
      }
    }
  }

  private static func grid(_ driver: SessionDriver) -> GridPane? { driver.browser.workspace.grid }

  private static func cursorColumn(_ driver: SessionDriver) -> String? {
    grid(driver).map { $0.columns[$0.column].name }
  }

  @Test("appears while it is written, beside its source, and has the cursor")
  func adding() async throws {
    try await Self.play { driver in
      driver.open("track")
      driver.play(["+", "'singer = artist.na'"])
      #expect(Self.grid(driver)?.view.columns == [])
      driver.play(["'me'"])
      #expect(Self.grid(driver)?.shownNames == ["id", "title", "artist", "singer", "seconds"])
      driver.press("enter")

      #expect(Self.cursorColumn(driver) == "singer")
      driver.screen.expectLine("singerƒ")
      driver.press("s")

      #expect(Self.grid(driver)?.view.sort == "singer")
      driver.press("= ")

      #expect(Self.grid(driver)?.view.filter == "singer is null")
      driver.press("F g S")

      driver.press("e")

      driver.screen.expectLine("singer is computed for each row and cannot be changed: + edits its expression")
      #expect(driver.browser.memory[TableReference(name: "track")]?.columns == ["singer = artist.name"])
    }
  }

  @Test("is left out again by Esc, which goes back to the column before")
  func leaving() async throws {
    try await Self.play { driver in
      driver.open("track")
      driver.play(["l +", "'x = seconds / 60'"])
      #expect(Self.grid(driver)?.shownNames == ["id", "title", "artist", "seconds", "x"])
      driver.press("escape")

      #expect(Self.grid(driver)?.shownNames == ["id", "title", "artist", "seconds"])
      #expect(Self.cursorColumn(driver) == "title")
    }
  }

  @Test("is edited by +, and removed by - unless another text uses it")
  func editing() async throws {
    try await Self.play { driver in
      driver.open("track")
      driver.play(["+", "'minutes = seconds / 60'", "enter"])
      driver.press("s + ")

      #expect(driver.browser.rows.filter.bar.field.text == "minutes = seconds / 60")
      driver.play(["'.0'", "enter"])
      #expect(Self.grid(driver)?.view == RowView(sort: "minutes", columns: ["minutes = seconds / 60.0"]))
      // The order would lose its key.
      driver.play(["+ ctrl-u", "'hours = seconds / 3600'"])
      driver.screen.expectLine("The sort uses the name minutes, which no column would have.")
      driver.press("alt-enter")

      #expect(driver.browser.rows.filter.bar.field.text == "minutes = seconds / 3600")
      driver.press("escape -")

      driver.screen.expectLine("the rows are sorted by minutes: gS removes the sorting")
      driver.press("g S -")

      driver.screen.expectLine("minutes removed: + Up writes it again")
      #expect(Self.grid(driver)?.view.columns == [])
      #expect(Self.grid(driver)?.shownNames == ["id", "title", "artist", "seconds"])
      driver.press("+ up")

      #expect(driver.browser.rows.filter.bar.field.text == "minutes = seconds / 60.0")
    }
  }

  @Test(
    "and a wrong text is not applied, with a correction", arguments: [("title = 3", "title_2 = 3"), ("x = artist.nam", "x = artist.name")])
  func faults(text: String, mended: String) async throws {
    try await Self.play { driver in
      driver.open("track")
      driver.play(["+", "'\(text)'", "enter"])
      #expect(Self.grid(driver)?.view.columns == [])
      #expect(driver.browser.rows.filter.bar.isTyping)
      driver.press("alt-enter enter")

      #expect(Self.grid(driver)?.view.columns == [mended])
    }
  }

  @Test("is chosen from the columns of a foreign key and of its own keys, and keeps its name there")
  func keys() async throws {
    try await Self.play { driver in
      driver.open("track")
      driver.play(["+", "'singer = artist.name'", "enter h g j"])
      driver.screen.expectLine("artist → artist")
      driver.press("space enter")

      #expect(Self.grid(driver)?.view.columns == ["singer = artist.name", "artist.id"])
      #expect(Self.grid(driver)?.shownNames == ["id", "title", "artist", "singer", "artist.id", "seconds"])
      driver.press("g j j space enter")

      #expect(Self.grid(driver)?.view.columns == ["artist.id"])
    }
  }

  @Test("is chosen from counts and sums of the referencing rows")
  func aggregates() async throws {
    try await Self.play { driver in
      driver.open("artist")
      driver.press("l g j")

      driver.screen.expectLine("count(track)        rows whose artist refers here")
      driver.press("space space enter")

      let grid = try #require(Self.grid(driver))
      #expect(grid.view.columns == ["count(track)", "sum(track.seconds)"])
      #expect(grid.window.rows.map { $0[2] } == [.integer(2), .integer(1), .integer(0)])
    }
  }

  @Test("keeps its width and stays hidden when another one is added")
  func layout() async throws {
    try await Self.play { driver in
      driver.open("track")
      driver.play(["+", "'x = seconds * 2'", "enter > > >"])
      let before = try #require(Self.grid(driver))
      driver.play(["+ ctrl-u", "'x = seconds * 2'", "escape h h - +", "'y = title'", "enter"])
      let after = try #require(Self.grid(driver))
      let (old, new) = (try #require(before.index(of: "x")), try #require(after.index(of: "x")))
      #expect(before.layout.widths[old] == after.layout.widths[new])
      #expect(after.shownNames.contains("y") && after.shownNames.count == 5)
    }
  }
}

extension GridPane {
  /// The names of the columns as they are shown from left to right.
  fileprivate var shownNames: [String] { layout.shown.map { columns[$0].name } }

  fileprivate func index(of name: String) -> Int? { columns.firstIndex { $0.name == name } }
}
