import Browser
import Terminal
import TestSupport
import Testing

@Suite("The mouse", .gated)
struct MouseTests {
  /// Plays on the database of the pictures.
  private func play(_ body: @escaping @Sendable (MousePlayer) throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let stage = try Stage(folder: folder, script: MusicDatabase.script)
      try await onOwnThread { try body(MousePlayer(driver: try SessionDriver(path: stage.path, storage: stage.storage, theme: .distinct))) }
    }
  }

  @Test("a click on a table shows it, a second one turns to it; a click on a group folds it and unfolds it")
  func catalog() async throws {
    try await play { mouse in
      try mouse.click("track ")
      #expect(mouse.title.hasPrefix("track"))
      mouse.driver.press("down")
      #expect(mouse.isShown("◆") && mouse.last.contains("row 1 of 40"), "the catalog has the keys: \(mouse.screen)")
      try mouse.click("track ")
      try mouse.click("track ")
      mouse.driver.press("down")
      #expect(mouse.last.contains("row 2 of 40"), "the grid has the keys: \(mouse.screen)")
      try mouse.click("Views")
      #expect(!mouse.isShown("long_track"))
      try mouse.click("Views")
      #expect(mouse.isShown("long_track"))
    }
  }

  @Test("a click on a cell goes there, a click on the cell under the cursor opens the record, and one on a field of it goes there")
  func cells() async throws {
    try await play { mouse in
      mouse.driver.open("track")
      try mouse.click("Track 7")
      #expect(mouse.last.contains("row 7 of 40"))
      try mouse.click("Track 7")
      #expect(mouse.isShown("track · row 7 of 40"), "\(mouse.screen)")
      try mouse.click("seconds")
      mouse.driver.press("y")
      #expect(mouse.driver.terminal.copies == ["186.5"])
    }
  }

  @Test(
    "a click on a header sorts by it, upwards, downwards and not at all; the right button sorts further; one that is dragged away does nothing"
  )
  func headers() async throws {
    try await play { mouse in
      mouse.driver.open("track")
      for sort in ["sort seconds▲", "sort seconds▼", nil] {
        try mouse.click("seconds")
        #expect(mouse.title.contains("sort") == (sort != nil) && mouse.title.contains(sort ?? ""), "\(mouse.title)")
      }
      try mouse.click("genre")
      mouse.send(.press(.right), at: try mouse.point(of: "seconds"))
      #expect(mouse.title.contains("sort genre▲ seconds▲"), "\(mouse.title)")
      try mouse.drag(from: "title", to: "album_id")
      #expect(mouse.title.contains("sort genre▲ seconds▲"), "\(mouse.title)")
    }
  }

  @Test("the cells between the press and the release are selected, and copied by ^C")
  func drag() async throws {
    try await play { mouse in
      mouse.driver.open("artist")
      try mouse.drag(from: "Nina", to: "椎名")
      #expect(mouse.title.contains("selected"), "\(mouse.title)")
      mouse.driver.press("ctrl-c")
      #expect(mouse.driver.terminal.copies == ["name\nNina Simone\nMiles Davis\n椎名林檎\n"])
    }
  }

  @Test("the wheel scrolls what is under the mouse: grid, details, record and a list; sideways it goes from column to column")
  func wheel() async throws {
    try await play { mouse in
      mouse.driver.open("track")
      try mouse.turn(.wheelDown, over: "Track 9", times: 2)
      #expect(!mouse.isShown("Track 6 ") && mouse.isShown("Track 7 "), "\(mouse.screen)")
      try mouse.turn(.wheelUp, over: "Track 9")
      #expect(mouse.isShown("Track 4 ") && !mouse.isShown("Track 3 "), "\(mouse.screen)")
      try mouse.turn(.wheelRight, over: "Track 9", times: 2)
      mouse.driver.press("y")
      #expect(mouse.driver.terminal.copies.last?.hasPrefix("Track ") == true)
      mouse.driver.open("event")
      mouse.driver.press("3 j enter")
      let top = mouse.screen
      try mouse.turn(.wheelDown, over: "xxxxx")
      #expect(mouse.screen != top)
      mouse.driver.press("escape ?")
      try mouse.turn(.wheelDown, over: "Keys", times: 2)
      let list = mouse.screen
      try mouse.turn(.wheelUp, over: "Keys", times: 2)
      #expect(mouse.screen != list)
    }
  }

  @Test("the wheel scrolls the editor and the catalog")
  func wheelInPanes() async throws {
    try await play { mouse in
      mouse.driver.press("f4")
      mouse.driver.type((1...40).map { "SELECT \($0);" }.joined(separator: "\n"))
      #expect(!mouse.isShown("SELECT 1;"))
      try mouse.turn(.wheelUp, over: "SELECT 40;", times: 14)
      #expect(mouse.isShown("SELECT 1;"), "\(mouse.screen)")
      mouse.driver.send([.resized(Size(columns: 120, rows: 8))])
      try mouse.turn(.wheelDown, over: "artist")
      #expect(mouse.isShown("long_track"), "\(mouse.screen)")
    }
  }

  @Test("a click on the filter bar writes there, one in the editor takes the caret there, one on the line of results goes to the next")
  func bars() async throws {
    try await play { mouse in
      mouse.driver.open("track")
      try mouse.click("all rows")
      mouse.driver.type("id = 3")
      mouse.driver.press("enter")
      #expect(mouse.title.contains("1 of 40 rows"), "\(mouse.title)")
      mouse.driver.press("f4")
      mouse.driver.type("SELECT 'first';\nSELECT 'second';")
      mouse.driver.press("shift-f5")
      try mouse.click("1 SELECT", isLast: true)
      mouse.driver.press("escape")
      mouse.driver.press("y")
      #expect(mouse.driver.terminal.copies.last == "first", "\(mouse.screen)")
      try mouse.click("'second'")
      mouse.driver.type("the ")
      #expect(mouse.isShown("SELECT the 'second'"), "\(mouse.screen)")
    }
  }

  @Test("a click on a line of a list chooses it, one beside the list closes it, one on a field of a form goes there")
  func lists() async throws {
    try await play { mouse in
      mouse.driver.press("ctrl-p")
      try mouse.click("event", isLast: true)
      #expect(mouse.title.hasPrefix("event"), "\(mouse.screen)")
      mouse.driver.press("ctrl-p")
      #expect(mouse.isShown("Tables and views"))
      mouse.send(.press(.left), at: Point(column: 0, row: 30))
      #expect(!mouse.isShown("Tables and views"), "\(mouse.screen)")
      mouse.driver.press("f4")
      mouse.driver.type("SELECT :one || :two")
      mouse.driver.press("f5")
      try mouse.click(":two", isLast: true)
      mouse.driver.type("b")
      try mouse.click(":one", isLast: true)
      mouse.driver.type("a")
      mouse.driver.press("enter")
      #expect(mouse.isShown("ab"), "\(mouse.screen)")
    }
  }

  @Test(
    "a press, a drag and a release anywhere, on any screen, harm nothing",
    arguments: ["tab", "/", "tab enter", "i", "?", "ctrl-p", "f4", "tab &"])
  func anywhere(keys: String) async throws {
    try await play { mouse in
      for row in stride(from: 0, through: 36, by: 5) {
        mouse.driver.press(keys)
        for column in stride(from: 0, through: 120, by: 17) {
          let point = Point(column: column, row: row)
          for action in [Mouse.Action.press(.left), .drag, .release, .press(.right), .press(.middle), .wheelDown, .wheelLeft] {
            mouse.send(action, at: point)
          }
        }
        mouse.driver.press("escape")
        mouse.driver.press("escape")
      }
      mouse.driver.press("escape")
      mouse.driver.open("artist")
      #expect(mouse.isShown("Nina Simone"), "\(mouse.screen)")
    }
  }
}

