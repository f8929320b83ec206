import Browser
import QuarryChanges
import QuarryEngine
import QuarryRows
import QuarrySources
import TestSupport
import Testing

@Suite("Locks of other connections", .gated)
struct LockTests {
  private static let waiting = "waiting for another program to release its lock on test.db"

  /// Plays on a database with a small table and a large one, which another connection can lock.
  private func play(
    isTimeless: Bool = true, _ body: @escaping @Sendable (SessionDriver, DatabaseQueue) throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE a(id INTEGER PRIMARY KEY, name TEXT)", "INSERT INTO a VALUES (1, 'first')",
        "CREATE TABLE b(name TEXT)", "INSERT INTO b VALUES ('of b')",
        "CREATE TABLE large(id INTEGER PRIMARY KEY, filling BLOB)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) INSERT INTO large SELECT i, zeroblob(4000) FROM n")
      let other = try DatabaseQueue(path: path)
      try await onOwnThread { try body(try SessionDriver(path: path, isTimeless: isTimeless), other) }
    }
  }

  private static func execute(_ sql: String, _ other: DatabaseQueue) throws {
    try other.withoutTransaction { db in try db.execute(sql: sql) }
  }

  private static func openTable(_ name: String, _ driver: SessionDriver) {
    driver.pressAtOnce("ctrl-p")
    for letter in name { driver.pressAtOnce(String(letter)) }
    driver.pressAtOnce("enter")
  }

  /// Returns when nothing waits: what reads ahead, which nobody asks for, may do so for a moment longer than all else.
  private static func waitForEnd(_ driver: SessionDriver) {
    driver.settle()
    driver.waitAtOnce { !driver.screen.contains("waiting") }
  }

  @Test("a table that is opened waits for the lock, says so, and is there as soon as that is gone")
  func opening() async throws {
    try await play { driver, other in
      try Self.execute("BEGIN EXCLUSIVE", other)
      Self.openTable("b", driver)
      driver.waitAtOnce { driver.screen.contains(Self.waiting) }
      driver.screen.expectLine("waiting for another program to release its lock on test.db · ^C stops")
      try Self.execute("COMMIT", other)
      Self.waitForEnd(driver)
      driver.screen.expectLine("of b")
    }
  }

  @Test("a played session that waits for ever fails, and names what it waits for")
  func endlessWait() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE a(x)", "CREATE TABLE b(x)")
      let other = try DatabaseQueue(path: path)
      try await onOwnThread {
        let driver = try SessionDriver(path: path)
        driver.press("ctrl-p b")
        driver.limit = .milliseconds(100)
        try Self.execute("BEGIN EXCLUSIVE", other)
        withKnownIssue {
          driver.press("enter")
        } matching: { issue in
          issue.comments.contains { $0.rawValue.contains("under way: OpenRows") }
        }
      }
    }
  }

  @Test("^C ends the wait though the lock stays", arguments: ["ctrl-c", "escape"])
  func stopping(key: String) async throws {
    try await play { driver, other in
      try Self.execute("BEGIN EXCLUSIVE", other)
      Self.openTable("b", driver)
      driver.waitAtOnce { driver.screen.contains(Self.waiting) }
      driver.press(key)
      Self.waitForEnd(driver)
      driver.screen.expectLine("stopped")
      #expect(!driver.screen.contains("SQLite error"), "\(driver.screen)")
      try Self.execute("COMMIT", other)
      driver.open(TableReference(name: "b"))
      driver.screen.expectLine("of b")
    }
  }

  @Test("the catalog waits too, and shows what has been made meanwhile")
  func catalog() async throws {
    try await play { driver, other in
      try Self.execute("BEGIN EXCLUSIVE", other)
      driver.pressAtOnce("R")
      driver.waitAtOnce { driver.screen.contains(Self.waiting) }
      try Self.execute("CREATE TABLE fresh(x); COMMIT", other)
      driver.settle()
      driver.screen.expectLine("fresh")
    }
  }

  @Test("whether others have written is not waited for, which nobody has asked for")
  func states() async throws {
    try await play { _, other in
      var configuration = Configuration()
      configuration.busyTimeout = .untilStopped
      let queue = try DatabaseQueue(path: other.path, configuration: configuration)
      try Self.execute("BEGIN EXCLUSIVE", other)
      expectError(DatabaseError.SQLITE_BUSY) { try queue.fileStates() }
      try Self.execute("COMMIT", other)
    }
  }

  @Test("a statement that writes waits, and runs as soon as the lock is gone; stopped it has changed nothing", arguments: [false, true])
  func writing(isStopped: Bool) async throws {
    try await play { driver, other in
      driver.press("f4")
      driver.type("UPDATE a SET name = 'mine'")
      try Self.execute("BEGIN IMMEDIATE", other)
      driver.pressAtOnce("f5")
      driver.waitAtOnce { !driver.browser.overlays.isEmpty }
      driver.pressAtOnce("down")
      driver.pressAtOnce("enter")
      driver.waitAtOnce { driver.screen.contains(Self.waiting) }
      if isStopped {
        driver.press("ctrl-c")
        Self.waitForEnd(driver)
        driver.screen.expectLine("stopped")
        #expect(driver.browser.workspace.source.transaction == nil)
        try Self.execute("COMMIT", other)
      } else {
        try Self.execute("COMMIT", other)
        Self.waitForEnd(driver)
        driver.screen.expectLine("1 row changed, not committed yet")
      }
    }
  }

  @Test("the editor's connection waits while the file is locked that it has yet to open")
  func firstStatement() async throws {
    try await play { driver, other in
      driver.press("f4")
      driver.type("SELECT name || '!' FROM a")
      try Self.execute("BEGIN EXCLUSIVE", other)
      driver.pressAtOnce("f5")
      driver.waitAtOnce { driver.screen.contains(Self.waiting) }
      try Self.execute("COMMIT", other)
      driver.settle()
      driver.screen.expectLine("first!")
    }
  }

  @Test("a commit waits for those who read, says so, and can be stopped with nothing lost")
  func committing() async throws {
    try await play { driver, other in
      driver.press("f4")
      driver.type("INSERT INTO a VALUES (2, 'mine')")
      driver.press("f5")
      try Self.execute("BEGIN; SELECT * FROM a", other)
      driver.pressAtOnce("down enter")
      driver.waitAtOnce { driver.screen.contains(Self.waiting) }
      driver.screen.expectLine(beginning: "committing")
      driver.press("ctrl-c")
      driver.screen.expectLine("stopped; the transaction is still open, with all its changes")
      #expect(driver.browser.workspace.source.transaction?.changes == 1)
      _ = driver.browser.unavailability(of: .commit).map { Issue.record("not to be committed: \($0)") }
      driver.press("f10")
      for letter in "commit" { driver.pressAtOnce(String(letter)) }
      driver.pressAtOnce("enter")
      driver.waitAtOnce { driver.screen.contains(Self.waiting) }
      try Self.execute("COMMIT", other)
      driver.settle()
      driver.screen.expectLine("committed")
      let count = try other.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM a") }
      #expect(count == 2)
    }
  }

  @Test("the commit of what is staged counts the seconds that it waits, and ^C ends the line about it at once")
  func stagedCommit() async throws {
    try await play(isTimeless: false) { driver, other in
      driver.press("enter l e end")
      driver.type("!")
      driver.press("enter ctrl-s")
      try Self.execute("BEGIN IMMEDIATE", other)
      driver.pressAtOnce("enter")
      driver.waitAtOnce { driver.screen.contains(Self.waiting) && driver.screen.contains(#/ · \d+ s · \^C stops/#) }
      driver.screen.expectLine(beginning: "committing")
      driver.pressAtOnce("ctrl-c")
      #expect(driver.browser.workspace.source.lockWait == nil)
      Self.waitForEnd(driver)
      driver.screen.expectLine("stopped: nothing was written, and all changes stay staged")
      #expect(driver.browser.workspace.staged.counts.cells == 1)
      try Self.execute("COMMIT", other)
    }
  }

  @Test("a transaction that is open here keeps nothing on the screen waiting, also where it has locked the file against readers")
  func ownTransaction() async throws {
    try await play { driver, _ in
      driver.press("f4")
      // A cache of no size is written to the file before the end, which takes a lock against readers.
      driver.type("PRAGMA cache_size = 1; PRAGMA cache_spill = 1; UPDATE large SET filling = zeroblob(3999) WHERE id > 0")
      driver.press("shift-f5")
      driver.screen.expectLine(beginning: "200 rows changed")
      driver.press("escape")
      driver.open(TableReference(name: "b"))
      driver.screen.expectLine("of b")
      #expect(!driver.screen.contains("waiting"), "\(driver.screen)")
      driver.press("f10")
      driver.type("rollback")
      driver.press("enter")
      driver.screen.expectLine("rolled back: all changes undone")
    }
  }

  @Test("a transaction that has been overtaken says what to do")
  func overtaken() async throws {
    try await play { driver, other in
      try Self.execute("PRAGMA journal_mode = wal", other)
      driver.press("f4")
      driver.type("BEGIN; SELECT count(*) FROM a;")
      driver.press("shift-f5")
      try Self.execute("INSERT INTO a VALUES (3, 'theirs')", other)
      driver.press("ctrl-u")
      driver.type("INSERT INTO a VALUES (4, 'mine')")
      driver.press("f5")
      driver.screen.expectLine("another program has written since this transaction began to read: roll it back and run it again")
    }
  }
}
