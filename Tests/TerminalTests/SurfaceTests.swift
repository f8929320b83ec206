import Terminal
import TestSupport
import Testing

@Suite(.gated) struct SurfaceTests {
  private func surface(_ text: String) -> Surface {
    var surface = Surface(size: Size(columns: 8, rows: 1))
    surface.write(text, at: Point(column: 0, row: 0), style: .plain)
    return surface
  }

  @Test(arguments: [
    ("ab漢cd", 3, "x", "ab xcd"), ("ab漢cd", 2, "x", "abx cd"), ("ab漢cd", 1, "字", "a字 cd"), ("ab漢cd", 3, "字", "ab 字d"),
    ("ab漢字d", 3, "語", "ab 語 d"),
    ("abcdefgh", 7, "漢", "abcdefg"), ("abcdefgh", -1, "漢x", " xcdefgh"), ("漢", 0, "\u{1B}", "␛"), ("漢漢漢", 2, "ab", "漢ab漢"),
    ("", 9, "x", ""),
  ])
  func writingOverHalfOfAWideClusterBlanksTheOther(_ before: String, _ column: Int, _ text: String, _ after: String) {
    var surface = surface(before)
    surface.write(text, at: Point(column: column, row: 0), style: .plain)
    #expect(surface.text == after)
  }

  @Test func whatTheClipCutsIsBlank() {
    var surface = surface("abcdefgh")
    surface.clipped(to: Rect(column: 1, row: 0, columns: 4, rows: 1)) { surface in
      let used = surface.write("漢字語x", at: Point(column: 0, row: 0), style: .plain)
      #expect(used == 6)
    }
    #expect(surface.text == "a 字 fgh")
  }

  @Test func fillingAPartOfAWideClusterBlanksAllOfIt() {
    var surface = surface("漢字語")
    surface.fill(Rect(column: 1, row: 0, columns: 2, rows: 1), style: Style(attributes: .bold))
    #expect(surface.text == "    語")
    #expect((0..<8).filter { surface[$0, 0].style != .plain } == [1, 2])
  }

  @Test func anOverlayTakesWideClustersWholeOrNot() {
    var surface = surface("漢字語x")
    surface.overlay(Rect(column: 1, row: 0, columns: 4, rows: 1), style: Style(attributes: .bold))
    #expect(surface.text == "漢字語x")
    #expect((0..<7).filter { surface[$0, 0].style == Style(attributes: .bold) } == [2, 3])
  }

  @Test func nothingIsDrawnOutside() {
    var surface = Surface(size: Size(columns: 0, rows: 0))
    surface.write("x", at: Point(column: 0, row: 0), style: .plain)
    surface.fill(Rect(column: -5, row: -5, columns: 20, rows: 20), style: .plain)
    surface.overlay(Rect(column: -5, row: -5, columns: 20, rows: 20), style: .plain)
    #expect(surface.text == "")
    var small = Surface(size: Size(columns: 1, rows: 1))
    small.write("漢", at: Point(column: 0, row: 0), style: .plain)
    small.write("xy", at: Point(column: 0, row: 5), style: .plain)
    #expect(small.text == "")
  }

  @Test func randomDrawingKeepsWideClustersInPairs() {
    for seed in UInt64(1)...50 {
      var random = SeededRandom(seed: seed)
      var surface = Surface(size: Size(columns: 12, rows: 2))
      for _ in 0..<60 {
        let column = Int.random(in: -3..<14, using: &random)
        let row = Int.random(in: -1..<3, using: &random)
        let clip = Rect(column: Int.random(in: -1..<8, using: &random), row: 0, columns: Int.random(in: 0..<12, using: &random), rows: 2)
        let style = Style(attributes: Bool.random(using: &random) ? .bold : [])
        surface.clipped(to: clip) { surface in
          switch Int.random(in: 0..<4, using: &random) {
          case 0: surface.fill(Rect(column: column, row: row, columns: 3, rows: 1), style: style)
          case 1: surface.overlay(Rect(column: column, row: row, columns: 3, rows: 2), style: style)
          default:
            surface.write(
              ["漢字", "a", "x漢", "👍🏽y", "\u{301}"].randomElement(using: &random) ?? "", at: Point(column: column, row: row), style: style)
          }
        }
      }
      for row in 0..<2 {
        let cells = Array(surface.cells(inRow: row))
        let isRight = cells.indices.allSatisfy { index in
          let isSecond = cells[index].text.isEmpty
          let isWide = TextWidth.columns(of: cells[index].text) == 2
          let next = index + 1 < cells.count ? cells[index + 1] : nil
          return (!isSecond || index > 0) && isWide == (next?.text.isEmpty ?? false) && (!isWide || next?.style == cells[index].style)
        }
        #expect(isRight, "seed \(seed): \(cells.map(\.text))")
      }
    }
  }
}

