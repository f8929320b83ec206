import Browser
import QuarryEngine
import Terminal
import TestSupport
import Testing

@Suite("Lists to choose from", .gated)
struct PickerTests {
  private static let environment = BrowserFixture.browser().environment

  private func lines(_ picker: Picker, columns: Int, rows: Int) -> [String] {
    var (picker, surface) = (picker, Surface(size: Size(columns: columns, rows: rows)))
    picker.height = picker.listHeight(in: surface.bounds)
    picker.draw(into: &surface, area: surface.bounds, Self.environment)
    return surface.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private static let detail = "what this one does, said in more words than eighty columns have room for beside its name, to the end"

  @Test("take the width that their texts need, where there is room for it")
  func width() {
    let picker = Picker(title: "All", placeholder: "", items: [PickerItem("first", detail: Self.detail)])
    #expect(lines(picker, columns: 160, rows: 24).contains { $0.contains(Self.detail) })
    let narrow = lines(picker, columns: 80, rows: 24)
    #expect(narrow.contains { $0.contains("first") && $0.contains("…  │") })
  }

  @Test("end what is cut with an ellipsis: labels, details, reasons and previews")
  func cut() {
    var long = PickerItem(
      String(repeating: "long ", count: 30), detail: "detail", trailing: "12", preview: String(repeating: "word ", count: 300))
    long.reason = String(repeating: "because ", count: 30)
    let shown = lines(Picker(title: "All", placeholder: "", items: [long]), columns: 80, rows: 24)
    #expect(shown.contains { $0.contains("long") && $0.contains("…  detail") && $0.contains("12") })
    #expect(shown.contains { $0.contains("not available: because") && $0.contains("…") })
    #expect(shown.filter { $0.contains("word word") }.count > 5)
    #expect(shown.last { $0.contains("word") }?.contains("…") == true)
  }

  @Test("take the height that they need, and stay as they are while they are narrowed")
  func height() {
    var picker = Picker(title: "All", placeholder: "", items: (10..<60).map { PickerItem("item \($0)") })
    #expect(lines(picker, columns: 80, rows: 40).filter { $0.contains("item ") }.count == 33)
    let before = lines(picker, columns: 80, rows: 40).firstIndex { $0.contains("╭") }
    _ = picker.edit { field in
      field.insert("59")
      return true
    }
    let after = lines(picker, columns: 80, rows: 40)
    #expect(after.filter { $0.contains("item ") }.count == 1)
    #expect(after.firstIndex { $0.contains("╭") } == before)
    #expect(after.firstIndex { $0.contains("╰") } == 38 + (before ?? 0) - 1)
  }

  @Test("a click takes the item under it", arguments: [80, 160])
  func click(columns: Int) throws {
    var browser = BrowserFixture.openBrowser(columns: columns)
    browser.press("ctrl-p")
    let line = try #require(
      browser.screen.split(separator: "\n", omittingEmptySubsequences: false).lastIndex { $0.contains(" songs ") && $0.contains("table") })
    _ = browser.update(.eventArrived(.mouse(Mouse(.press(.left), at: Point(column: columns / 2, row: line)))))
    #expect(browser.overlays.isEmpty)
    #expect(browser.rows.opening.pending?.title == "songs")
  }

  @Test("a line of several runs says that it is cut, also where one of them ends at the edge")
  func line() {
    let line = StyledLine("abc", .accent).adding("def", .muted)
    for (columns, text) in [(6, "abcdef"), (5, "abcd…"), (3, "ab…"), (2, "a…")] {
      var surface = Surface(size: Size(columns: 10, rows: 1))
      line.draw(into: &surface, at: Point(column: 0, row: 0), columns: columns, appearance: Self.environment.appearance)
      #expect(surface.text == text)
    }
  }
}
