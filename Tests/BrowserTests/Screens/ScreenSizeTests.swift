import Browser
import QuarryEngine
import Terminal
import TestSupport
import Testing

@Suite("Screens of every size", .gated)
struct ScreenSizeTests {
  static let sizes = [Size(columns: 120, rows: 36), Size(columns: 80, rows: 24), Size(columns: 40, rows: 10), Size(columns: 1, rows: 1)]

  @Test(
    "no screen writes past the edges of any size, has its cursor beyond them, or goes without its last line",
    arguments: sizes, ["", "tab", "enter", "?", ":", "ctrl-p", "c", "g y", "/", "i", "v", "z f", "&", "g s", "f4", "g", "Q"])
  func everything(size: Size, keys: String) {
    var browser = BrowserFixture.openBrowser(columns: size.columns, rows: size.rows)
    browser.press(keys)
    // A surface of the screen's size would cut what is written past its edges.
    var surface = Surface(size: Size(columns: size.columns + 30, rows: size.rows + 10))
    browser.draw(into: &surface)
    let screen = Rect(size)
    for row in 0..<surface.size.rows {
      let beyond = surface.cells(inRow: row).dropFirst(row < size.rows ? size.columns : 0).map(\.text).joined()
      #expect(beyond.allSatisfy { $0 == " " }, "row \(row): \(beyond)")
    }
    if let cursor = surface.cursor { #expect(screen.contains(cursor)) }
    if size.rows > 1 { #expect(!surface.text(ofRow: size.rows - 1).isEmpty) }
  }

  @Test("catalog, border and grid keep to their columns, whatever is as long as it may be", arguments: sizes.filter { $0.columns >= 80 })
  func panes(size: Size) {
    var browser = BrowserFixture.openBrowser(columns: size.columns, rows: size.rows)
    let long = String(repeating: "長い", count: 60)
    let entries = [BrowserFixture.entry(TableReference(name: long)), BrowserFixture.entry(BrowserFixture.songs)]
    browser.press("R")
    browser.answer(LoadCatalog.self, .success(Catalog(databases: [CatalogDatabase(name: "main", path: nil, entries: entries)])))
    browser.press(size.columns < ScreenLayout.roomy ? "g c f4" : "f4")
    browser.type(long)
    var surface = Surface(size: size)
    browser.draw(into: &surface)
    let borders = (1..<size.rows - 1).map { row in surface.cells(inRow: row).firstIndex { $0.text == "│" }.map { $0 - row * size.columns } }
    #expect(Set(borders).count == 1 && borders.first != .some(nil), "\(surface.text)")
    #expect((0..<size.rows).allSatisfy { TextWidth.columns(of: surface.text(ofRow: $0)) <= size.columns }, "\(surface.text)")
  }

  @Test("a resize at any moment keeps the cursor in sight")
  func resize() {
    var browser = BrowserFixture.openBrowser(columns: 120, rows: 36)
    browser.press("3 0 j")
    browser.press("$")
    for size in Self.sizes.reversed() + Self.sizes {
      _ = browser.update(.eventArrived(.resized(size)))
      guard let grid = browser.grid else { continue }
      #expect((grid.top..<(grid.top + grid.extent.rows)).contains(grid.row))
      #expect(grid.layout.slots(width: grid.extent.columns).contains { $0.column == grid.column })
    }
  }

  @Test("a narrow screen shows catalog and grid in turns")
  func narrow() {
    var browser = BrowserFixture.openBrowser(columns: 40, rows: 10)
    browser.screen.expectLine("song 0")
    #expect(!browser.screen.contains("Tables"))
    browser.press("tab")
    browser.screen.expectLine("▾ Tables")
    #expect(!browser.screen.contains("song 0"))
  }

  @Test("the last line tells the keys of the list that is open", arguments: ["?", ":", "ctrl-p"])
  func hints(keys: String) throws {
    var browser = BrowserFixture.openBrowser()
    browser.press(keys)
    let last = try #require(browser.screen.split(separator: "\n").last)
    #expect(last.contains("choose") && last.contains("Esc back"))
    #expect(!last.contains("next field"))
  }

  @Test("the grid at 80×24 is as it was designed")
  func picture() {
    let browser = BrowserFixture.openBrowser(columns: 80, rows: 8, total: 3)
    #expect(
      browser.screen == """
         music.db    albums · 3 rows                                          counting…
              id◆  title    album_id→   length  cover
          integer  text       integer     real  blob
        ▌       1  song 0           7      0.0  blob 10.4 kB PNG
                2  song 1           7      0.5  blob 10.4 kB PNG
                3  song 2           7      1.0  blob 10.4 kB PNG
         filter › all rows
         e edit   & filter   # counts   F4 SQL   : commands   ? keys         row 1 of 3
        """)
  }
}
