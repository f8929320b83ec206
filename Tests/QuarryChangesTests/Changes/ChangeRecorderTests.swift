import Foundation
import QuarryChanges
import QuarryEngine
import TestSupport
import Testing

@Suite(.gated) struct ChangeRecorderTests {
  private static let table = ["CREATE TABLE t(id INTEGER PRIMARY KEY, a UNIQUE)", "INSERT INTO t VALUES (1, 'x'), (2, 'y'), (3, 'z')"]

  private func makeFile() throws -> RecordedFile {
    let file = try RecordedFile()
    for sql in Self.table { try file.runElsewhere(sql) }
    return file
  }

  @Test func `a commit has each row once, with its values before the transaction and after it`() throws {
    let file = try makeFile()
    try file.run(
      """
      BEGIN; UPDATE t SET a = 'p' WHERE id = 1; UPDATE t SET a = 'q' WHERE id = 1;
      INSERT INTO t VALUES (9, 'n'); DELETE FROM t WHERE id = 9;
      DELETE FROM t WHERE id = 2; INSERT INTO t VALUES (2, 'y'); COMMIT
      """)
    #expect(try file.lastRows() == ["t 1 update a: 'x' → 'q'"])
    let commit = try #require(try file.commits().first)
    #expect(commit.kind == .sql && commit.state == .settled)
    #expect(commit.tables == [RecordedTable(name: "t", updated: 1)])
    #expect(commit.statement.hasPrefix("UPDATE t SET a = 'p' WHERE id = 1;\nUPDATE"))
  }

