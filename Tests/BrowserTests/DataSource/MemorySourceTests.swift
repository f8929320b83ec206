import QuarryEngine
import Terminal
import Testing

@testable import Browser

/// The whole browser on a data source that is no SQLite file.
@Suite struct MemorySourceTests {
  private static let source = MemorySource(tables: [
    MemorySource.Table(
      name: "planet", columns: ["id", "name", "star"],
      rows: (1...300).map { [.integer(Int64($0)), .text("planet \($0)"), .integer(Int64($0 % 3 + 1))] }, reference: ("star", "star")),
    MemorySource.Table(
      name: "star", columns: ["id", "name"], rows: ["Sol", "Vega", "Rigel"].enumerated().map { [.integer(Int64($0 + 1)), .text($1)] }),
  ])

  private func play(_ body: @escaping @Sendable (SessionDriver) throws -> Void) async throws {
    try await onOwnThread { try body(SessionDriver(source: Self.source)) }
  }

  private static func name(_ driver: SessionDriver) -> CellValue? { driver.browser.grid?.currentRow?.cells[1] }

  private static func text(_ text: String) -> CellValue { .text(text, byteCount: text.utf8.count, isValid: true) }

  @Test func `its tables are listed with their counts, and its rows are moved in, sorted and searched`() async throws {
    try await play { driver in
      #expect(driver.screen.contains("planet · 300 rows"), "\(driver.screen)")
      #expect(driver.browser.workspace.count(of: TableReference(name: "star")) == .exact(3))
      driver.press("tab G")
      #expect(Self.name(driver) == Self.text("planet 300"), "\(driver.screen)")
      driver.press("1 2 0 G")
      #expect(Self.name(driver) == Self.text("planet 120"))
      driver.press("g g")
      driver.press("l s s")
      #expect(Self.name(driver) == Self.text("planet 99"), "\(driver.screen)")
      driver.press("g S /")
      driver.type("planet 250")
      driver.press("enter")
      #expect(Self.name(driver) == Self.text("planet 250"))
    }
  }

  @Test func `foreign keys are followed there and back, and a row is shown as a record`() async throws {
    try await play { driver in
      driver.press("tab j l l g d")
      #expect(Self.name(driver) == Self.text("Rigel"), "\(driver.screen)")
      driver.press("g r")
      #expect(driver.screen.contains("planet where star = 3 · 100 rows"), "\(driver.screen)")
      driver.press("ctrl-o ctrl-o")
      #expect(Self.name(driver) == Self.text("planet 2"))
      driver.press("enter")
      #expect(driver.screen.contains("╭─ planet"), "\(driver.screen)")
      driver.press("]")
      #expect(driver.screen.contains("planet 3"))
      driver.press("escape i")
      #expect(driver.screen.contains("Foreign keys") || driver.screen.contains("star"), "\(driver.screen)")
    }
  }

  @Test func `what it cannot do it says, and what was on the screen stays`() async throws {
    try await play { driver in
      driver.press("tab &")
      driver.type("id > 3")
      driver.press("enter")
      #expect(driver.screen.contains("rows in memory take no filter"), "\(driver.screen)")
      #expect(driver.browser.grid?.total == .exact(300))
      driver.press("escape f4")
      driver.type("SELECT 1")
      driver.press("f5")
      #expect(driver.screen.contains("memory runs no statements"), "\(driver.screen)")
      driver.press("alt-l")
      #expect(driver.screen.contains("memory does not tell how it would run a statement"), "\(driver.screen)")
    }
  }
}
