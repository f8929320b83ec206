import Browser
import Terminal
import TestSupport
import Testing

@Suite("Keys of the editor", .gated)
struct EditorKeyTests {
  @Test(
    "keys move the caret",
    arguments: [
      ("ab|c", "left", "a|bc"), ("ab\n|c", "left", "ab|\nc"), ("ab|\nc", "right", "ab\n|c"), ("|ab", "left", "|ab"),
      ("ab|", "ctrl-f", "ab|"), ("ab|", "ctrl-b", "a|b"), ("a👨‍👩‍👧|b", "left", "a|👨‍👩‍👧b"), ("e\u{301}|", "left", "|e\u{301}"),
      ("  ab|c", "home", "  |abc"), ("  |abc", "home", "|  abc"), ("|  abc", "home", "  |abc"), ("  ab|c", "ctrl-a", "|  abc"),
      ("a|bc\nd", "end", "abc|\nd"), ("a|bc\nd", "ctrl-e", "abc|\nd"), ("a\nb|c", "ctrl-home", "|a\nbc"), ("|a\nbc", "ctrl-end", "a\nbc|"),
      ("one two_2|, x", "alt-b", "one |two_2, x"), ("one |, x", "ctrl-left", "|one , x"), ("one\n  |x", "alt-left", "|one\n  x"),
      ("on|e.two", "alt-f", "one|.two"), ("one|  \n\n two", "ctrl-right", "one  \n\n two|"), ("one|;", "alt-right", "one;|"),
    ])
  func motions(before: String, key: String, after: String) {
    var pane = EditorPane(marked: before)
    pane.press(key)
    #expect(pane.marked == after)
  }

  @Test(
    "up and down keep to the column, in cells",
    arguments: [
      ("abcd|\nx\nabcdef", "down", "abcd\nx|\nabcdef"), ("abcd|\nx\nabcdef", "down down", "abcd\nx\nabcd|ef"),
      ("日本|語\nabcdef", "down", "日本語\nabcd|ef"), ("abc|d\n日本語", "down", "abcd\n日|本語"), ("\tab|\nabcdefgh", "down", "\tab\nabcdef|gh"),
      ("e\u{301}e\u{301}|\nabc", "down", "e\u{301}e\u{301}\nab|c"), ("a|b", "up", "a|b"), ("a|b", "down", "a|b"),
      ("abcd|\nx\nabcdef", "down left down", "abcd\nx\n|abcdef"),
    ])
  func columns(before: String, keys: String, after: String) {
    var pane = EditorPane(marked: before)
    pane.press(keys)
    #expect(pane.marked == after)
  }

  @Test("pages are as long as what is in sight")
  func pages() {
    var pane = EditorPane(text: (1...50).map(String.init).joined(separator: "\n"))
    pane.extent = GridExtent(rows: 10, columns: 20)
    pane.press("ctrl-home pagedown pagedown down")
    #expect(pane.buffer.caret.line == 21)
    #expect(pane.sight.top.line == 20)
    pane.press("pageup")
    #expect(pane.buffer.caret.line == 11)
    #expect(pane.sight.top.line == 10)
    pane.press("pagedown pagedown pagedown pagedown pagedown")
    #expect(pane.buffer.caret.line == 49)
    #expect(pane.sight.top.line == 40)
  }

  @Test(
    "Shift selects with every key that moves",
    arguments: [
      ("a|b", "shift-right", "a¦b|"), ("a|b", "shift-left", "|a¦b"), ("a|b\ncd", "shift-down", "a¦b\nc|d"),
      ("a|b\ncd", "shift-end", "a¦b|\ncd"),
      ("a|b c", "ctrl-shift-right", "a¦b| c"), ("a|b\ncd", "ctrl-shift-end", "a¦b\ncd|"), ("a¦b|c", "shift-left", "a|bc"),
      ("a¦bc|d", "left", "a|bcd"), ("a¦bc|d", "right", "abc|d"), ("a¦bc|d", "end", "abcd|"), ("a|bc¦d", "right", "abc|d"),
    ])
  func selecting(before: String, keys: String, after: String) {
    var pane = EditorPane(marked: before)
    pane.press(keys)
    #expect(pane.marked == after)
  }

  @Test(
    "keys edit",
    arguments: [
      ("a|b", "x", "ax|b"), ("a¦b|c", "x", "ax|c"), ("  a|b", "enter", "  a\n  |b"), (" | a", "enter", " \n | a"),
      ("a¦b|c", "enter", "a\n|c"),
      ("ab|", "backspace", "a|"), ("a\n|b", "backspace", "a|b"), ("a|\nb", "delete", "a|b"), ("a|b", "ctrl-d", "a|"),
      ("e\u{301}|", "backspace", "|"), ("a¦bc|d", "backspace", "a|d"), ("a|bc¦d", "delete", "a|d"), ("|", "backspace", "|"),
      ("one two|", "ctrl-w", "one |"), ("one\n|two", "ctrl-w", "one|two"), ("a\n  |b", "ctrl-w", "a\n|b"),
      ("one |two x", "alt-d", "one | x"),
      ("a|\nb", "alt-d", "a|b"), ("one two|", "alt-backspace", "one |"), ("a\nbc|d", "ctrl-u", "a\n|d"), ("a\n|b", "ctrl-u", "a\n|b"),
      ("a|bc\nd", "ctrl-k", "a|\nd"), ("a|\nd", "ctrl-k", "a|d"), ("a¦bc|d", "ctrl-w", "a|d"),
      ("ab|c", "ctrl-u end ctrl-y", "cab|"), ("|one\ntwo", "ctrl-k ctrl-k ctrl-y", "one\n|two"),
      ("one two|", "ctrl-w ctrl-w ctrl-y", "one two|"),
      ("|one\ntwo", "ctrl-k down ctrl-k ctrl-y", "\ntwo|"),
    ])
  func editing(before: String, keys: String, after: String) {
    var pane = EditorPane(marked: before)
    pane.press(keys)
    #expect(pane.marked == after)
  }

  @Test(
    "keys without a meaning are left to others",
    arguments: ["ctrl-n", "ctrl-t", "ctrl-p", "tab", "esc", "f5", "alt-x", "ctrl-up", "insert"])
  func others(notation: String) throws {
    var pane = EditorPane(marked: "a|b")
    let before = pane
    let key = try #require(Keymap.parse(notation)?.first)
    let isTaken = pane.handle(key)
    #expect(!isTaken)
    #expect(pane == before)
  }

  @Test("a paste has line feeds for line ends and keeps all else")
  func paste() {
    var pane = EditorPane(marked: "a¦b|c")
    pane.insert("1\r\n2\r3\n\t\u{1B}\0")
    #expect(pane.marked == "a1\n2\n3\n\t\u{1B}\0|c")
    #expect(EditorPane(text: "a\r\nb\r").text == "a\nb\n")
  }

  @Test("a mark typed after a letter becomes a part of it")
  func marks() {
    var pane = EditorPane(marked: "e|")
    _ = pane.handle(Key("\u{301}"))
    #expect(pane.buffer.lines[0].text.count == 1)
    pane.press("home")
    _ = pane.handle(Key("x"))
    #expect(pane.marked == "x|e\u{301}")
  }
}
