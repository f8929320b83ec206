import Browser
import Foundation
import TestSupport
import Testing

@Suite("A person's preferences", .gated)
struct PreferencesTests {
  @Test("is read from the files that there are")
  func read() throws {
    let folder = try ConfigurationFolder()
    try folder.write("theme = \"mine\"", to: "config.toml")
    try folder.write("[grid]\nx = \"quit\"", to: "keys.toml")
    try folder.write("name = \"mine\"\ninherits = \"nord\"", to: "themes/mine.toml")
    try folder.write("not a theme", to: "themes/notes.txt")
    let configuration = Preferences(files: ConfigurationFiles(at: folder.locations))
    #expect(configuration.warnings == [])
    #expect(configuration.theme.name == "mine")
    #expect(configuration.theme.style(.text) == ThemeCatalog().theme(named: "nord")?.theme.style(.text))
    #expect(configuration.keymap.keys(for: .quit, in: .grid).first == "x")
    #expect(configuration.themes.names.contains("mine") && !configuration.themes.names.contains("notes"))
  }

  @Test("is the defaults where there are no files")
  func none() {
    let files = ConfigurationFiles(at: Locations(environment: ["HOME": "/nowhere"]))
    #expect(files == ConfigurationFiles())
    let configuration = Preferences(files: files)
    #expect(configuration.warnings == [])
    #expect(configuration.theme.name == "quarry-dark")
  }

  @Test("tells the files that are no text, too long or cannot be read, and goes on")
  func unreadable() throws {
    let folder = try ConfigurationFolder()
    try folder.write(bytes: [0x61, 0xff, 0x0a], to: "config.toml")
    try folder.write(bytes: Array(repeating: 0x23, count: 1_048_577), to: "keys.toml")
    try folder.write("name = \"broken\"", to: "themes/broken.toml/inner")
    let configuration = Preferences(files: ConfigurationFiles(at: folder.locations))
    #expect(
      configuration.warnings.map(\.description) == [
        "\(folder.path)/config.toml: the file is not UTF-8 and is ignored; save it as UTF-8",
        "\(folder.path)/keys.toml: the file is larger than 1 MiB and is ignored",
        "\(folder.path)/themes/broken.toml: the file cannot be read (Is a directory); check the path and its permissions",
      ])
    #expect(configuration.theme.name == "quarry-dark")
  }

  @Test("tells a theme that does not exist where it was chosen, and takes the default one")
  func unknownTheme() {
    var files = ConfigurationFiles()
    files.settings = .init(path: "/c/config.toml", text: "\ntheme = \"gruvbox-drak\"")
    let configuration = Preferences(files: files)
    #expect(
      configuration.warnings.map(\.description) == ["/c/config.toml:2: there is no theme \"gruvbox-drak\"; did you mean \"gruvbox-dark\"?"])
    #expect(configuration.theme.name == "quarry-dark")
    let asked = Preferences(arguments: [.theme: .text("qqq")])
    #expect(asked.warnings.first?.description.hasPrefix("--theme: there is no theme \"qqq\"; there are catppuccin-mocha, ") == true)
  }

  @Test("has all its faults told at once")
  func all() {
    var files = ConfigurationFiles()
    files.settings = .init(path: "config.toml", text: "theme = \"mine\"\nmice = true")
    files.keymap = .init(path: "keys.toml", text: "[grid]\nx = \"nothing\"")
    files.themes = [ThemeSource(path: "themes/mine.toml", text: "text = { fg = \"blux\" }")]
    #expect(
      Preferences(files: files).warnings.map { "\($0.file):\($0.line ?? 0)" } == ["config.toml:2", "themes/mine.toml:1", "keys.toml:2"])
  }
}

/// A folder of configuration files that goes away with the test.
final class ConfigurationFolder {
  let root = FileManager.default.temporaryDirectory.appending(path: "quarry-\(UUID().uuidString)")

  var path: String { root.appending(path: "quarry").path(percentEncoded: false) }

  var locations: Locations { Locations(environment: ["XDG_CONFIG_HOME": root.path(percentEncoded: false)]) }

  init() throws {
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: root)
  }

  func write(_ text: String, to name: String) throws {
    try write(bytes: Array(text.utf8), to: name)
  }

  func write(bytes: [UInt8], to name: String) throws {
    let file = root.appending(path: "quarry/\(name)")
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }
}
