import QuarryEngine
import Terminal

extension GridPane {
  /// What would be shown if the text in the bar were applied.
  var draft: RowView {
    guard bar.isTyping else { return view }
    var draft = bar.origin.view
    draft[bar.text] = bar.field.text
    return draft
  }

  /// Gives the bar the keys, with the text of the view that is in force.
  mutating func beginBar(_ text: RowView.Text, of view: RowView) -> [GridDemand] {
    if bar.isTyping, bar.text == text { return [] }
    bar.begin(text, at: FilterBar.Origin(view: view, row: currentRow?.key))
    return checkDraft()
  }

  /// Changes the text in the bar.
  mutating func editBar(_ change: (inout TextField) -> Bool) -> [GridDemand] {
    guard bar.edit(change) else { return [] }
    return checkDraft() + (bar.completions == nil ? [] : complete())
  }

  mutating func replaceBarText(_ text: String, caret: Int? = nil) -> [GridDemand] {
    bar.replaceText(text, caret: caret)
    return checkDraft()
  }

  func checkDraft() -> [GridDemand] {
    [.check(draft, bar.text)]
  }

  func complete() -> [GridDemand] {
    [.complete(draft, bar.text, caret: bar.field.caretUTF8Offset)]
  }

  mutating func receive(_ items: [Completion], completing draft: RowView) -> [GridDemand] {
    guard bar.isTyping, draft == self.draft else { return [] }
    if items.count == 1, bar.completions == nil { return accept(items[0]) }
    bar.completions = CompletionList(items)
    return []
  }

  /// Puts a completion in the place of what stands before the caret.
  mutating func accept(_ completion: Completion) -> [GridDemand] {
    var bytes = Array(bar.field.text.utf8)
    let range = completion.range.clamped(to: 0..<bytes.count)
    bytes.replaceSubrange(range, with: completion.replacement.utf8)
    return replaceBarText(String(decoding: bytes, as: UTF8.self), caret: range.lowerBound + completion.replacement.utf8.count)
  }
}
