import Browser
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("A filter that is being written", .gated)
struct FilterSessionTests {
  private static let fault = TextRemark("there is no column foo", in: 0..<3, mended: ["id = 1"])
  private static let parameter = FormParameter(identity: ":min", token: ":min", typeName: "integer")

  /// A session in which a text has been written under a grid.
  private static func writing(_ text: String, under grid: GridPane) -> FilterSession {
    var filter = FilterSession()
    #expect(filter.begin(.filter, of: grid.view, under: grid) == true)
    filter.change { $0.replaceText(text) }
    return filter
  }

  @Test("is open under the grid that it was begun under, and goes with the rows that replace it")
  func place() {
    var filter = Self.writing("id = 1", under: RowsFixture.grid(1))
    let (first, second) = (GridID(number: 1), GridID(number: 2))
    #expect(filter.isOpen(under: first) && !filter.isOpen(under: second) && !filter.isOpen(under: nil))
    #expect(!filter.bar(under: second).isTyping)
    filter.move(from: first, to: second)
    #expect(filter.isOpen(under: second) && !filter.isOpen(under: first))
    filter.close()
    #expect(!filter.isOpen(under: second))
  }

  @Test("begun again with the same text in force stays as it is, with the other one it begins anew")
  func beginning() {
    let grid = RowsFixture.grid(view: RowView(filter: "id > 1", sort: "title"))
    var filter = Self.writing("id > 12", under: grid)
    #expect(filter.begin(.filter, of: grid.view, under: grid) == false)
    #expect(filter.bar.field.text == "id > 12")
    #expect(filter.begin(.sort, of: grid.view, under: grid) == true)
    #expect(filter.bar.field.text == "title" && filter.bar.origin.view == grid.view)
  }

  @Test("its draft is the view in force with the text in its place; of a grid under which nothing is written, the view itself")
  func draft() {
    let grid = RowsFixture.grid(view: RowView(filter: "id > 1", sort: "title"))
    let filter = Self.writing("id = 7", under: grid)
    #expect(filter.draft(of: grid) == RowView(filter: "id = 7", sort: "title"))
    let other = RowsFixture.grid(2, view: RowView(filter: "length > 3"))
    #expect(filter.draft(of: other) == other.view)
  }

  @Test("Enter waits for the report on the text, and the report of another text counts for nothing")
  func waiting() {
    let workspace = RowsFixture.workspace()
    let grid = RowsFixture.grid()
    var filter = Self.writing("id = 7", under: grid)
    #expect(filter.apply(over: grid) == .awaited && filter.bar.isApplyAwaited)
    #expect(filter.receive(.sound, on: RowView(filter: "id = "), of: grid.id, in: workspace) == false)
    #expect(filter.apply(over: grid) == .awaited)
    #expect(filter.receive(.sound, on: RowView(filter: "id = 7"), of: grid.id, in: workspace) == true)
    #expect(filter.apply(over: grid) == .applied(RowView(filter: "id = 7")) && !filter.bar.isApplyAwaited)
  }

  @Test("Enter refuses a text with a fault, and asks for parameters without a value")
  func applying() {
    let workspace = RowsFixture.workspace()
    var grid = RowsFixture.grid()
    var filter = Self.writing("foo > :min", under: grid)
    let wrong = ViewReport(Self.fault)
    #expect(filter.receive(wrong, on: filter.draft(of: grid), of: grid.id, in: workspace) == true)
    #expect(filter.apply(over: grid) == .refused(Self.fault, wrong))
    var right = ViewReport.sound
    right.parameters = [Self.parameter]
    #expect(filter.receive(right, on: filter.draft(of: grid), of: grid.id, in: workspace) == true)
    #expect(filter.apply(over: grid) == .asks([Self.parameter]))
    grid = RowsFixture.grid(view: RowView(arguments: [":min": 3]))
    filter = Self.writing("id > :min", under: grid)
    #expect(filter.receive(right, on: filter.draft(of: grid), of: grid.id, in: RowsFixture.workspace(grid)) == true)
    #expect(filter.apply(over: grid) == .applied(RowView(filter: "id > :min", arguments: [":min": 3])))
  }

  @Test("one completion alone is taken at once where it was asked for, several are a list")
  func completions() {
    let workspace = RowsFixture.workspace()
    let grid = RowsFixture.grid()
    var filter = Self.writing("ti", under: grid)
    let draft = filter.draft(of: grid)
    let items = ["title", "time"].map { Completion(label: $0, detail: "text", range: 0..<2, replacement: $0) }
    #expect(filter.receive([items[0]], completing: draft, at: 2, in: workspace) == items[0])
    #expect(filter.receive(items, completing: draft, at: 2, in: workspace) == nil)
    #expect(filter.bar.completions?.items == items)
    filter.change { $0.replaceText("tit") }
    #expect(filter.receive([items[0]], completing: draft, at: 2, in: workspace) == nil, "the text is another one by now")
  }

  @Test("every change of the text is checked, in the view that it would give")
  func checking() {
    let (checked, remembered) = RowsFixture.write("id = 7")
    #expect(checked == [RowView(filter: "id = 7")])
    #expect(remembered == ["id = 7"])
  }
}
