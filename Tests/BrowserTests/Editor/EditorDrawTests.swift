import Browser
import Terminal
import TestSupport
import Testing

@Suite("The picture of the editor", .gated)
struct EditorDrawTests {
  private static let theme = ThemeCatalog().theme(named: "quarry-dark")?.theme ?? .fallback

  @Test("has line numbers, a mark beside the statement, and the caret")
  func picture() {
    let surface = EditorPane(marked: "select 1;\nselect\n\t日本| from t;").surface(columns: 24, rows: 4, statement: 10..<33)
    #expect(surface.text == "  1 select 1;\n│ 2 select\n│ 3     日本 from t;\n")
    #expect(surface.cursor == Point(column: 12, row: 2))
    let ascii = EditorPane(marked: "select 1|").surface(columns: 24, rows: 1, statement: 0..<8, isASCII: true)
    #expect(ascii.text == "| 1 select 1")
  }

  @Test("shows each kind of SQL in its role")
  func highlighting() {
    let surface = EditorPane(marked: "select 'a', 12, :b, x'00' -- c|").surface(theme: Self.theme)
    let roles: [(Int, Role)] = [(4, .keyword), (11, .string), (16, .number), (20, .parameter), (24, .blob), (30, .comment), (14, .text)]
    for (column, role) in roles { #expect(surface[column, 0].style == Self.theme.style(role), "\(column)") }
    #expect(surface[2, 0].style == Self.theme.style(.accent))
  }

  @Test("shows what is selected, line ends too")
  func selection() {
    let surface = EditorPane(marked: "a¦b\n\nc|d").surface(columns: 12, rows: 4, theme: Self.theme)
    let selected = Self.theme.style(.text, on: .selection)
    let rows = (0..<3).map { row in (4..<12).filter { surface[$0, row].style == selected } }
    #expect(rows == [[5, 6], [4], [4]])
  }

  @Test("underlines a fault, also at the end of a line")
  func faults() {
    var pane = EditorPane(marked: "select\nfrom|")
    pane.errorRange = 7..<11
    let underlined = { (surface: Surface) in
      (0..<2).flatMap { row in
        (0..<20).filter { surface[$0, row].style.attributes.contains(.underline) }.map { Point(column: $0, row: row) }
      }
    }
    #expect(underlined(pane.surface(columns: 20, rows: 2, theme: Self.theme)) == (4..<8).map { Point(column: $0, row: 1) })
    pane.errorRange = 6..<6
    #expect(underlined(pane.surface(columns: 20, rows: 2, theme: Self.theme)) == [Point(column: 10, row: 0)])
    pane.errorRange = 400..<900
    #expect(underlined(pane.surface(columns: 20, rows: 2, theme: Self.theme)).isEmpty)
  }

  @Test("marks a pair of parentheses")
  func pairs() {
    let surface = EditorPane(marked: "f((a)|)").surface(columns: 20, rows: 1, theme: Self.theme)
    let match = Self.theme.style(.match)
    #expect((0..<20).filter { surface[$0, 0].style == match } == [5, 9])
  }

  @Test("control characters are pictures and marks keep their letters")
  func characters() {
    let surface = EditorPane(marked: "\u{1B}[31m\0e\u{301}日\u{200B}|").surface(columns: 20, rows: 1)
    #expect(surface.text == "  1 ␛[31m␀e\u{301}日␦")
    #expect(surface.cursor == Point(column: 14, row: 0))
  }

  @Test("scrolls so that the caret is in sight")
  func scrolling() {
    var pane = EditorPane(text: (1...30).map { "line \($0)" }.joined(separator: "\n"), rows: 4, columns: 16)
    #expect(pane.surface(columns: 20, rows: 4).text == (27...30).map { " \($0) line \($0)" }.joined(separator: "\n"))
    #expect(pane.surface(columns: 20, rows: 4).cursor == Point(column: 11, row: 3))
    pane.press("ctrl-home")
    #expect(pane.surface(columns: 20, rows: 2).text == "  1 line 1\n  2 line 2")
  }

  @Test("tells what can be written where nothing is")
  func placeholder() {
    let pane = EditorPane()
    #expect(pane.surface(columns: 24, rows: 2, placeholder: "SELECT … F5 runs it").text == "  1 SELECT … F5 runs it\n")
    #expect(pane.surface(columns: 12, rows: 1, placeholder: "SELECT … F5 runs it").text == "  1 SELECT …")
    #expect(pane.surface(columns: 24, rows: 1, placeholder: "x").cursor == Point(column: 4, row: 0))
    #expect(EditorPane(text: " ").surface(columns: 24, rows: 1, placeholder: "x").text == "  1")
  }

  @Test("the caret is in sight at every size", arguments: ScreenSizeTests.sizes + [Size(columns: 0, rows: 0), Size(columns: 3, rows: 2)])
  func sizes(size: Size) {
    var pane = EditorPane(
      text: (0..<60).map { "select \($0), '日本\t', (" + String(repeating: "é", count: $0 * 3) + ")" }.joined(separator: "\n"))
    pane.extent = pane.extent(in: Rect(size))
    for keys in ["", "up up home", "ctrl-home", "end", "pagedown end", "shift-up", "ctrl-end x"] {
      pane.press(keys)
      pane.errorRange = 3..<200
      let surface = pane.surface(columns: size.columns, rows: size.rows, statement: 20..<300, placeholder: "x")
      #expect(surface.cursor.map { surface.bounds.contains($0) } ?? surface.bounds.isEmpty)
    }
  }

  @Test("a point of the screen is a place in the text")
  func clicking() {
    var pane = EditorPane(marked: "日本|\nab")
    let area = Rect(column: 10, row: 5, columns: 20, rows: 4)
    pane.moveCaret(to: Point(column: 17, row: 5), area: area)
    #expect(pane.marked == "日|本\nab")
    pane.moveCaret(to: Point(column: 29, row: 8), area: area, selecting: true)
    #expect(pane.marked == "日¦本\nab|")
    pane.moveCaret(to: Point(column: 0, row: 0), area: area)
    #expect(pane.marked == "|日本\nab")
  }
}
