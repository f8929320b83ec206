import Foundation
import QuarryEngine
import TestSupport
import Testing

@Suite("Errors as sentences", .gated)
struct DatabaseErrorSentenceTests {
  private func sentence(_ code: ResultCode, _ message: String? = nil, isReadonly: Bool = false, isImmutable: Bool = false) -> String {
    var error = DatabaseError(code, message, sql: "SELECT 1")
    error.origin = DatabaseErrorOrigin(path: "/a/b.db", isReadonly: isReadonly, isImmutable: isImmutable)
    return error.sentence
  }

  @Test(
    "a code that SQLite's words leave open names the file and the way out",
    arguments: [
      (DatabaseError.SQLITE_CORRUPT, "integrity_check"), (DatabaseError.SQLITE_CORRUPT_VTAB, "integrity_check"),
      (DatabaseError.SQLITE_CORRUPT_INDEX, "REINDEX"), (DatabaseError.SQLITE_NOTADB, "encrypted"), (DatabaseError.SQLITE_IOERR, "disk"),
      (DatabaseError.SQLITE_FULL, "Free space"), (DatabaseError.SQLITE_LOCKED, "Try again"),
      (DatabaseError.SQLITE_PROTOCOL, "Try again"),
      (DatabaseError.SQLITE_READONLY, "permissions"), (DatabaseError.SQLITE_READONLY_DBMOVED, "Open it again"),
      (DatabaseError.SQLITE_READONLY_ROLLBACK, "/a/b.db-journal"), (DatabaseError.SQLITE_READONLY_DIRECTORY, "folder"),
    ])
  func withFile(code: ResultCode, remedy: String) {
    let text = sentence(code)
    #expect(text.contains("“/a/b.db”"), "\(text)")
    #expect(text.contains(remedy), "\(text)")
    #expect(!text.contains("SELECT 1") && !text.contains("SQLite error"))
  }

  @Test(
    "a code whose words are enough keeps them",
    arguments: [
      DatabaseError.SQLITE_CONSTRAINT, DatabaseError.SQLITE_MISUSE, DatabaseError.SQLITE_AUTH, DatabaseError.SQLITE_MISMATCH,
      DatabaseError.SQLITE_RANGE, DatabaseError.SQLITE_SCHEMA, DatabaseError.SQLITE_ABORT, DatabaseError.SQLITE_CANTOPEN,
      DatabaseError.SQLITE_INTERRUPT, DatabaseError.SQLITE_ERROR, DatabaseError.SQLITE_NOTFOUND,
    ])
  func words(code: ResultCode) {
    #expect(sentence(code, "some words") == "some words")
  }

  @Test("what refuses to write says which option does")
  func readOnly() {
    #expect(sentence(DatabaseError.SQLITE_READONLY, isReadonly: true).contains("leave out --read-only"))
    #expect(sentence(DatabaseError.SQLITE_READONLY, isImmutable: true).contains("leave out --immutable"))
  }

  @Test(
    "a read or write that failed is told in the system's words",
    arguments: [(EFBIG, "ulimit -f"), (ENOSPC, "Free space on its disk"), (EDQUOT, "Free space on its disk"), (EIO, "Check that its disk")])
  func systemError(number: Int32, remedy: String) {
    var error = DatabaseError(DatabaseError.SQLITE_IOERR, "disk I/O error", sql: "SELECT 1")
    error.origin = DatabaseErrorOrigin(path: "/a/b.db", isReadonly: false, isImmutable: false)
    error.systemError = number
    #expect(error.sentence.contains("“/a/b.db”") && error.sentence.contains(remedy), "\(error.sentence)")
    #expect(error.sentence.contains("(\(String(cString: strerror(number))))"), "\(error.sentence)")
  }

  @Test("memory, length and locks have no file to name")
  func withoutFile() {
    #expect(sentence(DatabaseError.SQLITE_NOMEM) == "there is not enough memory for this statement")
    #expect(sentence(DatabaseError.SQLITE_TOOBIG).contains("longer than SQLite allows"))
    #expect(sentence(DatabaseError.SQLITE_BUSY).contains("is locked by another program"))
    #expect(sentence(DatabaseError.SQLITE_BUSY_SNAPSHOT).contains("roll it back"))
  }

