import Testing

@testable import Browser

@Suite("The check of a file")
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
      ("keys.toml", "[grid]\nx = \"no\"", "keys.toml:2: there is no command \"no\"; `quarry keys` lists them"),
      ("config.toml", "theme = \"nrd\"", "config.toml:1: there is no theme \"nrd\"; did you mean \"nord\"?"),
      ("themes/a.toml", "number = { fg = \"blux\" }", "themes/a.toml:1: there is no colour \"blux\"; did you mean \"blue\"?"),
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
