import QuarryEngine
import QuarryRows
import Testing

/// Columns behind a qualifier: `old.Total`, `new.Total`.
@Suite struct QualifiedColumnsTests {
  private static let columns = FilterColumns(
    [
      FilterColumn("old.Total", type: .real), FilterColumn("new.Total", type: .real), FilterColumn("new.Country", type: .text),
      FilterColumn("new.Word Mark", type: .text), FilterColumn("new.order", type: .integer), FilterColumn("new.data", type: .text),
    ], qualifiers: ["old", "new"])

  private func sql(_ text: String) throws -> String? { try Filter.compile(text, columns: Self.columns).sqlText?.queryString }

  @Test func `a qualified name needs no quotes`() throws {
    #expect(try sql("new.Country = 'US'") == #"("new.Country" = 'US')"#)
    #expect(try sql("OLD.total > 5 and New.Total <= 3") == #"(("old.Total" > 5) AND ("new.Total" <= 3))"#)
    #expect(try sql("new.Total > old.Total") == #"("new.Total" > "old.Total")"#)
    #expect(try sql("\"new.Word Mark\" ~ x")?.hasPrefix(#"("new.Word Mark" LIKE '%x%'"#) == true)
    #expect(try sql("new.order between 1 and 2") == #"("new.order" BETWEEN 1 AND 2)"#)
  }

  @Test func `a name without its qualifier is a fault that offers both`() throws {
    let error = #expect(throws: FilterErrors.self) { try sql("Total > 5") }
    #expect(error?.errors.first?.replacements.map { $0.applied(to: "Total > 5") } == ["old.Total > 5", "new.Total > 5"])
    #expect(throws: FilterErrors.self) { try sql("new.Country = 3") }
    #expect(throws: FilterErrors.self) { try sql("new. = 3") }
  }

  @Test func `completions are written with the qualifier`() {
    let text = "new.c"
    let items = Filter.completions(of: text, at: text.utf8.count, columns: Self.columns).items
    #expect(items.map(\.text) == ["new.Country"])
    #expect(items.first?.range == 0..<5)
    let all = Filter.completions(of: "new.", at: 4, columns: Self.columns).items.filter { $0.kind == .column }
    #expect(all.map(\.text) == ["new.Total", "new.Country", "\"new.Word Mark\"", "new.order", "new.data"])
  }

  @Test func `in other rows the words have no meaning`() {
    let columns = FilterColumns([FilterColumn("new", type: .integer), FilterColumn("Country", type: .text)])
    #expect(throws: FilterErrors.self) { try Filter.compile("new.Country = 'US'", columns: columns) }
  }
}