  @Test func `rows that are touched in any order, and again, are recorded once each in the order of their keys`() throws {
    let file = try makeFile()
    try file.runElsewhere("WITH n(i) AS (VALUES (4), (5), (6), (7), (8), (9)) INSERT INTO t SELECT i, 'r' || i FROM n")
    let touched = [3, 7, 5, 9, 7, 3, 4, 5, 9, 8, 1]
    let updates = touched.map { "UPDATE t SET a = a || '!' WHERE id = \($0); " }.joined()
    try file.run("BEGIN; \(updates)COMMIT")
    #expect(
      try file.lastRows() == [
        "t 1 update a: 'x' → 'x!'", "t 3 update a: 'z' → 'z!!'", "t 4 update a: 'r4' → 'r4!'", "t 5 update a: 'r5' → 'r5!!'",
        "t 7 update a: 'r7' → 'r7!!'", "t 8 update a: 'r8' → 'r8!'", "t 9 update a: 'r9' → 'r9!!'",
      ])
  }

  @Test func `what is cancelled leaves no transaction open, and no lock`() throws {
    let file = try makeFile()
    let queue = try DatabaseQueue(path: file.path)
    let recorder = ChangeRecorder(file.logs)
    try queue.withoutTransaction { try recorder.attach(to: $0) }
    func cancelled(_ body: (Database, _ cancel: () -> Void) throws -> Void) throws {
      let cancellation = Cancellation()
      try queue.access(cancellation) { db in
        #expect(throws: DatabaseError.self) { try body(db) { cancellation.cancel() } }
        #expect(!db.isInsideTransaction)
      }
      try file.runElsewhere("UPDATE t SET a = a")
    }
    try cancelled { db, cancel in
      _ = try recorder.inTransaction(.edit, CommitOrigin(statement: ""), in: db) {
        try db.execute(sql: "DELETE FROM t WHERE id = 1")
        cancel()
        try db.execute(sql: "DELETE FROM t WHERE id = 2")
      }
    }
    try cancelled { db, cancel in
      let statement = try db.makeStatement(sql: "DELETE FROM t")
      try recorder.recording(statement, in: db) {
        try statement.execute()
        cancel()
      }
    }
    #expect(try file.commits() == [])
    #expect(try file.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 3)
  }

  @Test func `what a transaction has not changed in the end is no commit`() throws {
    let file = try makeFile()
    try file.run(
      "UPDATE t SET a = a", "BEGIN; DELETE FROM t; ROLLBACK", "SELECT * FROM t", "PRAGMA user_version = 4", "DELETE FROM t WHERE 0")
    #expect(try file.commits() == [])
  }

  @Test func `what ROLLBACK TO takes back is not recorded`() throws {
    let file = try makeFile()
    try file.run("BEGIN; SAVEPOINT s; DELETE FROM t; ROLLBACK TO s; RELEASE s; UPDATE t SET a = 'w' WHERE id = 3; COMMIT")
    #expect(try file.lastRows() == ["t 3 update a: 'z' → 'w'"])
    try file.run("SAVEPOINT s; INSERT INTO t VALUES (4, 'v'); RELEASE s")
    #expect(try file.lastRows() == ["t 4 insert id:  → 4", "t 4 insert a:  → 'v'"])
  }

  @Test func `a statement that fails leaves what its conflict clause leaves`() throws {
    let file = try makeFile()
    #expect(try file.run("INSERT INTO t VALUES (7, 'p'), (8, 'x')").count == 1)
    #expect(try file.commits() == [])
    #expect(try file.run("INSERT OR FAIL INTO t VALUES (7, 'p'), (8, 'x')").count == 1)
    #expect(try file.lastRows() == ["t 7 insert id:  → 7", "t 7 insert a:  → 'p'"])
    #expect(try file.run("BEGIN; DELETE FROM t WHERE id = 3; INSERT OR ROLLBACK INTO t VALUES (8, 'x')").count == 1)
    #expect(try file.commits().count == 1)
    #expect(try file.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 4)
    #expect(try file.run("INSERT OR IGNORE INTO t VALUES (8, 'x'), (9, 'r')").isEmpty)
    #expect(try file.lastRows() == ["t 9 insert id:  → 9", "t 9 insert a:  → 'r'"])
  }

  @Test(arguments: [
    ("UPDATE OR FAIL t SET b = b + 3", "UPDATE OR FAIL t SET b = b + 3"),
    (
      "BEGIN; INSERT INTO t VALUES (4, 10); UPDATE OR FAIL t SET b = b + 3; INSERT INTO t VALUES (5, 10); COMMIT",
      "INSERT INTO t VALUES (4, 10);\nUPDATE OR FAIL t SET b = b + 3"
    ),
    ("INSERT INTO u VALUES (1)", "INSERT INTO u VALUES (1)"),
  ])
  func `a statement that fails half-way is recorded with the changes that it keeps, another is not`(
    _ sql: String, _ recorded: String
  ) throws {
    let file = try RecordedFile(
      "CREATE TABLE t(a INTEGER PRIMARY KEY, b UNIQUE)", "INSERT INTO t VALUES (1, 1), (2, 2), (3, 5)", "CREATE TABLE u(a)",
      "CREATE TRIGGER r BEFORE INSERT ON u BEGIN INSERT INTO t VALUES (9, 9); SELECT raise(FAIL, 'no'); END")
    #expect(try !file.run(sql).isEmpty)
    #expect(try file.commits().map(\.statement) == [recorded])
  }

  @Test func `a transaction that SQLite has rolled back is not gone on with, and leaves no record`() throws {
    let file = try RecordedFile("CREATE TABLE t (x UNIQUE)")
    let queue = try DatabaseQueue(path: file.path)
    try queue.withoutTransaction { db throws in
      let recorder = ChangeRecorder(file.logs)
      try recorder.attach(to: db)
      expectError(DatabaseError.SQLITE_ABORT) {
        try recorder.inTransaction(.edit, CommitOrigin(statement: "a test"), in: db) {
          try db.execute(sql: "INSERT INTO t VALUES (1)")
          try? db.execute(sql: "INSERT OR ROLLBACK INTO t VALUES (1)")
          try? db.execute(sql: "INSERT INTO t VALUES (2)")
        }
      }
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 0)
      _ = try recorder.inTransaction(.edit, CommitOrigin(statement: "a test"), in: db) { try db.execute(sql: "INSERT INTO t VALUES (3)") }
    }
    #expect(try file.commits().count == 1)
  }

  @Test func `a commit that fails leaves no record, and its transaction goes on`() throws {
    let file = try RecordedFile(
      "CREATE TABLE p(id INTEGER PRIMARY KEY)", "CREATE TABLE c(p REFERENCES p DEFERRABLE INITIALLY DEFERRED)")
    #expect(try file.run("BEGIN; INSERT INTO c VALUES (1); COMMIT; INSERT INTO p VALUES (1); COMMIT").count == 1)
    #expect(try file.commits().map(\.inserted) == [2])
  }

  @Test func `temporary tables are not recorded, attached files are, each by itself`() throws {
    let file = try makeFile()
    let other = file.folder.appendingPathComponent("other.db").path
    try makeDatabaseFile(in: file.folder, named: "other.db", "CREATE TABLE o(x)")
    try file.run("ATTACH '\(other)' AS other; CREATE TEMP TABLE s(x); BEGIN; INSERT INTO s VALUES (1); INSERT INTO o VALUES (2); COMMIT")
    #expect(try file.commits() == [])
    let log = try DatabaseQueue(path: other).withoutTransaction { try file.logs.settledLog(ofDatabase: "main", in: $0)?.commits() }
    #expect(log?.map(\.tables) == [[RecordedTable(name: "o", inserted: 1)]])
  }

  @Test func `the records go with a file that is moved, not with a copy or another file of its name`() throws {
    let file = try makeFile()
    try file.run("DELETE FROM t WHERE id = 1")
    let (moved, copy) = (file.folder.appendingPathComponent("moved.db").path, file.folder.appendingPathComponent("copy.db").path)
    try FileManager.default.copyItem(atPath: file.path, toPath: copy)
    try FileManager.default.moveItem(atPath: file.path, toPath: moved)
    try FileManager.default.copyItem(atPath: moved, toPath: file.path)
    func count(_ path: String) throws -> Int {
      try DatabaseQueue(path: path).withoutTransaction { try file.logs.settledLog(ofDatabase: "main", in: $0)?.commits().count ?? 0 }
    }
    #expect(try count(moved) == 1 && count(copy) == 0 && count(file.path) == 0)
  }

  @Test func `only their owner can read the records`() throws {
    let file = try makeFile()
    try file.run("DELETE FROM t WHERE id = 1")
    let permissions = { (path: String) in try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int }
    #expect(try permissions(file.logs.path) == 0o700)
    for name in try FileManager.default.contentsOfDirectory(atPath: file.logs.path) {
      #expect(try permissions("\(file.logs.path)/\(name)") == 0o600)
    }
  }

  @Test func `changes that are too large stop their statement, and nothing is changed`() throws {
    let file = try RecordedFile(
      limit: 100_000, "CREATE TABLE t(a)", "INSERT INTO t SELECT hex(zeroblob(500)) FROM pragma_function_list LIMIT 150")
    let before = try file.contents()
    let errors = try file.run("DELETE FROM t")
    #expect(errors.count == 1 && errors.first is ChangesTooLarge)
    #expect("\(errors)".contains("--no-changes"))
    #expect(try file.contents() == before)
    #expect(try file.commits() == [])
  }

  @Test func `changes of which no record can be written are not committed, and the error is about the record`() throws {
    let file = try makeFile()
    try file.run("DELETE FROM t WHERE id = 1")
    let names = try FileManager.default.contentsOfDirectory(atPath: file.logs.path)
    let log = try DatabaseQueue(path: "\(file.logs.path)/\(try #require(names.first { $0.hasSuffix(".db") }))")
    try log.write { db in
      try db.execute(sql: "CREATE TRIGGER full BEFORE INSERT ON recorded BEGIN SELECT RAISE(ABORT, 'no room'); END")
    }
    let before = try file.contents()
    let errors = try file.run("DELETE FROM t")
    #expect(errors.count == 1 && errors.first is ChangesUnrecorded)
    #expect("\(errors)".contains("no room"))
    #expect(try file.contents() == before)
  }

  @Test func `a full disk is named with the way out`() {
    let full = DatabaseError(DatabaseError.SQLITE_FULL, "database or disk is full")
    let error = ChangesUnrecorded(cause: full)
    #expect(
      error.description == """
        its changes cannot be recorded, so nothing was changed: there is no space left to write to the database \
        (database or disk is full). Free space on its disk and on the disk of temporary files; --no-changes runs it without a record
        """)
  }

  @Test func `the oldest records go first`() throws {
    let file = try RecordedFile(limit: 20_000, "CREATE TABLE t(a)")
    for number in 0..<20 { try file.run("INSERT INTO t VALUES (hex(zeroblob(1000 + \(number))))") }
    let numbers = try file.commits().map(\.id.number)
    #expect(numbers.first == 20 && numbers.count < 12 && numbers.count > 5)
  }

  @Test func `many rows are recorded beside a file for those that do not fit into memory`() throws {
    let file = try RecordedFile(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, a)",
      "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 200000) INSERT INTO t SELECT x, hex(randomblob(20)) FROM n")
    let before = try file.read { try String.fetchOne($0, sql: "SELECT hex(sum(id * length(a))) || group_concat(a) FROM t") }
    try file.run("UPDATE t SET a = 1")
    #expect(try file.commits().first?.updated == 200_000)
    #expect(try file.undo().summary == "done")
    #expect(try file.read { try String.fetchOne($0, sql: "SELECT hex(sum(id * length(a))) || group_concat(a) FROM t") } == before)
  }
}