@Suite(.gated) struct SurfaceDifferenceTests {
  private func surface(_ rows: String...) -> Surface {
    var surface = Surface(size: Size(columns: 20, rows: rows.count))
    for (row, text) in rows.enumerated() { surface.write(text, at: Point(column: 0, row: row), style: .plain) }
    return surface
  }

  private func runs(_ old: String, _ new: String) -> [Range<Int>] {
    SurfaceDifference(from: surface(old), to: surface(new)).runs.map(\.columns)
  }

  @Test func onlyCellsThatLookDifferentAreInIt() {
    #expect(runs("abc", "abc") == [])
    #expect(runs("abc", "abd") == [2..<3])
    #expect(runs("a234567890z", "b234567890y") == [0..<1, 10..<11])
    #expect(runs("a2z", "b2y") == [0..<3])
    #expect(runs("a漢b", "a字b") == [1..<3])
    #expect(runs("漢", "x") == [0..<2])
    #expect(runs("x", "👨‍👩‍👧‍👦") == [0..<8])
  }

  @Test func aClusterThatMayBeOverwrittenIsInItWithTheCellsItMayOverwriteItself() {
    #expect(runs("xx👍🏽ab", "👍🏽👍🏽ab") == [0..<6])
    #expect(runs("xx漢b", "👍🏽漢b") == [0..<4])
  }

  @Test func aBlankInAnotherColorOfInkIsNotDifferent() {
    var inked = surface("a")
    inked.overlay(Rect(column: 1, row: 0, columns: 19, rows: 1), style: Style(foreground: .ansi(2), attributes: .bold))
    #expect(SurfaceDifference(from: surface("a"), to: inked).runs.isEmpty)
    inked.overlay(Rect(column: 4, row: 0, columns: 2, rows: 1), style: Style(background: .ansi(2)))
    #expect(SurfaceDifference(from: surface("a"), to: inked).runs.map(\.columns) == [4..<6])
  }

  @Test func rowsThatMovedAreFound() {
    let old = surface("head", "1", "2", "3", "4", "5", "foot")
    let up = surface("head", "2", "3", "4", "5", "6", "foot")
    #expect(Scroll.best(from: old, to: up) == Scroll(region: 1..<6, lines: 1))
    #expect(Scroll.best(from: up, to: old) == Scroll(region: 1..<6, lines: -1))
    #expect(old.scrolled(by: Scroll(region: 1..<6, lines: 1)) == surface("head", "2", "3", "4", "5", "", "foot"))
    #expect(Scroll.best(from: old, to: old) == nil)
    #expect(Scroll.best(from: old, to: surface("a", "b", "c", "d", "e", "f", "g")) == nil)
  }

  @Test func aHeadlessTerminalReturnsWhatItIsSent() {
    let terminal = HeadlessTerminal(size: Size(columns: 20, rows: 1))
    terminal.type("ab")
    terminal.press(Key(.enter))
    terminal.send(.resized(Size(columns: 9, rows: 3)))
    #expect(terminal.waitForEvents() == [.key(Key("a")), .key(Key("b")), .key(Key(.enter)), .resized(Size(columns: 9, rows: 3))])
    #expect(terminal.size == Size(columns: 9, rows: 3))
    terminal.waker.wake()
    #expect(terminal.waitForEvents() == [])
    terminal.suspend()
    #expect(terminal.waitForEvents() == [.resumed])
    terminal.paint(surface("hello"))
    #expect(terminal.painted?.text == "hello" && terminal.paintCount == 1)
    #expect(terminal.copyToClipboard("x") && terminal.copies == ["x"])
  }
}
