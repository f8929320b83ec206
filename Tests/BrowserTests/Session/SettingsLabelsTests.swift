import Browser
import Foundation
import TestSupport
import Testing

@Suite("The label columns among the settings", .gated)
struct SettingsLabelsTests {
  private static let script = [
    "CREATE TABLE artist(id INTEGER PRIMARY KEY, name TEXT, country TEXT, year INTEGER)",
    "INSERT INTO artist VALUES (1, 'Nina Simone', 'US', 1933), (2, 'Björk', 'IS', 1965)",
    "CREATE TABLE album(id INTEGER PRIMARY KEY, title TEXT, artist_id INTEGER REFERENCES ARTIST, \"sequel,of\" REFERENCES album)",
    "INSERT INTO album VALUES (1, 'Pastel Blues', 1, NULL), (2, 'Post', 2, 1)", "CREATE TABLE alone(city)",
  ]
  private static let text = "# mine\n\n[labels] # names\nnosuch = \"a\"\nALONE = \"y\" # why\n"

  /// Plays on the albums with the names of the artists, with the cursor of the settings on the first label.
  private func play(
    _ text: String = text, hasFile: Bool = true, _ body: @escaping @Sendable (SessionDriver, SettingsFile) throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, Self.script.joined(separator: "; "))
      let file = SettingsFile(path: folder.appending(path: "config.toml").path)
      try Data(text.utf8).write(to: URL(filePath: file.path))
      try await onOwnThread {
        var storage = Storage()
        storage.settings = hasFile ? file : nil
        let theme = try #require(ThemeCatalog().theme(named: "quarry-dark")).theme
        let settings = Settings(fileText: text, file: file.path)
        let driver = try SessionDriver(path: path, storage: storage, theme: theme, settings: settings)
        driver.play(["ctrl-p", "'album'", "enter g k"])
        Self.open(driver)
        try body(driver, file)
      }
    }
  }

  private static func open(_ driver: SessionDriver) {
    driver.play([":", "'settings'", "enter"])
    // The lines are there once the file and the tables have been read.
    driver.play(["G k k"])
  }

  private static func expect(_ file: SettingsFile, _ text: String, _ place: SourceLocation = #_sourceLocation) throws {
    #expect(try file.read() == text, sourceLocation: place)
  }

  private static func line(_ driver: SessionDriver, _ title: String) -> String {
    driver.screen.split(separator: "\n").first { $0.contains(title) }.map(String.init) ?? driver.screen
  }

  @Test("are listed for the tables that foreign keys refer to and for those in the file, with their effect at once")
  func effect() async throws {
    try await play { driver, file in
      #expect(Self.line(driver, "labels.album").contains("id  ‹title›  artist_id ") && !driver.screen.contains("nosuch"))
      #expect(Self.line(driver, "labels.artist").contains("id  ‹name›  country  year") && driver.screen.contains("1 · Nina Simone"))
      #expect(Self.line(driver, "labels.alone").contains("y") && Self.line(driver, "labels.alone").contains("line 5"))
      driver.play(["j j right"])
      driver.screen.expectLine("The columns that name a row of artist where a foreign key refers to it. Default: name.")
      #expect(Self.line(driver, "labels.artist").contains("not saved") && driver.screen.contains("1 · US"), "\(driver.screen)")
      driver.play(["escape"])
      #expect(driver.screen.contains("1 · Nina Simone") && !driver.screen.contains("1 · US"), "\(driver.screen)")
      try Self.expect(file, Self.text)
    }
  }

  @Test("are typed, several with commas between them, and written below the others")
  func typing() async throws {
    try await play { driver, file in
      driver.play(["j j e", "', YEAR '", "enter"])
      #expect(driver.screen.contains(" wrote labels.artist to "), "\(driver.screen)")
      try Self.expect(file, Self.text + "artist = \"name, year\"\n")
      #expect(driver.screen.contains("1 · Nina Simone 1933"), "\(driver.screen)")
      Self.open(driver)
      driver.play(["j j d enter"])
      try Self.expect(file, Self.text)
      #expect(!driver.screen.contains("Simone 1933"), "\(driver.screen)")
    }
  }

  @Test("that the table does not have are refused, and those in the file are named")
  func refused() async throws {
    try await play { driver, file in
      driver.play(["j"])
      driver.screen.expectLine("alone has no column “y”: it has city")
      driver.play(["j e ctrl-u", "'country, nam'", "enter"])
      driver.screen.expectLine("artist has no column “nam”: did you mean “name”?")
      driver.play(["up"])
      driver.screen.expectLine("artist has no column “nam”: did you mean “name”?")
      driver.play(["escape"])
      #expect(Self.line(driver, "labels.artist").contains("default") && driver.screen.contains("1 · Nina Simone"), "\(driver.screen)")
      driver.play(["e ctrl-u", "' , '", "up right enter"])
      try Self.expect(file, Self.text.replacing("ALONE = \"y\"", with: "ALONE = \"city\""))
    }
  }

  @Test("that are no text are ignored, and replaced")
  func faulty() async throws {
    try await play("[labels]\nartist = [ 'name' ]\n") { driver, file in
      #expect(Self.line(driver, "labels.artist").contains("line 2 is ignored"), "\(driver.screen)")
      driver.play(["G right enter"])
      try Self.expect(file, "[labels]\nartist = \"country\"\n")
    }
  }

  @Test("have their effect also where the settings have no file, and are not written")
  func noFile() async throws {
    try await play(hasFile: false) { driver, file in
      driver.play(["G right"])
      #expect(driver.screen.contains("1 · US"), "\(driver.screen)")
      driver.play(["enter"])
      driver.screen.expectLine("the settings have no file: set HOME or XDG_CONFIG_HOME, and start quarry again")
      try Self.expect(file, Self.text)
    }
  }
}
