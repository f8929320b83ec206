import QuarryEngine
import Terminal

/// The SQL editor above the grid: its buffers, the current run, and the last run.
package struct SQLPane: Sendable {
  package var isShown = false
  var buffers: [SQLBuffer] = [SQLBuffer()]
  /// The index of the visible buffer.
  var index = 0
  /// The run that is in progress, or waits for arguments or confirmation.
  package var run: SQLActivity?
  /// Whether the transaction is ending with a commit; nil while it is not ending.
  var ending: Bool?
  var completions: CompletionList?
  /// The fix for the marked fault; valid only while the fault is marked.
  var mend: SQLFault.Mend?

  /// Whether a fix for the marked fault is available.
  var canMend: Bool {
    guard let range = mend?.range else { return false }
    return range == editor.errorRange
  }

  /// The statements of the last run, and its parameters.
  var last: LastRun?
  /// The form that was closed without a run.
  var leftForm: (key: String, form: ParameterForm)?
  /// Whether the texts differ from those in the memory.
  private(set) var areTextsChanged = false
  /// Whether the program quits after the statement or the transaction has ended.
  var isLeaving = false
  private var nextRun = 0

  struct LastRun: Hashable, Sendable {
    var request: SQLRequest
    var parameters: [FormParameter] = []
  }

  // Modified in place: copying a long text for each key would be noticeable.
  package var buffer: SQLBuffer {
    get { buffers[index] }
    _modify { yield &buffers[index] }
  }

  package var editor: EditorPane {
    get { buffers[index].editor }
    _modify { yield &buffers[index].editor }
  }

  /// Whether all buffers are blank, and nothing runs.
  var isEmpty: Bool { run == nil && buffers.allSatisfy { $0.text.isBlank } }

  /// Whether a statement is running.
  var isRunning: Bool { run?.isUnderWay ?? false }

  /// Restores the texts of the last session.
  mutating func restore(_ kept: [SessionMemory.Buffer]?) {
    guard let kept, !kept.isEmpty else { return }
    buffers = kept.map { kept in
      let origin = kept.statement.map(TextOrigin.statement) ?? kept.file.map(TextOrigin.file(path:))
      return SQLBuffer(text: kept.text, origin: origin, isChanged: kept.isChanged ?? false)
    }
    index = buffers.count - 1
  }

  /// The texts to save for the next session, without blank ones.
  var kept: [SessionMemory.Buffer] {
    buffers.compactMap { buffer in
      let text = buffer.text
      guard !text.isBlank else { return nil }
      let isChanged = buffer.isChanged ? true : nil
      switch buffer.origin {
      case .statement(let name)?: return SessionMemory.Buffer(text: text, statement: name, isChanged: isChanged)
      case .file(let path)?: return SessionMemory.Buffer(text: text, file: path, isChanged: isChanged)
      case nil: return SessionMemory.Buffer(text: text)
      }
    }
  }

  /// Records that a text has been saved, in the buffer that still has this text, even if it is not visible.
  mutating func noteSaved(_ text: String, at origin: TextOrigin) {
    let indexes = [index] + buffers.indices
    guard let index = indexes.first(where: { buffers[$0].text == text }) else { return }
    buffers[index].noteSaved(at: origin)
  }

  /// Marks the texts as changed, so that they are saved after the current messages.
  mutating func noteTexts() { areTextsChanged = true }

  mutating func remember(_ context: inout ScreenContext<Self>) {
    guard areTextsChanged else { return }
    areTextsChanged = false
    context.workspace.memory.buffers = kept
  }

  /// Returns the number of a new run.
  mutating func makeRunNumber() -> Int {
    nextRun += 1
    return nextRun
  }

  /// Moves to another buffer; the last one is followed by the first.
  mutating func moveBuffer(by step: Int) {
    index = (index + step + buffers.count) % buffers.count
    completions = nil
  }

  /// Removes the current buffer; the last remaining one is replaced by an empty one.
  mutating func removeBuffer() {
    buffers.remove(at: index)
    if buffers.isEmpty { buffers = [SQLBuffer()] }
    index = min(index, buffers.count - 1)
    completions = nil
  }

  /// Shows a text: in the buffer that already has it, in the current buffer if it is empty, or in a new buffer.
  mutating func show(_ text: String, at origin: TextOrigin? = nil) {
    completions = nil
    if let known = buffers.firstIndex(where: { $0.text == text && (origin == nil || $0.origin == origin) }) { return index = known }
    if !buffer.text.isBlank || buffer.origin != nil {
      index = buffers.count
      buffers.append(SQLBuffer())
    }
    buffer = SQLBuffer(text: text, origin: origin)
  }

  /// The statement under the caret, as a range of bytes in the text; nil for none.
  var currentStatement: SQLScript.Part? { SQLScript(buffer.text).part(at: editor.caretOffset) }
}

