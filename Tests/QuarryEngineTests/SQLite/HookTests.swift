import QuarryEngine
import Synchronization
import TestSupport
import Testing

@Suite("Hooks", .gated)
struct HookTests {
  private let queue: DatabaseQueue

  init() throws {
    queue = try makeDatabase(
      "CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT UNIQUE)", "CREATE TABLE log (line TEXT)",
      "CREATE TABLE team (name TEXT PRIMARY KEY) WITHOUT ROWID",
      "CREATE TRIGGER logging AFTER DELETE ON player BEGIN INSERT INTO log VALUES (old.name); END",
      "INSERT INTO player VALUES (1, 'Arthur'), (2, 'Barbara')")
  }

  /// Returns what the update hook reports while `body` runs.
  private func changes(_ body: (Database) throws -> Void) throws -> [String] {
    let seen = Mutex<[String]>([])
    try queue.withoutTransaction { db in
      try db.setUpdateHook { change in
        seen.withLock { $0.append("\(change.kind) \(change.table.database).\(change.table.name) \(change.rowID)") }
      }
      try body(db)
      try db.setUpdateHook(nil)
      try db.execute(sql: "INSERT INTO player (name) VALUES ('unseen')")
    }
    return seen.withLock { $0 }
  }

  @Test("the update hook is told of each row that is inserted, updated or deleted")
  func update() throws {
    let seen = try changes { db in
      try db.execute(sql: "INSERT INTO player VALUES (3, 'Craig'); UPDATE player SET id = 4 WHERE id = 3; DELETE FROM player WHERE id = 1")
    }
    #expect(seen == ["insert main.player 3", "update main.player 4", "delete main.player 1", "insert main.log 1"])
  }

