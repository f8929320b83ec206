import Browser
import QuarrySources
import Terminal
import TestSupport
import Testing

@Suite("The last line", .gated)
struct LastLineTests {
  private func last(_ browser: Browser) -> String {
    String(browser.screen.split(separator: "\n", omittingEmptySubsequences: false).last ?? "")
  }

  @Test("always has room for the keys of help, the palette and the editor", arguments: [120, 80, 64])
  func room(columns: Int) {
    var browser = BrowserFixture.openBrowser(columns: columns)
    for keys in ["", "tab"] {
      browser.press(keys)
      let line = last(browser)
      #expect(line.contains("F4 SQL   : commands   ? keys"), "\(line)")
    }
    browser.press("f4")
    #expect(last(browser).contains("Esc results   F10 commands   F1 keys"))
    browser.press("escape &")
    #expect(last(browser).contains("Esc leave   F1 keys"))
  }

  @Test("names the keys to edit, to filter and to count first", arguments: [80, 100, 120])
  func first(columns: Int) {
    var browser = BrowserFixture.openBrowser(columns: columns, total: 3_503)
    #expect(last(browser).hasPrefix(" e edit   & filter   # counts   "), "\(last(browser))")
    browser.press("f4")
    #expect(!last(browser).contains("# counts"))
    browser = BrowserFixture.openBrowser(columns: columns, total: 0)
    #expect(!last(browser).contains("e edit"), "\(last(browser))")
  }

  @Test(
    "says how to quit where ^C and Esc find nothing to stop",
    arguments: ["ctrl-c ctrl-c", "tab ctrl-c ctrl-c", "f4 ctrl-c", "escape escape", "tab escape escape"])
  func rest(keys: String) {
    var browser = BrowserFixture.openBrowser(columns: 120)
    browser.press(keys)
    #expect(last(browser).contains("nothing is running; ^Q quits"), "\(last(browser))")
  }

  @Test("names how to copy a value of a record at 80 columns")
  func record() {
    var browser = BrowserFixture.openBrowser(columns: 80)
    browser.press("enter")
    #expect(last(browser).contains("y copy"), "\(last(browser))")
  }

  @Test("keeps help to the last where it is narrow", arguments: [(28, "? keys"), (40, ": commands   ? keys")])
  func narrow(columns: Int, hints: String) {
    let browser = BrowserFixture.openBrowser(columns: columns, rows: 10, total: 3)
    #expect(last(browser).contains(" \(hints) "), "\(last(browser))")
  }

  @Test(
    "tells how to end a transaction while one is open",
    arguments: [(80, "", ":commit keep   :rollback undo"), (80, "f4", "F10 commit or rollback")])
  func transaction(columns: Int, keys: String, hints: String) {
    var browser = BrowserFixture.openBrowser(columns: columns)
    browser.press(keys)
    #expect(!last(browser).contains("rollback"))
    browser.workspace.source.transaction = OpenTransaction(changes: 3)
    #expect(last(browser).contains(hints), "\(last(browser))")
    browser.press("f10")
    #expect(!last(browser).contains("rollback"))
  }

  @Test("names no key that would do nothing")
  func useful() throws {
    var browser = BrowserFixture.openBrowser(columns: 160)
    #expect(!last(browser).contains("back"))
    browser.press("&")
    #expect(!last(browser).contains("mend") && !last(browser).contains("history"))
    browser.type("nmae")
    browser.answer(CheckView.self, .success(.misspelt))
    #expect(last(browser).contains("Alt-⏎ fix"))
  }

  @Test("says truly where Tab leads from the catalog, and how the editor is left")
  func tab() {
    var browser = BrowserFixture.openBrowser(columns: 160)
    #expect(last(browser).contains("Tab catalog"))
    browser.press("tab")
    #expect(last(browser).contains("Tab grid") && last(browser).contains("q quit"))
    browser.press("f4 escape tab")
    #expect(browser.focus == .catalog)
    #expect(last(browser).contains("Tab editor") && last(browser).contains("q close editor"))
    browser.press("tab")
    #expect(browser.focus == .editor)
    #expect(last(browser).contains("Esc results"))
    browser.press("escape")
    #expect(browser.focus == .rows)
  }

  @Test("Esc in the grid and in the catalog goes to no other pane")
  func escape() {
    var browser = BrowserFixture.openBrowser()
    browser.press("escape escape")
    #expect(browser.focus == .rows)
    browser.press("tab escape escape")
    #expect(browser.focus == .catalog)
  }

  @Test("the filter bar is reached from the catalog and the editor", arguments: ["tab &", "tab f6", "f4 f6"])
  func filter(keys: String) {
    var browser = BrowserFixture.openBrowser()
    browser.press(keys)
    #expect(browser.context == .bar)
  }

  @Test("a key is told with its place where it is none here, and by its own name with another screen over it")
  func hints() throws {
    var browser = BrowserFixture.openBrowser(columns: 120)
    #expect(browser.keyHint(.find) == "/")
    browser.press("&")
    browser.type("nmae")
    browser.answer(CheckView.self, .success(.misspelt))
    #expect(browser.keyHint(.sortColumn) == "s in the grid")
    browser.press("f1")
    #expect(browser.keyHint(.applyReplacement) == "Alt-⏎ in the editor")
    #expect(!browser.screen.contains("apply-replacement"))
    browser.screen.expectLine("Keys in the filter bar")
  }

  @Test("no key is listed twice for a command")
  func twice() {
    let keymap = Keymap()
    for context in CommandList.standard.contexts {
      for command in CommandList.standard.declarations.map(\.command) {
        let keys = keymap.keys(for: command, in: context)
        #expect(Set(keys).count == keys.count, "\(command) in \(context): \(keys)")
      }
    }
  }

  @Test("Up and Down move in the catalog while a part of a name is typed, and other commands say that they do nothing")
  func narrowing() {
    var browser = BrowserFixture.openBrowser()
    browser.press("tab /")
    let before = browser.catalog.currentTable
    browser.press("down")
    #expect(browser.catalog.currentTable != before)
    browser.press("up")
    #expect(browser.catalog.currentTable == before)
    browser.press("f6")
    browser.screen.expectLine("filter is not available here; Esc goes back")
  }
}
