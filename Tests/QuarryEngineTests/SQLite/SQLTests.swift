import QuarryEngine
import TestSupport
import Testing

@Suite("SQL interpolation")
struct SQLTests {
  @Test("values are bound and never become part of the text")
  func values() throws {
    let name = "x'; DROP TABLE player; --"
    let nothing: Int? = nil
    let sql: SQL = "SELECT \(name), \(41), \(nothing), \(nil)"
    #expect(sql.sql == "SELECT ?, ?, ?, ?")
    #expect(sql.arguments == [name, 41, nil, nil])
    try DatabaseQueue().read { db throws in
      #expect(try Row.fetchOne(db.makeStatement(literal: sql))?.databaseValues == [.text(name), .integer(41), .null, .null])
    }
  }

  @Test("lists expand, and a blob is one value")
  func lists() throws {
    let sql: SQL = "SELECT 2 IN \([1, 2, 3]), 2 IN \([Int]()), \([UInt8]([1, 2])), 'b' IN \(Set(["b"]))"
    #expect(sql.sql == "SELECT 2 IN (?, ?, ?), 2 IN (), ?, 'b' IN (?)")
    try DatabaseQueue().read { db throws in
      #expect(try Row.fetchOne(db.makeStatement(literal: sql))?.databaseValues == [.integer(1), .integer(0), .blob([1, 2]), .integer(1)])
    }
  }

  @Test("identifiers are quoted, fragments keep their values, and raw text is called so")
  func fragments() {
    let condition: SQL = "score > \(10)"
    let sql: SQL = "SELECT \(identifier: "Order Details") FROM \(identifier: "player") WHERE \(condition) \(raw: "LIMIT 1")"
    #expect(sql.sql == #"SELECT "Order Details" FROM player WHERE score > ? LIMIT 1"#)
    #expect(sql.arguments == [10])
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
