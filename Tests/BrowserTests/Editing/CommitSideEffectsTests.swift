import Browser
import QuarryChanges
import QuarryEngine
import TestSupport
import Testing

@Suite("A commit beside triggers and foreign keys")
struct CommitSideEffectsTests {
  @Test("keeps staged what a trigger has left as it was, and says so")
  func ignored() async throws {
    try await StagingTests.play(
      "CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT)", "INSERT INTO person VALUES (1, 'Ada'), (2, 'Bob')",
      "CREATE TRIGGER t BEFORE DELETE ON person WHEN old.id = 1 BEGIN SELECT RAISE(IGNORE); END"
    ) { driver, other in
      driver.press("d d j d d ctrl-s enter")
      driver.screen.expectLine("1 row deleted; a trigger of person left 1 row unchanged; it stays staged")
      #expect(driver.browser.workspace.staged.counts == ChangeCounts(deletedRows: 1))
      let names = try other.read { db in try String.fetchAll(db, sql: "SELECT name FROM person") }
      #expect(names == ["Ada"])
    }
  }

  @Test("shows beforehand what foreign keys and triggers will change")
  func forecast() async throws {
    try await StagingTests.play(
      "CREATE TABLE acc(id INTEGER PRIMARY KEY, name TEXT)", "INSERT INTO acc VALUES (1, 'a'), (2, 'b')",
      "CREATE TABLE item(id INTEGER PRIMARY KEY, acc REFERENCES acc ON DELETE CASCADE)", "INSERT INTO item(acc) VALUES (1), (1), (2)",
      "CREATE TRIGGER t AFTER DELETE ON acc BEGIN SELECT 1; END"
    ) { driver, _ in
      driver.press("d d ctrl-s")
      let sentence = "Also changes 2 rows of item by ON DELETE CASCADE, and any rows that the triggers of acc write."
      driver.screen.expectLine(sentence)
      driver.press("enter")
      driver.screen.expectLine("1 row deleted; triggers or foreign keys changed other rows, too")
    }
  }

  @Test("that is refused says how many rows refer to the row, and shows no SQL")
  func referred() async throws {
    try await StagingTests.play(
      "CREATE TABLE acc(id INTEGER PRIMARY KEY, name TEXT)", "INSERT INTO acc VALUES (1, 'a'), (2, 'b')",
      "CREATE TABLE item(id INTEGER PRIMARY KEY, acc REFERENCES acc)", "INSERT INTO item(acc) VALUES (1), (1), (2)"
    ) { driver, _ in
      driver.press("d d ctrl-s")
      driver.screen.expectLine(beginning: "DELETE FROM")
      driver.press("enter")
      driver.screen.expectLine("acc with id 1: 2 rows of item still refer to it; nothing was written, and all changes stay staged")
      #expect(!driver.screen.contains("DELETE FROM"), "\(driver.screen)")
    }
  }

  @Test("of a table without a key does not write another row that has got the rowid")
  func keyless() async throws {
    try await StagingTests.play("CREATE TABLE person(name TEXT, age INT)", "INSERT INTO person VALUES ('x', 1), ('y', 1), ('z', 1)") {
      driver, other in
      driver.press("j l e ctrl-u")
      driver.type("9")
      driver.press("enter")
      #expect(driver.browser.workspace.staged.counts == ChangeCounts(cells: 1, updatedRows: 1))
      try other.withoutTransaction { db in try db.execute(sql: "DELETE FROM person WHERE name = 'x'; VACUUM") }
      driver.press("ctrl-s enter")
      #expect(driver.screen.contains("was  theirs  mine") || driver.screen.contains("'y'"), "\(driver.screen)")
      let rows = try other.read { db in try String.fetchAll(db, sql: "SELECT name || age FROM person ORDER BY name") }
      #expect(rows == ["y1", "z1"], "\(driver.screen)")
    }
  }

  @Test("is staged with the number of rows that an expression changes")
  func expression() async throws {
    try await StagingTests.play(
      "CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT)", "INSERT INTO person VALUES (1, 'ADA'), (2, 'Bob'), (3, 'CID')"
    ) { driver, _ in
      driver.press("l v j j e")
      driver.type("=upper(name)")
      driver.press("enter")
      #expect(driver.browser.workspace.staged.counts.updatedRows == 1)
      driver.screen.expectLine("staged: name of 1 row")
    }
  }
}
