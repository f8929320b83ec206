import QuarryEngine
import QuarryFiles
import QuarryRows
import Terminal
import TestSupport
import Testing

@testable import Browser

@Suite("Commands of the grid", .gated)
struct GridCommandTests {
  private var browser = BrowserFixture.openBrowser()
  private var id: GridID { browser.grid?.id ?? GridID(number: 0) }

  @Test("- hides the column, g- shows all again, and the last one cannot be hidden")
  mutating func hide() {
    for _ in 0..<4 { browser.press("-") }
    #expect(browser.grid?.layout.shown.count == 1)
    browser.press("-")
    browser.screen.expectLine("this is the only column shown")
    browser.press("g -")
    #expect(browser.grid?.layout.shown.count == 5)
  }

  @Test("frozen columns stay in sight when one goes to the right")
  mutating func freeze() {
    _ = browser.update(.eventArrived(.resized(Size(columns: 64, rows: 20))))
    browser.press("z f")
    browser.press("$")
    let slots = browser.grid?.layout.slots(width: browser.grid?.extent.columns ?? 0) ?? []
    #expect(slots.first?.column == 0)
    #expect(slots.contains { $0.column == 4 })
    #expect(slots.first?.isFrozen == true)
  }

  @Test("c goes to a column by a part of its name, a hidden one too")
  mutating func goToColumn() {
    browser.press("$")
    browser.press("-")
    browser.press("0")
    browser.press("c")
    browser.type("cov")
    browser.press("enter")
    #expect(browser.grid?.column == 4)
  }

  @Test("< and > change the width, _ fits it")
  mutating func widths() {
    browser.press("l")
    let before = browser.grid?.layout.widths[1] ?? 0
    browser.press("3 >")
    #expect(browser.grid?.layout.widths[1] == before + 6)
    browser.press("_")
    #expect(browser.grid?.layout.widths[1] == TextWidth.columns(of: "song 10"), "no cells for texts to come")
  }

  /// What is to be read for the clipboard, by what is to be done.
  private func copied(_ effects: [Effect]) -> [PrepareCopy] { effects.requests(PrepareCopy.self).map(\.request) }

  @Test("y copies the value, Y the row, gy in a format that is chosen")
  mutating func copy() {
    let value = PrepareCopy(grid: id, title: "id", tableName: "albums", content: .value(.rowID(1), column: 0))
    #expect(copied(browser.press("y")) == [value])
    let row = CopyContent.rows(from: .rowID(1), through: .rowID(1), columns: [0, 1, 2, 3, 4], format: .tsv)
    #expect(copied(browser.press("Y")) == [PrepareCopy(grid: id, title: "1 row as TSV", tableName: "albums", content: row)])
    browser.press("V")
    browser.press("j")
    browser.press("g y")
    browser.type("markdown")
    let rows = CopyContent.rows(from: .rowID(1), through: .rowID(2), columns: [0, 1, 2, 3, 4], format: .markdown)
    let wanted = PrepareCopy(grid: id, title: "2 rows as Markdown", tableName: "albums", content: rows, rows: 2)
    #expect(copied(browser.press("enter")) == [wanted])
  }

  @Test("a selection of cells is copied with its columns only, upwards too")
  mutating func cells() {
    browser.answer(CountRows.self, .success(.exact(1_000)))
    _ = browser.update(.eventArrived(.resized(Size(columns: 120, rows: 24))))
    browser.press("5 j")
    browser.press("l")
    browser.press("shift-right")
    browser.press("shift-up")
    browser.screen.expectLine("albums · 1,000 rows · 2 rows × 2 columns selected")
    #expect(copied(browser.press("ctrl-c")).first?.content == .rows(from: .rowID(5), through: .rowID(6), columns: [1, 2], format: .tsv))
  }

