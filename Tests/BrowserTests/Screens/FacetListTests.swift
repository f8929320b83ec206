import Browser
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("The lines of facets", .gated) struct FacetListTests {
  private static func facet(_ column: String, _ values: [String]) -> Facet {
    Facet(
      column: column, rows: values.count, nulls: 0, distinct: .exact(values.count),
      content: .values(values.map { ValueCount(.value(.text($0)), 1) }))
  }

  @Test("The cursor comes back to its value and its row once counts that have only begun have that value")
  func partialCounts() {
    let columns = ["genre", "name"]
    let whole = [Self.facet("genre", ["Rock", "Jazz", "Pop"]), Self.facet("name", ["A", "B", "C"])]
    func show(_ facets: [Facet], in list: inout FacetList) {
      list.show(columns, facet: { column in facets.first { $0.column == column } }, chosen: { _ in [] })
    }
    var list = FacetList(height: 4)
    show(whole, in: &list)
    list.move(by: 4)
    let (line, row) = (list.currentLine, list.cursor.index - list.cursor.top)
    #expect(line?.content == .value(.value(.text("B")), 1))
    show([Self.facet("genre", ["Jazz"])], in: &list)
    #expect(list.currentLine != line)
    show(whole, in: &list)
    #expect(list.currentLine == line && list.cursor.index - list.cursor.top == row)
  }
}
