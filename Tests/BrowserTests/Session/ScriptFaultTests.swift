import Browser
import QuarryEngine
import Terminal
import TestSupport
import Testing

@Suite("Scripts of which a statement fails, and questions about what they change", .gated)
struct ScriptFaultTests {
  /// Plays on a table whose names are unique, with the editor open.
  private func play(_ body: @escaping @Sendable (SessionDriver, DatabaseQueue) throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE pet(id INTEGER PRIMARY KEY, name TEXT UNIQUE, age INTEGER)", "INSERT INTO pet VALUES (1, 'Rex', 3)",
        "CREATE TABLE plain(x)")
      try await onOwnThread {
        let driver = try SessionDriver(path: path)
        driver.press("f4")
        try body(driver, try DatabaseQueue(path: path))
      }
    }
  }

  private static let script = """
    INSERT INTO pet(name) VALUES ('Tom');
    -- the next one is there already
    INSERT INTO pet(name) VALUES ('Rex');
    SELECT 1
    """

  @Test("the question says which statement has failed and why, and Enter rolls back")
  func question() async throws {
    try await play { driver, other in
      driver.send([.paste(Self.script)])
      driver.press("shift-f5")
      driver.screen.expectLine("A statement failed, and 1 row changed, not committed yet")
      driver.screen.expectLine("statement 2 of 3: UNIQUE constraint failed: pet.name; the open")
      driver.press("enter")
      #expect(driver.browser.workspace.source.transaction == nil, "\(driver.screen)")
      let count = try other.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM pet") }
      #expect(count == 1)
    }
  }

  @Test("the caret goes to the statement that has failed where SQLite tells no place, and stays where it is within it")
  func caret() async throws {
    try await play { driver, _ in
      driver.send([.paste(Self.script)])
      driver.press("shift-f5")
      driver.press("enter")
      let text = Array(Self.script.utf8)
      let range = try #require(driver.browser.sql.editor.errorRange)
      #expect(String(decoding: text[range], as: UTF8.self) == "INSERT")
      #expect(driver.browser.sql.editor.caretOffset == range.lowerBound)
      #expect(text.prefix(range.lowerBound).count { $0 == UInt8(ascii: "\n") } == 2, "the line after the comment")
      driver.press("end")
      let end = driver.browser.sql.editor.caretOffset
      driver.press("f5")
      #expect(driver.browser.sql.editor.caretOffset == end)
    }
  }

  @Test("what does not compile takes the results of older runs away")
  func olderResults() async throws {
    try await play { driver, _ in
      driver.type("SELECT 1; SELECT 2; SELECT 3")
      driver.press("shift-f5")
      #expect(driver.browser.rows.results.tabs.count == 3)
      driver.type("; SELECT nosuch")
      driver.press("shift-f5")
      #expect(driver.browser.rows.results.tabs.count == 1, "\(driver.screen)")
      #expect(driver.browser.grid == nil)
      driver.screen.expectLine("statement 4 of 4: no such column: nosuch")
    }
  }

  @Test(
    "a transaction in which nothing was changed is nothing to commit",
    arguments: ["BEGIN", "BEGIN; SELECT 1", "UPDATE pet SET age = 4 WHERE id = 9"])
  func emptyTransaction(sql: String) async throws {
    try await play { driver, _ in
      driver.type(sql)
      driver.press("shift-f5")
      #expect(driver.browser.overlays.isEmpty, "\(driver.screen)")
      #expect((driver.browser.workspace.source.transaction != nil) == sql.hasPrefix("BEGIN"))
      driver.press("ctrl-q")
      #expect(driver.browser.hasEnded, "nothing would be lost")
    }
  }

  @Test("a change of the schema is asked about, and called that")
  func schemaChange() async throws {
    try await play { driver, _ in
      driver.type("CREATE TABLE fresh(x)")
      driver.press("f5")
      driver.screen.expectLine("the schema changed, not committed yet")
    }
  }

  @Test("dropping a column asks")
  func dropColumn() async throws {
    try await play { driver, _ in
      driver.type("ALTER TABLE pet DROP COLUMN age")
      driver.press("f5")
      driver.screen.expectLine("This drops the column age of pet with all its values")
      driver.press("enter")
      #expect(driver.browser.sql.run == nil)
    }
  }

  @Test(
    "nothing is said to be dropped that is not there",
    arguments: [
      "DROP TABLE IF EXISTS nosuch", "DROP VIEW IF EXISTS pet_view", "DROP INDEX IF EXISTS main.i", "DROP TABLE IF EXISTS none.such",
    ])
  func dropNothing(sql: String) async throws {
    try await play { driver, _ in
      driver.type(sql)
      driver.press("f5")
      #expect(!driver.screen.contains("This drops"), "\(driver.screen)")
    }
  }

  @Test("what is there is, however its name is spelled", arguments: ["DROP TABLE IF EXISTS \"PLAIN\"", "DROP TABLE main.[plain]"])
  func dropSomething(sql: String) async throws {
    try await play { driver, _ in
      driver.type(sql)
      driver.press("f5")
      driver.screen.expectLine(beginning: "This drops the table")
    }
  }

  @Test("Esc in the editor goes to the results, and says that letters are commands there")
  func escape() async throws {
    try await play { driver, _ in
      driver.type("SELECT 1")
      driver.press("escape")
      #expect(driver.browser.focus == .rows)
      driver.screen.expectLine("letters are commands; F4 returns to the editor")
    }
  }
}