  @Test("find looks on from the row under the cursor, n and N again")
  mutating func find() {
    browser.press("/")
    browser.type("song 40")
    let request = FindRequest(needle: .text("song 40"), columns: [0, 1, 2, 3, 4], start: .rowID(1), isBackwards: false)
    #expect(browser.outstanding(FindRow.self).map(\.request) == [FindRow(grid: id, search: request)], "while it is typed")
    #expect(browser.press("enter").requests(FindRow.self).isEmpty)
    browser.screen.expectLine("searching…")
    browser.answer(FindRow.self, .success(RowMatch(key: .rowID(41), column: 1, wrapped: false)))
    #expect(browser.grid?.currentRow?.key == .rowID(41))
    #expect(browser.grid?.column == 1)
    let again = browser.press("N").requests(FindRow.self).first?.request.search
    #expect(again?.isBackwards == true && again?.needle == .text("song 40") && again?.start == .rowID(41))
    browser.answer(FindRow.self, .success(nil))
    browser.screen.expectLine("“song 40” was not found")
  }

  @Test("Esc in a search goes back to the row where it began, and to what was looked for before")
  mutating func searchGivenUp() {
    browser.press("2 j /")
    browser.type("song 40")
    browser.answer(FindRow.self, .success(RowMatch(key: .rowID(41), column: 1, wrapped: false)))
    #expect(browser.grid?.currentRow?.key == .rowID(41))
    browser.press("escape")
    #expect(browser.grid?.currentRow?.key == .rowID(3))
    #expect(browser.grid?.search.needle == nil)
    #expect(browser.grid?.column == 0)
  }

  @Test("the hits are counted beside the search, and n and N know their numbers without counting again")
  mutating func hits() {
    browser.press("/")
    browser.type("song 4")
    browser.answer(FindRow.self, .success(RowMatch(key: .rowID(5), column: 1, wrapped: false)))
    browser.report(CountHits.self, .total(.atLeast(9)))
    browser.screen.expectLine("≥ 9 hits · row 5")
    browser.report(CountHits.self, .place(0))
    browser.screen.expectLine("hit 1 of ≥ 9 · row 5")
    browser.report(CountHits.self, .total(.exact(11)))
    browser.press("enter n")
    browser.answer(FindRow.self, .success(RowMatch(key: .rowID(41), column: 1, wrapped: false)))
    browser.screen.expectLine("hit 2 of 11 · row 41")
    #expect(browser.outstanding(CountHits.self).isEmpty)
    browser.press("j")
    #expect(!browser.screen.contains("hit 2"))
    browser.press("/")
    browser.type("nowhere")
    browser.answer(FindRow.self, .success(nil))
    browser.screen.expectLine("no hit · row 42")
  }

  @Test("a search and a copy show how far they are, and ^C stops them")
  mutating func stopping() throws {
    browser.press("/")
    browser.type("none")
    browser.press("enter")
    let find = try #require(browser.outstanding(FindRow.self).last)
    browser.report(FindRow.self, RowProgress(rows: 250, total: 1_000, elapsed: .seconds(4)))
    browser.screen.expectLine("searching: 25 % read, 12 s left")
    #expect(browser.press("ctrl-c").contains(.cancel(find.id)))
    #expect(!browser.screen.contains("searching"))
    let next = try #require(browser.press("n").requests(FindRow.self).first)
    browser.screen.expectLine("searching…")
    #expect(browser.press("s").contains(.cancel(next.id)))
    #expect(!browser.screen.contains("searching"))
    browser.press("V")
    browser.press("9 j")
    let copy = try #require(browser.press("y").requests(PrepareCopy.self).first)
    #expect(copy.request.rows == 10)
    browser.screen.expectLine("copying…")
    browser.report(PrepareCopy.self, RowProgress(rows: 5, total: 10))
    browser.screen.expectLine("copying: 50 % read")
    #expect(browser.press("ctrl-c").contains(.cancel(copy.id)))
    #expect(browser.rows.opening.pending == nil)
    let text = CopyText(text: "1", title: "10 rows as TSV")
    #expect(browser.update(.answered(copy.id, .success(text))) == [])
    #expect(copied(browser.press("Y")).count == 1)
    #expect(browser.answer(PrepareCopy.self, .success(text)) == [.copyToClipboard(text)])
    #expect(!browser.screen.contains("copying"))
  }