/// A mouse that finds its places by what the screen shows there.
private struct MousePlayer {
  let driver: SessionDriver

  var screen: String { driver.screen }

  /// The first and the last line of the screen; the title begins with what the grid shows.
  var title: String {
    let line = driver.terminal.painted?.text(ofRow: 0) ?? ""
    return line.split(separator: "│").last.map { $0.trimmingPrefix(" ") }.map(String.init) ?? ""
  }

  var last: String { driver.terminal.painted.map { $0.text(ofRow: $0.size.rows - 1) } ?? "" }

  func isShown(_ text: String) -> Bool { screen.contains(text) }

  /// Where a text begins between the first line and the last, in the first row that has it, or in the last.
  func point(of text: String, isLast: Bool = false) throws -> Point {
    let surface = try #require(driver.terminal.painted)
    let points = (1..<surface.size.rows - 1).compactMap { row -> Point? in
      let cells = surface.cells(inRow: row).map(\.text)
      let column = cells.indices.first { cells[$0...].joined().hasPrefix(text) && !cells[$0].isEmpty }
      return column.map { Point(column: $0, row: row) }
    }
    return try #require(isLast ? points.last : points.first, "\(text) is not on the screen:\n\(screen)")
  }

  func send(_ actions: Mouse.Action..., at point: Point) {
    driver.send(actions.map { .mouse(Mouse($0, at: point)) })
  }

  func click(_ text: String, isLast: Bool = false) throws {
    send(.press(.left), .release, at: try point(of: text, isLast: isLast))
  }

  func drag(from start: String, to end: String) throws {
    let (start, end) = (try point(of: start), try point(of: end))
    send(.press(.left), at: start)
    send(.drag, at: end)
    send(.release, at: end)
  }

  func turn(_ action: Mouse.Action, over text: String, times: Int = 1) throws {
    let point = try point(of: text)
    for _ in 0..<times { send(action, at: point) }
  }
}
