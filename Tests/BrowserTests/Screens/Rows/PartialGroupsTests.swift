import Browser
import QuarryRows
import Terminal
import TestSupport
import Testing

@Suite("Groups while a large table is read", .gated)
struct PartialGroupsTests {
  private var browser = BrowserFixture.openBrowser(columns: 140, rows: 24)

  /// Groups the songs by their albums, and reports the first groups.
  private mutating func group() throws {
    browser.press("2 l g G")
    try browser.answerGroups()
    browser.report(groups: [(7, 40), (3, 30), (5, 2)], read: 72)
  }

  /// The groups and their counts, as shown.
  private var shown: [[Int64]] {
    (browser.grid?.window.rows ?? []).map { row in
      row.cells.map { if case .integer(let number) = $0 { number } else { -1 } }
    }
  }

  private var current: Int64? { if case .integer(let album)? = browser.grid?.currentRow?[0] { album } else { nil } }

  @Test("are shown as they grow, each on its line, and sorted at the end")
  mutating func grow() throws {
    try group()
    browser.screen.expectLine(beginning: "albums grouped by album_id · ≥ 3 groups · ≥ 72 rows")
    #expect(shown == [[7, 40], [3, 30], [5, 2]])
    browser.report(groups: [(7, 50), (3, 60), (5, 9), (8, 70)], read: 189)
    #expect(shown == [[7, 50], [3, 60], [5, 9], [8, 70]])
    browser.screen.expectLine(beginning: "albums grouped by album_id · ≥ 4 groups · ≥ 189 rows")
    browser.openGroups([(8, 700), (3, 200), (5, 90), (7, 10)])
    #expect(shown == [[8, 700], [3, 200], [5, 90], [7, 10]])
    #expect(current == 7)
    #expect(browser.grid?.top == 0)
    browser.screen.expectLine(beginning: "albums grouped by album_id · 4 groups · sort count▼")
    browser.press("escape")
    #expect(browser.grid?.title == "albums")
  }

  @Test("keep a cursor that was moved on its group")
  mutating func cursor() throws {
    try group()
    browser.press("2 j")
    #expect(current == 5)
    browser.report(groups: [(7, 50), (3, 60), (5, 9), (8, 70)], read: 189)
    #expect(current == 5)
    browser.openGroups([(8, 700), (5, 90), (7, 10)])
    #expect(current == 5)
    #expect(browser.grid?.row == 1)
  }

  @Test("keep the cursor on a group that is far away in the final order")
  mutating func farCursor() throws {
    try group()
    browser.press("j")
    browser.openGroups([(8, 700), (5, 90)], of: 900)
    #expect(browser.grid?.partial != nil)
    browser.answerGroup([(7, 40), (3, 30)], from: 800, cursor: 801)
    #expect(current == 3)
    #expect(browser.grid?.partial == nil)
    #expect(browser.grid?.window.number(at: 0) == .exact(800))
  }

  @Test("lead to the rows of the group that is seen, and are read again when one comes back")
  mutating func rowsOfGroup() throws {
    try group()
    browser.press("j")
    browser.report(groups: [(3, 100), (7, 41), (5, 2)], read: 143)
    browser.press("enter")
    #expect(browser.opening?.view.filter == "album_id = 3")
    #expect(browser.opening?.title == "albums")
    browser.open(.songs(0..<5))
    browser.press("escape")
    #expect(browser.grid?.partial != nil && current == 3)
    browser.report(groups: [(5, 90), (3, 80)], read: 170)
    #expect(current == 3)
    #expect(shown == [[5, 90], [3, 80]])
  }

  @Test("are not read to the end once another shape is requested")
  mutating func reshape() throws {
    try group()
    browser.press("g P")
    #expect(browser.opening == nil)
    browser.press("escape")
    browser.screen.expectLine(beginning: "albums grouped by album_id · stopped: F5 reads again · ≥ 3 groups")
    #expect(shown == [[7, 40], [3, 30], [5, 2]])
  }

  @Test("stay when reading is stopped, marked as not final, until they are read again")
  mutating func stop() throws {
    try group()
    browser.press("escape")
    browser.screen.expectLine(beginning: "albums grouped by album_id · stopped: F5 reads again · ≥ 3 groups · ≥ 72 rows")
    #expect(browser.opening == nil)
    #expect(shown == [[7, 40], [3, 30], [5, 2]])
    browser.press("R")
    browser.openGroups([(8, 700), (3, 200)])
    #expect(shown == [[8, 700], [3, 200]])
    browser.screen.expectLine(beginning: "albums grouped by album_id · 2 groups · sort count▼")
  }

  @Test(
    "refuse commands that need final values",
    arguments: ["y", "Y", "g y", "X", "s", "S", "g s", "&", "f", "=", "!", "+", "/", "v", "V", "shift-down", "#", "g f", "g #", "g v", "K"])
  func refusals(key: String) throws {
    var test = self
    try test.group()
    for state in ["wait until all rows have been read", "because reading was stopped: F5 reads again"] {
      let effects = test.browser.press(key)
      #expect(effects.isEmpty, "\(key)")
      let text = test.browser.notice?.text ?? ""
      #expect(text.hasSuffix(state) || text == "the rows are still being read", "\(key): \(text)")
      #expect(!test.browser.hasTopScreen)
      #expect(test.browser.grid?.selection == nil)
      test.browser.press("escape")
    }
  }

  @Test("have the counts of many groups, of which the first ones are shown")
  mutating func many() throws {
    browser.press("2 l g G")
    try browser.answerGroups()
    browser.report(groups: [(7, 40), (3, 30)], count: 5_000, read: 9_000)
    browser.screen.expectLine(beginning: "albums grouped by album_id · 2 of ≥ 5,000 groups · ≥ 9,000 rows")
    browser.press("G")
    #expect(current == 3)
    browser.press("5 0 0 G")
    #expect(current == 3)
  }

  @Test("dim the values that are not final")
  mutating func dimmed() throws {
    try group()
    #expect(browser.style(of: "30") == Theme.fallback.style(.muted))
    browser.openGroups([(8, 700), (3, 30)])
    #expect(browser.style(of: "30") == Theme.fallback.style(.number))
  }
}
