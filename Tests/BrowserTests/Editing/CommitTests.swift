import Browser
import Foundation
import QuarryChanges
import QuarryEngine
import QuarryRows
import Terminal
import TestSupport
import Testing

@Suite("What is staged", .gated)
struct CommitTests {
  private static func rows(_ other: DatabaseQueue) throws -> [String] {
    try other.read { db in
      try String.fetchAll(db, sql: "SELECT id || ' ' || name || ' ' || typeof(age) || ' ' || ifnull(age, '') FROM person ORDER BY id")
    }
  }

  private static func expect(_ other: DatabaseQueue, _ isMet: ([String]) -> Bool, at place: SourceLocation = #_sourceLocation) throws {
    let rows = try rows(other)
    #expect(isMet(rows), "\(rows)", sourceLocation: place)
  }

  @Test("is listed as old and new values with its SQL, and written by Enter in one transaction")
  func commit() async throws {
    try await StagingTests.play { driver, other in
      driver.press("l e end")
      driver.type(" L.")
      driver.press("enter l g n j j d d o")
      driver.press("e")
      driver.type("Ken")
      driver.press("enter ctrl-s")
      driver.screen.expectLine("'Ada' → 'Ada L.'")
      driver.screen.expectLine("UPDATE main.person SET name = 'Ada L.', age = NULL WHERE ((id = 1) AND (+name IS 'Ada' COLLATE BINARY AND")
      driver.press("enter")
      driver.screen.expectLine("1 row changed, 1 new, 1 deleted")
      #expect(driver.browser.workspace.staged.isEmpty && !driver.browser.hasTopScreen)
      try Self.expect(other) { $0 == ["1 Ada L. null ", "2 Grace integer 85", "3 Ken null "] }
      driver.screen.expectLine("Ada L.")
      driver.screen.expectLine("Ken")
    }
  }

  @Test("loses what Space takes out, and gets it back")
  func takingOut() async throws {
    try await StagingTests.play { driver, _ in
      driver.press("l g n j g n g z")
      #expect(driver.browser.workspace.staged.counts.cells == 2)
      driver.press("space")
      #expect(driver.browser.workspace.staged.counts.cells == 1, "\(driver.screen)")
      driver.press("u")
      #expect(driver.browser.workspace.staged.counts.cells == 2)
    }
  }

  @Test("is a conflict where somebody else has changed the row: nothing is written before one is chosen", arguments: ["m", "t"])
  func conflict(choice: String) async throws {
    try await StagingTests.play { driver, other in
      driver.press("l e end")
      driver.type("!")
      driver.press("enter")
      try other.write { db in try db.execute(sql: "UPDATE person SET name = 'Eva' WHERE id = 1") }
      driver.press("ctrl-s enter")
      driver.screen.expectLine("was    theirs  mine")
      driver.screen.expectLine("name  'Ada'  'Eva'   'Ada!'")
      driver.screen.expectLine("This row has changed since you edited it: m writes your values over theirs, t keeps theirs.")
      try Self.expect(other) { $0.first == "1 Eva integer 36" }
      driver.press(choice)
      if choice == "m" { driver.press("enter") }
      try Self.expect(other) { $0.first == (choice == "m" ? "1 Ada! integer 36" : "1 Eva integer 36") }
      #expect(driver.browser.workspace.staged.isEmpty, "\(driver.screen)")
    }
  }

  @Test("asks for a decision where Enter is pressed in a conflict, and forgets the conflict with the change")
  func openConflict() async throws {
    try await StagingTests.play { driver, other in
      driver.press("l e end")
      driver.type("!")
      driver.press("enter j e end")
      driver.type("?")
      driver.press("enter")
      try other.write { db in try db.execute(sql: "UPDATE person SET name = 'Eva' WHERE id = 1") }
      driver.press("ctrl-s enter")
      driver.press("G")
      driver.press("enter")
      driver.screen.expectLine("1 conflict to resolve first: m writes your value, t keeps theirs")
      driver.screen.expectLine("was    theirs  mine")
      driver.press("u")
      #expect(!driver.screen.contains("conflict") && !driver.screen.contains("theirs"), "\(driver.screen)")
      #expect(!driver.screen.contains("nothing was written"), "\(driver.screen)")
    }
  }

  @Test("leaves the cursor on the row whose key it has changed", arguments: ["", " WITHOUT ROWID"])
  func changedKey(options: String) async throws {
    try await StagingTests.play(
      "CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT)\(options)",
      "INSERT INTO person VALUES (1, 'Ada'), (2, 'Bob'), (3, 'Cid'), (4, 'Dan')"
    ) { driver, _ in
      driver.press("j e ctrl-u")
      driver.type("70")
      driver.press("enter ctrl-s enter")
      driver.screen.expectLine("1 row changed")
      #expect(driver.browser.grid?.currentRow?.cells == [.integer(70), .text("Bob", byteCount: 3, isValid: true)], "\(driver.screen)")
    }
  }

  @Test("stays staged where a constraint refuses it, with the row and the reason")
  func constraint() async throws {
    try await StagingTests.play(
      "CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT UNIQUE, age INTEGER)",
      "INSERT INTO person VALUES (1, 'Ada', 36), (2, 'Bob', 5)"
    ) { driver, other in
      driver.press("l e")
      driver.press("ctrl-u")
      driver.type("Bob")
      driver.press("enter ctrl-s enter")
      driver.screen.expectLine("UNIQUE constraint failed: person.name; nothing was written, and all changes stay staged")
      #expect(driver.browser.workspace.staged.counts.cells == 1)
      try Self.expect(other) { $0.first == "1 Ada integer 36" }
    }
  }

