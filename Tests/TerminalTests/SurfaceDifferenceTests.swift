import Terminal
import Testing

@Suite struct SurfaceDifferenceTests {
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
