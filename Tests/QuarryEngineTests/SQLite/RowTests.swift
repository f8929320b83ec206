import QuarryEngine
import TestSupport
import Testing

@Suite("Rows, records and cursors", .gated)
struct RowTests {
  private struct Player: FetchableRecord, Hashable {
    let name: String
    let score: Int?

    init(row: Row) throws {
      name = try row["name"]
      score = try row["score"]
    }
  }

  private let queue: DatabaseQueue

  init() throws {
    queue = try makeDatabase(
      "CREATE TABLE player (name TEXT, score INTEGER)", "INSERT INTO player VALUES ('Arthur', 41), ('Barbara', NULL)")
  }

  @Test("columns are reached by index and by name, the leftmost of a name in whatever case")
  func access() throws {
    let row = try #require(try queue.read { try Row.fetchOne($0, sql: "SELECT 1 AS a, 2 AS A, 'x' AS b") })
    #expect(try row[1] as Int == 2)
    #expect(try row["A"] as Int == 1)
    let value: String = try row["B"]
    #expect(value == "x")
    #expect(row.count == 3 && row.columnNames == ["a", "A", "b"])
    expectError(DatabaseError.SQLITE_RANGE) { try row[3] as Int }
    expectError(DatabaseError.SQLITE_RANGE) { try row[-1] as Int }
    expectError(DatabaseError.SQLITE_RANGE) { try row["c"] as Int }
  }

  @Test("a column of which no type is asked for is as SQLite stores it")
  func untyped() throws {
    let row = try #require(try queue.read { try Row.fetchOne($0, sql: "SELECT 1 AS a, 'x' AS b, NULL AS c") })
    let (first, second, third) = (try row[0], try row["B"], try row["c"])
    #expect([first, second, third] == [.integer(1), .text("x"), .null])
    expectError(DatabaseError.SQLITE_RANGE) { try row[3] }
    expectError(DatabaseError.SQLITE_RANGE) { try row["d"] }
    try queue.read { db throws in
      let rows = try Row.fetchCursor(db, sql: "SELECT name, score FROM player ORDER BY name")
      let view = try #require(try rows.next())
      let score = try view["score"]
      #expect(score == .integer(41))
    }
  }

  @Test("a row reads as the values that it holds")
  func description() throws {
    let row = try queue.read { try Row.fetchOne($0, sql: "SELECT 2 AS two, 'foo' AS foo, 1.5 AS r, NULL AS n, x'0f' AS b, 'a\"b' AS q") }
    #expect(row?.description == #"[two:2 foo:"foo" r:1.5 n:NULL b:X'0F' q:"a\"b"]"#)
  }

  @Test("records are fetched one by one, all, the first, and as a set")
  func records() throws {
    try queue.read { db throws in
      let sql = "SELECT * FROM player ORDER BY name"
      #expect(try Player.fetchAll(db, sql: sql).map(\.name) == ["Arthur", "Barbara"])
      #expect(try Player.fetchOne(db, sql: sql)?.score == 41)
      #expect(try Player.fetchSet(db, sql: "\(sql); ").count == 2)
      let cursor = try Player.fetchCursor(db.makeStatement(sql: sql))
      #expect(try cursor.next()?.name == "Arthur")
      #expect(try cursor.next()?.score == nil)
      #expect(try cursor.next() == nil && cursor.next() == nil)
      #expect(try Player.fetchOne(db, sql: "SELECT * FROM player WHERE 0") == nil)
      expectError(DatabaseError.SQLITE_RANGE) { try Player.fetchAll(db, sql: "SELECT name FROM player") }
    }
  }

  @Test("values are fetched from the first column, NULL as nil")
  func values() throws {
    try queue.read { db throws in
      #expect(try Int?.fetchAll(db, sql: "SELECT score FROM player ORDER BY name") == [41, nil])
      #expect(try Int.fetchOne(db, sql: "SELECT score FROM player WHERE name = 'Barbara'") == nil)
      #expect(try Int.fetchOne(db, sql: "SELECT 1 WHERE 0") == nil)
      expectError(DatabaseError.SQLITE_MISMATCH) { try Int.fetchAll(db, sql: "SELECT score FROM player") }
      #expect(try String.fetchSet(db, sql: "SELECT name FROM player") == ["Arthur", "Barbara"])
    }
  }

  @Test("NULL and no row are told apart where the type can")
  func nullAndNoRow() throws {
    try queue.read { db throws in
      for fetch in [
        { try Int?.fetchOne(db, sql: $0) }, { try Int?.fetchOne(db.makeStatement(sql: $0)) },
        { try Int?.fetchOne(db, literal: "\(raw: $0)") },
      ] {
        #expect(try fetch("SELECT 1 WHERE 0") == Int??.none)
        #expect(try fetch("SELECT NULL") == Int??.some(nil))
        #expect(try fetch("SELECT 1") == 1)
      }
      #expect(try DatabaseValue.fetchOne(db, sql: "SELECT NULL") == .null)
      #expect(try DatabaseValue.fetchOne(db, sql: "SELECT 1 WHERE 0") == nil)
      #expect(try DatabaseValue.fetchAll(db, sql: "SELECT NULL") == [.null])
      expectError(DatabaseError.SQLITE_MISMATCH) { try Int.fetchOne(db, sql: "SELECT 'x'") }
    }
  }

