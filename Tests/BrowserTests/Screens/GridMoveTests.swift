import Browser
import QuarryRows
import Terminal
import TestSupport
import Testing

@Suite("Moves in the grid", .gated)
struct GridMoveTests {
  @Test("the header of a text keeps to the left where there are no rows")
  func emptyGrid() {
    let browser = BrowserFixture.openBrowser(total: 0)
    #expect(browser.grid?.isNumeric(1) == false)
    #expect(browser.grid?.isNumeric(0) == true)
  }

  private var browser = BrowserFixture.openBrowser()

  private var number: Int? { browser.grid?.window.number(at: browser.grid?.row ?? 0)?.value }

  @Test("j and k move by a row, with a count by so many")
  mutating func rows() {
    browser.press("j")
    browser.press("5 j")
    browser.press("2 k")
    #expect(number == 4)
  }

  @Test("a 0 after a digit is a digit, and else the first column")
  mutating func zero() {
    browser.press("1 0 j")
    browser.press("$")
    #expect(number == 10)
    #expect(browser.grid?.column == 4)
    browser.press("0")
    #expect(browser.grid?.column == 0)
  }

  @Test("rows that are still on their way are owed, so no key of a burst is lost")
  mutating func burst() {
    let effects = (0..<200).flatMap { _ in browser.press("j") }
    browser.answer(effects)
    #expect(number == 200)
    #expect(browser.grid?.reading.movement == 0)
  }

  @Test("G asks for the last rows and puts the cursor on the last, gg comes back")
  mutating func ends() {
    browser.answer(browser.press("G"))
    #expect(number == 999)
    browser.answer(browser.press("g g"))
    #expect(number == 0)
    #expect(browser.grid?.top == 0)
  }

  @Test(
    "a move that is made while the cursor is on its way counts from where it is going",
    arguments: [
      ("G k", 998), ("G 5 k", 994), ("G j k", 998), ("G k j j k", 998), ("G ctrl-u", 990), ("G pageup pagedown", 999), ("G 2 0 0 k", 799),
      ("5 0 0 G j", 500), ("5 0 0 G 3 k j", 497), ("5 0 0 G 2 0 0 k", 299), ("G g g j", 1), ("G 5 0 0 G k", 498), ("G k g g", 0),
    ])
  mutating func moveOnTheWay(keys: String, target: Int) {
    let effects = browser.press(keys)
    #expect(number == (keys.contains("g g") ? target : 0))
    browser.answer(effects)
    #expect(number == target)
    #expect(browser.grid?.reading.movement == 0)
  }

  @Test("a move on the way to the first row counts from there")
  mutating func moveOnTheWayUp() {
    browser.answer(browser.press("G"))
    browser.answer(browser.press("g g k j"))
    #expect(number == 1)
  }

  @Test("a jump that fails takes the moves after it along")
  mutating func movesOfAFailure() {
    _ = browser.press("G k")
    browser.answerPage(.failure(Problem("disk I/O error")))
    browser.answer(browser.press("j"))
    #expect(number == 1)
  }