  @Test("names a column or a table that is gone, and what to do, in the place of SQL that cannot be")
  func gone() async throws {
    try await StagingTests.play { driver, other in
      driver.press("l e end")
      driver.type("!")
      driver.press("enter l l e end")
      driver.type("x")
      driver.press("enter")
      try other.write { db in try db.execute(sql: "ALTER TABLE person DROP COLUMN note") }
      driver.press("ctrl-s j j")
      driver.screen.expectLine(beginning: "The column note of person no longer exists: Space on its line discards the change")
      #expect(!driver.screen.contains("UPDATE"), "\(driver.screen)")
      driver.press("space")
      driver.press("enter")
      try Self.expect(other) { $0.first == "1 Ada! integer 36" }
    }
    try await StagingTests.play { driver, other in
      driver.press("l e end")
      driver.type("!")
      driver.press("enter")
      try other.write { db in try db.execute(sql: "DROP TABLE person") }
      driver.press("ctrl-s")
      driver.screen.expectLine("The table person no longer exists: Space on its line discards its changes, then you can commit the rest.")
      driver.press("g g")
      driver.press("space")
      #expect(driver.browser.workspace.staged.isEmpty)
    }
  }

  @Test("cannot be written while a transaction of the editor is open, and says how to end that")
  func transaction() async throws {
    try await StagingTests.play { driver, _ in
      driver.press("l g n f4")
      driver.type("UPDATE person SET age = 1 WHERE id = 1")
      driver.press("f5")
      driver.press("enter")
      driver.press("escape")
      driver.press("ctrl-s")
      driver.press("enter")
      driver.screen.expectLine(":commit")
      #expect(driver.browser.workspace.staged.counts.cells == 1)
    }
  }

  @Test("is kept, committed or discarded when the program is left")
  func leaving() async throws {
    try await StagingTests.play { driver, other in
      driver.press("l e end")
      driver.type("!")
      driver.press("enter ctrl-q")
      let hasEnded = driver.browser.hasEnded
      #expect(!hasEnded, "\(driver.screen)")
      driver.type("commit")
      driver.press("enter")
      let isAtEnd = driver.browser.hasEnded
      #expect(isAtEnd, "\(driver.screen)")
      try Self.expect(other) { $0.first == "1 Ada! integer 36" }
    }
  }

  @Test("can be an expression of the row's own columns, for one row or for all that are selected")
  func expression() async throws {
    try await StagingTests.play { driver, _ in
      driver.press("l v G e")
      driver.type("=upper(name)")
      driver.press("enter")
      #expect(driver.browser.workspace.staged.counts.cells == 3, "\(driver.screen)")
      driver.screen.expectLine("2 ~GRACE")
      driver.press("u e ctrl-u")
      driver.type("=upper(nme)")
      driver.press("enter")
      #expect(driver.screen.contains("nme") && driver.browser.workspace.staged.isEmpty, "\(driver.screen)")
    }
  }

  @Test("that other rows have is offered as SQL writes it where a value of another type looks the same")
  func choicesOfTypes() async throws {
    try await StagingTests.play(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, v)", "INSERT INTO t VALUES (1, 7), (2, '7'), (3, '8')"
    ) { driver, _ in
      driver.press("j j l e")
      let cell = driver.browser.top(CellEditor.self)
      #expect(cell?.choices.map { cell?.text(of: $0) } == ["7", "'7'", "8"], "\(driver.screen)")
      driver.press("down down enter")
      let value = driver.browser.workspace.staged.value(of: "v", in: .stored(.rowID(3)), of: TableReference(name: "t"))
      #expect(value == .value("7"))
    }
  }

  @Test("of a foreign key offers the rows that it can refer to, by key and label")
  func foreignKey() async throws {
    try await StagingTests.play(
      "CREATE TABLE person(id INTEGER PRIMARY KEY, boss INTEGER REFERENCES person(id), name TEXT)",
      "INSERT INTO person VALUES (1, NULL, 'Ada'), (2, 1, 'Bob'), (3, 1, 'Cid')"
    ) { driver, _ in
      driver.press("j l e")
      driver.screen.expectLine("3  Cid")
      driver.press("ctrl-u")
      driver.type("ci")
      driver.press("down enter")
      let value = driver.browser.workspace.staged.value(of: "boss", in: .stored(.rowID(2)), of: TableReference(name: "person"))
      #expect(value == .value(3))
    }
  }

  @Test("the rows of a view are read again after a commit, so that the next change is of what is there")
  func view() async throws {
    try await StagingTests.play(
      "CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT)", "INSERT INTO person VALUES (1, 'a'), (2, 'b')",
      "CREATE VIEW people AS SELECT id, name FROM person",
      "CREATE TRIGGER t INSTEAD OF UPDATE ON people BEGIN UPDATE person SET name = new.name WHERE id = old.id; END"
    ) { driver, other in
      driver.open(TableReference(name: "people"))
      for _ in 0..<2 {
        driver.press("g g 0 l e end")
        driver.type("z")
        driver.press("enter")
        driver.press("ctrl-s")
        driver.screen.expectLine(beginning: "~ id 1, name 'a")
        driver.press("enter")
        driver.screen.expectLine("1 row changed")
      }
      let name = try other.read { db in try String.fetchOne(db, sql: "SELECT name FROM person WHERE id = 1") }
      #expect(name == "azz")
    }
  }
}
