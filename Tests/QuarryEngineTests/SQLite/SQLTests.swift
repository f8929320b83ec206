import Foundation
import QuarryEngine
import TestSupport
import Testing

@Suite("SQL interpolation", .gated)
struct SQLTests {
  @Test("values are bound and never become part of the text")
  func values() throws {
    let name = "x'; DROP TABLE player; --"
    let nothing: Int? = nil
    let sql: SQLText = "SELECT \(name), \(41), \(nothing), \(nil)"
    #expect(sql.sql == "SELECT ?, ?, ?, ?")
    #expect(sql.arguments == [name, 41, nil, nil])
    try DatabaseQueue().read { db throws in
      #expect(try Row.fetchOne(db.makeStatement(literal: sql))?.databaseValues == [.text(name), .integer(41), .null, .null])
    }
  }

  @Test("lists expand, and a blob is one value")
  func lists() throws {
    let sql: SQLText = "SELECT 2 IN \([1, 2, 3]), 2 IN \([Int]()), \([UInt8]([1, 2])), 'b' IN \(Set(["b"]))"
    #expect(sql.sql == "SELECT 2 IN (?, ?, ?), 2 IN (), ?, 'b' IN (?)")
    try DatabaseQueue().read { db throws in
      #expect(try Row.fetchOne(db.makeStatement(literal: sql))?.databaseValues == [.integer(1), .integer(0), .blob([1, 2]), .integer(1)])
    }
  }

  @Test("every type that SQLite stores stands in a literal, as one value")
  func everyType() throws {
    let (data, uuid, url) = (Data([0, 255]), UUID(), try #require(URL(string: "https://sqlite.org")))
    let (date, nothing): (Date, Data?) = (Date(timeIntervalSince1970: 0), nil)
    let value: any DatabaseValueConvertible = Int8(1)
    let real = DatabaseValue.real(1)
    let sql: SQLText = "SELECT \(data), \(uuid), \(url), \(date), \(nothing), \(value), \(Float(0.5)), \(real), \([data, data])"
    #expect(sql.sql == "SELECT ?, ?, ?, ?, ?, ?, ?, ?, (?, ?)")
    let blob = DatabaseValue.blob([0, 255])
    #expect(
      sql.values == [
        blob, .text(uuid.uuidString), .text("https://sqlite.org"), .text("1970-01-01 00:00:00.000"), .null, .integer(1), .real(0.5),
        .real(1), blob, blob,
      ])
  }

  @Test("placeholders beside values are left open, in whatever order, and take arguments later")
  func openPlaceholders() throws {
    try DatabaseQueue().write { db throws in
      let (first, last) = ("first", "last")
      let sql: SQLText = " ;\n SELECT '?' || \(first) AS a, ? AS b, :c AS c, ?2 AS d, \(last) AS e -- ?"
      let arguments: StatementArguments = [2] + ["c": 3]
      let row = #"[a:"?first" b:2 c:3 d:2 e:"last"]"#
      for statement in [try db.makeStatement(literal: sql), try db.cachedStatement(literal: sql)] {
        #expect(try Row.fetchOne(statement, arguments: arguments)?.description == row)
        expectError(DatabaseError.SQLITE_MISUSE) { try statement.setArguments([2]) }
        try statement.clearBindings()
        statement.arguments = arguments
        #expect(try Row.fetchOne(statement)?.description == row)
        statement.setUncheckedArguments([2])
        #expect(try Row.fetchOne(statement)?.description == #"[a:"?first" b:2 c:NULL d:2 e:"last"]"#)
      }
      #expect(try Row.fetchAll(db, literal: sql, arguments: arguments).map(\.description) == [row])
      #expect(try Row.fetchOne(db, literal: sql, arguments: arguments)?.description == row)
      #expect(try Row.fetchSet(db, literal: sql, arguments: arguments).map(\.description) == [row])
      #expect(try Row.fetchCursor(db, literal: sql, arguments: arguments).next()?.description == row)
      #expect(try String.fetchOne(db, literal: sql, arguments: arguments) == "?first")
    }
  }

  @Test("what is left open may be bound by hand, and is missing where it is not")
  func openPlaceholdersByHand() throws {
    try DatabaseQueue().read { db throws in
      let statement = try db.makeStatement(literal: "SELECT \(1), ?, \(3)")
      try statement.bind(2, at: 2)
      #expect(try statement.step())
      #expect(try statement.currentRow()?.databaseValues == [.integer(1), .integer(2), .integer(3)])
      let other = try db.makeStatement(literal: "SELECT \(1), :name")
      let error = expectError(DatabaseError.SQLITE_MISUSE) { try other.execute() }
      #expect(error?.message == "missing statement argument: name")
      expectError(DatabaseError.SQLITE_MISUSE) { try db.execute(literal: "SELECT \(1), ?") }
      let quoted = expectError(DatabaseError.SQLITE_MISUSE) { try db.makeStatement(literal: "SELECT '\(1)'") }
      #expect(quoted?.message == "a value is in a place where SQL does not allow one, for example inside quotes or a comment")
    }
  }