  @Test("the update hook is told of each row that a DELETE of all deletes, also by a statement compiled before")
  func truncation() throws {
    let delete = try queue.withoutTransaction { db in
      try db.execute(sql: "INSERT INTO log VALUES ('a'), ('b')")
      return try db.cachedStatement(sql: "DELETE FROM log")
    }
    #expect(try changes { _ in try delete.execute() } == ["delete main.log 1", "delete main.log 2"])
    try queue.withoutTransaction { db throws in #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM log") == 0) }
  }

  @Test("tables and views can be dropped and rebuilt while an update hook looks on")
  func dropping() throws {
    let seen = try changes { db in
      try db.execute(
        sql: """
          CREATE VIEW v AS SELECT 1; DROP VIEW v; CREATE INDEX i ON log (line); DROP INDEX i;
          CREATE VIRTUAL TABLE f USING fts5(x); DROP TABLE f; CREATE TEMP TABLE t (x); DROP TABLE t; DROP TRIGGER logging;
          INSERT INTO log VALUES ('a'); DROP TABLE log; ANALYZE; DELETE FROM player
          """)
    }
    #expect(seen.suffix(2) == ["delete main.player 1", "delete main.player 2"])
    try queue.withoutTransaction { db throws in
      let names = try String.fetchSet(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
      #expect(names == ["player", "team"])
    }
  }

  @Test("a commit hook makes a rollback of a commit, and a rollback hook hears of it")
  func commitAndRollback() throws {
    let commits = Mutex(0)
    let rollbacks = Mutex(0)
    let isAllowed = Mutex(true)
    try queue.withoutTransaction { db throws in
      try db.setCommitHook {
        commits.withLock { $0 += 1 }
        return isAllowed.withLock { $0 }
      }
      try db.setRollbackHook { rollbacks.withLock { $0 += 1 } }
      try db.execute(sql: "INSERT INTO log VALUES ('kept')")
      isAllowed.withLock { $0 = false }
      expectError(DatabaseError.SQLITE_CONSTRAINT_COMMITHOOK) { try db.execute(sql: "INSERT INTO log VALUES ('refused')") }
      expectError(DatabaseError.SQLITE_CONSTRAINT_COMMITHOOK) {
        try db.inTransaction { try $0.execute(sql: "INSERT INTO log VALUES ('refused')") }
      }
      #expect(!db.isInsideTransaction)
      try db.execute(sql: "BEGIN; INSERT INTO log VALUES ('undone'); ROLLBACK")
      #expect(try String.fetchAll(db, sql: "SELECT line FROM log") == ["kept"])
      try db.setCommitHook(nil)
      try db.setRollbackHook(nil)
      try db.execute(sql: "INSERT INTO log VALUES ('kept too'); BEGIN; ROLLBACK")
    }
    #expect(commits.withLock { $0 } == 3)
    #expect(rollbacks.withLock { $0 } == 3)
  }

  @Test("the preupdate hook has the values before and after, of what triggers do and of rows that are pushed out too")
  func preupdate() throws {
    let seen = Mutex<[String]>([])
    try queue.withoutTransaction { db in
      try db.setPreupdateHook { change in
        let columns = 0..<change.columnCount
        let old = change.kind == .insert ? [] : columns.map { (try? change.oldValue(at: $0))?.description ?? "?" }
        let new = change.kind == .delete ? [] : columns.map { (try? change.newValue(at: $0))?.description ?? "?" }
        seen.withLock { $0.append("\(change.depth) \(change.kind) \(change.table.name) \(old) -> \(new)") }
      }
      try db.execute(sql: "UPDATE player SET name = 'Craig' WHERE id = 1; REPLACE INTO player VALUES (5, 'Barbara')")
      try db.execute(sql: "INSERT INTO team VALUES ('Red'); DELETE FROM team; DELETE FROM player WHERE id = 5")
      try db.setPreupdateHook(nil)
      try db.execute(sql: "DELETE FROM player")
    }
    #expect(
      seen.withLock { $0 } == [
        #"0 update player ["1", "\"Arthur\""] -> ["1", "\"Craig\""]"#,
        #"0 delete player ["2", "\"Barbara\""] -> []"#, #"0 insert player [] -> ["5", "\"Barbara\""]"#,
        #"0 insert team [] -> ["\"Red\""]"#, #"0 delete team ["\"Red\""] -> []"#,
        #"0 delete player ["5", "\"Barbara\""] -> []"#, #"1 insert log [] -> ["\"Barbara\""]"#,
      ])
  }

  @Test("the preupdate hook sees rows that a statement compiled before would delete unseen")
  func preupdateTruncation() throws {
    let count = Mutex(0)
    try queue.withoutTransaction { db throws in
      try db.execute(sql: "INSERT INTO log VALUES ('a'), ('b')")
      let delete = try db.cachedStatement(sql: "DELETE FROM log")
      try db.setPreupdateHook { _ in count.withLock { $0 += 1 } }
      try delete.execute()
    }
    #expect(count.withLock { $0 } == 2)
  }

  @Test("without its preupdate hook a connection reports no rows, and then those that a statement compiled meanwhile would delete unseen")
  func preupdatePause() throws {
    let seen = Mutex<[RowChangeKind]>([])
    try queue.withoutTransaction { db throws in
      try db.execute(sql: "INSERT INTO log VALUES ('a'), ('b')")
      try db.setPreupdateHook { change in seen.withLock { $0.append(change.kind) } }
      let delete = try db.withoutPreupdateHook {
        try db.execute(sql: "INSERT INTO log VALUES ('c')")
        return try db.cachedStatement(sql: "DELETE FROM log")
      }
      try delete.execute()
    }
    #expect(seen.withLock { $0 } == [.delete, .delete, .delete])
  }

  @Test("a row change is good while its hook runs only, and has the values only that it can have")
  func preupdateMisuse() throws {
    let codes = Mutex<[ResultCode?]>([])
    let kept = Mutex<Kept?>(nil)
    try queue.withoutTransaction { db in
      try db.setPreupdateHook { change in
        let code = { (body: () throws -> DatabaseValue) in
          do { _ = try body() } catch { codes.withLock { $0.append((error as? DatabaseError)?.resultCode) } }
        }
        code { try change.oldValue(at: 0) }
        code { try change.newValue(at: 1) }
        code { try change.newValue(at: -1) }
        kept.withLock { $0 = Kept(change: change) }
      }
      try db.execute(sql: "INSERT INTO log VALUES (CAST(x'ff' AS TEXT))")
    }
    #expect(codes.withLock { $0 } == [DatabaseError.SQLITE_MISUSE, DatabaseError.SQLITE_RANGE, DatabaseError.SQLITE_RANGE])
    let change = kept.withLock { $0?.change }
    expectError(DatabaseError.SQLITE_MISUSE) { try change?.newValue(at: 0) }
    #expect(change?.columnCount == 0)
  }

  private struct Kept: @unchecked Sendable { let change: PreupdateChange }

  @Test("closures are released when another takes their place, and when the connection closes")
  func release() throws {
    final class Token: Sendable { func use() {} }
    func install(_ token: Token, _ db: Database) throws {
      try db.setUpdateHook { _ in token.use() }
      try db.setCommitHook {
        token.use(); return true
      }
      try db.setRollbackHook { token.use() }
      try db.setPreupdateHook { _ in token.use() }
      try db.setAuthorizer { _ in
        token.use(); return .allow
      }
    }
    weak var first: Token?
    weak var second: Token?
    try queue.withoutTransaction { db in
      try {
        let token = Token(); first = token; try install(token, db)
      }()
      #expect(first != nil)
      try {
        let token = Token(); second = token; try install(token, db)
      }()
      #expect(first == nil && second != nil)
    }
    let statement = try queue.read { try $0.makeStatement(sql: "SELECT 1") }
    try queue.close()
    #expect(second == nil)
    _ = statement
  }

  @Test("hooks are set inside of an access only")
  func misuse() throws {
    let db = try queue.read { $0 }
    expectError(DatabaseError.SQLITE_MISUSE) { try db.setUpdateHook(nil) }
    expectError(DatabaseError.SQLITE_MISUSE) { try db.setPreupdateHook(nil) }
    expectError(DatabaseError.SQLITE_MISUSE) { try db.setCommitHook(nil) }
    expectError(DatabaseError.SQLITE_MISUSE) { try db.setRollbackHook(nil) }
    expectError(DatabaseError.SQLITE_MISUSE) { try db.setAuthorizer(nil) }
    expectError(DatabaseError.SQLITE_MISUSE) { try db.withUnsafeConnection { _ in } }
  }
}