  @Test("a count that was stopped asks for nothing that would begin it again, and a page that was stopped is not told of")
  mutating func stopped() throws {
    #expect(browser.answer(CountRows.self, .success(.atLeast(10))) == [])
    let page = try #require(browser.press("5 0 0 G").requests(LoadPage.self).first)
    let effects = browser.press("ctrl-c")
    #expect(effects.contains(.cancel(page.id)))
    #expect(effects.requests(CountRows.self).isEmpty && effects.requests(LoadPage.self).isEmpty)
    #expect(browser.update(.answered(page.id, .failure(.stopped))) == [])
    browser.screen.expectLine("stopped")
    #expect(!browser.requests.isBusy(atLeast: .background))
  }

  @Test("the rows that stay are counted to their end when others do not come")
  mutating func countedOn() {
    #expect(browser.press("s").requests(OpenRows.self).count == 1)
    browser.answer(CountRows.self, .success(.atLeast(10)))
    let effects = browser.answer(OpenRows.self, .failure(Problem("no such column: title")))
    #expect(effects.requests(CountRows.self).map(\.request.grid) == [id])
  }

  /// Presses a key that asks for the rows in another order, then others, and then has the rows come; returns what is done about it.
  private mutating func reorder(pressing keys: String) throws -> (grid: GridID, effects: [Effect]) {
    browser.press("s")
    let opened = try #require(browser.rows.opening.pending?.id)
    browser.press(keys)
    return (opened, browser.open(OpenedRows(page: BrowserFixture.page(0..<60, of: 1_000), cursor: .rowID(1))))
  }

  @Test("what is pressed while rows are put in another order holds when they come")
  mutating func followed() throws {
    _ = try reorder(pressing: "5 j")
    #expect(browser.grid?.currentRow?.key == .rowID(6))
    let (grid, effects) = try reorder(pressing: "5 0 0 G")
    #expect(browser.grid?.pending?.target == .number(499))
    let loads = effects.requests(LoadPage.self).map(\.request)
    #expect(loads.contains { $0.grid == grid && $0.request == browser.grid?.pending?.request })
  }

  @Test("a search makes way for rows in another order, and goes on in them")
  mutating func searchedOn() throws {
    browser.press("/")
    browser.type("song 40")
    browser.press("enter")
    let find = try #require(browser.outstanding(FindRow.self).last)
    let search = find.request.search
    #expect(browser.press("s").contains(.cancel(find.id)))
    #expect(browser.update(.answered(find.id, .failure(.stopped))) == [])
    let (grid, effects) = try reorder(pressing: "3 j")
    let wanted = FindRequest(needle: search.needle, columns: search.columns, start: .rowID(4), isBackwards: false)
    #expect(effects.requests(FindRow.self).map(\.request) == [FindRow(grid: grid, search: wanted)])
    browser.screen.expectLine(beginning: "searching")
  }

  @Test("an opening that has been given up is let go of when it comes")
  mutating func givenUp() throws {
    let first = try #require(browser.press("s").requests(OpenRows.self).first)
    browser.press("s")
    var rows = OpenedRows(page: BrowserFixture.page(0..<60, of: 1_000))
    rows.grid = first.request.grid
    #expect(browser.update(.answered(first.id, .success(rows))) == [.call(IssuedCall(call: ForgetRows(grid: rows.grid)))])
  }

