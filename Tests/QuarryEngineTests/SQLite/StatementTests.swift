import QuarryEngine
import TestSupport
import Testing

@Suite("Statement", .gated)
struct StatementTests {
  private let queue: DatabaseQueue

  init() throws {
    queue = try makeDatabase(
      "CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT UNIQUE, score INTEGER)",
      "INSERT INTO player VALUES (1, 'Arthur', 41), (2, 'Barbara', 1000)")
  }

  private func players() throws -> [String] {
    try queue.read { try Row.fetchAll($0, sql: "SELECT name, score FROM player ORDER BY id").map(\.description) }
  }

  // MARK: Preparation

  @Test(
    "two statements where one is allowed are a misuse", arguments: ["SELECT 1; SELECT 2", "SELECT 1; FORM", "SELECT 1; -- x\nSELECT 2"])
  func moreThanOne(sql: String) throws {
    try queue.read { db throws in
      let error = expectError(DatabaseError.SQLITE_MISUSE) { try db.makeStatement(sql: sql) }
      #expect(error?.message.contains("more than one statement") == true)
      #expect(error?.sql == sql)
    }
  }

  @Test("SQL without a statement is a misuse", arguments: ["", "  \n", "-- nothing", "/* nothing */", ";", ";;  ; --"])
  func noStatement(sql: String) throws {
    try queue.write { db throws in
      let error = expectError(DatabaseError.SQLITE_MISUSE) { try db.makeStatement(sql: sql) }
      #expect(error?.message == "the SQL contains no statement")
      expectError(DatabaseError.SQLITE_MISUSE) { try db.cachedStatement(sql: sql) }
      expectError(DatabaseError.SQLITE_MISUSE) { try db.execute(sql: sql) }
    }
  }

  @Test("SQL that goes on after a NUL is refused, and not cut")
  func nulInSQL() throws {
    try queue.read { db throws in
      expectError(DatabaseError.SQLITE_MISUSE) { try db.makeStatement(sql: "SELECT 1\0, 2") }
      expectError(DatabaseError.SQLITE_MISUSE) { try db.makeStatement(sql: "\0SELECT 1") }
      expectError(DatabaseError.SQLITE_MISUSE) { try Array(db.allStatements(sql: "SELECT 1; \0 SELECT 2")) }
    }
  }

  @Test("a mistake is told with its place in bytes")
  func offset() throws {
    try queue.read { db throws in
      let error = expectError(DatabaseError.SQLITE_ERROR) { try db.makeStatement(sql: "SELECT 'ä', 1 FORM player") }
      #expect(error?.offset == 20)
      #expect(error?.message == "near \"player\": syntax error")
      let later = expectError(DatabaseError.SQLITE_ERROR) { try Array(db.allStatements(sql: "SELECT 1; SELECT nope")) }
      #expect(later?.offset == 17)
    }
  }

