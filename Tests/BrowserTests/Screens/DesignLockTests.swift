import Browser
import Foundation
import QuarryChanges
import QuarryEngine
import QuarrySources
import Synchronization
import TestSupport
import Testing

@Suite("A change of a table that is stopped, or waits for another program", .gated)
struct DesignLockTests {
  private static let waiting = "waiting for another program to release its lock on test.db"

  private func play(
    journal: String, _ body: @escaping @Sendable (SessionDriver, DatabaseQueue) throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "PRAGMA journal_mode = \(journal)", "CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO person SELECT i, 'Name ' || i FROM n")
      let other = try DatabaseQueue(path: path)
      let changes = ChangeLogFolder(path: folder.appending(path: "changes").path)
      try await onOwnThread { try body(try SessionDriver(path: path, changes: changes), other) }
    }
  }

  private static func execute(_ sql: String, _ other: DatabaseQueue) throws {
    try other.withoutTransaction { db in try db.execute(sql: sql) }
  }

  private static func contents(_ other: DatabaseQueue) throws -> Data { try Data(contentsOf: URL(filePath: other.path)) }

  /// Opens the design of the table, makes its name NOT NULL, and asks for the change, which copies all rows.
  private static func askForChange(_ driver: SessionDriver) {
    driver.open(TableReference(name: "person"))
    driver.play([":", "'design'", "enter", "g g", "j j j j", "n", "f5", "down"])
  }

  private static func stop(_ driver: SessionDriver, with key: String) {
    driver.pressAtOnce(key)
    driver.settle()
    driver.waitAtOnce { !driver.screen.contains("waiting") }
  }

  /// Expects that the table is changed by the keys that failed before.
  private static func expectChange(_ driver: SessionDriver, _ other: DatabaseQueue) throws {
    driver.play(["f5", "down", "enter"])
    driver.screen.expectLine(beginning: "changed person, 3,000 rows counted")
    let isRequired = try other.read { db in try Int.fetchOne(db, sql: #"SELECT "notnull" FROM pragma_table_info('person') WHERE cid = 1"#) }
    #expect(isRequired == 1)
  }

  @Test("a change waits for a program that writes; stopped, it has written nothing, and can be made again", arguments: ["delete", "wal"])
  func writer(journal: String) async throws {
    try await play(journal: journal) { driver, other in
      Self.askForChange(driver)
      try Self.execute("BEGIN IMMEDIATE; INSERT INTO person VALUES (5000, 'theirs')", other)
      let before = try Self.contents(other)
      driver.pressAtOnce("enter")
      driver.waitAtOnce { driver.screen.contains(Self.waiting) }
      Self.stop(driver, with: "ctrl-c")
      driver.screen.expectLine(beginning: "stopped: nothing was written")
      #expect(try Self.contents(other) == before)
      try Self.execute("ROLLBACK", other)
      driver.screen.expectLine(beginning: "Design of person")
      try Self.expectChange(driver, other)
    }
  }

  @Test("a change goes on once the other program has committed, and counts its rows", arguments: ["delete", "wal"])
  func committed(journal: String) async throws {
    try await play(journal: journal) { driver, other in
      Self.askForChange(driver)
      try Self.execute("BEGIN IMMEDIATE; INSERT INTO person VALUES (5000, 'theirs')", other)
      driver.pressAtOnce("enter")
      driver.waitAtOnce { driver.screen.contains(Self.waiting) }
      try Self.execute("COMMIT", other)
      driver.settle()
      driver.screen.expectLine(beginning: "changed person, 3,001 rows counted")
    }
  }

  @Test("Esc stops a change whose rows are copied, and the file is the same") func escape() async throws {
    try await play(journal: "delete") { driver, other in
      Self.askForChange(driver)
      let before = try Self.contents(other)
      // A program that reads prevents the commit.
      try Self.execute("BEGIN; SELECT count(*) FROM person", other)
      driver.pressAtOnce("enter")
      driver.waitAtOnce { driver.screen.contains(Self.waiting) }
      Self.stop(driver, with: "escape")
      driver.screen.expectLine(beginning: "stopped: nothing was written")
      try Self.execute("COMMIT", other)
      #expect(try Self.contents(other) == before)
      try Self.expectChange(driver, other)
    }
  }

  @Test("a change that is stopped while rows are copied leaves the file the same", arguments: ["delete", "wal"])
  func copying(journal: String) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "PRAGMA journal_mode = \(journal)", "CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000) INSERT INTO t SELECT i, zeroblob(60) FROM n")
      let before = try Data(contentsOf: URL(filePath: path))
      let source = try SQLiteDataSource(path: path)
      var design = TableChange(of: try #require(try await source.design(of: "t").definition))
      design.new.columns[1].constraints = [ColumnConstraint(.notNull(onConflict: nil))]
      let plan = try await source.plan(design).plan
      let run = Mutex<Task<TableChangeResult, any Error>?>(nil)
      @Sendable func stop() { run.withLock { $0?.cancel() } }
      let change: @Sendable () async throws -> TableChangeResult = {
        try await source.run(plan) { progress in
          // Half of the rows are copied, more than fit into the cache.
          if case .copying(rows: 30_000..., of: _) = progress { stop() }
        }
      }
      run.withLock { $0 = Task(operation: change) }
      let task = try #require(run.withLock { $0 })
      await #expect(throws: (any Error).self) { try await task.value }
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
      #expect(try await source.run(plan) { _ in }.rows == 60_000)
    }
  }
}
