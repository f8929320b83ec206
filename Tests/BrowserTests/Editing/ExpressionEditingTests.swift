import Browser
import QuarryChanges
import QuarryEngine
import QuarryRows
import Terminal
import TestSupport
import Testing

@Suite("An expression for cells", .gated)
struct ExpressionEditingTests {
  private static let person = TableReference(name: "person")

  private static func value(_ column: String, _ row: StagedRowID, _ driver: SessionDriver) -> StagedValue? {
    driver.browser.workspace.staged.value(of: column, in: row, of: person)
  }

  /// Enters an expression for the cell under the cursor, or for the selection.
  private static func enter(_ expression: String, _ driver: SessionDriver) {
    driver.press("e")
    driver.type(expression)
    driver.press("enter")
  }

  @Test("is computed for a new row of the selection too")
  func selectionWithNewRow() async throws {
    try await StagingTests.play { driver, _ in
      driver.press("o")
      Self.enter("Ken", driver)
      let new = StagedRowID.new(try #require(driver.browser.workspace.staged.newRows(of: Self.person).first))
      driver.press("g g")
      driver.press("V")
      driver.press("G")
      Self.enter("=upper(name)", driver)
      #expect(Self.value("name", .stored(.rowID(1)), driver) == .value("ADA"), "\(driver.screen)")
      #expect(Self.value("name", new, driver) == .value("KEN"))
      driver.screen.expectLine("staged: name of 4 rows")
    }
  }

  @Test("is computed over a staged value, and over that of another column")
  func stagedValue() async throws {
    try await StagingTests.play { driver, _ in
      let row = StagedRowID.stored(.rowID(1))
      driver.press("l l")
      Self.enter("10", driver)
      driver.press("e")
      driver.type("=age * 2")
      driver.screen.expectLine("10 → 20")
      driver.press("enter")
      #expect(Self.value("age", row, driver) == .value(20), "\(driver.screen)")
      driver.press("l")
      Self.enter("=age + 1", driver)
      #expect(Self.value("note", row, driver) == .value(21), "\(driver.screen)")
    }
  }

  @Test("previews staged values for all rows of a column")
  func previewOfColumn() async throws {
    try await StagingTests.play { driver, _ in
      driver.press("l l")
      Self.enter("10", driver)
      driver.press(":")
      driver.type("edit-column")
      driver.press("enter")
      driver.type("=age * 2")
      driver.screen.expectLine("10 → 20")
      driver.screen.expectLine("85 → 170")
      driver.press("enter")
      #expect(Self.value("age", .stored(.rowID(1)), driver) == .value(20), "\(driver.screen)")
      #expect(Self.value("age", .stored(.rowID(2)), driver) == .value(170))
    }
  }

  @Test("NULL, a paste and an expression go into a single new row")
  func newRow() async throws {
    try await StagingTests.play { driver, _ in
      driver.press("o")
      let new = StagedRowID.new(try #require(driver.browser.workspace.staged.newRows(of: Self.person).first))
      driver.send([.paste("Ken")])
      #expect(Self.value("name", new, driver) == .value("Ken"), "\(driver.screen)")
      driver.press("e")
      driver.type("=upper(name)")
      driver.screen.expectLine("'Ken' → 'KEN'")
      driver.press("enter")
      #expect(Self.value("name", new, driver) == .value("KEN"), "\(driver.screen)")
      driver.press("l")
      Self.enter("7", driver)
      driver.press("g n")
      driver.screen.expectLine("staged: age of 1 row")
      #expect(Self.value("age", new, driver) == .value(.null))
    }
  }

  @Test("is refused where only the commit determines a value, and is kept in the field")
  func unknownValue() async throws {
    try await StagingTests.play { driver, _ in
      driver.press("o")
      Self.enter("Ken", driver)
      driver.press("l")
      Self.enter("=id * 2", driver)
      #expect(driver.screen.contains("the value of id is not known"), "\(driver.screen)")
      #expect(driver.browser.top(CellEditor.self)?.editor.text == "=id * 2", "\(driver.screen)")
      #expect(driver.browser.workspace.staged.rows(of: Self.person).map(\.change) == [.inserted(["name": "Ken"])])
    }
  }
}
