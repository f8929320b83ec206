import Browser
import Foundation
import TestSupport
import Testing

@Suite("The check of a file", .gated)
struct ConfigurationCheckTests {
  @Test(
    "knows what a file is by name, folder or content",
    arguments: [
      ("/x/keys.toml", "", ConfigurationCheck.Kind.keymap), ("/x/config.toml", "[grid]", .settings), ("/x/themes/a.toml", "", .theme),
      ("a.toml", "[grid]\nx = \"quit\"", .keymap), ("a.toml", "text = { fg = \"red\" }", .theme), ("a.toml", "[palette]", .theme),
      ("a.toml", "inherits = \"nord\"", .theme), ("a.toml", "theme = \"nord\"", .settings), ("a.toml", "", .settings),
    ])
  func kinds(path: String, text: String, kind: ConfigurationCheck.Kind) {
    #expect(ConfigurationCheck(.init(path: path, text: text)).kind == kind)
  }

  @Test(
    "finds the faults of each kind",
    arguments: [
      ("keys.toml", "[grid]\nx = \"no\"", "keys.toml:2: there is no command \"no\"; `quarry keys` lists the commands"),
      ("config.toml", "theme = \"nrd\"", "config.toml:1: there is no theme \"nrd\"; did you mean \"nord\"?"),
      ("themes/a.toml", "number = { fg = \"blux\" }", "themes/a.toml:1: there is no color \"blux\"; did you mean \"blue\"?"),
    ])
  func faults(path: String, text: String, message: String) {
    #expect(ConfigurationCheck(.init(path: path, text: text)).warnings.map(\.description) == [message])
  }

  @Test("finds nothing in the default files")
  func defaults() {
    #expect(ConfigurationCheck(.init(path: "keys.toml", text: Keymap.defaultText)).warnings == [])
    #expect(ConfigurationCheck(.init(path: "config.toml", text: Settings.defaultText)).warnings == [])
    #expect(ConfigurationCheck(.init(path: "themes/quarry-dark.toml", text: ThemeCatalog.defaultText)).warnings == [])
  }
}

/// Texts that go deeper than any settings: what is wrong is told with its line, and the rest goes on.
@Suite(.gated) struct DeepConfigurationTests {
  private static let path = Array(repeating: "a", count: 50_000).joined(separator: ".")

  private static let lines: [String: String] = [
    "a key": "\(path) = 1", "a head": "[\(path)]", "a head of a list": "[[\(path)]]", "a key in a value": "b = {\(path) = 1}",
    "a key with blanks": "\(path.replacing(".", with: " . ")) = 1", "a quoted key": "\(path.replacing("a", with: "'a'")) = 1",
    "lists": "b = \(String(repeating: "[", count: 50_000))", "tables": "b = \(String(repeating: "{a = ", count: 50_000))",
    "tables of keys": "b = \(String(repeating: "{a.a.a.a.a.a.a = ", count: 200))1\(String(repeating: "}", count: 200))",
  ]

  @Test(arguments: lines.keys.sorted())
  func `a key or a value of too many parts is left out`(_ name: String) throws {
    let line = try #require(Self.lines[name])
    let document = ConfigurationDocument(text: "mouse = true\n\(line)\nascii = true\n", file: "config.toml")
    #expect(document.entries.map(\.key).contains("mouse"))
    if document.entries.count < 3 { #expect(document.warnings.map(\.line).contains(2)) }
    #expect(Settings(fileText: "\(line)\n", file: "config.toml").warnings.count > 0)
    #expect(Keymap(userText: "\(line)\n", file: "keys.toml").warnings.count > 0)
  }

  @Test func `dots in texts and comments are no parts of a key`() {
    for line in ["text = '\(Self.path)'", "text = \"\\\"\(Self.path)\"", "# \(Self.path)", "a.b.c.d = 1 # \(Self.path)"] {
      #expect(ConfigurationDocument(text: line, file: "config.toml").warnings.isEmpty)
    }
  }

  @Test func `a history and a memory that go too deep are left out`() {
    let deep = String(repeating: "[", count: 50_000)
    #expect((try? JSONDecoder().decode(SessionMemory.self, from: Data("{\"views\":\(deep)".utf8))) == nil)
    #expect((try? JSONDecoder().decode(HistoryEntry.self, from: Data("{\"sql\":\(deep)".utf8))) == nil)
  }
}

@Suite("The places of files", .gated)
struct LocationsTests {
  @Test("are those of the XDG variables")
  func variables() {
    let locations = Locations(
      environment: ["HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "/s"])
    #expect(locations.settingsFile == "/c/quarry/config.toml")
    #expect(locations.keymapFile == "/c/quarry/keys.toml")
    #expect(locations.themesFolder == "/c/quarry/themes")
    #expect(locations.statementsFolder == "/d/quarry/statements")
    #expect(locations.historyFile == "/s/quarry/history")
  }

  @Test("are below the home where a variable is missing, empty or relative", arguments: [nil, "", "relative/path"])
  func home(value: String?) {
    var environment = ["HOME": "/h"]
    environment["XDG_CONFIG_HOME"] = value
    let locations = Locations(environment: environment)
    #expect(locations.configuration == "/h/.config/quarry")
    #expect(locations.data == "/h/.local/share/quarry")
    #expect(locations.state == "/h/.local/state/quarry")
  }

  @Test func `a tilde stands for HOME, and for the folder of the account where HOME is missing or relative`() {
    #expect(Locations.homeFolder(["HOME": "/h/"]) == "/h")
    for environment: [String: String] in [[:], ["HOME": ""], ["HOME": "h"]] {
      #expect(Locations.homeFolder(environment) == FileManager.default.homeDirectoryForCurrentUser.path)
    }
  }

  @Test("are none without a home")
  func homeless() {
    let locations = Locations(environment: [:])
    #expect(locations.settingsFile == nil && locations.statementsFolder == nil && locations.historyFile == nil)
  }
}
