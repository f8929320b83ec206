import QuarryEngine
import TestSupport
import Testing

@Suite("SQL interpolation")
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
