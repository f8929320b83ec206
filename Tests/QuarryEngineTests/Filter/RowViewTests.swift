import QuarryEngine
import Testing

@Suite struct RowViewTests {
  private static let columns = FilterColumns([FilterColumn("id", type: .integer), FilterColumn("title", type: .text)])
  private static let songs = RowSet(.table(TableReference(name: "song")))

  @Test("A view is compiled once, and gives the rows, the marks and the SQL of both its texts")
  func compiled() throws {
    let view = RowView(filter: "id > :least", sort: "-title, length(title)", arguments: [":least": .integer(3)])
    let compiled = try view.compiled(for: Self.columns)
    #expect(compiled.isComplete && !compiled.isPlain)
    #expect(compiled.applied(to: Self.songs).sqlText.queryString == "SELECT * FROM song WHERE (id > 3) ORDER BY title DESC, length(title)")
    #expect(compiled.queryString(of: .sort) == "title DESC, length(title)")
    let result = [RowSetColumn(name: "TITLE", schema: nil)]
    #expect(
      compiled.marks(in: result) == [
        OrderMark(column: 0, name: "title", isDescending: true), OrderMark(column: nil, name: "length(title)", isDescending: false),
      ])
  }

  @Test("A view without texts shows all rows, and one whose parameter has no value is not complete")
  func plain() throws {
    let plain = try RowView(filter: " ", sort: "\n").compiled(for: Self.columns)
    #expect(plain.isPlain && plain.view.isPlain && plain.applied(to: Self.songs) == Self.songs)
    #expect(try !RowView(filter: "id > :least").compiled(for: Self.columns).isComplete)
  }

  @Test("An error names the text that is wrong", arguments: [RowView.Text.filter, .sort])
  func wrong(text: RowView.Text) throws {
    var view = RowView(filter: "id = 1", sort: "id")
    view[text] = "nowhere"
    if text == .filter { view[text] += " = 1" }
    let error = try #require(throws: RowViewError.self) { try view.compiled(for: Self.columns) }
    #expect(error.text == text && error.faults.errors.count == 1)
  }
}