  @Test("a missing module and a function that a schema may not call are no damage")
  func missing() {
    #expect(sentence(DatabaseError.SQLITE_ERROR, "no such module: zip").hasPrefix("no such module: zip. It provides virtual tables"))
    #expect(sentence(DatabaseError.SQLITE_ERROR, "unsafe use of edit()").hasPrefix("edit() may be called only by a statement itself"))
    let fault = sentence(DatabaseError.SQLITE_CORRUPT, "malformed database schema (t) - near \"x\": syntax error")
    #expect(fault.contains("definition of “t”") && !fault.contains("damaged"))
  }

  @Test("what an error has left behind is told after it")
  func consequence() {
    var error = DatabaseError(DatabaseError.SQLITE_BUSY, "database is locked")
    error.consequence = "the transaction is open"
    #expect(error.sentence.hasSuffix("; the transaction is open"))
  }

  @Test(
    "a file that cannot be attached is named, and not the one that it was to be attached to",
    arguments: [
      (0, "is not an SQLite database"), (100, "is damaged"),
    ])
  func attachedFile(start: Int, fault: String) throws {
    try withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE numbers(a, b)")
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      bytes.replaceSubrange(start..<start + 16, with: Data(repeating: 0xA5, count: 16))
      let damaged = folder.appending(path: "it's damaged.db").path
      try bytes.write(to: URL(fileURLWithPath: damaged))
      try DatabaseQueue(path: path).withoutTransaction { db throws -> Void in
        let text = "'\(damaged.replacing("'", with: "''"))'"
        for (sql, name) in [
          ("ATTACH \(text) AS b", "“\(damaged)” "), ("ATTACH DATABASE \(text) AS b", "“\(damaged)” "),
          ("ATTACH \(text) || '' AS b", "the file to attach "),
        ] {
          let error = #expect(throws: DatabaseError.self) { try db.execute(sql: sql) }
          #expect(error?.sentence.hasPrefix(name + fault) == true, "\(error?.sentence ?? "")")
        }
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM numbers") == 0)
      }
    }
  }

  @Test("damage that is met on the way names the table and the file")
  func damagedTable() throws {
    try withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE numbers(a, b)",
        """
        WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5000)
        INSERT INTO numbers SELECT x, hex(zeroblob(20)) FROM n
        """
      )
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      bytes.replaceSubrange(bytes.count / 2..<bytes.count / 2 + 8192, with: Data(repeating: 0xff, count: 8192))
      try bytes.write(to: URL(fileURLWithPath: path))
      try DatabaseQueue(path: path).withoutTransaction { db throws -> Void in
        let error = expectError(DatabaseError.SQLITE_CORRUPT) { try Row.fetchAll(db, sql: "SELECT a, b FROM numbers") }
        #expect(error?.sentence.hasPrefix("“numbers” in “\(path)” is damaged (database disk image is malformed). ") == true)
        let attached = try DatabaseQueue()
        try attached.withoutTransaction { db throws -> Void in
          try db.attach(path: path, as: "other")
          let error = expectError(DatabaseError.SQLITE_CORRUPT) { try Row.fetchAll(db, sql: "SELECT a, b FROM numbers") }
          #expect(error?.sentence.hasPrefix("“numbers” in “\(path)” is damaged") == true)
        }
      }
    }
  }
}

@Suite(.gated) struct ResultCodeTests {
  @Test("A code is compared with SQLite's constants, and a primary one stands for those that extend it")
  func constants() throws {
    let error = try DatabaseQueue().write { db in
      try db.execute(sql: "CREATE TABLE t (a UNIQUE, b NOT NULL); INSERT INTO t VALUES (1, 1)")
      return #expect(throws: DatabaseError.self) { try db.execute(sql: "INSERT INTO t VALUES (1, 2)") }
    }
    let code = try #require(error?.extendedResultCode)
    #expect(error?.resultCode == .SQLITE_CONSTRAINT)
    #expect(code == .SQLITE_CONSTRAINT_UNIQUE && code != .SQLITE_CONSTRAINT && code == DatabaseError.SQLITE_CONSTRAINT_UNIQUE)
    #expect(ResultCode.SQLITE_CONSTRAINT ~= code && ResultCode.SQLITE_CONSTRAINT_UNIQUE ~= code)
    #expect(!(ResultCode.SQLITE_CONSTRAINT_NOTNULL ~= code) && !(ResultCode.SQLITE_CONSTRAINT_UNIQUE ~= code.primary))
    let name =
      switch code {
      case .SQLITE_CONSTRAINT_NOTNULL: "not null"
      case .SQLITE_BUSY: "busy"
      case .SQLITE_CONSTRAINT: "constraint"
      default: "other"
      }
    #expect(name == "constraint")
  }
}
