import QuarryEngine
import TestSupport
import Testing

@Suite(.gated) struct TableChangeTests {
  private static let setup = """
    CREATE TABLE team(id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT CHECK (length(name) > 0), score INT);
    CREATE INDEX player_on_name ON player(lower(name)) WHERE score > 0;
    CREATE TABLE game(winner REFERENCES player(id));
    CREATE VIEW best AS SELECT name FROM player WHERE score > 5;
    CREATE TRIGGER noted AFTER INSERT ON player BEGIN SELECT new.score; END;
    INSERT INTO team VALUES (1, 'red'); INSERT INTO player VALUES (1, 'Ada', 7), (2, 'Bob', NULL), (3, 'bob', 3);
    """

  private func plan(_ sql: String..., change: (inout TableChange) throws -> Void) throws -> (plan: TableChangePlan, counts: [String]) {
    try makeDatabase(Self.setup).withoutTransaction { db in
      for sql in sql { try db.execute(sql: sql) }
      let old = try db.tableDefinition(TableReference(name: "player"))
      var edit = TableChange(of: old)
      try change(&edit)
      let plan = try edit.plan(in: db)
      return (plan, try plan.checks.map { $0.sentence(try db.rowCount(of: $0)) })
    }
  }

  private func column(_ sql: String) throws -> ColumnDefinition { try TableDefinition(sql: "CREATE TABLE t(\(sql))").columns[0] }

  @Test func `nothing changes`() throws {
    let (plan, _) = try plan { _ in }
    #expect(plan.method == .nothing && plan.statements.isEmpty)
  }

  @Test func `ALTER TABLE renames, adds and drops columns`() throws {
    let (plan, counts) = try plan { change in
      change.renameColumn(at: 1, to: "nick")
      change.insertColumn(try column("team INT NOT NULL DEFAULT 1 REFERENCES team"), at: 3)
    }
    #expect(
      plan.statements == [
        "BEGIN IMMEDIATE", "ALTER TABLE player RENAME COLUMN name TO nick",
        "ALTER TABLE player ADD COLUMN team INT NOT NULL DEFAULT 1 REFERENCES team", "COMMIT",
      ])
    #expect(counts == ["NOT NULL of team refuses 0 rows", "the foreign key of team to team refuses 0 rows"])
  }

  @Test func `rows that a new foreign key refuses are counted`() throws {
    let (_, counts) = try plan { $0.insertColumn(try column("team INT NOT NULL DEFAULT 9 REFERENCES team"), at: 3) }
    #expect(counts == ["NOT NULL of team refuses 0 rows", "the foreign key of team to team refuses 3 rows"])
  }

  @Test func `a new table replaces the old one if ALTER TABLE cannot`() throws {
    let (plan, counts) = try plan { change in
      change.new.columns[2] = try column("score INT NOT NULL")
      change.new.constraints = [TableConstraint(.unique([.init("name", collation: .nocase)], onConflict: .replace))]
    }
    #expect(plan.method == .rebuild)
    #expect(plan.steps.map(\.sql).first?.hasPrefix("CREATE TABLE quarry_new_player (") == true)
    #expect(
      plan.steps.map(\.sql).dropFirst().first
        == "INSERT OR ABORT INTO quarry_new_player (id, name, score) SELECT id, name, score FROM player")
    #expect(counts == ["NOT NULL of score refuses 1 row", "UNIQUE (name) refuses 2 rows"])
  }

  @Test(arguments: [
    ("score BLOB", "CHECK (length(name) > 0) refuses 0 rows"),
    ("score INT CHECK (score < 5)", "CHECK (score < 5) refuses 1 row"), ("score INT UNIQUE", "UNIQUE of score refuses 0 rows"),
  ])
  func `the effects on rows are counted`(_ sql: String, _ sentence: String) throws {
    let (_, counts) = try plan { $0.new.columns[2] = try column(sql) }
    #expect(counts == [sentence])
  }

  @Test func `a conversion counts the values that are stored differently`() throws {
    let (_, counts) = try plan { $0.new.columns[2] = try column("score TEXT") }
    #expect(counts == ["CHECK (length(name) > 0) refuses 0 rows", "type TEXT of score converts the values of 2 rows"])
  }

  @Test func `a dropped column counts its values`() throws {
    let (plan, counts) = try plan("DROP VIEW best", "DROP TRIGGER noted", "DROP INDEX player_on_name") { $0.removeColumn(at: 2) }
    #expect(plan.statements == ["ALTER TABLE player DROP COLUMN score"])
    #expect(counts == ["column score is dropped with the values of 2 rows"])
  }

  @Test func `a view or trigger that would no longer compile is a problem`() throws {
    let (plan, _) = try plan("DROP INDEX player_on_name") { $0.removeColumn(at: 2) }
    #expect(plan.problems.count == 2)
    #expect(plan.problems.contains { $0.hasPrefix("the view “best” would no longer compile") })
  }

  @Test func `a view that does not compile stays as it is`() throws {
    let (plan, _) = try plan("CREATE VIEW broken AS SELECT * FROM missing") { $0.renameColumn(at: 1, to: "nick") }
    #expect(plan.remarks == ["the view “broken” does not compile now either (no such table: main.missing): it stays as it is"])
    #expect(
      plan.steps.map(\.sql) == [
        "DROP VIEW broken", "ALTER TABLE player RENAME COLUMN name TO nick", "CREATE VIEW broken AS SELECT * FROM missing",
      ])
  }

  @Test func `names are exchanged and change their case`() throws {
    let (plan, _) = try plan { change in
      change.renameColumn(at: 1, to: "x")
      change.renameColumn(at: 2, to: "name")
      change.renameColumn(at: 1, to: "score")
      change.renameTable(to: "Player")
    }
    #expect(plan.method == .alter && plan.problems.isEmpty)
  }

  @Test func `a foreign key to a missing table and a cycle are reported`() throws {
    let (plan, _) = try plan("CREATE TABLE coach(id INTEGER PRIMARY KEY, star REFERENCES player)") { change in
      change.insertColumn(try column("coach REFERENCES coach"), at: 3)
      change.insertColumn(try column("club REFERENCES club (id)"), at: 4)
    }
    #expect(plan.problems == ["a foreign key refers to the table “club”, which does not exist: create it first"])
    #expect(plan.remarks.count == 1 && plan.remarks[0].contains("player → coach → player"))
  }

  @Test func `an altered table is not changed`() throws {
    try makeDatabase(Self.setup).withoutTransaction { db in
      let change = TableChange(of: try db.tableDefinition(TableReference(name: "player")))
      try db.execute(sql: "ALTER TABLE player ADD COLUMN other")
      #expect(throws: DefinitionError.alteredSince("player")) { try change.plan(in: db) }
    }
  }

  @Test func `a table is created with its indexes`() throws {
    try makeDatabase(Self.setup).withoutTransaction { db in
      let change = TableChange(creating: TableDefinition("club") { t in t.column("name", .text).indexed() })
      let plan = try change.plan(in: db)
      #expect(plan.method == .create && plan.steps.count == 2)
      #expect(throws: DatabaseError.self) { try TableChange(creating: TableDefinition("TEAM") { $0.column("a") }).plan(in: db) }
    }
  }
}
