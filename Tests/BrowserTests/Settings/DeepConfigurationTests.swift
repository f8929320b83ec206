import Foundation
import Testing

@testable import Browser

/// Texts that go deeper than any settings: what is wrong is told with its line, and the rest goes on.
@Suite struct DeepConfigurationTests {
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
