import Browser
import Foundation
import Terminal
import TestSupport
import Testing

@Suite("The text in the person's own editor", .gated)
struct VisualEditorTests {
  /// Plays with `$VISUAL` being a script of the shell, or the command that is given; the editor holds `SELECT 1`.
  private func play(
    script: String, command: String? = nil, _ body: @escaping @Sendable (SessionDriver, _ editor: URL) throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE t(x)")
      let editor = folder.appending(path: "editor")
      try Data("#!/bin/sh\n\(script)\n".utf8).write(to: editor)
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: editor.path)
      try await onOwnThread {
        let external = ExternalEditor(environment: ["VISUAL": command ?? editor.path, "EDITOR": "false"])
        let driver = try SessionDriver(path: path, externalEditor: external)
        driver.press("f4")
        driver.type("SELECT 1")
        driver.press("alt-e")
        #expect(driver.terminal.releaseCount == 1)
        try body(driver, editor)
      }
    }
  }

  @Test("what the editor has left is the text, without the line end that it has added, and one undo takes it back")
  func changed() async throws {
    let script = "echo '-- changed' > \"$1.new\"; cat \"$1\" >> \"$1.new\"; echo >> \"$1.new\"; mv \"$1.new\" \"$1\""
    try await play(script: script) { driver, _ in
      driver.screen.expectLine("1 -- changed")
      driver.screen.expectLine("2 SELECT 1")
      driver.press("ctrl-end")
      driver.type("2")
      driver.screen.expectLine("2 SELECT 12")
      driver.press("alt-z alt-z")
      driver.screen.expectLine("1 SELECT 1")
      #expect(!driver.screen.contains("-- changed"), "\(driver.screen)")
    }
  }

  @Test("the editor finds the text in a file that ends in .sql, which is gone afterwards")
  func file() async throws {
    try await play(script: "case \"$1\" in *.sql) cat \"$1\" > \"$0.seen\";; esac; printf %s \"$1\" > \"$0.path\"") { _, editor in
      let seen = try String(contentsOfFile: "\(editor.path).seen", encoding: .utf8)
      #expect(seen == "SELECT 1")
      let file = try String(contentsOfFile: "\(editor.path).path", encoding: .utf8)
      #expect(file.hasSuffix(".sql") && !FileManager.default.fileExists(atPath: file))
    }
  }

  @Test("the path of the file is one word of the shell, whatever the folder is called")
  func folderWithQuotes() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE t(x)")
      let place = folder.appending(path: "it's a \"$(touch bad)\" `folder`;\\")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      try await onOwnThread {
        let external = ExternalEditor(environment: ["VISUAL": "sh -c 'echo SELECT 7 > \"$1\"' sh"], folder: place)
        let driver = try SessionDriver(path: path, externalEditor: external)
        driver.press("f4 alt-e")
        driver.screen.expectLine("1 SELECT 7")
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == [])
      }
    }
  }

  @Test(
    "where the editor fails, is not there, or leaves no text, the text is as it was, and the screen says so",
    arguments: [
      ("echo lost > \"$1\"; exit 3", nil, "exited with status 3; the text is unchanged"),
      ("", "/no/such/editor", "“/no/such/editor” exited with status 127; the text is unchanged"),
      ("printf '\\377' > \"$1\"", nil, "is not UTF-8; the text is unchanged"), ("rm \"$1\"", nil, "the text is unchanged"),
    ] as [(String, String?, String)])
  func failed(script: String, command: String?, sentence: String) async throws {
    try await play(script: script, command: command) { driver, _ in
      let words = driver.screen.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains(sentence), "\(driver.screen)")
      driver.screen.expectLine("1 SELECT 1")
      #expect(!driver.screen.contains("lost"), "\(driver.screen)")
    }
  }
}
