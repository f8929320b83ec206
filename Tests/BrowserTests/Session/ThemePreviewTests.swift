import Browser
import Terminal
import TestSupport
import Testing

@Suite("A theme that is tried before it is chosen", .gated)
struct ThemePreviewTests {
  private func play(_ body: @escaping @Sendable (SessionDriver) throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE t(x)", "INSERT INTO t VALUES (1)")
      try await onOwnThread {
        let driver = try SessionDriver(path: path, theme: try Self.theme("nord"))
        driver.press("f10")
        driver.type("choose-theme")
        driver.press("enter")
        try body(driver)
      }
    }
  }

  private static func theme(_ name: String) throws -> Theme {
    try #require(ThemeCatalog().theme(named: name)).theme
  }

  /// Expects that all is painted in a theme: the ground, and the title's line.
  private static func expect(_ name: String, on driver: SessionDriver, _ place: SourceLocation = #_sourceLocation) throws {
    let surface = try #require(driver.terminal.painted)
    let theme = try theme(name)
    #expect(surface[60, 30].style.background == theme.style(.text).background, "\(driver.screen)", sourceLocation: place)
    #expect(surface[60, 0].style.background == theme.style(.header).background, "\(driver.screen)", sourceLocation: place)
  }

  @Test("each theme under the cursor of the list is shown at once, and Esc brings the one before back")
  func moves() async throws {
    try await play { driver in
      try Self.expect("nord", on: driver)
      let names = ThemeCatalog().names
      let place = try #require(names.firstIndex(of: "nord"))
      for name in names[..<place].reversed() {
        driver.press("up")
        try Self.expect(name, on: driver)
      }
      driver.press("escape")
      try Self.expect("nord", on: driver)
      #expect(!driver.screen.contains("Themes"), "\(driver.screen)")
    }
  }

  @Test("what is written narrows the list, and the first that is left is shown; Enter keeps it")
  func chosen() async throws {
    try await play { driver in
      driver.type("dracula")
      try Self.expect("dracula", on: driver)
      driver.press("enter")
      try Self.expect("dracula", on: driver)
      driver.press("f10")
      driver.type("choose-theme")
      driver.press("enter escape")
      try Self.expect("dracula", on: driver)
    }
  }

  @Test("a text that fits no theme leaves the one that was shown last, until Esc")
  func none() async throws {
    try await play { driver in
      driver.type("drac")
      driver.type("xyz")
      try Self.expect("dracula", on: driver)
      driver.press("escape")
      try Self.expect("nord", on: driver)
    }
  }
}
