import Browser
import QuarryEngine
import QuarryRows
import Testing

@Suite("Of two wishes for rows the later one counts")
struct LaterWishTests {
  /// The table that the fixture shows.
  private static let albums = TableReference(name: "albums")

  /// A browser that shows the albums while the songs are being opened.
  private static func opening() -> Browser {
    var browser = BrowserFixture.openBrowser()
    browser.open(BrowserFixture.songs)
    return browser
  }

  private static func expectAlbums(_ browser: Browser) {
    #expect(browser.rows.opening.pending == nil && browser.outstanding(OpenRows.self).isEmpty)
    #expect(browser.grid?.rowSet.rememberedTable == albums)
  }

  @Test("the table that is shown is chosen again: what is being opened does not replace it")
  func sameTable() {
    var browser = Self.opening()
    #expect(browser.rows.opening.pending != nil)
    browser.open(Self.albums)
    Self.expectAlbums(browser)
  }

  @Test("a statement is run: its result stays")
  func statement() {
    var browser = Self.opening()
    browser.press("f4")
    browser.type("select 1")
    browser.press("f5")
    Self.expectAlbums(browser)
  }

  @Test("another order of the shown table is not dropped by choosing this again")
  func order() {
    var browser = BrowserFixture.openBrowser()
    browser.press("s")
    browser.open(Self.albums)
    #expect(browser.rows.opening.pending?.view.sort.isBlank == false)
  }

  @Test("Esc says something where there is nothing to leave")
  func escape() {
    var browser = BrowserFixture.openBrowser()
    // The first one stops what the fixture leaves open.
    browser.press("escape escape")
    browser.screen.expectLine("nothing is running; ^Q quits")
  }
}
