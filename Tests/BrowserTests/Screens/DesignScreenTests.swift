import Browser
import Foundation
import QuarryChanges
import QuarryEngine
import Terminal
import TestSupport
import Testing

@Suite("The design of a table", .gated)
struct DesignScreenTests {
  private static let setup = [
    "CREATE TABLE team(id INTEGER PRIMARY KEY, name TEXT)", "INSERT INTO team VALUES (1, 'red'), (2, 'blue')",
    "CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER)",
    "INSERT INTO person VALUES (1, 'Ada', 36), (2, 'Grace', NULL)",
    "CREATE VIEW adults AS SELECT name FROM person WHERE age > 17",
  ]

  /// What a test plays on: the database, and another connection to it.
  struct Stage: Sendable {
    let path: String
    let changes: ChangeLogFolder
    let other: DatabaseQueue

    /// Starts the program.
    func start(refusal: String? = nil) throws -> SessionDriver { try SessionDriver(path: path, refusal: refusal, changes: changes) }

    func texts(_ sql: String) throws -> [String] { try other.read { db in try String.fetchAll(db, sql: sql) } }
  }

  private func play(_ body: @escaping @Sendable (Stage) throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, Self.setup[0], Self.setup[1], Self.setup[2], Self.setup[3], Self.setup[4])
      let changes = ChangeLogFolder(path: folder.appending(path: "changes").path)
      let stage = Stage(path: path, changes: changes, other: try DatabaseQueue(path: path))
      try await onOwnThread { try body(stage) }
    }
  }

  /// Opens the design of the table of people.
  private static func design(_ driver: SessionDriver) {
    driver.open(TableReference(name: "person"))
    driver.play([":", "'design'", "enter"])
    driver.screen.expectLine(beginning: "Design of person")
  }

  @Test("a newcomer adds a NOT NULL column with a foreign key, sees the rows that would break, and takes it back after a restart")
  func newcomer() async throws {
    try await play { stage in
      let driver = try stage.start()
      Self.design(driver)
      driver.play(["a", "'team_id'", "enter", "'INTEGER'", "enter", "n", "=", "'9'", "enter", "f", "'team'", "enter", "enter"])
      driver.screen.expectLine("the foreign key of team_id to team refuses 2 rows")
      driver.play(["f5"])
      driver.screen.expectLine(beginning: "the foreign key of team_id to team refuses 2 rows: ⏎ shows them")
      #expect(try stage.texts("SELECT name FROM pragma_table_info('person')") == ["id", "name", "age"])
      driver.play(["g g", "j j j j j j", "=", "ctrl-u", "'1'", "enter"])
      driver.screen.expectLine(beginning: "ALTER TABLE person ADD COLUMN team_id")
      driver.play(["f5", "down", "enter"])
      driver.screen.expectLine(beginning: "changed person, 2 rows counted: gu u undoes it")
      #expect(try stage.texts("SELECT name || team_id FROM person") == ["Ada1", "Grace1"])
      let restarted = try stage.start()
      restarted.play(["tab", "g u", "u"])
      #expect(try stage.texts("SELECT name FROM pragma_table_info('person')") == ["id", "name", "age"])
      #expect(try stage.texts("SELECT name FROM person") == ["Ada", "Grace"])
    }
  }

  @Test("a table is created with a form") func creation() async throws {
    try await play { stage in
      let driver = try stage.start()
      driver.play([":", "'create-table'", "enter"])
      driver.screen.expectLine(beginning: "New table")
      driver.play(["enter", "ctrl-u", "'TEAM'"])
      driver.screen.expectLine(beginning: "“TEAM” is taken: SQLite ignores the case of names")
      driver.play(["ctrl-u", "'club'", "enter", "a", "'city'", "enter", "'TEXT'", "enter", "f5", "down", "enter"])
      driver.screen.expectLine(beginning: "created club")
      #expect(try stage.texts("SELECT name FROM pragma_table_info('club')") == ["id", "city"])
    }
  }

  @Test("the rows of a finding are shown in the grid, and the design is not lost") func findings() async throws {
    try await play { stage in
      let driver = try stage.start()
      Self.design(driver)
      driver.play(["G", "k"])
      driver.play(["g g", "j j j j j", "n"])
      driver.screen.expectLine("NOT NULL of age refuses 1 row")
      driver.play(["G", "enter"])
      driver.screen.expectLine(beginning: "Grace")
      driver.play(["escape", ":", "'design'", "enter"])
      driver.screen.expectLine("NOT NULL of age refuses 1 row")
    }
  }

  @Test("a view that would break, and a CHECK with an error, are named") func faults() async throws {
    try await play { stage in
      let driver = try stage.start()
      Self.design(driver)
      driver.play(["j j j j j", "-"])
      driver.screen.expectLine(beginning: "the view “adults” would no longer compile")
      driver.play(["R", "enter", "'check'", "enter", "'age > > 0'", "enter"])
      driver.screen.expectLine(beginning: "CHECK of column age: near \">\"")
    }
  }

  @Test("a view, a read-only file and an altered table are refused") func refusals() async throws {
    try await play { stage in
      let reader = try stage.start(refusal: "the file is read-only")
      reader.open(TableReference(name: "person"))
      reader.play([":", "'design'", "enter"])
      reader.screen.expectLine(beginning: "the file is read-only")
      let driver = try stage.start()
      Self.design(driver)
      driver.play(["j j j j j", "=", "'7'", "enter"])
      driver.screen.expectLine(beginning: "DEFAULT 7")
      try stage.other.write { db in try db.execute(sql: "ALTER TABLE person ADD COLUMN other") }
      driver.play(["f5", "down", "enter"])
      driver.screen.expectLine(beginning: "the table person has been altered since")
    }
  }
}
