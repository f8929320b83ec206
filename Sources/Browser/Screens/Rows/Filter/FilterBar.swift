package import QuarryEngine
package import QuarryRows
import Terminal

/// The line below a grid that edits its filter and its order.
package struct FilterBar: Hashable, Sendable {
  /// The text in the bar: filter or order.
  var text = RowView.Text.filter
  package var field = TextField()
  /// Whether the bar has the focus.
  package var isTyping = false
  /// The report on the text in the field, or on a former text until the current one has been checked.
  package private(set) var report: ViewReport?
  private(set) var isReportCurrent = false
  /// The completions at the caret.
  ///
  /// Completions of a former text remain visible until the next ones arrive, but they are not inserted.
  package private(set) var completions: CompletionList?
  /// The text and the caret that `completions` continue.
  private var completed: TextField?
  /// Whether completions of the text are still being found.
  private(set) var isListAwaited = false
  /// Whether the list opened without a request, so that a single completion is offered but not inserted.
  private(set) var isListOffered = false
  /// A text with an operator that Quarry has inserted, and that a typed operator replaces.
  private var prefilled: String?
  /// Whether Enter was pressed before the text was checked.
  package var isApplyAwaited = false
  /// The view at the time when the bar got the focus; leaving the bar restores it.
  package private(set) var origin = Origin()
  /// The index of the recalled text in the history, from the newest, and the text that it replaced.
  private var recalled: Recalled?

  private struct Recalled: Hashable {
    var index: Int
    var draft: String
  }

  /// A view, and the row and the column under the cursor in it.
  package struct Origin: Hashable, Sendable {
    package var view = RowView()
    var row: RowKey?
    var column: String?
  }

  /// Moves the focus to the bar, with the current text.
  mutating func begin(_ text: RowView.Text, at origin: Origin) {
    self = FilterBar()
    self.text = text
    self.origin = origin
    field = TextField(origin.view[text])
    isTyping = true
  }

  /// Whether the text is that of a computed column.
  var isOfColumn: Bool { if case .column = text { true } else { false } }

  /// Whether the text has changed since the bar got the focus.
  var isChanged: Bool { field.text != origin.view[text] }

  /// Changes the field; returns false if the text is unchanged.
  mutating func edit(_ change: (inout TextField) -> Bool) -> Bool {
    let before = field
    _ = change(&field)
    guard field.text != before.text else {
      if field.caret != before.caret { closeList() }
      return false
    }
    isReportCurrent = false
    (isListOffered, isListAwaited) = (false, false)
    recalled = nil
    return true
  }

  /// Inserts a text that ends with a column, followed by the most common operator.
  mutating func beginComparison(after column: String) {
    replaceText(column + Self.usualOperator)
    (prefilled, isListOffered) = (field.text, true)
  }

  private static let usualOperator = " = "
  /// The words that begin an operator.
  private static let wordOperators: Set = ["between", "glob", "in", "is", "isnull", "like", "match", "not", "notnull"]

  /// Removes the inserted operator if the person types another one in its place.
  mutating func acceptImplicitPair(_ character: Character) {
    guard let prefilled, field.text.hasPrefix(prefilled) else { return }
    let typed = field.text.dropFirst(prefilled.count)
    let isOperator = typed.isEmpty && "<>!~^$=".contains(character)
    guard isOperator || " (".contains(character) && Self.wordOperators.contains(typed.lowercased()) else { return }
    replaceText(prefilled.dropLast(Self.usualOperator.count) + " " + typed)
  }

  /// Replaces the text of the field, with the caret at its end or at an offset in UTF-8 bytes.
  package mutating func replaceText(_ text: String, caret: Int? = nil) {
    field = TextField(text)
    if let caret { field.moveCaret(toUTF8Offset: caret) }
    isReportCurrent = false
    closeList()
    (recalled, prefilled, isListOffered) = (nil, nil, false)
  }

  mutating func receive(_ report: ViewReport) {
    self.report = report
    isReportCurrent = true
  }

  // MARK: Completions

  /// The selected completion; nil if the list is that of a former text or of another place in it.
  var completion: Completion? { completed == field ? completions?.current : nil }

  /// Notes that completions of the text are being found.
  mutating func awaitList() { isListAwaited = true }

  /// Shows the completions at the caret.
  ///
  /// A list that was open while the text was changed shows what completes the word at the caret, and closes with the word.
  package mutating func list(_ items: [Completion]) {
    completions = CompletionList(completions == nil ? items : items.filter { !$0.range.isEmpty })
    (completed, isListAwaited) = (field, false)
  }

  mutating func closeList() { (completions, completed, isListAwaited) = (nil, nil, false) }

  mutating func moveInList(by step: Int) { completions?.move(by: step) }

  mutating func nameCompletions(_ rows: [DatabaseValue: ReferredRow], glyphs: Glyphs) { completions?.name(rows, glyphs: glyphs) }

  /// Inserts the selected completion and closes the list; returns false if the text has it already, or if no completion is selected.
  mutating func acceptCompletion() -> Bool {
    guard let completion else { return false }
    let before = field.text
    insert(completion)
    return field.text != before
  }

  /// Puts a completion in place of the text that it completes, after a space if it would join another word.
  mutating func insert(_ completion: Completion) {
    var bytes = Array(field.text.utf8)
    let range = completion.range.clamped(to: 0..<bytes.count)
    let isBesideWord = range.isEmpty && range.lowerBound > 0 && Self.endsWord(bytes[range.lowerBound - 1])
    let isWord = completion.replacement.first?.isLetter == true
    let inserted = (isBesideWord && isWord ? " " : "") + completion.replacement
    bytes.replaceSubrange(range, with: inserted.utf8)
    replaceText(String(decoding: bytes, as: UTF8.self), caret: range.lowerBound + inserted.utf8.count)
  }

  private static func endsWord(_ byte: UInt8) -> Bool { byte.isNamePart || "'\"])".utf8.contains(byte) }

  /// Moves through the history of texts; a positive step moves to older texts.
  ///
  /// - Parameter texts: The texts, newest first.
  mutating func recall(by step: Int, from texts: [String]) {
    let texts = texts.filter { $0 != recalled?.draft ?? field.text }
    let index = (recalled?.index ?? -1) + step
    guard texts.indices.contains(index) else {
      if index < 0, let recalled { replaceText(recalled.draft) }
      return
    }
    let draft = recalled?.draft ?? field.text
    replaceText(texts[index])
    recalled = Recalled(index: index, draft: draft)
  }
}

