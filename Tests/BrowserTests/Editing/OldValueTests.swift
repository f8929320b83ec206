import Browser
import QuarryChanges
import Terminal
import Testing

@Suite("The field of a cell opens with the old value selected")
struct OldValueTests {
  /// Returns the text of the field of a cell with the title `song 0`, after keys.
  private static func text(after keys: String, typing text: String = "") throws -> String {
    var browser = BrowserFixture.openBrowser()
    browser.press("l e")
    if !keys.isEmpty { browser.press(keys) }
    browser.type(text)
    return try #require(browser.top(CellEditor.self)).editor.text
  }

  @Test("so that typing and pasting replace it")
  func replacing() throws {
    #expect(try Self.text(after: "", typing: "5") == "5")
    #expect(try Self.text(after: "", typing: "new title") == "new title")
    var browser = BrowserFixture.openBrowser()
    browser.press("l e")
    _ = browser.update(.eventArrived(.paste("pasted")))
    #expect(browser.top(CellEditor.self)?.editor.text == "pasted")
  }

  @Test(
    "and an arrow, Home, End or a key that erases edits it",
    arguments: [
      ("end", "song 0x"), ("left", "song x0"), ("home", "xsong 0"), ("backspace", "song x"), ("right", "song 0x"),
      ("ctrl-w", "song x"), ("ctrl-a", "xsong 0"), ("alt-enter", "song 0\nx"), ("ctrl-u", "x"), ("alt-t end", "song 0x"),
    ])
  func editing(keys: String, expected: String) throws {
    #expect(try Self.text(after: keys, typing: "x") == expected)
  }

  @Test("A key that does nothing leaves it selected, and Enter leaves the value as it was")
  func untouched() throws {
    #expect(try Self.text(after: "f12", typing: "x") == "x")
    var browser = BrowserFixture.openBrowser()
    browser.press("l e enter")
    #expect(browser.workspace.staged.isEmpty)
  }
}
