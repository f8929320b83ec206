import Browser
import QuarryEngine
import Terminal
import TestSupport
import Testing

@Suite("Random walks in the editor", .gated)
struct EditorWalkTests {
  private static let pieces = [
    "a", "Z", " ", "\t", "'", "\"", "(", ")", "-", "/", "*", "é", "e\u{301}", "\u{301}", "日本", "👨‍👩‍👧", "🇩🇪", "\u{1F1E9}", "\u{200D}", "\u{1B}",
    "\u{600}",
    "©\u{FE0F}", "한", "1", ";", "abcdefghij", "\n", "\r\n", "\r",
  ]

  @Test("every edit is as on a plain text, and undone and redone without a trace", arguments: 0..<12)
  func walk(seed: UInt64) {
    var random = SplitMix(state: seed)
    var pane = EditorPane(text: Self.text(20, &random))
    pane.extent = GridExtent(rows: 5, columns: 12)
    let original = Array(pane.text.utf8)
    for _ in 0..<60 {
      Self.step(&pane, &random)
      var state = SQLLineState.plain
      for line in pane.buffer.lines {
        #expect(line.state == state)
        state = line.endState
      }
      let caret = pane.buffer.caret
      #expect(pane.buffer.lines[caret.line].aligned(caret.offset) == caret.offset)
      let surface = pane.surface(columns: Int.random(in: 1..<30, using: &random), rows: 3)
      #expect(surface.cursor.map { surface.bounds.contains($0) } == true)
    }
    let end = Array(pane.text.utf8)
    while pane.undo() {}
    #expect(Array(pane.text.utf8) == original)
    while pane.redo() {}
    #expect(Array(pane.text.utf8) == end)
  }

  private static func text(_ count: Int, _ random: inout SplitMix) -> String {
    (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
  }

  /// Does one thing, and compares what it makes of the text with what it makes of a string.
  private static func step(_ pane: inout EditorPane, _ random: inout SplitMix) {
    var model = Array(pane.text.utf8)
    let range = pane.selectedRange ?? pane.caretOffset..<pane.caretOffset
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1:
      let text = text(Int.random(in: 1..<6, using: &random), &random)
      pane.insert(text)
      model.replaceSubrange(range, with: TextBuffer.normalized(text).utf8)
    case 2:
      let character = Character(["x", " ", "'", "日", "\u{301}"].randomElement(using: &random) ?? "x")
      _ = pane.handle(Key(character))
      model.replaceSubrange(range, with: String(character).utf8)
    case 3:
      let text = text(8, &random)
      pane.replaceText(text)
      model = Array(TextBuffer.normalized(text).utf8)
    case 4:
      if Bool.random(using: &random) { pane.comment() } else { pane.unindent() }
      model = Array(pane.text.utf8)
    case 5:
      let before = Array(pane.text.utf8)
      if pane.undo() { pane.redo() }
      model = before
    case 6:
      pane.press(["backspace", "delete", "ctrl-k", "ctrl-w", "alt-d", "enter"].randomElement(using: &random) ?? "")
      model = Array(pane.text.utf8)
    default:
      let keys = [
        "left", "shift-right", "up", "shift-down", "end", "home", "alt-b", "ctrl-shift-right", "pagedown", "ctrl-home", "ctrl-end",
      ]
      pane.press(keys.randomElement(using: &random) ?? "")
    }
    #expect(Array(pane.text.utf8) == model)
  }
}

struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
