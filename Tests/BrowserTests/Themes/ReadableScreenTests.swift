import Browser
import QuarryEngine
import Terminal
import TestSupport
import Testing

@Suite("What is written in the bar and in the editor", .gated)
struct ReadableScreenTests {
  /// Plays in a theme on a table that is open.
  private func play(_ theme: String, _ body: @escaping @Sendable (SessionDriver) throws -> Void) async throws {
    let theme = try #require(ThemeCatalog().theme(named: theme)).theme
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT, country TEXT)",
        "INSERT INTO people(name, country) VALUES ('Ada', 'UK'), ('Bo', 'USA')")
      try await onOwnThread {
        let driver = try SessionDriver(path: path, theme: theme)
        driver.press("tab")
        try body(driver)
      }
    }
  }

  /// Expects every character in some rows of the screen to be read.
  ///
  /// - Parameter lines: The lines of frames, which need only be seen, are passed over.
  private static func expectReadable(_ driver: SessionDriver, after step: String) {
    guard let surface = driver.terminal.painted else { return }
    for row in 0..<surface.size.rows {
      for cell in surface.cells(inRow: row) where cell.text != " " && !cell.text.isEmpty && !"│─╭╮╰╯".contains(cell.text) {
        let (text, ground) = (cell.style.foreground, cell.style.background)
        #expect(text != ground || text == .standard, "\(cell.text) after \(step): \(cell.style)")
        let contrast = text.contrast(to: ground)
        #expect(contrast.map { $0 >= 3 } ?? true, "\(cell.text) in row \(row) after \(step): \(cell.style), \(contrast ?? 0)")
      }
    }
  }

  @Test("can be read in every theme: texts, faults, what is offered, what is said", arguments: BuiltInThemes.names)
  func readable(theme: String) async throws {
    try await play(theme) { driver in
      Self.expectReadable(driver, after: "the start")
      for text in ["country = USA", "country = 'USA' and", "country = 'USA'", "name ~ :part", ""] {
        driver.press("& ctrl-u")
        driver.type(text)
        Self.expectReadable(driver, after: text)
        driver.press("escape")
      }
      driver.press("& tab down")
      Self.expectReadable(driver, after: "a list of completions")
      driver.press("escape escape g s")
      driver.type("nmae")
      Self.expectReadable(driver, after: "a sort")
      driver.press("escape f4")
      driver.type("select 'a', 1, x'00' /* why */ from people where (id = :a); selec 1;")
      driver.press("f5")
      Self.expectReadable(driver, after: "an error in the editor")
      driver.press("ctrl-home shift-end")
      Self.expectReadable(driver, after: "a selection in the editor")
      driver.press("escape ctrl-p")
      Self.expectReadable(driver, after: "a list")
    }
  }

  @Test("tells a fault from the text around it", arguments: BuiltInThemes.names)
  func fault(theme: String) async throws {
    try await play(theme) { driver in
      driver.press("&")
      driver.type("country = USA")
      let lines = driver.screen.split(separator: "\n", omittingEmptySubsequences: false)
      let row = try #require(lines.firstIndex { $0.contains("filter › country = USA") })
      let cells = try #require(driver.terminal.painted).cells(inRow: row).drop { $0.text != "›" }.dropFirst(2)
      let (text, wrong) = (cells.prefix(7).map(\.style), cells.dropFirst(10).prefix(3).map(\.style))
      #expect(Set(text).count == 1 && Set(wrong).count == 1 && text.first != wrong.first)
    }
  }

  @Test(
    "says an error in the error's own color, or on its own ground",
    arguments: BuiltInThemes.names.filter { !["mono", "terminal"].contains($0) })
  func errorColor(name: String) throws {
    let theme = try #require(ThemeCatalog().theme(named: name)).theme
    let (bar, own, text) = (theme.style(.error, on: .header), theme.style(.error), theme.style(.header))
    if own.background != theme.style(.text).background {
      #expect(bar.background == own.background && bar.foreground == own.foreground)
    } else {
      #expect(redness(bar.foreground) > redness(text.foreground) + 60, "\(bar)")
    }
  }

  /// How much more red than green and blue there is in a color.
  private func redness(_ color: Color) -> Int {
    guard case .rgb(let red, let green, let blue, _) = color else { return 0 }
    return 2 * Int(red) - Int(green) - Int(blue)
  }
}
