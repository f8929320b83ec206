import Browser
import Foundation
import QuarryChanges
import QuarryEngine
import TestSupport
import Testing

@Suite("Statements whose changes are too large to be recorded", .gated)
struct RecordLimitTests {
  private static func play(_ body: @escaping @Sendable (SessionDriver, DatabaseQueue) throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT)",
        "WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 400) INSERT INTO person SELECT i, hex(zeroblob(50)) FROM n")
      let changes = ChangeLogFolder(path: folder.appendingPathComponent("changes").path, limit: 10_000)
      try await onOwnThread {
        let driver = try SessionDriver(path: path, changes: changes)
        driver.press("f4")
        try body(driver, try DatabaseQueue(path: path))
      }
    }
  }

  private static func changedRows(_ other: DatabaseQueue) throws -> Int? {
    try other.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM person WHERE name = 'x'") }
  }

  @Test("are run without a record only where the person says so")
  func choice() async throws {
    try await Self.play { driver, other in
      driver.type("UPDATE person SET name = 'x' WHERE id > 0")
      driver.press("f5")
      driver.screen.expectLine("The changes are too large to be recorded")
      driver.press("enter")
      #expect(!driver.screen.contains("not committed yet"), "\(driver.screen)")
      driver.press("f5")
      driver.press("down enter")
      driver.screen.expectLine("400 rows changed, not committed yet")
      var count = try Self.changedRows(other)
      #expect(count == 0)
      driver.press("down enter")
      count = try Self.changedRows(other)
      #expect(count == 400, "\(driver.screen)")
    }
  }

  @Test("say which open transaction was rolled back with them")
  func transaction() async throws {
    try await Self.play { driver, other in
      driver.type("UPDATE person SET name = 'x' WHERE id < 3")
      driver.press("f5")
      driver.press("enter")
      driver.press("home ctrl-k")
      driver.type("UPDATE person SET name = 'x' WHERE id > 3")
      driver.press("f5")
      driver.screen.expectLine("--no-changes, which cannot be undone; the transaction that was open was")
      driver.screen.expectLine("rolled back: 2 rows changed")
    }
  }
}
