import Browser
import QuarryEngine
import Terminal
import TestSupport
import Testing

@Suite("Lines of the editor", .gated)
struct EditorLineTests {
  @Test(
    "comments, and takes comments away",
    arguments: [
      ("sel|ect", "-- sel|ect"), ("-- sel|ect", "sel|ect"), ("  --se|l", "  se|l"), ("|", "-- |"), ("¦a\n\nb|", "¦-- a\n\n-- b|"),
      ("¦-- a\n-- b|", "¦a\nb|"), ("¦-- a\nb|", "¦-- -- a\n-- b|"), ("¦a\n|b", "¦-- a\n|b"), ("a|b¦c\nd", "-- a|b¦c\nd"), ("-|- x", "|x"),
    ])
  func comments(before: String, after: String) {
    var pane = EditorPane(marked: before)
    pane.comment()
    #expect(pane.marked == after)
  }

  @Test(
    "moves lines in and out",
    arguments: [("a|b", "  a|b", "a|b"), ("¦a\n\n b|", "¦  a\n\n   b|", "¦a\n\n b|"), ("\ta|", "  \ta|", "\ta|")])
  func indentation(before: String, inside: String, after: String) {
    var pane = EditorPane(marked: before)
    pane.indent()
    #expect(pane.marked == inside)
    pane.unindent()
    #expect(pane.marked == after)
  }

  @Test("moves lines out as far as they are in", arguments: [(" a|", "a|"), ("a|", "a|"), ("\t\ta|", "\ta|"), (" | a", "|a")])
  func unindentation(before: String, after: String) {
    var pane = EditorPane(marked: before)
    pane.unindent()
    #expect(pane.marked == after)
  }

  @Test("places are told in bytes of the text")
  func offsets() {
    var pane = EditorPane(marked: "é\n日|本")
    #expect(pane.caretOffset == 6)
    pane.press("shift-right")
    #expect(pane.selectedRange == 6..<9)
    pane.clearSelection()
    #expect(pane.selectedRange == nil)
    pane.moveCaret(toUTF8Offset: 4)
    #expect(pane.marked == "é\n日|本")
    pane.moveCaret(toUTF8Offset: 99)
    #expect(pane.marked == "é\n日本|")
    pane.moveCaret(toUTF8Offset: -1)
    #expect(pane.marked == "|é\n日本")
    pane.replace(3..<6, with: "x\r\ny")
    #expect(pane.marked == "é\nx\ny|本")
  }

  @Test("each change makes another revision, and no move does")
  func revisions() {
    var pane = EditorPane(marked: "a|b")
    let first = pane.revision
    pane.press("left shift-right")
    #expect(pane.revision == first)
    pane.type("x")
    let second = pane.revision
    pane.undo()
    #expect(Set([first, second, pane.revision]).count == 3)
  }

  @Test(
    "finds the pair of a parenthesis at the caret or before it",
    arguments: [
      ("f|(a, (b))", [1, 8]), ("f(a, (b))|", [8, 1]), ("f(a, (b|))", [7, 5]), ("f(\n  (a)\n|)", [9, 1]), ("f|(\n  ')'\n -- )\n)", [1, 15]),
      ("'|()'", []),
      ("|(", []), ("a|b", []), ("(|)", [1, 0]), ("f|( /* \n) */ )", [1, 12]),
    ])
  func pairs(marked: String, offsets: [Int]) {
    let pane = EditorPane(marked: marked)
    #expect(pane.parentheses.map { pane.buffer.offset(of: $0) } == offsets)
  }

  @Test("knows at once where the lexing of each line begins")
  func lexing() {
    var pane = EditorPane(marked: "|a\nb\n*/ c\nd")
    pane.type("/*")
    #expect(pane.buffer.lines.map(\.state) == [.plain, .comment, .comment, .plain])
    pane.undo()
    #expect(pane.buffer.lines.map(\.state) == [.plain, .plain, .plain, .plain])
  }

  @Test("catches up with the lexing of what comes in sight")
  func lazyLexing() {
    var pane = EditorPane(text: String(repeating: "select 1\n", count: 20_000))
    pane.extent = GridExtent(rows: 10, columns: 40)
    pane.press("ctrl-home")
    pane.type("'")
    #expect(pane.buffer.lines[11].state == .text)
    #expect(pane.buffer.unsettled != nil)
    pane.press("ctrl-end")
    #expect(pane.buffer.lines.dropFirst().allSatisfy { $0.state == .text })
    pane.press("ctrl-home delete")
    pane.press("ctrl-end")
    #expect(pane.buffer.lines.allSatisfy { $0.state == .plain })
  }
}

@Suite("Characters measured quickly", .gated)
struct PlainRunTests {
  @Test("are as wide as they are drawn, with and without a mark")
  func widths() {
    for value in Array(UInt32(0x20)..<0x3200) + stride(from: 0x3200, to: 0x1_0000, by: 41) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      for text in ["a\(scalar)b", "a\(scalar)\u{301}b", "日\(scalar)\u{FE0F}"] {
        let line = TextLine(text: text)
        let width = text.reduce(0) { $0 + TextLine.columns(of: $1, at: $0) }
        if line.columns(before: line.count) != width { Issue.record("U+\(String(value, radix: 16))") }
      }
    }
  }

  @Test("a stop never exceeds the column and is where a character begins")
  func stops() {
    let line = TextLine(text: "SELECT 'abcdefgh', \t日本語e\u{301}©\u{FE0F}👨‍👩‍👧x\ty 한글\u{301} Ünïcode Кириллица")
    let places = line.text.indices.map { line.text.utf8.distance(from: line.text.startIndex, to: $0) } + [line.count]
    for column in 0..<100 {
      let stop = line.stop(atColumn: column)
      #expect(stop.column <= column && places.contains(stop.offset) && line.columns(before: stop.offset) == stop.column)
      #expect(stop.offset == line.count || line.stop(atColumn: column + 4).offset > stop.offset)
    }
  }
}