  @Test("gd follows a foreign key, and says why it cannot")
  mutating func follow() {
    browser.press("2 l")
    let opened = browser.press("g d").requests(OpenRows.self).first?.request
    #expect(opened?.rowSet == RowSet(.table(TableReference(name: "albums"))))
    #expect(opened?.place == .matching([ColumnMatch(column: "id", value: .integer(7))]))
    browser.answer(OpenRows.self, .failure(Problem("there is no row with id = 7")))
    browser.screen.expectLine("there is no row with id = 7")
    #expect(browser.grid?.id == id)
    browser.press("3 j")
    browser.press("g d")
    browser.screen.expectLine("album_id is NULL in this row, so it references no row")
    browser.press("h")
    browser.press("g d")
    browser.screen.expectLine("title is not a foreign key: foreign keys are marked with →")
  }

  @Test("gr offers the tables that refer here, and ^O comes back to the same row")
  mutating func references() {
    browser.press("4 j")
    let asked = browser.press("g r").requests(LoadReferences.self).map(\.request)
    #expect(asked == [LoadReferences(table: TableReference(name: "albums"))])
    let key = ForeignKeySchema(
      columns: ["album"], table: TableReference(name: "albums"), referencedColumns: ["id"], onDelete: "NO ACTION", onUpdate: "NO ACTION")
    let references = ["tracks", "prizes"].map { InboundReference(table: TableReference(name: $0), key: key) }
    browser.answer(LoadReferences.self, .success(references))
    browser.screen.expectLine("prizes")
    browser.press("down")
    let opened = browser.press("enter").requests(OpenRows.self).first?.request
    #expect(opened?.rowSet.matching == [ColumnMatch(column: "album", value: .integer(5))])
    browser.open(OpenedRows(schema: nil, page: BrowserFixture.page(0..<2, of: 2)))
    browser.screen.expectLine("prizes where album = 5 · 2 rows")
    browser.press("ctrl-o")
    #expect(browser.grid?.currentRow?.key == .rowID(5))
    browser.press("g o")
    #expect(browser.grid?.title == "prizes where album = 5")
  }

  @Test("an unknown key says so and does nothing")
  mutating func unknown() {
    #expect(browser.press("z z").isEmpty)
    browser.screen.expectLine("zz is not bound here: z lists the keys that may follow")
  }
}

@Suite("The names of the rows that foreign keys refer to", .gated)
struct ColumnNamesTests {
  @Test("of one table are not taken for those of another, and are not asked for twice")
  func answers() throws {
    let environment = BrowserFixture.openBrowser().environment
    func grid(_ table: String) throws -> GridPane {
      var schema = BrowserFixture.schema
      schema.foreignKeys = [
        ForeignKeySchema(columns: ["k"], table: TableReference(name: table), referencedColumns: ["id"], onDelete: "", onUpdate: "")
      ]
      var browser = BrowserFixture.browser()
      _ = browser.start()
      browser.answer(LoadCatalog.self, .success(BrowserFixture.catalog))
      browser.open(OpenedRows(schema: schema, page: BrowserFixture.page(0..<10, of: 10)))
      return try #require(browser.grid)
    }
    var names = ColumnNames()
    let (slot, value) = (RequestSlot("test"), DatabaseValue.integer(1))
    let first = try #require(names.request(for: [("k", value)], of: try grid("one"), in: slot, environment))
    #expect(names.request(for: [("k", .integer(2))], of: try grid("one"), in: slot, environment) == nil, "one is on its way")
    let second = try #require(names.request(for: [("k", value)], of: try grid("two"), in: slot, environment))
    let reference = ReferredRows.Reference(key: 0, values: [value])
    names.receive(.success([reference: .row(label: "wrong")]), to: first)
    #expect(names.row(value, of: "k") == nil)
    names.receive(.success([reference: .row(label: "right")]), to: second)
    #expect(names.row(value, of: "k") == .row(label: "right"))
    #expect(names.request(for: [("k", value)], of: try grid("two"), in: slot, environment) == nil, "it is known")
  }
}
