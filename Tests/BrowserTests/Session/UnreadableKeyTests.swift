import Browser
import QuarryEngine
import TestSupport
import Testing

@Suite("A table WITHOUT ROWID in whose key a text is not valid UTF-8")
struct UnreadableKeyTests {
  private func play(_ key: String, _ body: @escaping @Sendable (SessionDriver) throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE w(k TEXT PRIMARY KEY, v) WITHOUT ROWID",
        "WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 900) INSERT INTO w SELECT printf('k%04d', i), 'row ' || i FROM n",
        "INSERT INTO w VALUES (CAST(x'\(key)' AS TEXT), 'odd')")
      try await onOwnThread {
        let driver = try SessionDriver(path: path)
        driver.open(TableReference(name: "w"))
        try body(driver)
      }
    }
  }

  @Test("is shown where the text comes first")
  func first() async throws {
    try await play("61ff") { driver in
      driver.screen.expectLine("odd")
      #expect(driver.screen.contains("row 1 "), "\(driver.screen)")
      driver.press("G")
      driver.screen.expectLine("row 900")
    }
  }

  @Test("is shown where the text comes last")
  func last() async throws {
    try await play("ff41") { driver in
      #expect(driver.screen.contains("row 1 "), "\(driver.screen)")
      driver.press("G")
      driver.settle()
      driver.press("G")
      driver.screen.expectLine("odd")
    }
  }
}
