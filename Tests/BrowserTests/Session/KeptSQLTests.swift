import Browser
import Foundation
import QuarryRows
import TestSupport
import Testing

@Suite("SQL that is kept", .gated)
struct KeptSQLTests {
  /// Plays several sessions one after the other on one database, with all that is kept in one folder.
  private func play(_ sessions: (@Sendable (SessionDriver) throws -> Void)...) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE country(name TEXT)", "INSERT INTO country VALUES ('France'), ('Peru')")
      let state = folder.appending(path: "state").path
      let storage = Storage(
        memory: MemoryFile(state: state, database: path), history: HistoryFile(path: state + "/history"),
        statements: StatementLibrary(folder: folder.appending(path: "statements").path))
      for session in sessions {
        try await onOwnThread { try session(try SessionDriver(path: path, storage: storage)) }
      }
    }
  }

  @Test("texts and the values of parameters are there at the next start")
  func buffers() async throws {
    try await play { driver in
      driver.press("f4")
      driver.type("SELECT :n, '☃'")
      driver.press("f5")
      driver.type("7")
      driver.press("enter")
    } _: { driver in
      driver.press("f4")
      #expect(driver.browser.sql.buffer.text == "SELECT :n, '☃'")
      driver.press("f5")
      driver.press("enter")
      #expect(driver.browser.grid?.window.rows.first?.cells.first == .integer(7), "\(driver.screen)")
    }
  }

  @Test("a statement is saved under a name, found again, filled in and run")
  func statements() async throws {
    try await play { driver in
      driver.press("f4")
      driver.type("-- title: Countries by name\n-- :name text = Peru\nSELECT name FROM country WHERE name = :name")
      driver.press("alt-s")
      driver.type("by name")
      driver.press("enter")
      driver.screen.expectLine("saved as by name")
    } _: { driver in
      driver.press("f9")
      driver.screen.expectLine("Countries by name")
      driver.screen.expectLine("SELECT name FROM country WHERE name = :name", "the preview")
      driver.press("enter")
      driver.screen.expectLine("Peru", "the default: \(driver.screen)")
      driver.press("enter")
      #expect(driver.browser.grid?.window.rows.count == 1)
    }
  }

  @Test("whether a text is another one than that in its file is known at the next start")
  func changed() async throws {
    try await play { driver in
      driver.press("f4")
      driver.type("SELECT 1")
      driver.press("alt-s")
      driver.type("one")
      driver.press("enter")
      #expect(!driver.browser.sql.buffer.isChanged)
    } _: { driver in
      driver.press("f4")
      #expect(!driver.browser.sql.buffer.isChanged, "\(driver.screen)")
      driver.type("2")
    } _: { driver in
      driver.press("f4")
      driver.screen.expectLine("SQL · one · changed")
      driver.press("alt-s")
      driver.press("enter")
      driver.screen.expectLine("saved as one")
    } _: { driver in
      driver.press("f4")
      #expect(driver.browser.sql.buffer.text == "SELECT 12")
      #expect(!driver.browser.sql.buffer.isChanged, "\(driver.screen)")
    }
  }

  @Test("a text that is closed is gone at the next start, one that is not saved only after a question")
  func closing() async throws {
    try await play { driver in
      driver.press("f4")
      driver.type("SELECT 1")
      driver.press("alt-w")
      driver.screen.expectLine("This text is not saved")
      driver.press("escape")
      #expect(driver.browser.sql.buffer.text == "SELECT 1")
      driver.press("alt-w down enter")
      #expect(driver.browser.sql.buffer.text.isEmpty, "\(driver.screen)")
    } _: { driver in
      driver.press("f4")
      #expect(driver.browser.sql.buffer.text.isEmpty)
    }
  }

  @Test("a text that is there already is only replaced after a question")
  func replacing() async throws {
    try await play { driver in
      driver.press("f4")
      driver.type("SELECT 1")
      driver.press("alt-s")
      driver.type("one")
      driver.press("enter")
    } _: { driver in
      driver.press("f4")
      driver.press("ctrl-u")
      driver.type("SELECT 2")
      driver.press("alt-s")
      driver.press("ctrl-u")
      driver.type("two")
      driver.press("enter")
      driver.press("alt-s")
      driver.press("ctrl-u")
      driver.type("one")
      driver.press("enter")
      driver.screen.expectLine("one already exists")
      driver.press("enter")
      driver.press("f9")
      driver.screen.expectLine("SELECT 1")
    }
  }

  @Test("a text that is saved to a file by a symbolic link leaves the link and the file's permissions as they are")
  func savingByALink() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE t(a)")
      let (file, link) = (folder.appending(path: "report.sql").path, folder.appending(path: "link.sql").path)
      try Data("SELECT 1".utf8).write(to: URL(filePath: file))
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "report.sql")
      try await onOwnThread {
        let driver = try SessionDriver(path: path)
        driver.press("f4 alt-o")
        driver.type(link)
        driver.press("enter ctrl-end")
        driver.type(", 2")
        driver.press("alt-s enter")
        driver.screen.expectLine("saved as link.sql")
      }
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "SELECT 1, 2")
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "report.sql")
      #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o640)
    }
  }

  @Test("Tab completes the path of a file that is opened or saved, and names what it may go on with")
  func completingPaths() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE t(a)")
      for name in ["report.sql", "repeat.sql"] { try Data("SELECT 1 AS \(name.prefix(6))".utf8).write(to: folder.appending(path: name)) }
      try await onOwnThread {
        let driver = try SessionDriver(path: path)
        driver.play(["f4 alt-o", "'\(folder.path)/re'", "tab"])
        driver.screen.expectLine("repeat.sql  report.sql")
        driver.play(["'o'", "tab enter"])
        driver.screen.expectLine("1 SELECT 1 AS report")
        driver.play(["alt-s ctrl-u", "'\(folder.path)/repe'", "tab enter"])
        driver.screen.expectLine("repeat.sql already exists")
      }
    }
  }

  @Test("the history has what ran, with its values and what it came to, but for what began with a blank")
  func history() async throws {
    try await play { driver in
      driver.press("f4")
      for text in ["SELECT name FROM country WHERE name <> :x", " SELECT 'secret'", "SELECT nonsense"] {
        driver.type(text)
        driver.press("f5")
        if text.contains(":x") {
          driver.type("Peru")
          driver.press("enter")
        }
        driver.press("ctrl-u")
      }
    } _: { driver in
      driver.press("f8")
      driver.screen.expectLine("failed", "what did not compile is there too: \(driver.screen)")
      #expect(!driver.screen.contains("secret"), "\(driver.screen)")
      driver.screen.expectLine(":x = Peru")
      driver.type("country")
      driver.press("enter")
      #expect(driver.browser.sql.buffer.text == "SELECT name FROM country WHERE name <> :x")
      driver.press("f5")
      driver.press("enter")
      #expect(driver.browser.grid?.window.rows.first?.cells.first == .text("France", byteCount: 6, isValid: true), "\(driver.screen)")
    }
  }
}
