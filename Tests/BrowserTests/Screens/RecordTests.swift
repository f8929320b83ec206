import Browser
import QuarryEngine
import QuarryRows
import Terminal
import TestSupport
import Testing

@Suite("The record", .gated)
struct RecordTests {
  private static let plain = RowSetColumn(name: "value", schema: nil)

  private func lines(_ value: CellValue, column: RowSetColumn = plain, columns: Int = 80) -> [String] {
    RecordValue(value, column: column, glyphs: .unicode).lines(columns: columns).map { $0.runs.map(\.text).joined() }
  }

  private func text(_ text: String) -> CellValue { .text(text, byteCount: text.utf8.count, isValid: true) }

  @Test("JSON is laid out with its members in order and its numbers as written")
  func json() {
    #expect(
      lines(text(#"{"b":1.50,"a":[1,{}],"s":"x\"y"}"#)) == [
        "{", #"  "b": 1.50,"#, #"  "a": ["#, "    1,", "    {}", "  ],", #"  "s": "x\"y""#, "}",
      ])
  }

  @Test(
    "what is not well-formed JSON is shown as it is",
    arguments: [#"{"a":1"#, "[1,]", #"{"a" 1}"#, "[1 2]", "[}", "{]", "[1]]", "{1:2}", "[tru]", #"["a":1]"#])
  func notJSON(source: String) {
    #expect(lines(text(source)) == [source])
  }

  @Test("a blob is shown as hexadecimal and as ASCII, with its size and kind")
  func blob() {
    let shown = lines(.blob([0x89, 0x50, 0x4E, 0x47, 0x0D], byteCount: 5))
    #expect(shown.first == "blob 5 B PNG")
    #expect(shown[1].hasPrefix("000000  89 50 4e 47 0d "))
    #expect(shown[1].hasSuffix(".PNG."))
  }

  @Test("a long blob takes 16 lines, and says how much more there is", arguments: [(40, 64), (60, 128), (80, 256)])
  func longBlob(columns: Int, shown: Int) {
    let cell = CellValue.blob([UInt8](repeating: 0x41, count: 4_096), byteCount: 4_096)
    let shownLines = lines(cell, columns: columns)
    #expect(shownLines.count == 18)
    #expect(shownLines.last == "… \(Plural.grouped(4_096 - shown)) more bytes · y copies all")
  }

  @Test("a value that was cut says how much of it is shown")
  func cut() {
    #expect(lines(.text("abc", byteCount: 100_000_000, isValid: true)).last == "the first 3 B of 100 MB; y copies the whole value")
  }

  @Test("text that is not UTF-8 says so")
  func invalid() {
    #expect(lines(.text("a\u{FFFD}", byteCount: 4, isValid: false)).contains { $0.hasPrefix("not valid UTF-8") })
  }

  @Test("NULL and an empty text look different")
  func empty() {
    #expect(lines(.null) == ["∅"])
    #expect(lines(text("")) == ["''  empty text"])
  }

  @Test("a date stands beside an epoch in a column of times, and nowhere else")
  func epoch() {
    #expect(
      lines(.integer(1_700_000_000), column: RowSetColumn(name: "created_at", schema: nil)) == ["1700000000  · 2023-11-14 22:13:20 UTC"])
    #expect(lines(.integer(951_782_400_000), column: RowSetColumn(name: "ts", schema: nil)) == ["951782400000  · 2000-02-29 00:00:00 UTC"])
    #expect(lines(.integer(1_700_000_000)) == ["1700000000"])
    for written in [20_240_131, 2_024_013_112, 202_401_311_259, 20_240_131_125_959] as [Int64] {
      #expect(lines(.integer(written), column: RowSetColumn(name: "created_at", schema: nil)) == ["\(written)"])
    }
    #expect(lines(.integer(12), column: RowSetColumn(name: "created_at", schema: nil)) == ["12"])
  }

  @Test("long text is broken at blanks")
  func wrapped() {
    #expect(lines(text("the quick brown fox"), columns: 10) == ["the quick", "brown fox"])
    #expect(lines(text("one\ntwo")) == ["one", "two"])
  }

  @Test("] and [ turn to the next and the previous record, and the grid goes along")
  func turning() throws {
    var browser = BrowserFixture.openBrowser()
    let id = browser.grid?.id ?? GridID(number: 0)
    let first = try #require(browser.press("enter").requests(LoadRecord.self).first)
    #expect(first.request == LoadRecord(grid: id, key: .rowID(1)))
    // A server may let it wait.
    browser.screen.expectLine("reading…")
    _ = browser.update(.answered(first.id, .success(Optional(BrowserFixture.row(0)))))
    let second = try #require(browser.press("]").requests(LoadRecord.self).first)
    #expect(second.request == LoadRecord(grid: id, key: .rowID(2)))
    _ = browser.update(.answered(second.id, .success(Optional(BrowserFixture.row(1)))))
    browser.screen.expectLine("song 1")
    #expect(!browser.screen.contains("reading…"))
    #expect(browser.press("[").requests(LoadRecord.self).map(\.request) == [LoadRecord(grid: id, key: .rowID(1))])
    browser.press("escape")
    #expect(browser.grid?.row == 0)
    #expect(browser.overlays.isEmpty)
  }

  @Test("a row that somebody deleted is said to be gone")
  func gone() throws {
    var browser = BrowserFixture.openBrowser()
    let asked = try #require(browser.press("enter").requests(LoadRecord.self).first)
    _ = browser.update(.answered(asked.id, .success(WindowRow?.none)))
    browser.screen.expectLine("This row has been deleted.")
  }
}
