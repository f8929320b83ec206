import Browser
import Terminal
import TestSupport
import Testing

@Suite("Long lines in the editor", .gated)
struct EditorWrapTests {
  private static let theme = ThemeCatalog().theme(named: "quarry-dark")?.theme ?? .fallback
  private static let statement =
    "select a.title, b.name, count(*) as tracks from album a join artist b on b.id = a.artist_id where a.title like 'The%' group by a.title"

  @Test("go on in the next rows, broken between words, with a mark instead of a number")
  func pictures() {
    let pane = EditorPane(text: "-- all\n\(Self.statement)\n;")
    let wide = pane.surface(columns: 80, rows: 5, statement: 0..<900)
    #expect(
      wide.text == """
        │ 1 -- all
        │ 2 select a.title, b.name, count(*) as tracks from album a join artist b on
        │ ↳ b.id = a.artist_id where a.title like 'The%' group by a.title
        │ 3 ;

        """)
    #expect(wide.cursor == Point(column: 5, row: 3))
    let narrow = pane.surface(columns: 40, rows: 7, isASCII: true)
    #expect(
      narrow.text == #"""
          1 -- all
          2 select a.title, b.name, count(*) as
          \ tracks from album a join artist b
          \ on b.id = a.artist_id where a.title
          \ like 'The%' group by a.title
          3 ;

