import QuarryEngine
import Terminal
import Testing

@testable import Browser

@Suite("Commands of the grid")
struct GridCommandTests {
  private var browser = BrowserFixture.openBrowser()
  private var id: GridID { browser.grid?.id ?? GridID(number: 0) }

  @Test("- hides the column, g- shows all again, and the last one cannot be hidden")
  mutating func hide() {
    for _ in 0..<4 { browser.press("-") }
    #expect(browser.grid?.layout.shown.count == 1)
    browser.press("-")
    #expect(browser.screen.contains("this is the only column shown"))
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
    #expect(browser.grid?.layout.widths[1] == before)
  }

  @Test("y copies the value, Y the row, gy in a format that is chosen")
  mutating func copy() {
    #expect(browser.press("y") == [.prepareCopy(id, CopyRequest(title: "id", tableName: "albums", content: .value(.rowID(1), column: 0)))])
    #expect(
      browser.press("Y") == [
        .prepareCopy(
          id,
          CopyRequest(
            title: "1 row as TSV", tableName: "albums",
            content: .rows(from: .rowID(1), through: .rowID(1), columns: [0, 1, 2, 3, 4], format: .tsv)))
      ])
    browser.press("V")
    browser.press("j")
    browser.press("g y")
    browser.type("markdown")
    #expect(
      browser.press("enter") == [
        .prepareCopy(
          id,
          CopyRequest(
            title: "2 rows as Markdown", tableName: "albums",
            content: .rows(from: .rowID(1), through: .rowID(2), columns: [0, 1, 2, 3, 4], format: .markdown)))
      ])
  }

  @Test("a selection of cells is copied with its columns only, upwards too")
  mutating func cells() {
    _ = browser.update(.rowsCounted(id, .exact(1_000), isFinal: true))
    _ = browser.update(.eventArrived(.resized(Size(columns: 120, rows: 24))))
    browser.press("5 j")
    browser.press("l")
    browser.press("shift-right")
    browser.press("shift-up")
    #expect(browser.screen.contains("2 rows × 2 columns selected"))
    guard case .prepareCopy(_, let request)? = browser.press("ctrl-c").first else {
      Issue.record("^C copies a selection")
      return
    }
    #expect(request.content == .rows(from: .rowID(5), through: .rowID(6), columns: [1, 2], format: .tsv))
  }

  @Test("find looks on from the row under the cursor, n and N again")
  mutating func find() {
    browser.press("/")
    browser.type("song 40")
    let request = FindRequest(needle: .text("song 40"), columns: [0, 1, 2, 3, 4], start: .rowID(1), isBackwards: false)
    #expect(browser.press("enter") == [.find(id, request)])
    #expect(browser.screen.contains("searching…"))
    let match = RowMatch(key: .rowID(41), column: 1, wrapped: false)
    _ = browser.update(.rowFound(id, request, .success(match)))
    #expect(browser.grid?.currentRow?.key == .rowID(41))
    #expect(browser.grid?.column == 1)
    guard case .find(_, let again)? = browser.press("N").first else {
      Issue.record("N looks for the same text")
      return
    }
    #expect(again.isBackwards && again.needle == .text("song 40") && again.start == .rowID(41))
    _ = browser.update(.rowFound(id, again, .success(nil)))
    #expect(browser.screen.contains("“song 40” is in no row here"))
  }

  @Test("a search and a copy show how far they are, and ^C stops them")
  mutating func stopping() {
    browser.press("/")
    browser.type("none")
    guard case .find(_, let request)? = browser.press("enter").first else {
      Issue.record("enter looks for the text")
      return
    }
    _ = browser.update(.findProgressed(id, request, RowProgress(rows: 250, total: 1_000, elapsed: .seconds(4))))
    #expect(browser.screen.contains("searching: 25 % read, 12 s left"))
    #expect(browser.press("ctrl-c") == [.stopAllWork(id)])
    #expect(!browser.screen.contains("searching"))
    browser.press("n")
    #expect(browser.screen.contains("searching…"))
    #expect(browser.press("s").contains(.preempt(id)))
    #expect(!browser.screen.contains("searching"))
    browser.press("V")
    browser.press("9 j")
    guard case .prepareCopy(_, let copy)? = browser.press("y").first else {
      Issue.record("y copies a selection")
      return
    }
    #expect(browser.screen.contains("copying…"))
    _ = browser.update(.copyProgressed(copy, RowProgress(rows: 5)))
    #expect(browser.screen.contains("copying: 50 % read"))
    #expect(browser.press("ctrl-c") == [.stopOpening, .stopAllWork(id)])
    #expect(browser.opening == nil)
    let text = CopyText(text: "1", title: "10 rows as TSV")
    #expect(browser.update(.copyPrepared(copy, .success(text))) == [])
    guard case .prepareCopy(_, let again)? = browser.press("Y").first else {
      Issue.record("Y copies a row")
      return
    }
    #expect(browser.update(.copyPrepared(again, .success(text))) == [.copyToClipboard(text)])
    #expect(!browser.screen.contains("copying"))
  }

  @Test("a count that was stopped asks for nothing that would begin it again, and a page that was stopped is not told of")
  mutating func stopped() throws {
    #expect(browser.update(.rowsCounted(id, .atLeast(10), isFinal: true)) == [])
    browser.press("5 0 0 G")
    let request = try #require(browser.grid?.pending?.request)
    #expect(browser.press("ctrl-c") == [.stopAllWork(id)])
    #expect(browser.update(.pageLoaded(id, request, .failure(.stopped))) == [])
    #expect(browser.screen.contains("stopped"))
    #expect(!browser.isBusy)
  }

  @Test("a text for the clipboard takes nothing from rows that are being read for it")
  func clipboardChannel() {
    let request = CopyRequest(title: "id", tableName: "albums", content: .value(.rowID(1), column: 0))
    #expect(Effect.prepareCopy(id, request).channel != Effect.copyToClipboard(CopyText(text: "", title: "")).channel)
  }

  @Test("the rows that stay are counted to their end when others do not come")
  mutating func countedOn() {
    guard case .openRows(let opened, _, _, _, _)? = browser.press("s").first else {
      Issue.record("s asks for the rows in another order")
      return
    }
    _ = browser.update(.rowsCounted(id, .atLeast(10), isFinal: true))
    #expect(browser.update(.rowsOpened(opened, .failure(Problem("no such column: title")))).contains(.count(id)))
  }

  /// Presses a key that asks for the rows in another order, then others, and then has the rows come; returns what is done about it.
  private mutating func reorder(pressing keys: String) throws -> (grid: GridID, effects: [Effect]) {
    browser.press("s")
    let opened = try #require(browser.opening?.id)
    browser.press(keys)
    let rows = OpenedRows(
      columns: BrowserFixture.columns, schema: BrowserFixture.schema, page: BrowserFixture.page(0..<60, of: 1_000), cursor: .rowID(1),
      filterColumns: FilterColumns(BrowserFixture.schema))
    return (opened, browser.update(.rowsOpened(opened, .success(rows))))
  }

  @Test("what is pressed while rows are put in another order holds when they come")
  mutating func followed() throws {
    _ = try reorder(pressing: "5 j")
    #expect(browser.grid?.currentRow?.key == .rowID(6))
    let (grid, effects) = try reorder(pressing: "5 0 0 G")
    #expect(browser.grid?.pending?.landing == .number(499))
    #expect(effects.contains { if case .loadPage(grid, let request) = $0 { request == browser.grid?.pending?.request } else { false } })
  }

  @Test("a search makes way for rows in another order, and goes on in them")
  mutating func searchedOn() throws {
    browser.press("/")
    browser.type("song 40")
    browser.press("enter")
    let request = try #require(browser.search?.request)
    browser.press("s")
    #expect(browser.update(.rowFound(id, request, .failure(.stopped))) == [])
    let (grid, effects) = try reorder(pressing: "3 j")
    #expect(effects.contains(.find(grid, FindRequest(needle: request.needle, columns: request.columns, start: .rowID(4), isBackwards: false))))
    #expect(browser.screen.contains("searching"))
  }

  @Test("gd follows a foreign key, and says why it cannot")
  mutating func follow() {
    browser.press("2 l")
    guard case .openRows(let opened, let set, _, let place, _)? = browser.press("g d").first else {
      Issue.record("gd opens the table that is referred to")
      return
    }
    #expect(set == RowSet(.table(TableReference(name: "albums"))))
    #expect(place == .matching([ColumnMatch(column: "id", value: .integer(7))]))
    _ = browser.update(.rowsOpened(opened, .failure(Problem("there is no row with id = 7"))))
    #expect(browser.screen.contains("there is no row with id = 7"))
    #expect(browser.grid?.id == id)
    browser.press("3 j")
    browser.press("g d")
    #expect(browser.screen.contains("album_id is NULL here"))
    browser.press("h")
    browser.press("g d")
    #expect(browser.screen.contains("title is no foreign key"))
  }

  @Test("gr offers the tables that refer here, and ^O comes back to the same row")
  mutating func references() {
    browser.press("4 j")
    #expect(browser.press("g r") == [.loadReferences(id, TableReference(name: "albums"))])
    let key = ForeignKeySchema(
      columns: ["album"], table: TableReference(name: "albums"), referencedColumns: ["id"], onDelete: "NO ACTION", onUpdate: "NO ACTION")
    let references = ["tracks", "prizes"].map { InboundReference(table: TableReference(name: $0), key: key) }
    _ = browser.update(.referencesLoaded(id, .success(references)))
    #expect(browser.screen.contains("prizes"))
    browser.press("down")
    guard case .openRows(let opened, let set, _, _, _)? = browser.press("enter").first else {
      Issue.record("Enter opens the rows")
      return
    }
    #expect(set.matching == [ColumnMatch(column: "album", value: .integer(5))])
    let rows = OpenedRows(columns: BrowserFixture.columns, schema: nil, page: BrowserFixture.page(0..<2, of: 2), cursor: nil)
    _ = browser.update(.rowsOpened(opened, .success(rows)))
    #expect(browser.screen.contains("prizes where album = 5"))
    browser.press("ctrl-o")
    #expect(browser.grid?.currentRow?.key == .rowID(5))
    browser.press("g o")
    #expect(browser.grid?.title == "prizes where album = 5")
  }

  @Test("an unknown key says so and does nothing")
  mutating func unknown() {
    #expect(browser.press("z z").isEmpty)
    #expect(browser.screen.contains("zz does nothing here"))
  }

  @Test("a pending key shows how it can go on, and Esc forgets it")
  mutating func pending() {
    _ = browser.update(.eventArrived(.resized(Size(columns: 300, rows: 24))))
    browser.press("g")
    #expect(browser.screen.contains("d follow-foreign-key"))
    browser.press("escape")
    #expect(browser.pendingKeys.isEmpty)
    #expect(browser.focus == .grid)
  }
}
