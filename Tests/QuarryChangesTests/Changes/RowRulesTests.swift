import QuarryChanges
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("What a row may be before it is written", .gated) struct RowRulesTests {
  private static let sql = """
    CREATE TABLE team(code TEXT PRIMARY KEY, title TEXT);
    INSERT INTO team VALUES ('a', 'Alpha'), ('b', 'Beta'), ('c', 'beta 2');
    CREATE TABLE player(
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, score INT CHECK (score > 0), state TEXT CHECK (state IN ('open', 'it''s', 'x')),
      team REFERENCES team, twice AS (score * 2)) STRICT
    """
  private static let strict = sql.replacing("team REFERENCES", with: "team TEXT REFERENCES").replacing("twice AS", with: "twice INT AS")
  private static let player = TableReference(name: "player")

  @Test(
    "What a row breaks is told with its columns, without writing",
    arguments: [
      (["name": .value(.null)], "NOT NULL constraint failed: player.name", ["name"]),
      (["name": "a", "score": -1], "CHECK constraint failed: score > 0", []),
      (["name": "a", "score": "x"], "cannot store TEXT value in INT column player.score", []),
      (["name": "a", "id": "x"], "datatype mismatch", []),
      (["name": "a", "state": "shut"], "CHECK constraint failed: state IN ('open', 'it''s', 'x')", []),
      (["score": 1], "NOT NULL constraint failed: player.name", ["name"]), (["name": "a", "team": "no such", "score": "7"], nil, nil),
    ] as [([String: StagedValue], String?, [String]?)])
  func faults(values: [String: StagedValue], reason: String?, columns: [String]?) throws {
    let schema = try makeDatabase(Self.strict).read { db in try db.tableSchema(Self.player) }
    let rules = try #require(try RowRules(schema))
    for _ in 0..<2 {
      let fault = rules.fault(in: values)
      #expect(fault?.reason == reason && fault?.columns == columns)
    }
  }

  @Test("The INTEGER PRIMARY KEY of a new row may be NULL, that of a row which is there may not")
  func rowID() throws {
    let schema = try makeDatabase(Self.strict).read { db in try db.tableSchema(Self.player) }
    let rules = try #require(try RowRules(schema))
    let values: [String: StagedValue] = ["id": .value(.null), "name": "a"]
    #expect(rules.fault(in: values) == nil)
    let fault = rules.fault(in: values, by: .update)
    #expect(fault?.reason == "SQLite refuses NULL in id, the INTEGER PRIMARY KEY of an existing row" && fault?.columns == ["id"])
    #expect(rules.fault(in: ["id": 7, "name": "a"], by: .update) == nil)
  }

  @Test("A view and a virtual table have no rules of their own")
  func none() throws {
    let queue = try makeDatabase("CREATE VIEW v AS SELECT 1; CREATE VIRTUAL TABLE f USING fts5(a)")
    for name in ["v", "f"] {
      let schema = try queue.read { db in try db.tableSchema(TableReference(name: name)) }
      #expect(try RowRules(schema) == nil)
    }
  }

  @Test("A column that refers to a table offers its keys and labels, one with a CHECK its list, others what they have")
  func choices() throws {
    let queue = try makeDatabase(Self.strict, "INSERT INTO player(name, score) VALUES ('Arthur', 5), ('Barbara', 7)")
    let find = { (column: String, prefix: String) in
      try queue.read { db in
        try db.choices(for: column, of: db.tableSchema(Self.player), prefix: prefix, limit: 10).map { "\($0.value) \($0.label ?? "")" }
      }
    }
    #expect(try find("team", "") == [#""a" Alpha"#, #""b" Beta"#, #""c" beta 2"#])
    #expect(try find("team", "BET") == [#""b" Beta"#, #""c" beta 2"#])
    #expect(try find("team", "a") == [#""a" Alpha"#])
    #expect(try find("state", "") == [#""open" "#, #""it's" "#, #""x" "#])
    #expect(try find("state", "I") == [#""it's" "#])
    #expect(try find("name", "b") == [#""Barbara" "#])
    #expect(try find("id", "").isEmpty)
  }

  @Test(
    "The label of a row is a name before a title, a title before a unique text, that before any other",
    arguments: [
      ("album(id INTEGER PRIMARY KEY, note TEXT, Title TEXT)", ["Title"]),
      ("artist(id INTEGER PRIMARY KEY, title TEXT, artist_name TEXT)", ["artist_name"]),
      ("Categories(CategoryID INTEGER PRIMARY KEY, Description TEXT, CategoryName TEXT)", ["CategoryName"]),
      ("boxes(id INTEGER PRIMARY KEY, label TEXT, BoxName TEXT)", ["BoxName"]),
      ("Employee(EmployeeId INTEGER PRIMARY KEY, LastName TEXT, FirstName TEXT, Title TEXT, Email TEXT)", ["FirstName", "LastName"]),
      ("person(id INTEGER PRIMARY KEY, title TEXT, surname TEXT)", ["surname"]),
      ("person(id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, full_name TEXT)", ["full_name"]),
      ("Customers(CustomerID TEXT PRIMARY KEY, City TEXT, CompanyName TEXT)", ["CompanyName"]),
      ("account(id INTEGER PRIMARY KEY, city TEXT, email TEXT)", ["email"]),
      ("part(id INTEGER PRIMARY KEY, remark TEXT, number TEXT UNIQUE)", ["number"]),
      ("part(id INTEGER PRIMARY KEY, size INTEGER, remark TEXT, number TEXT)", ["remark"]),
      ("point(id INTEGER PRIMARY KEY, x REAL)", []), ("tag(name TEXT PRIMARY KEY)", []),
    ])
  func labels(table: String, columns: [String]) throws {
    let schema = try makeDatabase("CREATE TABLE \(table)").read { db in
      try db.tableSchema(TableReference(name: String(table.prefix { $0 != "(" })))
    }
    #expect(schema.labelColumns() == columns)
  }

  @Test("A person is offered by first and last name, and found by either")
  func people() throws {
    let queue = try makeDatabase(
      "CREATE TABLE employee(id INTEGER PRIMARY KEY, LastName TEXT, FirstName TEXT, Title TEXT, boss INTEGER REFERENCES employee)",
      "INSERT INTO employee VALUES (1, 'Adams', 'Andrew', 'Manager', NULL), (2, 'Edwards', NULL, 'Agent', 1)")
    let find = { (prefix: String) in
      try queue.read { db in
        try db.choices(for: "boss", of: db.tableSchema(TableReference(name: "employee")), prefix: prefix, limit: 10).map(\.label)
      }
    }
    #expect(try find("") == ["Andrew Adams", "Edwards"])
    #expect(try find("ada") == ["Andrew Adams"])
    #expect(try find("andr") == ["Andrew Adams"])
  }

  @Test("An expression is compiled as a filter's values are, and yields a value for each row")
  func expressions() throws {
    let queue = try makeDatabase(Self.strict, "INSERT INTO player(id, name, score) VALUES (1, 'Arthur', 5), (2, 'Barbara', 7)")
    try queue.read { db in
      let schema = try db.tableSchema(Self.player)
      let columns = FilterColumns(of: schema, in: db)
      let double = try ColumnExpression.compile("score * 2", columns: columns)
      #expect(double.type == .integer)
      let values = try db.values(of: double, for: [.stored(.rowID(2)), .stored(.rowID(9)), .stored(.rowID(1))], of: schema)
      #expect(values == [14, nil, 10])
      let upper = try ColumnExpression.compile("upper(name) || '!'", columns: columns)
      let set = RowSet(.table(Self.player), filter: RowFilter(Column<Int>("score") > 5))
      #expect(try db.edits(of: "name", to: upper, in: set, limit: 10) == [ColumnEdit(key: .rowID(2), was: "Barbara", value: "BARBARA!")])
      #expect(throws: FilterErrors.self) { try ColumnExpression.compile("nmae * 2", columns: columns) }
      #expect(throws: FilterErrors.self) { try ColumnExpression.compile("score 3", columns: columns) }
      let rows = try db.storedRows([.rowID(1), .rowID(3)], of: schema)
      #expect(rows[0]?["twice"] == 10)
      #expect(rows[1] == nil)
    }
  }

  @Test("The statement that would write a row can be read")
  func statements() throws {
    let schema = try makeDatabase(Self.strict).read { db in try db.tableSchema(Self.player) }
    var changes = StagedChanges()
    try changes.set("Art", column: "name", row: .stored(.rowID(1)), of: Self.player, was: "Arthur")
    changes.delete(.stored(.rowID(2)), of: Self.player, was: ["score": 7, "twice": 14])
    let new = changes.insert(["score": 3, "name": "Dee", "state": .defaultValue], into: Self.player)
    let read = { (row: StagedRowID) in changes.sqlText(of: row, in: schema)?.queryString }
    #expect(
      read(.stored(.rowID(1)))
        == "UPDATE main.player SET name = 'Art' WHERE ((id = 1) AND (+name IS 'Arthur' COLLATE BINARY AND typeof(name) = 'text'))")
    #expect(
      read(.stored(.rowID(2)))
        == "DELETE FROM main.player WHERE ((id = 2) AND (+score IS 7 COLLATE BINARY AND typeof(score) = 'integer'))")
    #expect(read(new) == "INSERT INTO main.player (name, score) VALUES ('Dee', 3)")
    #expect(read(.stored(.rowID(3))) == nil)
  }
}