  @Test("the SQL is trimmed of white space and semicolons")
  func trimming() throws {
    try queue.read { db throws in #expect(try db.makeStatement(sql: " \n SELECT 1 ; \n").sql == "SELECT 1") }
  }

  @Test("a statement that uses a virtual table is refused where none is wanted")
  func noVtab() throws {
    try queue.write { db throws in
      try db.execute(sql: "CREATE VIRTUAL TABLE texts USING fts5(body)")
      #expect(try db.makeStatement(sql: "SELECT * FROM texts", options: [.persistent]).columnNames == ["body"])
      expectError(DatabaseError.SQLITE_ERROR) { try db.makeStatement(sql: "SELECT * FROM texts", options: [.persistent, .noVtab]) }
    }
  }

  // MARK: Execution

  @Test("a statement runs again with other arguments")
  func execution() throws {
    try queue.write { db throws in
      let insert = try db.makeStatement(sql: "INSERT INTO player (name, score) VALUES (:name, :score)")
      insert.arguments = ["name": "Craig", "score": 1]
      try insert.execute()
      try insert.execute(arguments: ["name": "Diana", "score": 2])
      #expect(insert.arguments == ["name": "Diana", "score": 2])
      #expect(db.lastInsertedRowID == 4 && db.changesCount == 1 && db.totalChangesCount == 4)
    }
    #expect(try players().suffix(2) == [#"[name:"Craig" score:1]"#, #"[name:"Diana" score:2]"#])
  }

  @Test("values are fetched with the arguments that were set, or given at the moment")
  func fetching() throws {
    try queue.read { db throws in
      let select = try db.makeStatement(sql: "SELECT score FROM player WHERE name = ?")
      select.arguments = ["Arthur"]
      #expect(try Int.fetchOne(select) == 41)
      #expect(try Int.fetchAll(select, arguments: ["Barbara"]) == [1000])
      #expect(try Int.fetchSet(select) == [1000])
      #expect(try Int.fetchCursor(select, arguments: ["Nobody"]).next() == nil)
    }
  }

  @Test("setting arguments validates nothing, and execution does")
  func lateValidation() throws {
    try queue.read { db throws in
      let select = try db.makeStatement(sql: "SELECT ?")
      select.arguments = [1, 2]
      expectError(DatabaseError.SQLITE_MISUSE) { try select.execute() }
      expectError(DatabaseError.SQLITE_MISUSE) { try Row.fetchOne(select) }
      expectError(DatabaseError.SQLITE_MISUSE) { try select.step() }
    }
  }

  @Test("arguments that are refused leave the old ones")
  func refusedArguments() throws {
    try queue.read { db throws in
      let select = try db.makeStatement(sql: "SELECT :a")
      try select.setArguments(["a": 1])
      expectError(DatabaseError.SQLITE_MISUSE) { try select.setArguments(["b": 2]) }
      #expect(select.arguments == ["a": 1])
      #expect(try Int.fetchOne(select) == 1)
    }
  }

  @Test("unchecked arguments leave what is missing NULL, and pass over what is too much")
  func uncheckedArguments() throws {
    try queue.read { db throws in
      let select = try db.makeStatement(sql: "SELECT ? AS a, ? AS b")
      select.setUncheckedArguments([1])
      #expect(try Row.fetchOne(select)?.description == "[a:1 b:NULL]")
      select.setUncheckedArguments([1, 2, 3])
      #expect(try Row.fetchOne(select)?.description == "[a:1 b:2]")
      select.setUncheckedArguments(["x": 1])
      #expect(try Row.fetchOne(select)?.description == "[a:NULL b:NULL]")
    }
  }

  @Test("a statement that needs arguments and was given none does not execute")
  func noArguments() throws {
    try queue.read { db throws in
      let select = try db.makeStatement(sql: "SELECT :name")
      let error = expectError(DatabaseError.SQLITE_MISUSE) { try select.execute() }
      #expect(error?.message == "missing statement argument: name")
    }
  }

  @Test("rows of arguments are executed one after the other")
  func bulk() throws {
    try queue.write { db throws in
      let insert = try db.makeStatement(sql: "INSERT INTO player (name, score) VALUES (?, ?)")
      try insert.execute([["Craig", 1], ["Diana", nil]])
      let byName = try db.makeStatement(sql: "INSERT INTO player (name, score) VALUES (:name, :score)")
      try byName.execute([["name": "Eugen", "score": 5], ["score": 6, "name": "Fiona"]])
    }
    #expect(try players().count == 6)
    #expect(try players()[3...5] == [#"[name:"Diana" score:NULL]"#, #"[name:"Eugen" score:5]"#, #"[name:"Fiona" score:6]"#])
  }

  @Test("the row that fails in bulk is told, and the transaction undoes those before it")
  func bulkFailure() throws {
    let error = expectError(DatabaseError.SQLITE_CONSTRAINT_UNIQUE) {
      try queue.write { db throws in
        let insert = try db.makeStatement(sql: "INSERT INTO player (name) VALUES (?)")
        try insert.execute([["Craig"], ["Diana"], ["Arthur"], ["Eugen"]])
      }
    }
    #expect(error?.rowNumber == 3)
    #expect(error?.description.contains("in row 3: UNIQUE constraint failed: player.name") == true)
    #expect(try players().count == 2)
    try queue.withoutTransaction { db throws in
      let insert = try db.makeStatement(sql: "INSERT INTO player (name) VALUES (?)")
      expectError(DatabaseError.SQLITE_CONSTRAINT) { try insert.execute([["Craig"], ["Arthur"]]) }
      let misuse = expectError(DatabaseError.SQLITE_MISUSE) { try insert.execute([["Diana"], []]) }
      #expect(misuse?.rowNumber == 2)
    }
    #expect(try players().count == 4)
  }

  @Test("the arguments of a row that fails in bulk are the statement's, and no others have changed")
  func bulkArguments() throws {
    try queue.write { db throws in
      let insert = try db.makeStatement(sql: "INSERT INTO player (name, score) VALUES (?, ?)")
      let first: StatementArguments = ["Craig", 1]
      let violated = expectError(DatabaseError.SQLITE_CONSTRAINT_UNIQUE) { try insert.execute([first, ["Arthur", 2], ["Diana", 3]]) }
      #expect(violated?.expandedDescription.hasSuffix(#"with arguments ["Arthur", 2]"#) == true)
      let second = insert.arguments
      let rows: [StatementArguments] = [["Diana", UInt64.max], [UInt64.max, "Diana"]]
      for row in rows {
        let refused = expectError(DatabaseError.SQLITE_MISMATCH) { try insert.execute([[nil, 5], row]) }
        #expect(refused?.rowNumber == 2)
        #expect(insert.arguments.description == row.description)
        expectError(DatabaseError.SQLITE_MISMATCH) { try insert.execute() }
      }
      #expect(first.description == #"["Craig", 1]"# && second.description == #"["Arthur", 2]"#)
      try insert.execute(arguments: ["Diana", nil])
      try insert.execute(arguments: [nil, 4])
    }
    let others = Array(repeating: "[name:NULL score:5]", count: 2) + [#"[name:"Diana" score:NULL]"#, "[name:NULL score:4]"]
    #expect(try players().suffix(4) == others)
  }

  @Test("rows are executed one after the other, by the names of their columns or by their order")
  func bulkOfRows() throws {
    try queue.write { db throws in
      let rows = try Row.fetchAll(db, sql: "SELECT name || '2' AS name, score, CAST(x'ff' AS TEXT) AS note FROM player ORDER BY id")
      try db.execute(sql: "CREATE TABLE archive (name, score, note)")
      let insert = try db.makeStatement(sql: "INSERT INTO archive VALUES (?, ?, ?)")
      try insert.execute(rows)
      #expect(try Row.fetchAll(db, sql: "SELECT * FROM archive") == rows)
      expectError(DatabaseError.SQLITE_MISUSE) { try insert.execute() }
      let update = try db.makeStatement(sql: "UPDATE archive SET score = :score + 1 WHERE name = @NAME")
      try update.execute(rows)
      #expect(try Int.fetchAll(db, sql: "SELECT score FROM archive") == [42, 1001])
      let other: [Row] = [["a": 1, "b": 2, "c": 3], ["a": 1, "b": 2]]
      let error = expectError(DatabaseError.SQLITE_MISUSE) { try insert.execute(other) }
      #expect(error?.rowNumber == 2 && error?.message == "wrong number of statement arguments: 2")
      let missing = expectError(DatabaseError.SQLITE_MISUSE) { try update.execute([["name": "Arthur2"] as Row]) }
      #expect(missing?.message == "missing statement argument: score")
      let mixed = try db.makeStatement(sql: "SELECT :name, ?")
      expectError(DatabaseError.SQLITE_MISUSE) { try mixed.bind(rows[0]) }
    }
  }

  @Test("the current row of one statement is bound to another, as it is")
  func bindRow() throws {
    try queue.write { db throws in
      try db.execute(sql: "CREATE TABLE archive (name, score)")
      let select = try db.makeStatement(sql: "SELECT name, score FROM player ORDER BY id")
      let insert = try db.makeStatement(literal: "INSERT INTO archive SELECT :name, :score WHERE \(1)")
      while try select.step(), let row = try select.currentRow() {
        try insert.bind(row)
        try insert.execute()
      }
      let rows: [Row] = [["name": "Arthur", "score": 41], ["name": "Barbara", "score": 1000]]
      #expect(try Row.fetchAll(db, sql: "SELECT * FROM archive") == rows)
    }
  }

  // MARK: Information

  @Test("a statement tells its columns, and whether it only reads")
  func information() throws {
    try queue.write { db throws in
      let select = try db.makeStatement(sql: "SELECT id, name AS Name, score AS name FROM player")
      #expect(select.columnCount == 3)
      #expect(select.columnNames == ["id", "Name", "name"])
      #expect(select.index(ofColumn: "NAME") == 1)
      #expect(select.index(ofColumn: "nope") == nil)
      #expect(try select.columnName(at: 2) == "name")
      expectError(DatabaseError.SQLITE_RANGE) { try select.columnName(at: 3) }
      #expect(select.isReadonly)
      let delete = try db.makeStatement(sql: "DELETE FROM player")
      #expect(!delete.isReadonly && delete.columnCount == 0)
      #expect(try db.makeStatement(sql: "EXPLAIN DELETE FROM player").isExplanation)
    }
  }

  @Test("the leftmost of many columns of a name is found")
  func manyColumns() throws {
    try queue.read { db throws in
      let list = (0..<100).map { "\($0) AS c\($0 % 50)" }.joined(separator: ", ")
      let row = try #require(try Row.fetchOne(db, sql: "SELECT \(list)"))
      #expect(try row["C49"] as Int == 49)
      #expect(row.index(ofColumn: "c50") == nil)
    }
  }

  @Test("the region is what is read, by table and column")
  func region() throws {
    try queue.write { db throws in
      let region = { (sql: String) in try db.makeStatement(sql: sql).databaseRegion }
      #expect(try region("SELECT name FROM player WHERE score > 1").description == "main.player(name, score)")
      #expect(try region("SELECT count(*) FROM player").description == "main.player")
      #expect(try region("SELECT 1").isEmpty)
      #expect(try region("DELETE FROM player").tables.isSubset(of: [TableReference(name: "player")]))
      try db.execute(sql: "CREATE VIEW names AS SELECT name FROM player; CREATE TEMP TABLE t (x)")
      #expect(try region("SELECT * FROM names").columns[TableReference(name: "player")] == ["name"])
      #expect(try region("SELECT x FROM t").description == "temp.t(x)")
    }
  }

  @Test("a region has a table once, whatever the case and whether a column of it is read")
  func regionNames() throws {
    try queue.write { db throws in
      let region = { (sql: String) in try db.makeStatement(sql: sql).databaseRegion }
      #expect(try region("SELECT ID FROM PLAYER").description == "main.player(id)")
      #expect(try region("SELECT count(*) FROM PLAYER").description == "main.player")
      #expect(try region("SELECT (SELECT count(*) FROM PLAYER), NAME FROM Player").description == "main.player(name)")
      #expect(try region("SELECT Id FROM player") == region("SELECT id FROM PLAYER"))
      #expect(try region("SELECT id FROM player") != region("SELECT name FROM player"))
      try db.execute(sql: "CREATE TEMP TABLE t (x); CREATE TABLE main.t (x); CREATE VIEW v AS SELECT 1")
      #expect(try region("SELECT count(*) FROM T").description == "temp.t")
      #expect(try region("SELECT count(*) FROM main.T").description == "main.t")
      #expect(try region("SELECT count(*) FROM V").tables.contains(TableReference(name: "v")))
      #expect(try region("SELECT count(*) FROM sqlite_schema").description == "main.sqlite_schema")
      #expect(try region("WITH c AS (SELECT 1) SELECT count(*) FROM c").isEmpty)
    }
  }
}
