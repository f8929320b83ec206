import Foundation
import QuarryRows
import TestSupport
import Testing

@Suite("Saved statements", .gated)
struct StatementLibraryTests {
  private func withLibrary(_ body: (StatementLibrary, URL) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let statements = folder.appendingPathComponent("a/statements")
      try body(StatementLibrary(folder: statements.path), statements)
    }
  }

  private func permissions(_ url: URL) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
  }

  @Test("title and description are read from the leading comments")
  func comments() {
    let sql = "\n-- Title: Long tracks\n/* no */ -- description those that\n--description:  last.\n\n-- :n intger\nSELECT :n -- title: no\n"
    let statement = SavedStatement(name: "long", sql: sql)
    #expect(statement.title == "Long tracks")
    #expect(statement.summary == "those that last.")
    #expect(statement.declarations.errors.map(\.line) == [6])
    let plain = SavedStatement(name: "plain", sql: "-- titles of songs\n-- descriptionless\nSELECT 1")
    #expect(plain.title.isEmpty && plain.summary.isEmpty)
  }

  @Test("what is saved is read back, by name, for nobody else to read")
  func roundTrip() throws {
    try withLibrary { library, folder in
      #expect(try library.all().isEmpty)
      try library.save("SELECT 'é'\n", as: "b c", replacing: false)
      try library.save("-- title: A\nSELECT 1", as: "A", replacing: false)
      #expect(try library.statement(named: "b c").sql == "SELECT 'é'\n")
      #expect(try library.all().map(\.name) == ["A", "b c"])
      #expect(try permissions(folder) == 0o700)
      #expect(try permissions(folder.appendingPathComponent("A.sql")) == 0o600)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["A.sql", "b c.sql"])
    }
  }

  @Test("a name that is taken is not replaced unless that is wanted")
  func replacing() throws {
    try withLibrary { library, folder in
      try library.save("SELECT 1", as: "a", replacing: false)
      #expect(throws: StatementLibraryError.nameIsTaken(name: "a")) { try library.save("SELECT 2", as: "a", replacing: false) }
      #expect(try library.statement(named: "a").sql == "SELECT 1")
      try library.save("SELECT 2", as: "a", replacing: true)
      #expect(try library.statement(named: "a").sql == "SELECT 2")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.sql"])
    }
  }

  @Test("a symbolic link stays, and what it leads to is replaced")
  func links() throws {
    try withLibrary { library, folder in
      try library.save("SELECT 1", as: "real", replacing: false)
      let link = folder.appendingPathComponent("link.sql")
      try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "real.sql")
      try library.save("SELECT 2", as: "link", replacing: true)
      #expect(try library.statement(named: "real").sql == "SELECT 2")
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "real.sql")
    }
  }

  @Test(
    "a name that no file can have is refused, and says why",
    arguments: [
      ("", "empty"), ("a/b", "/"), ("../a", "dot"), (".a", "dot"), (String(repeating: "é", count: 51), "100 bytes"), ("a\nb", "control"),
      ("a\0b", "control"),
    ])
  func names(_ name: String, _ reason: String) throws {
    try withLibrary { library, folder in
      let error = #expect(throws: StatementLibraryError.self) { try library.save("SELECT 1", as: name, replacing: true) }
      #expect(error?.description.contains(reason) == true)
      #expect(throws: StatementLibraryError.self) { try library.statement(named: name) }
      #expect(!FileManager.default.fileExists(atPath: folder.path))
    }
  }

  @Test("a name that is not there offers the nearest")
  func missing() throws {
    try withLibrary { library, folder in
      try library.save("SELECT 1", as: "long-tracks", replacing: false)
      let error = #expect(throws: StatementLibraryError.self) { try library.statement(named: "log-tracks") }
      #expect(error == .noSuchStatement(name: "log-tracks", nearest: ["long-tracks"], folder: folder.path))
      #expect(error?.description.contains("did you mean long-tracks?") == true)
    }
  }

  @Test("what is not UTF-8 is told where it is asked for, and left out of the list; a byte order mark is no text")
  func encodings() throws {
    try withLibrary { library, folder in
      try library.save("\u{FEFF}SELECT 1", as: "good", replacing: false)
      try Data([0x53, 0xFF]).write(to: folder.appendingPathComponent("bad.sql"))
      try FileManager.default.createDirectory(at: folder.appendingPathComponent("folder.sql"), withIntermediateDirectories: true)
      try Data().write(to: folder.appendingPathComponent("notes.txt"))
      #expect(try library.all().map(\.name) == ["good"])
      #expect(try library.statement(named: "good").sql == "SELECT 1")
      let error = #expect(throws: StatementLibraryError.self) { try library.statement(named: "bad") }
      #expect(error == .notUTF8(path: folder.appendingPathComponent("bad.sql").path))
      #expect(throws: StatementLibraryError.self) { try library.statement(named: "folder") }
    }
  }

  @Test("a place where nothing can be written is an error that names it")
  func refusals() throws {
    try withTemporaryFolder { folder in
      let file = folder.appendingPathComponent("file")
      try Data().write(to: file)
      let error = #expect(throws: StatementLibraryError.self) {
        try StatementLibrary(folder: file.path + "/statements").save("SELECT 1", as: "a", replacing: false)
      }
      #expect(error?.description.contains(file.path) == true)
    }
  }
}