/// A text in the editor.
package struct SQLBuffer: Hashable, Sendable {
  var editor: EditorPane
  /// The origin that it was last read from or saved to.
  var origin: TextOrigin?
  /// The revision that was last read or saved; nil if the text at the origin differs.
  private var savedRevision: Int?

  /// Creates a buffer.
  ///
  /// - Parameter isChanged: Whether the text differs from the text at its origin.
  init(text: String = "", origin: TextOrigin? = nil, isChanged: Bool = false) {
    editor = EditorPane(text: text)
    self.origin = origin
    savedRevision = isChanged ? nil : editor.revision
  }

  package var text: String { editor.text }

  /// Whether the text has unsaved changes.
  package var isChanged: Bool { editor.revision != savedRevision }

  mutating func noteSaved(at origin: TextOrigin) {
    self.origin = origin
    savedRevision = editor.revision
  }
}

/// A run, from the key that starts it to its end.
package struct SQLActivity: Hashable, Sendable {
  enum Phase: Hashable, Sendable {
    /// The engine examines the statements.
    case preparing
    /// The person has to enter arguments or to confirm.
    case asking(PreparedRun)
    case running([String: ParameterInput])
  }

  var request: SQLRequest
  var phase = Phase.preparing
  /// Whether the form is shown even if no argument is missing.
  var isFormWanted = true
  /// The reason why the last statement failed; nil if it succeeded.
  var fault: SQLFault?
  /// Warnings about statements that may not mean what the person intended, one sentence each.
  var remarks: [String] = []

  /// Whether there is work in progress that can be stopped.
  var isUnderWay: Bool {
    switch phase {
    case .preparing, .running: true
    case .asking: false
    }
  }
}

extension String {
  /// The beginning of a statement on one line, without leading comments.
  var summary: String {
    let lines = split(separator: "\n").drop { $0.drop(while: \.isWhitespace).hasPrefix("--") || $0.allSatisfy(\.isWhitespace) }
    let words = (lines.isEmpty ? split(separator: "\n")[...] : lines).joined(separator: " ").split(whereSeparator: \.isWhitespace)
    return words.prefix(40).joined(separator: " ")
  }
}

extension SQLPane {
  mutating func layOut(in area: Rect, _ context: inout ScreenContext<Self>) { editor.extent = editor.extent(in: area) }

  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    guard !area.isEmpty else { return }
    surface.clipped(to: area) { surface in
      editor.draw(
        into: &surface, area: area, hasFocus: environment.hasFocus, statement: markedStatement, appearance: environment.appearance)
    }
  }

  /// Draws the list of completions, which may cover the rows.
  func drawOver(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    guard !area.isEmpty, environment.hasFocus, let completions, let caret = surface.cursor else { return }
    let room = Rect(column: area.column, row: area.row, columns: area.columns, rows: max(0, environment.size.rows - 1 - area.row))
    surface.clipped(to: room) { completions.draw(into: &$0, at: caret, area: room, appearance: environment.appearance) }
  }

  /// The size from which the drawing does not split a text into statements.
  private static let markLimit = 200_000

  private var markedStatement: Range<Int>? {
    editor.byteCount <= Self.markLimit ? currentStatement?.range : nil
  }

  func title(_ environment: ScreenEnvironment) -> StyledLine? {
    let separator = environment.appearance.glyphs.separator
    var line = StyledLine("SQL", environment.hasFocus ? .accent : .header)
    line = line.adding(separator + (buffer.origin?.title ?? "not saved"), .muted)
    if buffer.origin != nil, buffer.isChanged { line = line.adding("\(separator)changed", .warning) }
    if buffers.count > 1 { line = line.adding("\(separator)text \(index + 1) of \(buffers.count)", .muted) }
    return line
  }
}
