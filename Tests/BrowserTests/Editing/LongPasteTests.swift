import Browser
import QuarryChanges
import QuarryEngine
import Terminal
import Testing

/// The work that a long text makes is counted, not timed.
@Suite("A long paste")
struct LongPasteTests {
  private static let line = "INSERT INTO t VALUES (1, 'abc', x'00');"
  private static let text = Array(repeating: line, count: 20_000).joined(separator: "\n")

  @Test("is told apart as SQL once, and then only the line that is typed in")
  func sql() {
    var pane = EditorPane()
    pane.extent = GridExtent(rows: 10, columns: 80)
    pane.insert(Self.text)
    // The empty line that was there is one more.
    #expect(pane.buffer.settledLines <= 20_001)
    let before = pane.buffer.settledLines
    pane.type("z")
    #expect(pane.buffer.settledLines - before <= 2)
  }

  @Test("into a cell is not told apart as SQL at all, and read as a value once for each key")
  func cell() throws {
    var browser = BrowserFixture.openBrowser()
    browser.press("l e")
    _ = browser.update(.eventArrived(.paste(Self.text)))
    let cell = try #require(browser.top(CellEditor.self))
    #expect(cell.editor.buffer.settledLines == 0)
    #expect(try cell.input() == .value(.value(.text(Self.text))))
    let readings = cell.readings
    _ = browser.screen
    _ = browser.screen
    browser.press("z")
    let after = try #require(browser.top(CellEditor.self))
    #expect(after.readings == readings + 1)
    #expect(after.report.text == "will be stored: text of 800 kB", "\(after.report)")
  }
}
