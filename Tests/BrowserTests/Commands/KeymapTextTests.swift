import Foundation
import Testing

@testable import Browser

@Suite("The keymap as text")
struct KeymapTextTests {
  @Test("lists the keys as bound now, context by context, in columns")
  func listing() {
    let lines = Keymap(userText: "[grid]\n\"x\" = \"follow-foreign-key\"", file: "keys.toml").listing.split(separator: "\n")
    #expect(lines.first == "everywhere")
    #expect(lines.contains("catalog") && lines.contains("form"))
    let follow = lines.filter { $0.contains("follow-foreign-key") }
    #expect(follow.first?.hasPrefix("  x gd F12 ") == true)
    #expect(follow.first?.hasSuffix("  follow-foreign-key  Go to the row that this foreign key refers to") == true)
    let columns = Set(lines.filter { $0.hasPrefix("  ") }.map { line in line.dropLast(help(in: line).count).count })
    #expect(columns.count == 1)
  }

  @Test("is a table in Markdown for each context that has keys")
  func markdown() {
    let text = Keymap().markdown
    #expect(text.hasPrefix("### Everywhere\n\n| keys | command | what it does |\n| --- | --- | --- |\n| `?` `F1` | `help` |"))
    #expect(text.contains("\n\n### Grid\n\n"))
    #expect(text.contains("| `gd` `F12` | `follow-foreign-key` | Go to the row that this foreign key refers to |\n"))
    #expect(text.split(separator: "\n").allSatisfy { $0.hasPrefix("| ") || $0.hasPrefix("### ") })
  }

  @Test("stands in README as it is")
  func readme() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let file = root.appendingPathComponent("README.md")
    var readme = try String(contentsOf: file, encoding: .utf8)
    // As the pictures of the screens are renewed.
    if ProcessInfo.processInfo.environment["QUARRY_RENEW_PICTURES"] != nil, let start = readme.range(of: "### Everywhere\n"),
      let end = readme.range(of: "\n## ", range: start.upperBound..<readme.endIndex)
    {
      readme.replaceSubrange(start.lowerBound..<end.lowerBound, with: Keymap().markdown)
      try readme.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(readme.contains(Keymap().markdown))
  }

  @Test("keeps bars and backticks from breaking the Markdown")
  func markdownEscapes() {
    let text = Keymap(userText: "[grid]\n\"|\" = \"find\"\n\"`\" = \"copy\"", file: "keys.toml").markdown
    #expect(text.contains("| `\\|` `/` `F3` | `find` |"))
    #expect(text.contains("| `` ` `` `y` | `copy` |"))
  }

  @Test("names the commands without a key in the default file")
  func withoutKeys() {
    #expect(Keymap.defaultText.contains("choose-theme"))
    #expect(Keymap.defaultText.contains("\n[grid]\n"))
    #expect(Keymap.defaultText.contains("\n\"g d\" = \"follow-foreign-key\"\n"))
  }

  private func help(in line: Substring) -> String {
    let helps = CommandList.standard.declarations.flatMap { declaration in
      CommandList.standard.contexts.map { CommandList.standard.help(of: declaration.command, in: $0) }
    }
    return helps.filter { line.hasSuffix("  \($0)") }.max { $0.count < $1.count } ?? ""
  }
}
