import Foundation
import QuarryEngine
import TestSupport
import Testing

@Suite("Functions and collations", .gated)
struct FunctionTests {
  private let queue: DatabaseQueue

  init() throws {
    queue = try makeDatabase(
      "CREATE TABLE player (name TEXT, score INTEGER)", "INSERT INTO player VALUES ('Arthur', 2), ('Jo', 3), ('Bob', 7)")
  }

  @Test("LIKE with ESCAPE matches what LIKE matches without it", arguments: ["%abc%", "5%", "%", "x'616263'", "CAST('%abc%' AS BLOB)"])
  func likeWithEscape(pattern: String) throws {
    try DatabaseQueue().write { db throws in
      try db.execute(sql: "CREATE TABLE t(a)")
      try db.execute(sql: "INSERT INTO t VALUES ('xABCx'), ('5 abc'), (CAST('xabcx' AS BLOB)), (x''), (NULL), (5.5), (51), ('')")
      let written = pattern.hasSuffix("'") || pattern.hasSuffix(")") ? pattern : "'\(pattern)'"
      let expected = try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE a LIKE \(written)")
      #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE a LIKE \(written) ESCAPE '\\'") == expected)
    }
  }

  @Test(
    "SQL calls a closure with the values as they are stored, and gets back what it returns",
    arguments: [
      .null, .integer(.min), .real(0.5), .text(""), .text("a\0b👋"), .blob([]), .blob([0, 255]),
    ] as [DatabaseValue])
  func values(value: DatabaseValue) throws {
    try queue.read { db throws in
      try db.create(function: "same", argumentCount: 2) { $0[1] }
      #expect(try DatabaseValue.fetchOne(db, sql: "SELECT same(1, ?)", arguments: [value]) == value)
      #expect(try String.fetchOne(db, sql: "SELECT typeof(same(1, ?))", arguments: [value])?.uppercased() == value.storageClass.rawValue)
    }
  }

  @Test("functions of one name are told apart by the number of their arguments, and can be dropped")
  func argumentCounts() throws {
    try queue.read { db throws in
      try db.create(function: "f", argumentCount: 1) { _ in "one" }
      try db.create(function: "f") { "any: \($0.count)" }
      #expect(try Row.fetchOne(db, sql: "SELECT f(1), f(), f(1, 2)")?.databaseValues == [.text("one"), .text("any: 0"), .text("any: 2")])
      try db.drop(function: "f", argumentCount: 1)
      expectError(DatabaseError.SQLITE_ERROR) { try db.execute(sql: "SELECT f(1)") }
      #expect(try String.fetchOne(db, sql: "SELECT f()") == "any: 0")
      try db.drop(function: "f")
      expectError(DatabaseError.SQLITE_ERROR) { try db.execute(sql: "SELECT f()") }
      expectError(DatabaseError.SQLITE_MISUSE) { try db.create(function: String(repeating: "f", count: 300)) { _ in 1 } }
      expectError(DatabaseError.SQLITE_MISUSE) { try db.create(function: "f", argumentCount: 128) { _ in 1 } }
    }
  }

  @Test("what a function throws is the statement's error")
  func errors() throws {
    struct Failure: Error {}
    try queue.read { db throws in
      try db.create(function: "fail", argumentCount: 1) { values in
        if values[0] == .integer(1) { throw DatabaseError(DatabaseError.SQLITE_CONSTRAINT_FUNCTION, "not that one") }
        if values[0] == .integer(2) { throw Failure() }
        return UInt64.max
      }
      let own = expectError(DatabaseError.SQLITE_CONSTRAINT_FUNCTION) { try db.execute(sql: "SELECT fail(1)") }
      #expect(own?.message == "not that one")
      let other = expectError(DatabaseError.SQLITE_ERROR) { try db.execute(sql: "SELECT fail(2)") }
      #expect(other?.message == "Failure()")
      expectError(DatabaseError.SQLITE_MISMATCH) { try db.execute(sql: "SELECT fail(3)") }
      expectError(DatabaseError.SQLITE_MISMATCH) { try db.execute(sql: "SELECT fail(CAST(x'ff' AS TEXT))") }
    }
  }

