import Browser
import Foundation
import QuarryEngine
import Terminal
import TestSupport
import Testing

@Suite("The settings on the screen", .gated)
struct SettingsScreenTests {
  private static let text = """
    # mine
    theme = "nord"  # dark

    [labels]
    t = "x"

    """

  /// Plays on a table with the settings open, whose file has a text; nil for no file.
  private func play(
    _ text: String? = text, arguments: [SettingName: SettingValue] = [:], keys: String = "",
    _ body: @escaping @Sendable (SessionDriver, SettingsFile) throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE t(x)", "INSERT INTO t VALUES ('2024-01-01 00:00:00')")
      let file = SettingsFile(path: folder.appending(path: "quarry/config.toml").path)
      if let text {
        try FileManager.default.createDirectory(at: folder.appending(path: "quarry"), withIntermediateDirectories: true)
        try Self.write(text, to: file)
      }
      let settings = Settings(fileText: text, file: file.path, arguments: arguments)
      let theme = try Self.theme(settings.theme)
      try await onOwnThread {
        let driver = try SessionDriver(
          path: path, storage: Self.storage(file), theme: theme, settings: settings)
        if !keys.isEmpty { driver.play([keys]) }
        Self.open(driver)
        try body(driver, file)
      }
    }
  }

  private static func storage(_ file: SettingsFile) -> Storage {
    var storage = Storage()
    storage.settings = file
    return storage
  }

  private static func open(_ driver: SessionDriver) { driver.play([":", "'settings'", "enter"]) }

  private static func write(_ text: String, to file: SettingsFile) throws {
    try Data(text.utf8).write(to: URL(filePath: file.path))
  }

  private static func theme(_ name: String) throws -> Theme { try #require(ThemeCatalog().theme(named: name)).theme }

  private static func expect(_ name: String, on driver: SessionDriver, _ place: SourceLocation = #_sourceLocation) throws {
    let surface = try #require(driver.terminal.painted)
    let background = try theme(name).style(.header).background
    #expect(surface[60, 0].style.background == background, "\(driver.screen)", sourceLocation: place)
  }

  @Test("show the values of the file and of the defaults, with the help of the one under the cursor")
  func values() async throws {
    try await play { driver, _ in
      driver.screen.expectLine(beginning: "theme")
      driver.screen.expectLine("line 2")
      driver.screen.expectLine("60 columns")
      driver.screen.expectLine("256 MiB")
      driver.screen.expectLine(beginning: "The color theme; `quarry themes` lists them.")
      driver.play(["down down"])
      driver.screen.expectLine("Whether borders and marks are plain ASCII. Default: no.")
      driver.play(["G k"])
      driver.screen.expectLine("A change takes effect when you open the next database.")
    }
  }

  @Test("have their effect at once, and Esc restores what was")
  func effect() async throws {
    try await play { driver, file in
      let names = ThemeCatalog().names
      let next = try #require(names.firstIndex(of: "nord").map { names[($0 + 1) % names.count] })
      driver.play(["right"])
      try Self.expect(next, on: driver)
      driver.screen.expectLine("not saved")
      driver.play(["down space"])
      #expect(!driver.terminal.usesMouse)
      driver.play(["down space"])
      #expect(driver.screen.contains("+- Settings -"), "\(driver.screen)")
      driver.play(["down down space"])
      #expect(driver.screen.contains("2024-01-01 00:00:00"))
      driver.play(["escape"])
      try Self.expect("nord", on: driver)
      #expect(driver.terminal.usesMouse)
      #expect(!driver.screen.contains("+-") && !driver.screen.contains("00:00:00"), "\(driver.screen)")
      #expect(try file.read() == Self.text)
    }
  }

  @Test("are written with Enter, and all else in the file stays")
  func saving() async throws {
    try await play { driver, file in
      driver.play(["left right right left left down down space G k k h enter"])
      let names = ThemeCatalog().names
      let former = try #require(names.firstIndex(of: "nord").map { names[($0 + names.count - 1) % names.count] })
      let written = Self.text.replacing("\"nord\"", with: "\"\(former)\"")
        .replacing("dark\n", with: "dark\nascii = true\nchanges.record = false\n")
      #expect(try file.read() == written)
      #expect(driver.screen.contains("wrote theme, ascii, changes.record to "), "\(driver.screen)")
      #expect(driver.screen.contains("changes.record takes effect when you open the next database"), "\(driver.screen)")
      try Self.expect(former, on: driver)
      Self.open(driver)
      #expect(driver.screen.contains("line 3 |"), "\(driver.screen)")
      driver.play(["d enter"])
      #expect(try file.read() == written.replacing("theme = \"\(former)\"  # dark\n", with: ""))
      try Self.expect("quarry-dark", on: driver)
    }
  }

  @Test("are written to a new file where there is none")
  func newFile() async throws {
    try await play(nil) { driver, file in
      driver.play(["enter"])
      driver.screen.expectLine("no setting has changed: Esc closes the settings")
      driver.play(["j space enter"])
      let written = try file.read()
      #expect(written == "mouse = false\n")
    }
  }

  @Test("that are numbers are typed, and a number that is not valid is not accepted")
  func numbers() async throws {
    try await play { driver, file in
      driver.play(["3 down", "'3'"])
      driver.play(["j j", "'1300'"])
      driver.play(["enter"])
      driver.screen.expectLine("\"catalog-width\" is 1300; write a whole number from 12 to 120")
      driver.play(["backspace backspace"])
      driver.screen.expectLine("not saved")
      driver.play(["escape"])
      driver.screen.expectLine("60 columns")
      driver.play(["'20'", "down G k", "'9'", "enter"])
      let settings = Settings(fileText: try file.read())
      #expect(settings.catalogWidth == 20)
      #expect(settings.changesLimit == 9 << 20)
    }
  }

  @Test("of a file with a fault are not written, and the line is named")
  func fault() async throws {
    try await play("mouse = true\ntheme = \n") { driver, file in
      #expect(driver.screen.contains("line 2 of “"), "\(driver.screen)")
      driver.play(["j space enter"])
      #expect(driver.screen.contains("Correct the file first"), "\(driver.screen)")
      #expect(!driver.terminal.usesMouse)
      #expect(try file.read() == "mouse = true\ntheme = \n")
      driver.play(["escape"])
      #expect(driver.terminal.usesMouse)
      try Self.write("mouse = true\n", to: file)
      Self.open(driver)
      driver.play(["j space enter"])
      #expect(try file.read() == "mouse = false\n")
    }
  }

  @Test("of a file that others have changed since are shown before they are written")
  func outdated() async throws {
    try await play { driver, file in
      driver.play(["j space"])
      try Self.write("ascii = true\n", to: file)
      driver.play(["enter"])
      #expect(driver.screen.contains("the file has changed since it was read, and nothing was written"), "\(driver.screen)")
      #expect(try file.read() == "ascii = true\n")
      driver.play(["enter"])
      #expect(try file.read() == "ascii = true\nmouse = false\n")
    }
  }

  @Test("that the command line overrides say so, and those whose value is ignored")
  func overridden() async throws {
    try await play("theme = \"nord\"\nmouse = 3\n", arguments: [.theme: .text("dracula")]) { driver, file in
      try Self.expect("dracula", on: driver)
      driver.screen.expectLine("--theme now")
      driver.screen.expectLine("--theme on the command line overrides the file until you quit.")
      driver.screen.expectLine("line 2 is ignored")
      driver.play(["j d enter"])
      #expect(try file.read() == "theme = \"nord\"\n")
    }
  }

  @Test("offer a theme that was chosen from the list")
  func chosen() async throws {
    try await play(keys: ": c h o o s e - t h e m e enter d r a c u l a enter") { driver, file in
      driver.screen.expectLine("not saved")
      driver.play(["escape"])
      try Self.expect("dracula", on: driver)
      Self.open(driver)
      driver.play(["enter"])
      #expect(try file.read() == Self.text.replacing("nord", with: "dracula"))
    }
  }

  @Test("are chosen by the mouse")
  func mouse() async throws {
    try await play { driver, _ in
      let lines = driver.screen.split(separator: "\n", omittingEmptySubsequences: false)
      let row = try #require(lines.firstIndex { $0.contains("ascii  ") })
      let line = lines[row]
      let column = try #require(line.firstRange(of: "yes")).lowerBound
      driver.send([.mouse(Mouse(.press(.left), at: Point(column: line.distance(from: line.startIndex, to: column), row: row)))])
      #expect(driver.screen.contains("+- Settings -"), "\(driver.screen)")
    }
  }

  @Test("have no file without a folder for it, and say so")
  func noFile() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE t(x)")
      try await onOwnThread {
        let driver = try SessionDriver(path: path, theme: try Self.theme("quarry-dark"))
        Self.open(driver)
        driver.play(["j space enter"])
        driver.screen.expectLine("the settings have no file: set HOME or XDG_CONFIG_HOME, and start quarry again")
      }
    }
  }
}