  @Test("a row that is clicked has the cursor at once, whatever is on its way")
  mutating func clickOnTheWay() throws {
    let effects = browser.press("G k")
    let point = Point(column: 60, row: 10)
    let shown = try #require(
      browser.grid?.cell(at: point, area: RowsLayout(ScreenLayout(browser).rows, browser.rows.filter, browser.environment).grid)?.row)
    _ = browser.update(.eventArrived(.mouse(Mouse(.press(.left), at: point))))
    #expect(shown > 0 && number == shown)
    browser.answer(effects)
    #expect(number == shown)
  }

  @Test("rows that are read again are awaited when the cursor goes to the top meanwhile")
  mutating func topWhileReadAgain() {
    _ = browser.press("1 0 j")
    _ = browser.update(.filesChanged)
    _ = browser.press("g g")
    browser.answerPage(.success(BrowserFixture.page(0..<40, of: 40)))
    #expect(browser.grid?.window.rows.count == 40)
    #expect(number == 0)
  }

  @Test("a number before G goes to that row, one before % to so many hundredths")
  mutating func byNumber() {
    browser.answer(browser.press("5 0 0 G"))
    #expect(number == 499)
    browser.answer(CountRows.self, .success(.exact(1_000)))
    browser.answer(browser.press("9 0 %"))
    #expect(number == 900)
  }

  @Test(
    "a row that is far on is waited for in sight of how far the reading is",
    arguments: [
      (RowProgress(rows: 450, total: 1_000), "45 % read"), (RowProgress(rows: 4_500), "4,500 rows read"),
      (RowProgress(rows: 250, total: 1_000, elapsed: .seconds(4)), "25 % read, 12 s left"),
      (RowProgress(rows: 250, total: 1_000, elapsed: .milliseconds(300)), "25 % read"),
      (RowProgress(rows: 1, total: 1_000, elapsed: .seconds(1)), "0 % read, 17 min left"),
    ])
  mutating func progress(_ progress: RowProgress, badge: String) {
    let effects = browser.press("5 0 0 G")
    #expect(!browser.screen.contains(badge))
    browser.report(LoadPage.self, progress)
    browser.screen.expectLine(badge)
    browser.answer(effects)
    #expect(!browser.screen.contains(badge))
  }

  @Test("a title that is too long for what is told beside it is cut before that, in sight")
  func narrowTitle() {
    var browser = BrowserFixture.openBrowser(columns: 54)
    browser.answer(CountRows.self, .success(.exact(1_000)))
    browser.press("5 0 0 G")
    browser.report(LoadPage.self, RowProgress(rows: 250, total: 1_000, elapsed: .seconds(4000)))
    #expect(browser.screen.prefix { $0 != "\n" }.contains("…  25 % read, 200 min left"))
  }

  @Test("rows that are read again leave the cursor on the row that it has come to meanwhile")
  mutating func readAgain() throws {
    let id = try #require(browser.grid?.id)
    _ = browser.press("1 0 j")
    let effects = browser.update(.filesChanged)
    #expect(effects.requests(LoadCatalog.self).count == 1)
    #expect(effects.requests(CountRows.self).map(\.request.grid) == [id])
    let request = try #require(browser.grid?.pending?.request)
    #expect(request.position == .from(.rowID(11)))
    _ = browser.press("j j")
    browser.answerPage(.success(BrowserFixture.page(0..<60, of: 1_000)))
    #expect(number == 12)
    _ = browser.update(.filesChanged)
    _ = browser.press("j")
    browser.answerPage(.success(BrowserFixture.page(0..<5, of: 1_000)))
    #expect(number == 13)
    #expect(browser.grid?.pending?.request.position == .from(.rowID(14)))
  }

  @Test("where the rows at the cursor are gone by the time they are read, the first rows are read", arguments: [false, true])
  mutating func emptyPage(atEnd: Bool) {
    _ = browser.press("1 0 j")
    _ = atEnd ? browser.press("G") : browser.update(.filesChanged)
    browser.answerPage(.success(RowPage(rows: [], firstNumber: nil, reachesStart: false, reachesEnd: true)))
    #expect(browser.grid?.pending?.request.position == .first)
    #expect(!browser.screen.contains("no rows"))
    browser.answerPage(.success(BrowserFixture.page(0..<5, of: 5)))
    #expect(browser.grid?.window.rows.count == 5)
    #expect(number == 0)
    #expect(browser.grid?.pending == nil)
  }

  @Test("an empty page of all rows is believed")
  mutating func allGone() {
    _ = browser.update(.filesChanged)
    browser.answerPage(.success(BrowserFixture.page(0..<0, of: 0)))
    #expect(browser.grid?.pending == nil)
    browser.screen.expectLine("no rows")
  }

  @Test("what others write while rows are on their way is looked at when those are here")
  mutating func stale() throws {
    let id = try #require(browser.grid?.id)
    let effects = browser.press("G")
    let request = try #require(browser.grid?.pending?.request)
    _ = browser.update(.filesChanged)
    #expect(browser.grid?.pending?.request == request)
    browser.answer(effects)
    #expect(browser.grid?.pending?.request.position == .from(.rowID(1_000)))
    #expect(browser.grid?.id == id)
  }

  @Test("the window keeps a bounded number of rows however far one goes")
  mutating func bounded() {
    for _ in 0..<400 { browser.answer(browser.press("pagedown"), total: 100_000) }
    #expect(number == 400 * ((browser.grid?.extent.rows ?? 0) - 1))
    #expect((browser.grid?.window.rows.count ?? 0) < 1_000)
    for _ in 0..<400 { browser.answer(browser.press("pageup"), total: 100_000) }
    #expect(number == 0)
  }

  @Test("an answer to an older request is dropped")
  mutating func dropped() {
    let old = browser.press("G")
    browser.answer(browser.press("g g"))
    browser.answer(old)
    #expect(number == 0)
  }

  @Test("a page that fails leaves the rows as they are and says why")
  mutating func failure() {
    #expect(browser.press("G").requests(LoadPage.self).count == 1)
    browser.answerPage(.failure(Problem("disk I/O error")))
    #expect(number == 0)
    browser.screen.expectLine("disk I/O error")
    #expect(browser.grid?.pending == nil)
  }

  @Test("the wheel scrolls the rows and takes the cursor along at the edge only")
  mutating func wheel() {
    let point = Point(column: 60, row: 10)
    _ = browser.update(.eventArrived(.mouse(Mouse(.wheelDown, at: point))))
    #expect(browser.grid?.top == 3)
    #expect(number == 3)
  }
}
