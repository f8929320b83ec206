import QuarryChanges
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite(.gated) struct ExpressionValueTests {
  @Test("An expression gives the values of a path for rows by their keys")
  func values() throws {
    let columns = FilterColumns([FilterColumn("data", type: .any, declaredType: "JSON")])
    let expression = try ColumnExpression.compile("data.user.name", columns: columns)
    let queue = try makeDatabase(
      "CREATE TABLE event (id INTEGER PRIMARY KEY, data JSON)",
      """
      INSERT INTO event VALUES (1, '{"user": {"name": "Ada"}}'), (2, '{"user": {"name": "Bob"}}'), (3, 'no JSON')
      """)
    let values = try queue.read { db in
      let table = try db.tableSchema(TableReference(name: "event"))
      return try db.values(of: expression, for: [2, 3, 1, 99].map { .stored(.rowID($0)) }, of: table)
    }
    #expect(values == [.value(.text("Bob")), .null, .value(.text("Ada")), nil])
  }

  private static let player = TableReference(name: "player")

  /// Returns the values of expressions in a row of a player or of a new player with the next number, by their staged changes.
  private static func values(
    _ texts: [String], of row: StagedRowID, _ change: @Sendable (inout StagedChanges) throws -> Void
  ) throws -> [StoredValue?] {
    let queue = try makeDatabase(
      "CREATE TABLE team(id INTEGER PRIMARY KEY, name TEXT)", "INSERT INTO team VALUES (1, 'Red'), (2, 'Blue')",
      """
      CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, score INTEGER, team INTEGER REFERENCES team,
        state TEXT DEFAULT 'new', made TEXT DEFAULT CURRENT_TIMESTAMP, twice AS (score * 2))
      """,
      "CREATE TABLE prize(id INTEGER PRIMARY KEY, player INTEGER REFERENCES player)",
      "INSERT INTO player(name, score, team) VALUES ('Ada', 1, 1)", "INSERT INTO prize VALUES (1, 1)")
    var changes = StagedChanges()
    try change(&changes)
    let staged = changes
    return try queue.read { db in
      let schema = try db.tableSchema(player)
      let columns = FilterColumns(of: schema, in: db)
      return try texts.map { text in
        try db.values(of: ColumnExpression.compile(text, columns: columns), for: [row], of: schema, with: staged)[0]
      }
    }
  }

  @Test("An expression is computed over the staged values of a stored row, and over its other stored ones")
  func stagedValues() throws {
    let row = StagedRowID.stored(.rowID(1))
    let texts = ["score * 2", "upper(name) || cast(score as text)", "team.name", "twice", "count(prize)", "rowid"]
    let stored = try Self.values(texts, of: row) { _ in }
    #expect(stored == [2, "ADA1", "Red", 2, 1, 1])
    let staged = try Self.values(texts, of: row) { changes in
      try changes.set("bob", column: "name", row: row, of: Self.player, was: "Ada")
      try changes.set(10, column: "score", row: row, of: Self.player, was: 1)
      try changes.set(2, column: "team", row: row, of: Self.player, was: 1)
    }
    #expect(staged == [20, "BOB10", "Blue", 2, 1, 1])
    let moved = try Self.values(["count(prize)", "id", "rowid"], of: row) { changes in
      try changes.set(7, column: "id", row: row, of: Self.player, was: 1)
    }
    #expect(moved == [0, 7, 7])
  }

  @Test("An expression is computed over the values of a new row as they will be stored")
  func newRow() throws {
    let insert: @Sendable (inout StagedChanges) -> Void = { changes in
      changes.insert(["name": "Cy", "score": .value(.real(3)), "team": 2], into: Self.player)
    }
    var changes = StagedChanges()
    let row = changes.insert(into: Self.player)
    let values = try Self.values(["upper(name)", "score * 2", "team.name", "state"], of: row, insert)
    #expect(values == ["CY", 6, "Blue", "new"])
    for unknown in ["id", "rowid + 1", "made", "twice", "count(prize)"] {
      #expect(throws: DatabaseError.self, "\(unknown)") { try Self.values([unknown], of: row, insert) }
    }
    #expect(try Self.values(["name"], of: row) { _ in } == [nil], "a row that is no longer staged has no value")
  }
}
