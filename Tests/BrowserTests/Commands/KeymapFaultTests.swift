import Browser
import Terminal
import TestSupport
import Testing

@Suite("A keymap file with a fault", .gated)
struct KeymapFaultTests {
  /// Reads a file with one fault and a good line after it, which must hold.
  func fault(_ text: String) -> String {
    let keymap = Keymap(commands: CommandList(KeymapTests.declarations), userText: text + "\n[record]\nf9 = \"help\"\n", file: "keys.toml")
    #expect(keymap.resolve([Key(.function(9))], in: .record) == .command(.help))
    return keymap.warnings.map(\.description).joined(separator: "\n")
  }

  @Test("an unknown command is told with the nearest one")
  func unknownCommand() {
    #expect(
      fault("# mine\n[grid]\nx = \"folow-foreign-key\"")
        == "keys.toml:3: there is no command \"folow-foreign-key\"; did you mean \"follow-foreign-key\"?")
    #expect(fault("[grid]\nx = \"teleport\"") == "keys.toml:2: there is no command \"teleport\"; `quarry keys` lists the commands")
  }

  @Test("an unknown table is told with the nearest one")
  func unknownTable() {
    #expect(fault("[gird]\nx = \"help\"") == "keys.toml:1: there is no table [gird]; did you mean [grid]?")
    #expect(
      fault("[insert]\nx = \"help\"")
        == "keys.toml:1: there is no table [insert]; there are [everywhere] [catalog] [grid] [record] [editor] [bar] [form]")
  }

  @Test("a line outside of the tables is told")
  func noTable() {
    #expect(
      fault("x = \"help\"")
        == "keys.toml:1: \"x\" is outside every table; put it under one of [everywhere] [catalog] [grid] [record] [editor] [bar] [form]")
  }

  @Test("a key that is none is told")
  func unknownKey() {
    #expect(
      fault("[grid]\ngd = \"help\"") == "keys.toml:2: there is no key \"gd\"; separate the keys of a sequence with spaces, as in \"g d\"")
  }

  @Test("a key that a terminal cannot deliver is told with the reason")
  func undeliverable() {
    #expect(
      fault("[grid]\n\"ctrl-m\" = \"help\"")
        == "keys.toml:2: \"ctrl-m\" cannot be bound: a terminal sends the same for enter; write \"enter\" if you mean that key")
  }

  @Test("the same key twice is told, and the first line holds")
  func twice() {
    let text = "[grid]\nesc = \"help\"\nescape = \"refresh\""
    #expect(fault(text) == "keys.toml:3: \"escape\" is bound twice in [grid] (line 2); the first line wins")
    let keymap = Keymap(commands: CommandList(KeymapTests.declarations), userText: text, file: "keys.toml")
    #expect(keymap.resolve([Key(.escape)], in: .grid) == .command(.help))
  }

  @Test("a key and one that begins with it are told, and the first line holds")
  func beginning() {
    #expect(
      fault("[grid]\nx = \"help\"\n\"x y\" = \"refresh\"")
        == "keys.toml:3: \"x y\" begins with \"x\" (line 2), so only one of them can be reached; the first line wins")
    #expect(
      fault("[grid]\n\"x y\" = \"refresh\"\nx = \"help\"")
        == "keys.toml:3: \"x\" is a prefix of \"x y\" (line 2), so only one of them can be reached; the first line wins")
  }

  @Test("a key that hides default ones is told, and holds")
  func hiding() {
    let text = "[grid]\ng = \"help\""
    #expect(
      fault(text)
        == "keys.toml:2: \"g\" overrides \"g d\" (follow-foreign-key), \"g g\" (move-to-top); "
        + "if you mean that, unbind the default too: \"g d\" = \"\", \"g g\" = \"\"")
    let keymap = Keymap(commands: CommandList(KeymapTests.declarations), userText: text, file: "keys.toml")
    #expect(keymap.resolve([Key("g")], in: .grid) == .command(.help))
    #expect(fault("[grid]\n\"g d\" = \"\"\n\"g g\" = \"\"\ng = \"help\"") == "")
  }

  @Test("a letter in a text field is told")
  func letter() {
    #expect(fault("[bar]\n\"g d\" = \"help\"") == "keys.toml:2: \"g d\" cannot be bound here: characters insert text in [bar]")
  }

  @Test("a digit is told, as digits are counts")
  func digit() {
    #expect(fault("[grid]\n5 = \"help\"") == "keys.toml:2: \"5\" cannot be bound here: digits are a count for the next command")
    #expect(fault("[grid]\n0 = \"help\"") == "")
  }

  @Test("a value that is no name is told")
  func value() {
    #expect(
      fault("[grid]\nx = true") == "keys.toml:2: \"x\" is bound to true or false; write the name of a command in quotes, or \"\" for none")
  }

  @Test("a line that is no TOML is told, and the others hold")
  func syntax() {
    let warnings = fault("[everywhere]\nf8 = \"quit\"\nx = help\nf7 = \"redraw\"")
    #expect(warnings.hasPrefix("keys.toml:3: ") && warnings.hasSuffix("; the line is ignored"), "\(warnings)")
  }

  @Test("the same line twice, which is no TOML, is told, and the others hold")
  func sameLineTwice() {
    let warnings = fault("[grid]\nx = \"help\"\nx = \"quit\"")
    #expect(warnings.hasPrefix("keys.toml:3: ") && warnings.contains("redefine"), "\(warnings)")
  }

  @Test("a broken table head takes its lines with it, lest they fall to the table before")
  func head() {
    let text = "[everywhere]\nf8 = \"quit\"\n[grid\nx = \"help\"\n[catalog]\ny = \"help\""
    let keymap = Keymap(commands: CommandList(KeymapTests.declarations), userText: text, file: "keys.toml")
    #expect(keymap.warnings.map(\.line) == [3])
    #expect(keymap.resolve([Key("x")], in: .everywhere) == .none)
    #expect(keymap.resolve([Key("y")], in: .catalog) == .command(.help))
    #expect(keymap.resolve([Key(.function(8))], in: .grid) == .command(.quit))
  }
}