/// The completions at the caret, and the selected one.
package struct CompletionList: Hashable, Sendable {
  static let height = 8
  package private(set) var items: [Completion]
  private(set) var cursor = 0
  private(set) var top = 0

  package var current: Completion { items[cursor] }

  /// Creates a list; nil without items.
  package init?(_ items: [Completion]) {
    guard !items.isEmpty else { return nil }
    self.items = items
  }

  /// Puts the names of the rows that the values refer to beside them.
  package mutating func name(_ rows: [DatabaseValue: ReferredRow], glyphs: Glyphs) {
    for (index, item) in items.enumerated() {
      guard let name = item.value.flatMap({ rows[$0.value] })?.name else { continue }
      items[index].detail = "\(glyphs.dot) \(name.text)"
    }
  }

  package mutating func move(by step: Int) {
    cursor = (cursor + step + items.count) % items.count
    top = max(min(top, cursor), cursor - CompletionList.height + 1)
  }
}

/// A completion at the caret.
package struct Completion: Hashable, Sendable {
  package var label: String
  /// The kind of completion: `text`, `function`, `value`.
  package var detail: String
  /// The range of the text in bytes, and its replacement.
  var range: Range<Int>
  var replacement: String
  /// The value of a column that it stands for; nil for anything else.
  var value: ColumnValue?

  package init(label: String, detail: String, range: Range<Int>, replacement: String, value: ColumnValue? = nil) {
    self.label = label
    self.detail = detail
    self.range = range
    self.replacement = replacement
    self.value = value
  }

  /// A value of a column.
  package struct ColumnValue: Hashable, Sendable {
    var column: String
    var value: DatabaseValue
  }
}

extension String {
  /// Whether the text is empty or contains only white space.
  package var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
