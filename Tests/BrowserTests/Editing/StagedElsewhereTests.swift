import Browser
import QuarryEngine
import TestSupport
import Testing

@Suite("Changes of a table that is not shown", .gated)
struct StagedElsewhereTests {
  @Test("are counted in the title wherever one is, and marked in the catalog; q ends the program from there")
  func title() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE pet(id INTEGER PRIMARY KEY, name TEXT)", "CREATE TABLE town(id INTEGER PRIMARY KEY, name TEXT)",
        "INSERT INTO pet VALUES (1, 'Rex')", "INSERT INTO town VALUES (1, 'Bonn')")
      try await onOwnThread {
        let driver = try SessionDriver(path: path)
        func title() -> String { String(driver.screen.split(separator: "\n").first ?? "") }
        driver.press("enter l e")
        driver.type("Max")
        driver.press("enter")
        #expect(title().contains("1 change") && !title().contains("staged in"), "\(driver.screen)")
        driver.press("ctrl-p")
        driver.type("town")
        driver.press("enter")
        #expect(title().contains("town") && title().contains("1 change staged in pet"), "\(driver.screen)")
        #expect(driver.screen.contains("~ pet") || driver.screen.contains("~pet"), "\(driver.screen)")
        driver.press("f4")
        #expect(title().contains("1 change staged in pet"), "\(driver.screen)")
      }
    }
  }
}
