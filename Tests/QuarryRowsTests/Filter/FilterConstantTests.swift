import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("A condition without columns", .gated) struct FilterConstantTests {
  private static let columns = FilterColumns([
    FilterColumn("year", type: .integer), FilterColumn("2022", type: .integer),
  ])

  @Test("is accepted with a hint, unless it is a customary way to write true")
  func hints() throws {
    func hints(_ text: String) throws -> [String] { try Filter.compile(text, columns: Self.columns).advice.map(\.sentence) }
    #expect(try hints("2021 > 13") == ["2021 > 13 is the same for every row, because it names no column."])
    #expect(try hints("year = 1 or 3 <= 2") == ["3 <= 2 is the same for every row, because it names no column."])
    #expect(try hints("1 = 1 and year > 3") == [])
    #expect(try hints("\"2022\" > 3") == [])
  }

  @Test(
    "is refused where a number is also the name of a column",
    arguments: [
      ("2022 > 13", "\"2022\" > 13"), ("13 < 2022 and year > 1", "13 < \"2022\" and year > 1"), ("2022 in (1, 2)", "\"2022\" in (1, 2)"),
      ("2022 between 1 and 3", "\"2022\" between 1 and 3"),
    ])
  func names(text: String, mended: String) throws {
    let faults = #expect(throws: FilterErrors.self) { try Filter.compile(text, columns: Self.columns) }
    let error = try #require(faults?.errors.first)
    #expect(error.sentence == "2022 is a number here, not the column of this name.")
    #expect(error.replacements.map { $0.applied(to: text) } == [mended])
  }
}
