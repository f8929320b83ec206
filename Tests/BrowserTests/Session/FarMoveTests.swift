import Browser
import QuarryRows
import TestSupport
import Testing

@Suite("Far moves while other rows are on their way", .gated)
struct FarMoveTests {
  @Test(
    "a row asked for right after the filter was dropped is a row of all of them",
    arguments: [("9 0 G", 90), ("G", 100), ("5 G g g", 1), ("5 0 0 G", 100)])
  func unfiltered(keys: String, id: Int64) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE t(id INTEGER PRIMARY KEY)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) INSERT INTO t SELECT i FROM n")
      try await onOwnThread {
        let driver = try SessionDriver(path: path)
        driver.play(["tab &", "'id between 11 and 20'", "enter G"])
        driver.screen.expectLine("row 10 of 10")
        driver.pressAtOnce("g F \(keys)")
        #expect(driver.browser.notice == nil)
        driver.settle()
        #expect(driver.browser.grid?.currentRow?.cells.first == .integer(id), "\(driver.screen)")
        #expect(driver.screen.contains("the last row is 100") == (keys == "5 0 0 G"), "\(driver.screen)")
      }
    }
  }
}
