import Browser
import Terminal
import TestSupport
import Testing

@Suite("Undo in the editor", .gated)
struct EditorUndoTests {
  private func undone(_ pane: EditorPane) -> [String] {
    var pane = pane
    var steps: [String] = []
    while pane.undo() { steps.append(pane.marked) }
    return steps
  }

  @Test("what is typed is undone word by word")
  func typing() {
    var pane = EditorPane()
    pane.type("select a\n  b")
    #expect(undone(pane) == ["select a\n|", "select a|", "select|", "|"])
  }

  @Test("a move begins a new step")
  func moves() {
    var pane = EditorPane()
    pane.type("ab")
    pane.press("left")
    pane.type("cd")
    #expect(undone(pane) == ["a|b", "|"])
  }

  @Test("what is erased in a row comes back at once, and each kill by itself")
  func erasing() {
    var pane = EditorPane(marked: "abc def ghi|")
    pane.press("backspace backspace")
    pane.press("ctrl-w ctrl-w")
    #expect(undone(pane) == ["abc def |", "abc def g|", "abc def ghi|"])
  }

  @Test("undo brings back the selection")
  func selection() {
    var pane = EditorPane(marked: "a¦bc|d")
    pane.type("xy")
    #expect(pane.marked == "axy|d")
    pane.undo()
    #expect(pane.marked == "a¦bc|d")
    pane.redo()
    #expect(pane.marked == "axy|d")
    let hasMore = pane.redo()
    #expect(!hasMore)
  }

  @Test("typing after undo leaves nothing to redo")
  func branching() {
    var pane = EditorPane(marked: "|")
    pane.type("ab")
    pane.undo()
    pane.type("c")
    let hasMore = pane.redo()
    #expect(!hasMore)
    #expect(pane.text == "c")
  }

  @Test("each of these is one step")
  func steps() {
    let original = EditorPane(marked: "one\n¦two\nthree|")
    let changes: [(inout EditorPane) -> Void] = [
      { $0.insert("x\r\ny") }, { $0.replace(0..<2, with: "X") }, { $0.replaceText("one\n2\nthree") }, { $0.replaceText("") },
      { $0.comment() },
      { $0.indent() },
    ]
    for change in changes {
      var pane = original
      change(&pane)
      let changed = pane.text
      #expect(changed != original.text)
      pane.undo()
      #expect(pane.marked == original.marked)
      pane.redo()
      #expect(pane.text == changed)
      #expect(undone(pane).count == 1)
    }
  }

  @Test("a text from elsewhere changes no more than what differs")
  func replacing() {
    var pane = EditorPane(marked: "select é, b\nfrom |t")
    pane.replaceText("select è, b\nfrom t")
    #expect(pane.marked == "select è, b\nfrom |t")
    pane.replaceText("x")
    #expect(pane.marked == "x|")
    pane.undo()
    pane.undo()
    #expect(pane.marked == "select é, b\nfrom |t")
  }

  @Test("the oldest steps are forgotten where they take too much memory")
  func memory() {
    var pane = EditorPane()
    pane.change { $0.history = TextHistory(limit: 10_000) }
    for _ in 0..<30 { pane.insert(String(repeating: "x", count: 800)) }
    #expect((7...9).contains(undone(pane).count))
    pane.insert(String(repeating: "x", count: 10_001))
    #expect(undone(pane).isEmpty)
    pane.type("b")
    #expect(undone(pane).count == 1)
  }

  @Test("a fault is marked until the text changes")
  func fault() {
    var pane = EditorPane(marked: "sel|ect")
    pane.errorRange = 0..<6
    pane.press("left")
    #expect(pane.errorRange == 0..<6)
    pane.type("x")
    #expect(pane.errorRange == nil)
  }
}
