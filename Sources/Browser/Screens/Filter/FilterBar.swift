import QuarryEngine
import Terminal

/// The line under a grid in which its filter and its order are written.
struct FilterBar: Hashable, Sendable {
  /// Which text is in the bar.
  var text = RowView.Text.filter
  var field = TextField()
  /// Whether it has the keys.
  var isTyping = false
  /// What is known of the text in the field, or of the one before it where that was not looked at yet.
  private(set) var report: ViewReport?
  private(set) var isReportCurrent = false
  var completions: CompletionList?
  /// Whether Enter was pressed before the text was looked at.
  var isApplyAwaited = false
  /// What was in force when the bar took the keys: leaving the bar goes back to it.
  private(set) var origin = Origin()
  /// The place in the history of the text shown, from the newest, and the text that was left for it.
  private var recalled: Recalled?

  private struct Recalled: Hashable {
    var place: Int
    var draft: String
  }

  /// A view, and the row that was under the cursor in it.
  struct Origin: Hashable, Sendable {
    var view = RowView()
    var row: RowKey?
  }

  /// Takes the keys, with the text that is in force.
  mutating func begin(_ text: RowView.Text, at origin: Origin) {
    self = FilterBar()
    self.text = text
    self.origin = origin
    field = TextField(origin.view[text])
    isTyping = true
  }

  /// Whether the text is another than the one in force when the bar took the keys.
  var isChanged: Bool { field.text != origin.view[text] }

  /// Changes the field; returns false where nothing of the text changed.
  mutating func edit(_ change: (inout TextField) -> Bool) -> Bool {
    let before = field
    _ = change(&field)
    guard field.text != before.text else {
      if field.caret != before.caret { completions = nil }
      return false
    }
    isReportCurrent = false
    recalled = nil
    return true
  }

  /// Puts another text in the field, the caret at its end or after so many of its UTF-8 bytes.
  mutating func replaceText(_ text: String, caret: Int? = nil) {
    field = TextField(text)
    if let caret { field.moveCaret(toUTF8Offset: caret) }
    isReportCurrent = false
    completions = nil
    recalled = nil
  }

  mutating func take(_ report: ViewReport) {
    self.report = report
    isReportCurrent = true
  }

  /// Goes through the texts that were written before, the newest first; positive is older.
  mutating func recall(by step: Int, from texts: [String]) {
    let texts = texts.filter { $0 != recalled?.draft ?? field.text }
    let place = (recalled?.place ?? -1) + step
    guard texts.indices.contains(place) else {
      if place < 0, let recalled { replaceText(recalled.draft) }
      return
    }
    let draft = recalled?.draft ?? field.text
    replaceText(texts[place])
    recalled = Recalled(place: place, draft: draft)
  }
}

/// What may stand at the caret, and which of it is chosen.
struct CompletionList: Hashable, Sendable {
  static let height = 8
  let items: [Completion]
  private(set) var cursor = 0
  private(set) var top = 0

  var current: Completion { items[cursor] }

  /// - Parameter items: One at least.
  init?(_ items: [Completion]) {
    guard !items.isEmpty else { return nil }
    self.items = items
  }

  mutating func move(by step: Int) {
    cursor = (cursor + step + items.count) % items.count
    top = max(min(top, cursor), cursor - CompletionList.height + 1)
  }
}

/// Something that may stand at the caret.
public struct Completion: Hashable, Sendable {
  var label: String
  /// What it is: `text`, `function`, `value`.
  var detail: String
  /// The bytes of the text that it replaces, and what with.
  var range: Range<Int>
  var replacement: String
}

extension String {
  /// Whether it has nothing but white space.
  var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
