import Foundation
import TestSupport
import Testing

/// The manual has all that the program itself lists elsewhere.
@Suite(.gated) struct ManualTests {
  private let text: String
  private let lines: [Substring]

  init() throws {
    text = try BuiltProgram.run("man").text
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test func `no line is wider than 80 columns, none ends in a blank, and no two in a row are empty`() {
    #expect(text.hasPrefix("NAME\n  quarry - "))
    #expect(lines.filter { $0.count > 80 } == [])
    #expect(lines.filter { $0.hasSuffix(" ") } == [])
    #expect(!text.contains("\n\n\n"))
  }

  @Test func `every command is there with its keys, in every context, and those without a key too`() throws {
    let listing = try BuiltProgram.run("keys").text.split(separator: "\n").filter { $0.hasPrefix("  ") }
    let rows = try listing.map { try #require($0.wholeMatch(of: #/  (.*?)  +([a-z-]+)  +(.*)/#)) }
    #expect(rows.count > 100)
    for row in rows {
      #expect(isEntry(String(row.1)), "\(row.1)")
      #expect(text.contains("(`\(row.2)`)"), "\(row.2)")
    }
    let others = try BuiltProgram.run("keys", "--default").text.matches(of: #/(?m)^# ([a-z-]+(?:, [a-z-]+)+)\.$/#)
    let names = try #require(others.first).1.split(separator: ", ")
    #expect(names.contains("choose-theme"))
    #expect(names.filter { !isEntry(String($0)) } == [])
  }

  @Test func `every verb is there with its options`() throws {
    let help = try BuiltProgram.run("--help").text
    let verbs = help.matches(of: #/(?m)^  ([a-z][a-z-]*)  +[A-Z]/#).map { String($0.1) }
    #expect(verbs.contains("tables") && verbs.contains("man"))
    for verb in verbs {
      #expect(text.contains("\n  quarry \(verb) "), "\(verb)")
      let options = try BuiltProgram.run(verb, "--help").text.matches(of: #/(?m)^  (-[^ ]*(?:, -[^ ]*)*)/#).map { String($0.1) }
      #expect(options.count > 1)
      #expect(options.filter { !text.contains("\n    \($0)") } == [], "\(verb)")
    }
  }

  @Test func `every setting, theme, role, format and exit status is there`() throws {
    let settings = try BuiltProgram.run("config").text.matches(of: #/(?m)^(.*?) +#/#).map { String($0.1) }
    let themes = try BuiltProgram.run("themes").text.matches(of: #/(?m)^. ([a-z-]+)/#).map { String($0.1) }
    let roles = try BuiltProgram.run("themes", "--default").text.matches(of: #/(?m)^([a-z-]+) = \{ (?!rgb)/#).map { String($0.1) }
    let help = try BuiltProgram.run("rows", "--help").text
    let formats = try #require(help.firstMatch(of: #/\(values: ([a-z,\s]+)\)/#)).1.split { !$0.isLetter }.map(String.init)
    #expect(settings.contains("mouse = true") && themes.contains("mono") && roles.contains("text-value") && formats.contains("ndjson"))
    #expect((settings + themes + roles + formats + ["0", "1", "2", "3", "130"]).filter { !isEntry($0) } == [])
  }

  @Test(.enabled(if: Fixtures.program("groff") != nil))
  func `groff takes the roff without a warning, and prints what the text says`() throws {
    let roff = try BuiltProgram.run("man", "--roff").text
    #expect(roff.hasPrefix(".TH QUARRY 1 "))
    #expect(roff.filter { !$0.isASCII } == "")
    let groff = try #require(Fixtures.program("groff"))
    let outcome = try BuiltProgram.run(groff, ["-man", "-Tutf8", "-ww", "-rLL=80n", "-P-cbou"], input: roff)
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    #expect(letters(of: outcome.text).contains(letters(of: text.dropFirst("NAME".count))))
  }

  /// Returns whether a line of a table begins with `name`.
  private func isEntry(_ name: String) -> Bool {
    lines.contains { $0 == "    \(name)" || $0.hasPrefix("    \(name) ") }
  }

  /// Returns `text` less its blanks and quotes, which differ between text and roff.
  private func letters(of text: some StringProtocol) -> String {
    String(text.filter { !$0.isWhitespace && $0 != "`" })
  }
}

@Suite(.gated) struct ReadmeTests {
  private static let top = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test func `what README shows and links to is there`() throws {
    let readme = try String(contentsOf: Self.top.appendingPathComponent("README.md"), encoding: .utf8)
    let paths = readme.matches(of: #/\]\((?!https:)([^)#]+)/#).map { String($0.1) }
    #expect(paths.contains(".github/LICENSE"))
    #expect(paths.filter { !FileManager.default.fileExists(atPath: Self.top.appendingPathComponent($0).path) } == [])
  }

  @Test func `README has one command that runs the tests, which the build server takes from there`() throws {
    let readme = try String(contentsOf: Self.top.appendingPathComponent("README.md"), encoding: .utf8)
    #expect(readme.matches(of: #/(?m)^    .*swift test.*$/#).count == 1)
  }
}