  @Test("a deterministic function serves an index, and one for direct use no view")
  func options() throws {
    try queue.withoutTransaction { db throws in
      try db.create(function: "plain", argumentCount: 1) { $0[0] }
      try db.create(function: "pure", argumentCount: 1, options: .deterministic) { $0[0] }
      try db.create(function: "direct", argumentCount: 1, options: [.deterministic, .directOnly]) { $0[0] }
      expectError(DatabaseError.SQLITE_ERROR) { try db.execute(sql: "CREATE INDEX i ON player (plain(name))") }
      try db.execute(sql: "CREATE INDEX i ON player (pure(name))")
      try db.execute(sql: "CREATE VIEW v AS SELECT direct(name) FROM player; SELECT direct(name) FROM player")
      expectError(DatabaseError.SQLITE_ERROR) { try db.execute(sql: "SELECT * FROM v") }
    }
  }

  @Test("an aggregate carries a state from row to row of each group")
  func aggregate() throws {
    try queue.read { db throws in
      try db.create(aggregate: "product", argumentCount: 1, into: 1) { product, values in
        product *= Int.fromDatabaseValue(values[0]) ?? 1
      } result: {
        $0
      }
      #expect(try Int.fetchOne(db, sql: "SELECT product(score) FROM player") == 42)
      #expect(try Int.fetchOne(db, sql: "SELECT product(score) FROM player WHERE 0") == 1)
      #expect(try Int.fetchAll(db, sql: "SELECT product(score) FROM player GROUP BY score > 2 ORDER BY 1") == [2, 21])
      try db.create(aggregate: "broken", argumentCount: 1, into: 0) { _, _ in
        throw DatabaseError(DatabaseError.SQLITE_MISMATCH, "no")
      } result: {
        $0
      }
      let error = expectError(DatabaseError.SQLITE_MISMATCH) { try db.execute(sql: "SELECT broken(score) FROM player") }
      #expect(error?.message == "no")
      try db.drop(function: "product", argumentCount: 1)
      expectError(DatabaseError.SQLITE_ERROR) { try db.execute(sql: "SELECT product(score) FROM player") }
    }
  }

  @Test("a collation orders and compares texts, and leaves those that are not valid last")
  func collation() throws {
    try queue.read { db throws in
      try db.create(collation: "by_length") { first, second in
        first.count == second.count ? .orderedSame : first.count < second.count ? .orderedAscending : .orderedDescending
      }
      #expect(try String.fetchAll(db, sql: "SELECT name FROM player ORDER BY name COLLATE by_length") == ["Jo", "Bob", "Arthur"])
      #expect(try String.fetchAll(db, sql: "SELECT name FROM player WHERE name = 'xy' COLLATE by_length") == ["Jo"])
      let texts = "WITH t(x) AS (VALUES (x'ff61'), (x'fe'), (x'61626364'), (x'61'))"
      let sql = "\(texts) SELECT hex(x) FROM t ORDER BY CAST(x AS TEXT) COLLATE by_length"
      #expect(try String.fetchAll(db, sql: sql) == ["61", "61626364", "FE", "FF61"])
      try db.drop(collation: "by_length")
      expectError(DatabaseError.SQLITE_ERROR) { try db.execute(sql: "SELECT name FROM player ORDER BY name COLLATE by_length") }
    }
  }

  @Test("a closure is released when it is replaced, dropped or refused, and when the connection closes")
  func release() throws {
    final class Token: Sendable { func use() {} }
    weak var last: Token?
    func token() -> Token {
      let token = Token()
      last = token
      return token
    }
    try queue.withoutTransaction { db throws in
      let function = { (token: Token) in
        try db.create(function: "f") { _ in
          token.use(); return nil
        }
      }
      let aggregate = { (token: Token) in
        try db.create(aggregate: "a", into: token) { token, _ in
          token.use()
        } result: { _ in
          nil
        }
      }
      let collation = { (token: Token) in
        try db.create(collation: "c") { _, _ in
          token.use(); return .orderedSame
        }
      }
      let steps: [((Token) throws -> Void, () throws -> Void)] = [
        (function, { try db.drop(function: "f") }), (aggregate, { try db.drop(function: "a") }),
        (collation, { try db.drop(collation: "c") }),
      ]
      for (create, drop) in steps {
        try create(token())
        weak let replaced = last
        try create(token())
        #expect(replaced == nil && last != nil)
        try drop()
        #expect(last == nil)
      }
      _ = try? db.create(function: String(repeating: "f", count: 300)) { [token = token()] _ in
        token.use(); return nil
      }
      #expect(last == nil)
      try aggregate(token())
      try db.execute(sql: "SELECT a(score) FROM player GROUP BY name")
      #expect(last != nil)
      let cursor = try Int?.fetchCursor(db, sql: "SELECT a(score) FROM player GROUP BY name")
      _ = try cursor.next()
    }
    #expect(last != nil)
    try queue.close()
    #expect(last == nil)
  }
}
