import Browser
import QuarryChanges
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("Changing the rows of a result", .gated)
struct ResultEditingTests {
  private static let person = TableReference(name: "person")

  /// Plays on the result of a query, whose rows have the keys.
  private static func play(_ sql: String, body: @escaping @Sendable (SessionDriver, DatabaseQueue) throws -> Void) async throws {
    try await StagingTests.play { driver, other in
      driver.press("f4")
      driver.type(sql)
      driver.press("f5")
      driver.press("f4")
      driver.wait { driver.browser.workspace.grid?.isResult == true }
      try body(driver, other)
    }
  }

  @Test("stages them in their table, under the names that this has, and shows them in both")
  func update() async throws {
    try await Self.play("SELECT upper(note), age AS years, id AS number FROM person ORDER BY id DESC") { driver, other in
      driver.press("j l e")
      driver.screen.expectLine("stored: integer 85")
      driver.press("ctrl-u")
      driver.type("86")
      driver.press("enter")
      #expect(driver.browser.workspace.staged.value(of: "age", in: .stored(.rowID(2)), of: Self.person) == .value(86))
      driver.screen.expectLine("86")
      driver.press("ctrl-s")
      driver.press("enter")
      driver.wait { driver.screen.contains("1 row changed") }
      let age = try other.read { db in try Int.fetchOne(db, sql: "SELECT age FROM person WHERE id = 2") }
      #expect(age == 86)
      driver.wait { driver.browser.workspace.grid?.window.rows.contains { $0.cells[1] == .integer(86) } == true }
      #expect(driver.browser.workspace.grid?.isResult == true)
    }
  }

  @Test("deletes rows of which the result has only some columns, unless they have changed since")
  func delete() async throws {
    try await Self.play("SELECT id, name FROM person") { driver, other in
      driver.press("d d")
      driver.wait { driver.browser.workspace.staged.status(of: .stored(.rowID(1)), in: Self.person) == .deleted }
      try other.write { db in try db.execute(sql: "UPDATE person SET name = 'Grace H.' WHERE id = 2") }
      driver.press("j d d")
      driver.wait { driver.screen.contains("name of a row has changed since the statement ran: run it again") }
      #expect(driver.browser.workspace.staged.status(of: .stored(.rowID(2)), in: Self.person) == nil)
    }
  }

  @Test(
    "finds rows by a primary key that is not the rowid, and shows what is staged of them in their table",
    arguments: ["code TEXT PRIMARY KEY, region, name", "code, region, name, PRIMARY KEY (region, code)"])
  func primaryKey(columns: String) async throws {
    try await StagingTests.play(
      "CREATE TABLE place(\(columns))", "INSERT INTO place VALUES ('IS', 1, 'Iceland'), ('NO', 1, 'Norway'), ('SE', 1, 'Sweden')"
    ) { driver, other in
      let place = TableReference(name: "place")
      driver.press("f4")
      driver.type("SELECT name, region, code FROM place ORDER BY code DESC")
      driver.press("f5")
      driver.press("f4")
      driver.wait { driver.browser.workspace.grid?.isResult == true }
      driver.press("j e end")
      driver.type("!")
      driver.press("enter j d d")
      func name() -> StagedValue? { driver.browser.workspace.staged.value(of: "name", in: .stored(.rowID(2)), of: place) }
      #expect(name() == .value("Norway!"), "\(driver.screen)")
      #expect(driver.browser.workspace.staged.status(of: .stored(.rowID(1)), in: place) == .deleted, "\(driver.screen)")
      driver.screen.expectLine("~Norway!")
      driver.press("k V j e")
      driver.type("=upper(name)")
      driver.press("enter")
      #expect(name() == .value("NORWAY!"), "\(driver.screen)")
      driver.press("ctrl-s")
      driver.press("enter")
      driver.wait { driver.screen.contains("1 row changed, 1 deleted") }
      let names = try other.read { db in try String.fetchAll(db, sql: "SELECT name FROM place ORDER BY code") }
      #expect(names == ["NORWAY!", "Sweden"])
    }
  }

  @Test("says why what cannot be changed cannot")
  func refusals() async throws {
    try await Self.play("SELECT id, upper(name) AS loud FROM person") { driver, _ in
      driver.press("l e")
      driver.screen.expectLine("loud is not a column of person")
      driver.press("o")
      driver.screen.expectLine("rows are added in the table itself: ^P goes to person")
    }
    try await Self.play("SELECT name FROM person") { driver, _ in
      driver.press("e")
      driver.screen.expectLine("the key of person is not in the result: add id to the SELECT")
    }
  }
}
