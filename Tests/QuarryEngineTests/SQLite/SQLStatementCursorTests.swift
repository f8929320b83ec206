import QuarryEngine
import TestSupport
import Testing

/// Calls the C function of that name: SQLite tells by a limit whether it copies the rest of a text for each statement of it.
@_silgen_name("sqlite3_limit") @discardableResult
private func sqlite3_limit(_ connection: OpaquePointer?, _ limit: Int32, _ value: Int32) -> Int32

@Suite("Several statements", .gated)
struct SQLStatementCursorTests {
  private let queue: DatabaseQueue

  init() throws {
    queue = try makeDatabase("CREATE TABLE player (name TEXT, score INTEGER)")
  }

  private let twoInserts = """
    INSERT INTO player (name, score) VALUES (?, ?);
    INSERT INTO player (name, score) VALUES (?, ?);
    """

  private func players(_ db: Database) throws -> [String] {
    try Row.fetchAll(db, sql: "SELECT * FROM player").map(\.description)
  }

  @Test("what is left of a text is not copied for each statement of it: only one statement may not be too long")
  func noCopies() throws {
    try queue.write { db throws in
      sqlite3_limit(db.connection, 1, 100)
      let statements = try db.allStatements(sql: String(repeating: "SELECT 1;\n;;-- and\n", count: 1_000) + "SELECT 2")
      var count = 0
      while try statements.next() != nil { count += 1 }
      #expect(count == 1_001)
      let long = try db.allStatements(sql: "SELECT 1; SELECT '" + String(repeating: "a", count: 200) + "'")
      #expect(try long.next() != nil)
      expectError(.SQLITE_TOOBIG) { try long.next() }
    }
  }

  @Test("arguments are dealt out to the statements in order")
  func positional() throws {
    try queue.write { db throws in
      let statements = try db.allStatements(sql: twoInserts, arguments: ["Arthur", 100, "O'Brien", 1000])
      while let statement = try statements.next() {
        try statement.execute()
      }
      let rows = try players(db)
      #expect(rows == [#"[name:"Arthur" score:100]"#, #"[name:"O'Brien" score:1000]"#])
    }
  }

  @Test("named arguments are shared")
  func named() throws {
    try queue.write { db throws in
      try db.execute(
        sql: "INSERT INTO player VALUES (:name, 1); INSERT INTO player VALUES (:name, :score)", arguments: ["name": "Arthur", "score": 2])
      #expect(try players(db) == [#"[name:"Arthur" score:1]"#, #"[name:"Arthur" score:2]"#])
    }
  }

  @Test("interpolated values go to the statements that they stand in")
  func literal() throws {
    try queue.write { db throws in
      let statements = try db.allStatements(
        literal: """
          INSERT INTO player (name, score) VALUES (\("Arthur"), \(100));
          INSERT INTO player (name, score) VALUES (\("O'Brien"), \(1000));
          """)
      try statements.forEach { statement in
        try statement.execute()
      }
      #expect(try players(db).count == 2)
    }
  }

  @Test("each statement compiles when it is reached, and not before")
  func lateCompilation() throws {
    let sql = "CREATE TABLE team (name); INSERT INTO team VALUES ('Blue'); SELECT name FROM team;"
    try queue.write { db throws in
      expectError(DatabaseError.SQLITE_ERROR) { try Array(db.allStatements(sql: sql)) }
      try db.allStatements(sql: sql).forEach { try $0.execute() }
      #expect(try String.fetchOne(db, sql: "SELECT name FROM team") == "Blue")
    }
  }

  @Test("statements that compile on their own make an array")
  func array() throws {
    try queue.write { db throws in
      let statements = try Array(db.allStatements(sql: "INSERT INTO player VALUES ('a', 1); -- done\n ; UPDATE player SET score = 2 ;"))
      #expect(statements.map(\.sql) == ["INSERT INTO player VALUES ('a', 1)", "-- done\n ; UPDATE player SET score = 2"])
      for statement in statements { try statement.execute() }
      #expect(try players(db) == [#"[name:"a" score:2]"#])
    }
  }

  @Test("the results of several queries are joined into one cursor")
  func flatMap() throws {
    try queue.read { db throws in
      let values = try db.allStatements(sql: "SELECT 1 UNION SELECT 2; SELECT 7 WHERE 0; SELECT 3").flatMap { statement in
        try Int.fetchCursor(statement)
      }
      #expect(try values.next() == 1)
      #expect(try Array(values) == [2, 3])
    }
  }

  @Test(
    "missing and left-over arguments are errors",
    arguments: [
      ([1, 2, 3], "wrong number of statement arguments: 1"),
      ([1, 2, 3, 4, 5], "wrong number of statement arguments: 5"),
      ([1, 2, 3, 4] + ["other": 5], "unknown statement argument: other"),
    ] as [(StatementArguments, String)])
  func badArguments(arguments: StatementArguments, message: String) throws {
    try queue.write { db throws in
      let error = expectError(DatabaseError.SQLITE_MISUSE) { try db.execute(sql: twoInserts, arguments: arguments) }
      #expect(error?.message == message)
    }
  }

  @Test(
    "the last statement does not run where arguments are left over",
    arguments: [[1, 2, 3], ["a": 1, "b": 2, "c": 3], [1, 2] + ["c": 3]] as [StatementArguments], ["", "; -- the end", "; /* ; */ ;\n"])
  func surplusArguments(arguments: StatementArguments, ending: String) throws {
    try queue.write { db throws in
      try db.execute(sql: "CREATE TABLE pair(a, b)")
      expectError(DatabaseError.SQLITE_MISUSE) { try db.execute(sql: "INSERT INTO pair VALUES (:a, :b)" + ending, arguments: arguments) }
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM pair") == 0)
      try db.execute(sql: "INSERT INTO pair VALUES (:a, 0); INSERT INTO pair VALUES (:b, 0)" + ending, arguments: ["a": 1, "b": 2])
      #expect(try Int.fetchOne(db, sql: "SELECT sum(a) FROM pair") == 3)
    }
  }

  @Test("statements that were given no arguments ask for them when they execute")
  func noArguments() throws {
    try queue.write { db throws in
      let statement = try #require(try db.allStatements(sql: twoInserts).next())
      expectError(DatabaseError.SQLITE_MISUSE) { try statement.execute() }
      try statement.execute(arguments: ["Arthur", 1])
    }
  }

  @Test("a hundred thousand semicolons are no statement")
  func semicolons() throws {
    try queue.read { db throws in
      #expect(try db.allStatements(sql: String(repeating: ";", count: 100_000)).next() == nil)
    }
  }
}