  @Test("a cached statement forgets the values of the literal that it was asked for by")
  func cachedOpenPlaceholders() throws {
    try DatabaseQueue().read { db throws in
      let first = try db.cachedStatement(literal: "SELECT \(1), ?")
      #expect(try Row.fetchOne(first, arguments: [2])?.databaseValues == [.integer(1), .integer(2)])
      let second = try db.cachedStatement(literal: "SELECT ?, \(4)")
      #expect(first === second)
      #expect(try Row.fetchOne(second, arguments: [3])?.databaseValues == [.integer(3), .integer(4)])
      let plain = try db.cachedStatement(sql: "SELECT ?, ?")
      #expect(first === plain)
      #expect(try Row.fetchOne(plain, arguments: [5, 6])?.databaseValues == [.integer(5), .integer(6)])
      expectError(DatabaseError.SQLITE_MISUSE) { try plain.execute(arguments: [7]) }
    }
  }

  @Test("the statements of a literal have their own values, and share out arguments among what is open")
  func statementsWithOpenPlaceholders() throws {
    try DatabaseQueue().write { db throws in
      try db.execute(sql: "CREATE TABLE player (name, score, team)")
      let sql: SQLText = """
        INSERT INTO player VALUES (\("Arthur"), ?, :team);
        INSERT INTO player VALUES (\("Barbara"), \(2), \("Red"));
        INSERT INTO player VALUES (?, \(3), :team);
        """
      let arguments: StatementArguments = ["team": "Blue"] + [1, "Craig"]
      try db.allStatements(literal: sql, arguments: arguments).forEach { try $0.execute() }
      try db.execute(literal: sql, arguments: arguments)
      let rows = [
        #"[name:"Arthur" score:1 team:"Blue"]"#, #"[name:"Barbara" score:2 team:"Red"]"#, #"[name:"Craig" score:3 team:"Blue"]"#,
      ]
      #expect(try Row.fetchAll(db, sql: "SELECT * FROM player").map(\.description) == rows + rows)
      expectError(DatabaseError.SQLITE_MISUSE) { try db.execute(literal: sql, arguments: ["team": "Blue"] + [1, "Craig", "Diana"]) }
      expectError(DatabaseError.SQLITE_MISUSE) { try db.execute(literal: sql, arguments: ["team": "Blue"] + [1]) }
      let waiting = try Array(db.allStatements(literal: "SELECT \(1), ?; SELECT ?, \(2)"))
      #expect(try Row.fetchOne(waiting[0], arguments: [3])?.databaseValues == [.integer(1), .integer(3)])
      #expect(try Row.fetchOne(waiting[1], arguments: [3])?.databaseValues == [.integer(3), .integer(2)])
    }
  }

  @Test("identifiers are quoted, fragments keep their values, and raw text is called so")
  func fragments() {
    let condition: SQLText = "score > \(10)"
    let sql: SQLText = "SELECT \(identifier: "Order Details") FROM \(identifier: "player") WHERE \(condition) \(raw: "LIMIT 1")"
    #expect(sql.sql == #"SELECT "Order Details" FROM player WHERE score > ? LIMIT 1"#)
    #expect(sql.arguments == [10])
  }

  @Test("what SQL with values yields can be fetched as rows, values and records")
  func fetching() throws {
    struct Player: FetchableRecord, Hashable {
      let name: String
      init(row: Row) throws { name = try row["name"] }
    }
    let queue = try makeDatabase(
      "CREATE TABLE player (name TEXT, score INTEGER)", "INSERT INTO player VALUES ('Arthur', 41), ('Barbara', NULL)")
    try queue.read { db throws in
      let (first, both) = ("Arthur", ["Arthur", "Barbara"])
      let player: SQLText = "SELECT * FROM player WHERE name IN \(both) ORDER BY name"
      #expect(try Row.fetchAll(db, literal: player).map(\.description) == [#"[name:"Arthur" score:41]"#, #"[name:"Barbara" score:NULL]"#])
      #expect(try Player.fetchAll(db, literal: player).map(\.name) == both)
      #expect(try Player.fetchSet(db, literal: player).count == 2)
      #expect(try Player.fetchCursor(db, literal: player).next()?.name == first)
      #expect(try String.fetchSet(db, literal: player) == Set(both))
      #expect(try Int.fetchOne(db, literal: "SELECT score FROM player WHERE name = \(first)") == 41)
      #expect(try Int.fetchOne(db, literal: "SELECT score FROM player WHERE name <> \(first)") == nil)
      #expect(try Row.fetchOne(db, literal: "SELECT 1 WHERE \(false)") == nil)
    }
  }

  @Test("a value that SQLite cannot store is refused before anything runs")
  func refusal() throws {
    try DatabaseQueue().write { db throws in
      let sql: SQLText = "SELECT \(UInt64.max)"
      expectError(DatabaseError.SQLITE_MISMATCH) { try db.makeStatement(literal: sql) }
      expectError(DatabaseError.SQLITE_MISMATCH) { try db.execute(literal: "CREATE TABLE t (x); \(sql)") }
      #expect(try Int.fetchOne(db, literal: "SELECT count(*) FROM sqlite_schema") == 0)
    }
  }

  @Test("a statement without interpolated values is one as any other")
  func plain() throws {
    try DatabaseQueue().write { db throws in
      try db.execute(literal: "CREATE TABLE t (x)")
      try db.execute(literal: "INSERT INTO t VALUES (\("a"))")
      #expect(try String.fetchOne(db.makeStatement(literal: "SELECT x FROM t")) == "a")
      let select = try db.makeStatement(literal: "SELECT ?")
      #expect(try Int.fetchOne(select, arguments: [3]) == 3)
    }
  }
}
