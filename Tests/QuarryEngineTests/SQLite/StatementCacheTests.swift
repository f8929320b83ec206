import QuarryEngine
import TestSupport
import Testing

@Suite("Statement cache", .gated)
struct StatementCacheTests {
  private let queue: DatabaseQueue

  init() throws {
    queue = try makeDatabase("CREATE TABLE player (name TEXT UNIQUE)", "INSERT INTO player VALUES ('Arthur'), ('Barbara')")
  }

  @Test("a statement that is merely held is the same one, in later accesses too")
  func reuse() throws {
    let first = try queue.read { try $0.cachedStatement(sql: "SELECT * FROM player") }
    let second = try queue.read { try $0.cachedStatement(sql: "SELECT * FROM player") }
    #expect(first === second)
  }

  @Test("a statement that is being stepped is not given out twice")
  func running() throws {
    try queue.read { db throws in
      let sql = "SELECT * FROM player ORDER BY name"
      let outer = try String.fetchCursor(db.cachedStatement(sql: sql))
      #expect(try outer.next() == "Arthur")
      let other = try db.cachedStatement(sql: sql)
      #expect(try String.fetchAll(other) == ["Arthur", "Barbara"])
      #expect(try outer.next() == "Barbara")
      #expect(try outer.next() == nil)
      #expect(try db.cachedStatement(sql: sql) !== other)
    }
  }

  @Test("a statement that threw leaves the cache")
  func failure() throws {
    try queue.write { db throws in
      let sql = "INSERT INTO player VALUES (?)"
      let insert = try db.cachedStatement(sql: sql)
      expectError(DatabaseError.SQLITE_CONSTRAINT_UNIQUE) { try insert.execute(arguments: ["Arthur"]) }
      #expect(try db.cachedStatement(sql: sql) !== insert)
    }
  }

  @Test("the cache is bounded in number, and gives up what was not used for longest")
  func bound() throws {
    try queue.read { db throws in
      let oldest = try db.cachedStatement(sql: "SELECT -1")
      let used = try db.cachedStatement(sql: "SELECT -2")
      for number in 0..<100 {
        _ = try db.cachedStatement(sql: "SELECT \(number)")
        #expect(try db.cachedStatement(sql: "SELECT -2") === used)
      }
      #expect(try db.cachedStatement(sql: "SELECT -1") !== oldest)
    }
  }

  @Test("the text of an interpolated statement is what is cached, and its values are set each time")
  func literal() throws {
    try queue.read { db throws in
      let first = try db.cachedStatement(literal: "SELECT \(1)")
      #expect(try Int.fetchOne(first) == 1)
      let second = try db.cachedStatement(literal: "SELECT \(2)")
      #expect(first === second)
      #expect(try Int.fetchOne(second) == 2)
    }
  }

  @Test("a cached statement sees the columns that a change of the schema has made")
  func schemaChange() throws {
    try queue.write { db throws in
      let select = try db.cachedStatement(sql: "SELECT * FROM player WHERE name = 'Arthur'")
      #expect(try Row.fetchOne(select)?.description == #"[name:"Arthur"]"#)
      try db.execute(sql: "ALTER TABLE player ADD COLUMN score DEFAULT 7")
      #expect(try Row.fetchOne(select)?.description == #"[name:"Arthur" score:7]"#)
      #expect(select.columnNames == ["name", "score"])
      try db.execute(sql: "ALTER TABLE player RENAME COLUMN score TO points")
      #expect(try Row.fetchOne(select)?["POINTS"] as Int? == 7)
      try db.execute(sql: "DROP TABLE player")
      expectError(DatabaseError.SQLITE_ERROR) { try Row.fetchOne(select) }
    }
  }
}
