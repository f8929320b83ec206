import Browser
import Foundation
import QuarryRows
import Terminal
import TestSupport
import Testing

@Suite("Scripts of more statements than have a tab each", .gated)
struct LongScriptTests {
  private func play(_ script: String, _ body: @escaping @Sendable (SessionDriver) throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE letter(id INTEGER PRIMARY KEY)")
      try await onOwnThread {
        let driver = try SessionDriver(path: path)
        driver.press("f4")
        driver.send([.paste(script)])
        try body(driver)
      }
    }
  }

  @Test("the last results are kept, and what reads the rows of the others is let go")
  func limit() async throws {
    let count = ResultTabs.limit + 50
    try await play((1...count).map { "SELECT \($0) AS n;\n" }.joined()) { driver in
      let openBefore = driver.session.services.openSets.count
      driver.press("shift-f5")
      let results = driver.browser.rows.results
      #expect(results.tabs.count == ResultTabs.limit)
      #expect(results.earlierCount == 50)
      #expect(results.tabs.first?.title == "SELECT 51 AS n;")
      #expect(driver.browser.grid?.window.rows.first?.cells == [.integer(Int64(count))])
      #expect(driver.session.services.openSets.count == openBefore + ResultTabs.limit)
      #expect(driver.browser.notice?.text.contains("only the last \(ResultTabs.limit) results are available;") == true, "\(driver.screen)")
      driver.press("shift-f5")
      #expect(driver.session.services.openSets.count == openBefore + ResultTabs.limit)
    }
  }

  @Test("rows that no tab will keep are read and counted, and what reads them is not opened")
  func unkeptRows() async throws {
    let count = ResultTabs.limit + 100
    let script = (1...count).map { $0 == 50 ? "SELECT abs(-9223372036854775808);\n" : "SELECT \($0) AS n UNION ALL SELECT 0;\n" }
    try await play(script.joined()) { driver in
      let openBefore = driver.session.services.openSets.count
      driver.press("shift-f5")
      let results = driver.browser.rows.results
      let fault = if case .failed(let fault)? = results.tabs.last?.content { fault.sentence } else { "" }
      #expect(fault.hasPrefix("statement 50 of \(count): integer overflow"), "\(driver.screen)")
      #expect(results.tabs.dropLast().map(\.content) == Array(repeating: .read(count: 2, isAll: true), count: 49))
      #expect(driver.session.services.openSets.count == openBefore)
      driver.press("escape")
      driver.press("g T")
      driver.screen.expectLine(beginning: "2 rows in")
      #expect(driver.screen.contains("run this statement alone to see them"), "\(driver.screen)")
    }
  }

  @Test("the tab that is shown is on the line of tabs, with its number")
  func sight() async throws {
    try await play((1...30).map { "SELECT \($0) AS n;\n" }.joined()) { driver in
      driver.press("shift-f5")
      // With how long it took, which the line in the editor does not have.
      #expect(driver.screen.contains(#/30 SELECT 30 AS n; \d/#), "\(driver.screen)")
      #expect(driver.browser.rows.results.earlierCount == 0)
      #expect(driver.browser.notice?.text.contains("kept") == false)
    }
  }
}