        """#)
  }

  @Test(
    "are broken after a blank, a comma or a semicolon, else at a bound of a word, else where the row is full",
    arguments: [
      ("one two three", ["one two ", "three"]), ("a,bc,def,ghi", ["a,bc,def,", "ghi"]), ("abcde;fghijk", ["abcde;", "fghijk"]),
      ("count(abcdef)", ["count(", "abcdef)"]), ("abcdefghijklm", ["abcdefghi", "jklm"]), ("x'abcdefghijkl", ["x'abcdefg", "hijkl"]),
      ("abcdefghi jk", ["abcdefghi ", "jk"]), ("abcdefghi  jk", ["abcdefghi ", " jk"]), ("abcdefghi ", ["abcdefghi ", ""]),
      ("abcdefghi", ["abcdefghi"]), ("abcdefgh\tij", ["abcdefgh\t", "ij"]), ("a\tb\tc\td", ["a\tb\tc\t", "d"]),
      ("日本語日本語", ["日本語日", "本語"]), ("x 日本語ab cd", ["x 日本語", "ab cd"]), ("abcdefgh日x", ["abcdefgh", "日x"]),
      ("日本か\u{3099}か\u{3099}か\u{3099}", ["日本", "か\u{3099}か\u{3099}か\u{3099}"]),
      ("\u{1B}\u{1B}\u{1B}\u{1B}\u{1B}\0\0\0\0\0", ["\u{1B}\u{1B}\u{1B}\u{1B}\u{1B}\0\0\0\0", "\0"]),
      ("👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", ["👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", "👨‍👩‍👧"]),
    ])
  func breaks(text: String, rows: [String]) {
    let line = TextLine(text: text)
    let wrapped = line.rows(columns: 10)
    let found = (0..<wrapped.count).map { String(line.text[line.index(wrapped[$0].lowerBound)..<line.index(wrapped[$0].upperBound)]) }
    #expect(found.map { Array($0.utf8) } == rows.map { Array($0.utf8) })
  }

  @Test("keep their colors, what is selected, faults and pairs across a break")
  func styles() {
    var pane = EditorPane(marked: "f(1, 'abc ¦def ghi'| )", rows: 4, columns: 10)
    let surface = pane.surface(columns: 14, rows: 4, theme: Self.theme)
    #expect(surface.text == "  1 f(1, 'abc\n  ↳ def ghi'\n  ↳ )\n")
    let selected = Self.theme.style(.string, on: .selection)
    #expect((4..<14).filter { surface[$0, 1].style == selected } == Array(4..<12))
    #expect((9..<13).allSatisfy { surface[$0, 0].style == Self.theme.style(.string) })
    pane.press("end")
    let match = Self.theme.style(.match)
    let pairs = pane.surface(columns: 14, rows: 4, theme: Self.theme)
    #expect(pairs[5, 0].style == match && pairs[4, 2].style == match)
    pane.errorRange = 12..<20
    let wrong = pane.surface(columns: 14, rows: 4, theme: Self.theme)
    let underlined = (0..<3).map { row in (4..<14).filter { wrong[$0, row].style.attributes.contains(.underline) } }
    #expect(underlined == [[], Array(6..<13), [4]])
  }

  @Test("have the caret on the row that it begins, and at the end of a full row beside it")
  func caret() {
    let area = Rect(column: 0, row: 0, columns: 14, rows: 3)
    func cursor(_ marked: String) -> Point? {
      EditorPane(marked: marked, rows: area.rows, columns: 10).surface(columns: area.columns, rows: area.rows).cursor
    }
    #expect(cursor("one two |three") == Point(column: 4, row: 1))
    #expect(cursor("one two| three") == Point(column: 11, row: 0))
    #expect(cursor("abcdefghi|") == Point(column: 13, row: 0))
    #expect(cursor("abcdefghi|j") == Point(column: 4, row: 1))
    #expect(cursor("abcdefghi| j") == Point(column: 13, row: 0))
    #expect(cursor("abcdefghi |") == Point(column: 4, row: 1))
  }

  @Test(
    "are gone through row by row, in the same column",
    arguments: [
      ("one tw|o three", "down", "one two three|"), ("one two thr|ee", "up", "one| two three"),
      ("one| two three\nab", "down down", "one two three\nab|"),
      ("|one two three four five six\nab", "down down down down", "one two three four five six\n|ab"),
      ("one two three\nabcdef|", "up", "one two three|\nabcdef"), ("one two three\nabcdef|", "up up", "one tw|o three\nabcdef"),
      ("abcdefghijklmnopq|r", "up", "abcdefgh|ijklmnopqr"), ("|abcdef gh", "end up", "abcdef gh|"),
      ("one two |three", "end", "one two three|"),
      ("one two thr|ee", "home", "|one two three"), ("one two thr|ee", "ctrl-a", "|one two three"),
      ("one two |three", "ctrl-k", "one two |"),
      ("one two |three", "left", "one two| three"), ("one tw|o three", "shift-down", "one tw¦o three|"),
      ("日本語|日本語", "down", "日本語日本語|"), ("日本語日本|語", "up", "日|本語日本語"), ("\tab\tcd|", "up", "|\tab\tcd"),
    ])
  func moves(before: String, keys: String, after: String) {
    var pane = EditorPane(marked: before, rows: 4, columns: 10)
    pane.press(keys)
    #expect(pane.marked == after)
  }

  @Test("are paged and scrolled by rows of the screen")
  func pages() {
    var pane = EditorPane(text: (10..<60).map(String.init).joined(separator: " "), rows: 4, columns: 10)
    pane.press("ctrl-home")
    #expect(pane.surface(columns: 14, rows: 4).text == "  1 10 11 12\n  ↳ 13 14 15\n  ↳ 16 17 18\n  ↳ 19 20 21")
    pane.press("down pagedown")
    #expect(pane.surface(columns: 14, rows: 4).text == "  ↳ 22 23 24\n  ↳ 25 26 27\n  ↳ 28 29 30\n  ↳ 31 32 33")
    #expect(pane.caretOffset == 45)
    pane.scroll(by: 3)
    #expect(pane.surface(columns: 14, rows: 1 + 3).text.hasPrefix("  ↳ 31 32 33\n"))
    #expect(pane.caretOffset == 63, "the caret goes along where it would leave")
    pane.press("pageup")
    #expect(pane.caretOffset == 27)
    #expect(pane.surface(columns: 14, rows: 4).cursor == Point(column: 4, row: 0))
    pane.scroll(by: -100)
    #expect(pane.sight.top.offset == 0)
    #expect(pane.surface(columns: 14, rows: 4).cursor == Point(column: 4, row: 3))
    pane.scroll(by: 100)
    #expect(pane.surface(columns: 14, rows: 4).text.hasSuffix("\n  ↳ 55 56 57\n  ↳ 58 59"), "no room is wasted")
    pane.press("pagedown pagedown")
    #expect(pane.surface(columns: 14, rows: 4).cursor?.row == 3)
  }

  @Test("are scrolled row by row, and into the line before and after")
  func lines() {
    var pane = EditorPane(text: "one two three four\nfive six seven eight\nnine", rows: 2, columns: 10)
    #expect(pane.surface(columns: 14, rows: 2).text == "  ↳ eight\n  3 nine")
    pane.press("up up up")
    #expect(pane.surface(columns: 14, rows: 2).text == "  2 five six\n  ↳ seven")
    pane.press("up up")
    #expect(pane.surface(columns: 14, rows: 2).text == "  ↳ three\n  ↳ four")
  }

  @Test("are met where they are clicked")
  func clicks() {
    let area = Rect(column: 3, row: 2, columns: 14, rows: 4)
    var pane = EditorPane(text: "one two three\n日本語日本語", rows: 4, columns: 10)
    func clicked(_ column: Int, _ row: Int) -> String {
      pane.moveCaret(to: Point(column: 7 + column, row: 2 + row), area: area)
      return pane.marked
    }
    #expect(clicked(4, 0) == "one |two three\n日本語日本語")
    #expect(clicked(9, 0) == "one two| three\n日本語日本語", "the end of a row that goes on is before its last character")
    #expect(clicked(1, 1) == "one two t|hree\n日本語日本語")
    #expect(clicked(9, 1) == "one two three|\n日本語日本語")
    #expect(clicked(3, 2) == "one two three\n日|本語日本語")
    #expect(clicked(8, 2) == "one two three\n日本語|日本語")
    #expect(clicked(2, 3) == "one two three\n日本語日本|語")
    #expect(clicked(-6, 1) == "one two |three\n日本語日本語")
    #expect(clicked(5, 9) == "one two three\n日本語日本語|")
  }

  @Test("keep what is at the top there where the screen becomes wider or narrower")
  func resize() {
    var pane = EditorPane(text: (10..<60).map(String.init).joined(separator: " "), rows: 3, columns: 10)
    pane.press("ctrl-home pagedown pagedown down down")
    #expect(pane.surface(columns: 14, rows: 3).text.hasPrefix("  ↳ 28 29 30\n"))
    pane.extent = GridExtent(rows: 3, columns: 20)
    #expect(pane.surface(columns: 24, rows: 3).text == "  ↳ 28 29 30 31 32 33\n  ↳ 34 35 36 37 38 39\n  ↳ 40 41 42 43 44 45")
    pane.extent = GridExtent(rows: 3, columns: 8)
    #expect(pane.surface(columns: 12, rows: 3).text == "  ↳ 30 31\n  ↳ 32 33\n  ↳ 34 35", "with the caret in sight")
    pane.extent = GridExtent(rows: 3, columns: 400)
    #expect(pane.surface(columns: 404, rows: 3).text.hasPrefix("  1 10 11 12"), "and no room wasted")
    let hidden = pane.extent(in: Rect(column: 0, row: 0, columns: 0, rows: 0))
    #expect(hidden == pane.extent, "one that is not shown is not wrapped to nothing")
  }

  @Test("keep their rows through every change, and are wrapped anew only where it shows", arguments: 0..<8)
  func index(seed: UInt64) {
    var random = SplitMix(state: seed)
    let pieces = ["a", " ", ",", "word ", "日本", "e\u{301}", "\u{301}", "\t", "abcdefghijklmnop", "🇩🇪", "\u{1F1E9}", "👨‍👩‍👧", "'", ";  ", ""]
    func text(_ count: Int) -> String { (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined() }
    var line = TextLine(text: text(600))
    line.keepRows(columns: Int.random(in: 1..<14, using: &random))
    for _ in 0..<80 {
      let start = line.aligned(Int.random(in: 0...line.count, using: &random))
      let end = line.aligned(min(line.count, start + Int.random(in: 0..<20, using: &random)))
      line.replace(start..<end, with: text(Int.random(in: 0..<4, using: &random)))
      #expect(line.keptRows == line.keptRows.map { LineRows(TextLine(text: line.text), columns: $0.columns) })
    }
  }

  @Test("of a megabyte take a key without being wrapped anew, and twenty thousand of them too")
  func size() {
    let long = "insert into t values " + String(repeating: "(1, 'abc', null), ", count: 60_000)
    var pane = EditorPane(text: long, rows: 30, columns: 100)
    pane.press("pageup")
    #expect(pane.buffer.lines[0].keptRows?.count ?? 0 > 10_000)
    for _ in 0..<20 {
      pane.press("x up")
      #expect(pane.surface(columns: 104, rows: 30).cursor != nil)
    }
    #expect(pane.buffer.lines[0].keptRows == LineRows(TextLine(text: pane.buffer.lines[0].text), columns: 100))
    var many = EditorPane(text: String(repeating: "one two three\n", count: 20_000), rows: 30, columns: 10)
    for keys in ["pageup", "ctrl-home", "pagedown", "x", "ctrl-end", "up"] {
      many.press(keys)
      #expect(many.surface(columns: 17, rows: 30).cursor != nil)
    }
  }
}
