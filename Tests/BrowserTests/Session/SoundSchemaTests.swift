import Browser
import QuarryEngine
import TestSupport
import Testing

@Suite("Files whose schema calls SQLite's own functions", .gated)
struct SoundSchemaTests {
  @Test("they are read on the screen, and written by the editor", arguments: SoundSchema.all)
  func readAndWritten(schema: SoundSchema) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, schema.setup)
      try await onOwnThread {
        let driver = try SessionDriver(path: path)
        driver.open(TableReference(name: schema.table))
        #expect(driver.screen.contains(" of \(schema.before.count)"))
        #expect(driver.browser.grid?.currentRow != nil)
        driver.press("f4")
        driver.type(schema.insertion)
        driver.press("f5")
        #expect(driver.screen.contains("1 row changed") || driver.screen.contains("transaction"), "\(driver.screen)")
        driver.press("f10")
        driver.type("commit")
        driver.press("enter")
        #expect(
          try DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(schema.table)") } == schema.after.count)
      }
    }
  }
}
