import Browser
import QuarryEngine
import QuarryRows
import Terminal
import TestSupport
import Testing

/// The whole browser on a data source that is no SQLite file.
@Suite(.gated) struct MemorySourceTests {
  private let source = MemorySource(tables: [
    MemorySource.Table(
      name: "planet", columns: ["id", "name", "star"],
      rows: (1...300).map { [.integer(Int64($0)), .text("planet \($0)"), .integer(Int64($0 % 3 + 1))] }, reference: ("star", "star")),
    MemorySource.Table(
      name: "star", columns: ["id", "name"], rows: ["Sol", "Vega", "Rigel"].enumerated().map { [.integer(Int64($0 + 1)), .text($1)] }),
  ])

  private func play(_ body: @escaping @Sendable (SessionDriver) throws -> Void) async throws {
    try await onOwnThread { [source] in try body(SessionDriver(source: source)) }
  }

  private static func name(_ driver: SessionDriver) -> CellValue? { driver.browser.grid?.currentRow?.cells[1] }

  private static func text(_ text: String) -> CellValue { .text(text, byteCount: text.utf8.count, isValid: true) }

  @Test func `its tables are listed with their counts, and its rows are moved in, sorted and searched`() async throws {
    try await play { driver in
      driver.screen.expectLine("planet · 300 rows")
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
      driver.screen.expectLine("planet where star = 3 · 100 rows")
      driver.press("ctrl-o ctrl-o")
      #expect(Self.name(driver) == Self.text("planet 2"))
      driver.press("enter")
      driver.screen.expectLine("╭─ planet · row 2 of 300")
      driver.press("]")
      driver.screen.expectLine("planet 3")
      driver.press("escape i")
      #expect(driver.screen.contains("Foreign keys") || driver.screen.contains("star"), "\(driver.screen)")
    }
  }

  @Test func `what it cannot do it says, and what was on the screen stays`() async throws {
    try await play { driver in
      driver.press("tab")
      for key in ["&", "f", "=", "!", "f6"] {
        driver.press(key)
        driver.screen.expectLine("this data source does not support filters", "\(key): \(driver.screen)")
        driver.press("j")
      }
      #expect(!driver.screen.contains("& filter"), "\(driver.screen)")
      #expect(driver.browser.grid?.total == .exact(300))
      driver.press("g x")
      driver.screen.expectLine("this data source has no query plans")
      driver.press("f4")
      driver.type("SELECT 1")
      driver.press("f5")
      driver.screen.expectLine("this data source does not run SQL statements")
      driver.press("alt-l")
      driver.screen.expectLine("this data source has no query plans")
    }
  }

  @Test func `what others write to it is shown in place, with the cursor on its row`() async throws {
    try await play { [source] driver in
      driver.press("tab 1 0 G")
      source.write(to: "planet") { table in
        table.rows.removeFirst(5)
        table.rows[4][1] = "Tatooine"
      }
      driver.wait { driver.screen.contains("Tatooine") && driver.screen.contains("row 5 of 295") }
      #expect(driver.browser.grid?.currentRow?.cells.first == .integer(10), "\(driver.screen)")
      #expect(driver.browser.workspace.count(of: TableReference(name: "planet")) == .exact(295))
    }
  }
}
