import Foundation
import QuarryEngine
import TestSupport
import Testing

@Suite("What a schema may do", .gated)
struct SchemaTrustTests {
  private static func firstColumn(of table: String, _ db: Database) throws -> [String] {
    try Row.fetchAll(db, sql: "SELECT CAST((SELECT 1) AS TEXT), * FROM \(table)").map { row in
      switch try row.databaseValue(at: 1) {
      case .integer(let number): String(number)
      case .text(let text): text
      default: ""
      }
    }
  }

  @Test("what the shell reads and writes is read and written", arguments: SoundSchema.all)
  func sound(schema: SoundSchema) throws {
    try withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, schema.setup)
      var configuration = Configuration()
      configuration.isReadonly = true
      let reader = try DatabaseQueue(path: path, configuration: configuration)
      #expect(try reader.read { try Self.firstColumn(of: schema.table, $0) } == schema.before)
      let writer = try DatabaseQueue(path: path)
      try writer.write { try $0.execute(sql: schema.insertion) }
      #expect(try writer.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
      #expect(try reader.read { try Self.firstColumn(of: schema.table, $0) } == schema.after)
    }
  }

  /// Makes a database whose schema has an entry that no CREATE would write.
  private func makeHostile(in folder: URL, type: String, name: String, table: String, sql: String) throws -> String {
    var configuration = Configuration()
    configuration.isDefensive = false
    let path = folder.appendingPathComponent("hostile.db").path
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.withoutTransaction { db in
      try db.execute(sql: "CREATE TABLE good(a); INSERT INTO good VALUES (1); CREATE TABLE extra(a); PRAGMA writable_schema = on")
      let root = type == "table" ? "(SELECT rootpage FROM sqlite_schema WHERE name = 'extra')" : "0"
      try db.execute(
        sql: "INSERT INTO sqlite_schema VALUES (?, ?, ?, \(root), ?)", arguments: [type, name, table, sql])
      try db.execute(sql: "DELETE FROM sqlite_schema WHERE name = 'extra'")
    }
    try queue.close()
    return path
  }

  @Test(
    "a view and a trigger that reach outside are refused with the reason, and the rest is read",
    arguments: ["load_extension('x')", "fts3_tokenizer('simple')", "fts3_tokenizer('simple', x'00')"])
  func outside(call: String) throws {
    let function = call.prefix { $0 != "(" } + "()"
    try withTemporaryFolder { folder in
      let view = try DatabaseQueue(
        path: makeHostile(in: folder, type: "view", name: "v", table: "v", sql: "CREATE VIEW v AS SELECT \(call) AS z"))
      try view.read { db throws -> Void in
        let error = expectError(DatabaseError.SQLITE_ERROR) { try Row.fetchAll(db, sql: "SELECT * FROM v") }
        #expect(error?.message == "unsafe use of \(function)")
        #expect(try Int.fetchOne(db, sql: "SELECT a FROM good") == 1)
      }
      try view.close()
      try FileManager.default.removeItem(atPath: view.path)
      let trigger = try DatabaseQueue(
        path: makeHostile(
          in: folder, type: "trigger", name: "g", table: "good", sql: "CREATE TRIGGER g AFTER INSERT ON good BEGIN SELECT \(call); END"))
      try trigger.withoutTransaction { db throws -> Void in
        let error = expectError(DatabaseError.SQLITE_AUTH) { try db.execute(sql: "INSERT INTO good VALUES (2)") }
        #expect(error?.message.hasPrefix("\(function) is disabled: ") == true)
        #expect(try Int.fetchAll(db, sql: "SELECT a FROM good") == [1])
      }
    }
  }

  @Test("one's own SQL is refused them too, with and without parameters, and the connection goes on")
  func ownSQL() throws {
    try DatabaseQueue().withoutTransaction { db throws -> Void in
      for sql in [
        "SELECT load_extension('x')", "SELECT fts3_tokenizer('simple')", "SELECT fts3_tokenizer(?)", "SELECT hex(fts3_tokenizer(?, ?))",
      ] {
        let error = expectError(DatabaseError.SQLITE_AUTH) { try db.makeStatement(sql: sql) }
        #expect(error?.message.contains("is disabled") == true)
        #expect(error?.sql == sql)
      }
      #expect(try Int.fetchOne(db, sql: "SELECT 7") == 7)
      expectError(DatabaseError.SQLITE_ERROR) { try db.makeStatement(sql: "SELECT nothing_of_the_kind()") }
    }
  }

  @Test("a CHECK that reaches outside refuses what is written, and nothing runs")
  func hostileCheck() throws {
    try withTemporaryFolder { folder in
      let path = try makeHostile(
        in: folder, type: "table", name: "t", table: "t", sql: "CREATE TABLE t(a CHECK (load_extension(a)))")
      try DatabaseQueue(path: path).withoutTransaction { db throws -> Void in
        expectError(DatabaseError.SQLITE_ERROR) { try db.execute(sql: "INSERT INTO t VALUES ('x')") }
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 0)
      }
    }
  }

  @Test("nobody writes to the schema's own table, nor switches journals off")
  func defensive() throws {
    try withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE t(a)")
      try DatabaseQueue(path: path).withoutTransaction { db throws -> Void in
        try db.execute(sql: "PRAGMA writable_schema = on")
        expectError(DatabaseError.SQLITE_ERROR) { try db.execute(sql: "DELETE FROM sqlite_schema") }
        #expect(try String.fetchOne(db, sql: "PRAGMA journal_mode = off") == "delete")
      }
    }
  }

  @Test("a connection that is told not to trust the schema does not")
  func untrusted() throws {
    try withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE VIEW v AS SELECT json('[]')")
      var configuration = Configuration()
      configuration.trustsSchema = false
      try DatabaseQueue(path: path, configuration: configuration).read { db throws -> Void in
        expectError(DatabaseError.SQLITE_ERROR) { try Row.fetchAll(db, sql: "SELECT * FROM v") }
      }
    }
  }
}
