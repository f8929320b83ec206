import Browser
import TestSupport
import Testing

@Suite("The keymap as text", .gated)
struct KeymapTextTests {
  @Test("lists the keys as bound now, context by context, in columns")
  func listing() {
    let lines = Keymap(userText: "[grid]\n\"x\" = \"follow-foreign-key\"", file: "keys.toml").listing.split(separator: "\n")
    #expect(lines.first == "everywhere")
    #expect(lines.contains("catalog") && lines.contains("form"))
    let follow = lines.filter { $0.contains("follow-foreign-key") }
    #expect(follow.first?.hasPrefix("  x gd F12 ") == true)
    #expect(follow.first?.hasSuffix("  follow-foreign-key  Go to the referenced row") == true)
    let helps = Self.helps()
    let columns = Set(
      lines.filter { $0.hasPrefix("  ") }.map { line in
        let help = helps.filter { line.hasSuffix("  \($0)") }.max { $0.count < $1.count } ?? ""
        return line.dropLast(help.count).count
      })
    #expect(columns.count == 1)
  }

  @Test("is a table for each context that has keys, which says what a command does there")
  func tables() {
    let tables = Keymap().tables
    #expect(tables.first?.context == .everywhere)
    #expect(tables.first?.rows.first?.keys == "? F1")
    let moves = tables.compactMap { table in table.rows.first { $0.command == "move-to-top" }.map { (table.context, $0.help) } }
    #expect(moves.first { $0.0 == .catalog }?.1 == "Go to the top")
    #expect(moves.first { $0.0 == .grid }?.1 == "Go to the first row, or to row {count}")
  }

  @Test("names the commands without a key in the default file")
  func withoutKeys() {
    #expect(Keymap().commandsWithoutKeys.contains { $0.command == .chooseTheme })
    #expect(Keymap.defaultText.contains("choose-theme"))
    #expect(Keymap.defaultText.contains("\n[grid]\n"))
    #expect(Keymap.defaultText.contains("\n\"g d\" = \"follow-foreign-key\"\n"))
  }

  /// What the commands do in all contexts.
  private static func helps() -> Set<String> {
    Set(
      CommandList.standard.declarations.flatMap { declaration in
        CommandList.standard.contexts.map { CommandList.standard.help(of: declaration.command, in: $0) }
      })
  }
}
