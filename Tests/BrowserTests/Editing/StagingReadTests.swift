import Browser
import QuarryChanges
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("While rows are read that are to be changed", .gated)
struct StagingReadTests {
  /// A browser in which a title is to be staged for three songs, whose rows are being read.
  private static func reading() -> Browser {
    var browser = BrowserFixture.openBrowser()
    browser.press("l V j j e")
    browser.type("new")
    browser.press("enter")
    return browser
  }

  private static let read: [LoadStoredRows.Row] = (1...3).map { number in
    LoadStoredRows.Row(id: .stored(.rowID(number)), values: ["song"])
  }

  @Test(
    "undo, commit, further changes and the end wait for them, and say so",
    arguments: ["u", "ctrl-r", "ctrl-s", "ctrl-q", "e", "d d", "o"])
  func refusal(keys: String) {
    var browser = Self.reading()
    browser.screen.expectLine(beginning: "reading the rows to be changed")
    browser.press(keys)
    browser.screen.expectLine("rows are still being read for an edit: Esc stops it")
    #expect(!browser.hasEnded && !browser.hasTopScreen)
    browser.answer(LoadStoredRows.self, .success(Self.read))
    #expect(browser.workspace.staged.counts == ChangeCounts(cells: 3, updatedRows: 3, newRows: 0, deletedRows: 0), "\(browser.screen)")
    browser.press("u")
    #expect(browser.workspace.staged.isEmpty, "\(browser.screen)")
  }

  @Test("Esc and ^C stop it: nothing is staged, and the rows stay selected", arguments: ["escape", "ctrl-c"])
  func stop(key: String) throws {
    var browser = Self.reading()
    let id = try #require(browser.outstanding(LoadStoredRows.self).first?.id)
    #expect(browser.press(key).contains(.cancel(id)))
    browser.screen.expectLine("stopped")
    _ = browser.update(.answered(id, .success(Self.read)))
    #expect(browser.workspace.staged.isEmpty && browser.grid?.selection != nil)
    browser.press("u")
    browser.screen.expectLine("no staged change to undo: gu shows commits, and undoes them")
  }

  @Test("a row of its own can be deleted at the same time: nothing that is meant later is overwritten")
  func singleRows() {
    var browser = BrowserFixture.openBrowser()
    browser.press("d d j d d")
    #expect(browser.outstanding(LoadStoredRows.self).count == 2, "\(browser.screen)")
  }

  @Test("the key that edits opens the field of a far row once that is there, unless another key has come")
  func typedAhead() {
    for (keys, isOpened) in [("e", true), ("e h", false)] {
      var browser = BrowserFixture.openBrowser()
      browser.press("l")
      let effects = browser.press("G")
      browser.press(keys)
      #expect(!browser.hasTopScreen)
      browser.answer(effects)
      #expect((browser.top(CellEditor.self) != nil) == isOpened, "\(browser.screen)")
      if isOpened { #expect(browser.screen.contains("song 999"), "\(browser.screen)") }
    }
  }
}