  @Test("rows are equal by names and values as they are stored, in their order")
  func equality() throws {
    try queue.read { db throws in
      let row = { (sql: String) in try Row.fetchOne(db, sql: "SELECT " + sql) }
      #expect(try row("1 AS a, 'x' AS b") == row("1 AS a, 'x' AS b"))
      #expect(try row("1 AS a, 'x' AS b").hashValue == row("1 AS a, 'x' AS b").hashValue)
      for other in ["1.0 AS a, 'x' AS b", "1 AS A, 'x' AS b", "'x' AS b, 1 AS a", "1 AS a", "'1' AS a, 'x' AS b", "1 AS a, x'78' AS b"] {
        #expect(try row("1 AS a, 'x' AS b") != row(other), "\(other)")
      }
      let malformed = "CAST(x'ff' AS TEXT) AS t"
      #expect(try row(malformed) == row(malformed) && row(malformed) != row("CAST(x'fe' AS TEXT) AS t"))
      let names = "SELECT name FROM player UNION ALL SELECT name FROM player"
      #expect(try Row.fetchSet(db, sql: names) == [["name": "Arthur"], ["name": "Barbara"]])
      #expect(try Set(Row.fetchCursor(db, sql: names)).count == 2)
    }
  }

  @Test("a row that a cursor stands on is equal to its copy, and to itself once it is left")
  func equalityOfViews() throws {
    try queue.read { db throws in
      let rows = try Row.fetchCursor(db, sql: "SELECT name FROM player ORDER BY name")
      let view = try #require(try rows.next())
      let copy = try view.copy()
      #expect(view == copy && view.hashValue == copy.hashValue)
      _ = try rows.next()
      #expect(view != copy && view == view)
    }
  }

  @Test("rows are made of columns and values")
  func dictionaries() throws {
    let row: Row = ["name": "Arthur", "score": nil, "NAME": 2]
    #expect(row.description == #"[name:"Arthur" score:NULL NAME:2]"#)
    #expect(try row["Name"] as String == "Arthur" && row["score"] as Int? == nil && row[2] as Int == 2)
    let columns: [String: (any DatabaseValueConvertible)?] = ["b": 2, "a": 1]
    #expect(Row(columns).description == "[a:1 b:2]")
    let made = try queue.read { try Row.fetchOne($0, sql: "SELECT 'Arthur' AS name, NULL AS score, 2 AS NAME") }
    #expect(made == row)
    expectError(DatabaseError.SQLITE_MISMATCH) { try (["big": UInt64.max] as Row)["big"] as UInt64 }
    let error = expectError(DatabaseError.SQLITE_RANGE) { try row["team"] as String }
    #expect(error?.sql == nil)
    #expect(try Player(row: ["name": "Diana", "score": 5]).score == 5)
  }

  @Test("cursors are mapped, filtered, and turned into arrays and sets")
  func cursors() throws {
    try queue.read { db throws in
      let names = { try String.fetchCursor(db, sql: "SELECT name FROM player ORDER BY name") }
      #expect(try Array(names().map(\.count)) == [6, 7])
      #expect(try Array(names().filter { $0.hasPrefix("B") }) == ["Barbara"])
      #expect(try Set(names()) == ["Arthur", "Barbara"])
      var seen: [String] = []
      try names().forEach { seen.append($0) }
      #expect(seen == ["Arthur", "Barbara"])
      let mapped = try names().map { $0.uppercased() }
      #expect(try mapped.next() == "ARTHUR")
    }
  }

  @Test("an array of a cursor of rows holds copies, also when it was filtered or joined")
  func arrayOfRows() throws {
    try queue.read { db throws in
      let rows = { try Row.fetchCursor(db, sql: "SELECT name FROM player ORDER BY name") }
      #expect(try Array(rows()).map(\.description) == [#"[name:"Arthur"]"#, #"[name:"Barbara"]"#])
      #expect(try Array(rows().filter { try $0["name"] as String > "B" }).map(\.description) == [#"[name:"Barbara"]"#])
      #expect(try Array(rows().map { $0 }).map(\.description).count == 2)
      let joined = try db.allStatements(sql: "SELECT 1 AS a; SELECT 2 AS b").flatMap { try Row.fetchCursor($0) }
      #expect(try Array(joined).map(\.description) == ["[a:1]", "[b:2]"])
    }
  }

  @Test("a row that its cursor has left throws, and a copy of it does not")
  func leftBehind() throws {
    try queue.read { db throws in
      let rows = try Row.fetchCursor(db, sql: "SELECT name FROM player ORDER BY name")
      let row = try #require(try rows.next())
      let copy = try row.copy()
      _ = try rows.next()
      expectError(DatabaseError.SQLITE_MISUSE) { try row[0] as String }
      expectError(DatabaseError.SQLITE_MISUSE) { try row.copy() }
      #expect(row.description == "[name:?]")
      #expect(try copy[0] as String == "Arthur")
    }
  }

  @Test("a row keeps its cursor, and so its values, alive")
  func rowOutlivesCursorVariable() throws {
    try queue.read { db throws in
      let row = try Row.fetchCursor(db, sql: "SELECT name FROM player ORDER BY name").next()
      #expect(try row?[0] as String? == "Arthur")
    }
  }

  @Test("a cursor whose statement was run anew throws")
  func cursorOvertaken() throws {
    try queue.read { db throws in
      let statement = try db.makeStatement(sql: "SELECT name FROM player")
      let cursor = try String.fetchCursor(statement)
      _ = try cursor.next()
      #expect(try String.fetchAll(statement).count == 2)
      expectError(DatabaseError.SQLITE_MISUSE) { try cursor.next() }
    }
  }

  @Test("a row of two thousand columns is read whole")
  func wide() throws {
    try queue.read { db throws in
      let row = try Row.fetchOne(db, sql: "SELECT " + (0..<2000).map { "\($0) AS c\($0)" }.joined(separator: ","))
      #expect(try row?["c1999"] as Int? == 1999)
      #expect(try row?.databaseValues.count == 2000)
    }
  }
}
