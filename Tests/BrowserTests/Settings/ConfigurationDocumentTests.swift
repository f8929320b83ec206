import Browser
import TestSupport
import Testing

@Suite("A TOML file of ours", .gated)
struct ConfigurationDocumentTests {
  @Test("gives its entries in the order of its lines, each with its line")
  func lines() {
    let text = """
      # a comment
      zebra = "z"

      apple = 1
      [table]
      "g d" = true
      'it' = { inner = "x" }
      a.b = "dotted"
      [table.below]
      "quo\\"ted" = "y"
      """
    let document = ConfigurationDocument(text: text, file: "f")
    #expect(document.warnings == [])
    let inner = ConfigurationDocument.Entry(key: "inner", value: .text("x"), line: 7)
    let quoted = ConfigurationDocument.Entry(key: "quo\"ted", value: .text("y"), line: 10)
    let dotted = ConfigurationDocument.Entry(key: "b", value: .text("dotted"), line: 8)
    let table: [ConfigurationDocument.Entry] = [
      .init(key: "a", value: .table([dotted]), line: 5),
      .init(key: "g d", value: .flag(true), line: 6),
      .init(key: "it", value: .table([inner]), line: 7),
      .init(key: "below", value: .table([quoted]), line: 9),
    ]
    let entries: [ConfigurationDocument.Entry] = [
      .init(key: "zebra", value: .text("z"), line: 2),
      .init(key: "apple", value: .number(1), line: 4),
      .init(key: "table", value: .table(table), line: 5),
    ]
    #expect(document.entries == entries)
  }

  @Test("counts lines that end as in Windows")
  func carriageReturns() {
    let document = ConfigurationDocument(text: "a = 1\r\n\r\nb = 2\r\n", file: "f")
    #expect(document.entries.map(\.line) == [1, 3])
  }

  @Test(
    "goes on with the table after a bracket without a name",
    arguments: ["[", "[[", "[ = 1", "[[ [x]]", "[\u{7F}x]", "[é]", "\u{A0}[.x]", "[{ x = 1 }]", "[#"])
  func nameless(line: String) {
    let document = ConfigurationDocument(text: "a = 1\n\(line)\nb = 2\n[table]\nc = 3", file: "f")
    #expect(document.entries.map(\.key) == ["a", "table"])
    #expect(document.warnings.map(\.line) == [2])
  }

  @Test("counts only the line ends of TOML", arguments: ["\u{85}", "\u{2028}"])
  func otherLineBreaks(character: String) {
    let document = ConfigurationDocument(text: "a = \"x\(character)y\"\nb = 2", file: "f")
    let entries: [ConfigurationDocument.Entry] = [
      .init(key: "a", value: .text("x\(character)y"), line: 1), .init(key: "b", value: .number(2), line: 2),
    ]
    #expect(document.entries == entries)
  }

  @Test("goes on after faults, each told with its line")
  func faults() {
    let document = ConfigurationDocument(text: "a = 1\nb =\nc = 3\nd = \"\ne = 5", file: "f")
    #expect(document.entries.map(\.key) == ["a", "c", "e"])
    #expect(document.warnings.map(\.line) == [2, 4])
  }

  @Test("with faults without end keeps what stands before the first")
  func manyFaults() {
    let document = ConfigurationDocument(text: "a = 1\n" + String(repeating: "no\n", count: 50), file: "f")
    #expect(document.entries.map(\.key) == ["a"])
    #expect(document.warnings.last?.message == "too many errors; everything from line 2 on is ignored")
    #expect(document.warnings.count == 11)
  }

  @Test("is refused when it holds a NUL")
  func nul() {
    let document = ConfigurationDocument(text: "a = 1\n\0b = 2", file: "f")
    #expect(document.entries == [])
    #expect(document.warnings.map(\.description) == ["f: the file contains a NUL byte, so it is not text; it is ignored"])
  }

  @Test(
    "never traps, whatever it holds",
    arguments: [
      "", "\n", "[", "]", "[[", "[a", "[a.", "[\"", "\"", "'", "=", "a", "a.", "a.b.", "a = [", "a = {", "a = \"\"\"", "\u{feff}a = 1",
      "[[a]]\nb = 1",
      "a = 1979-05-27", "a = 1e999", "a = 99999999999999999999", "a.b = 1\na = 2", "[a]\n[a]", "\"\\u0000\" = 1", "a = \"\\u0000\"",
      "💥 = 1", "a = [[[[1]]]]",
      "\u{2028}a = 1", "a = 'x\u{85}'",
    ])
  func garbage(text: String) {
    _ = Settings(fileText: text)
    _ = Keymap(userText: text, file: "keys.toml")
    _ = ThemeCatalog().theme(from: ThemeSource(path: "x.toml", text: text))
    _ = Keymap(userText: "[grid]\n" + text, file: "keys.toml")
    _ = ThemeCatalog().theme(from: ThemeSource(path: "x.toml", text: "[palette]\n" + text))
  }
}
