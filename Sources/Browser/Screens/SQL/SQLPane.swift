import QuarryEngine
import Terminal

/// The SQL editor over the grid: its buffers, the current run, and the last one.
package struct SQLPane: Sendable {
  package var isShown = false
  var buffers: [SQLBuffer] = [SQLBuffer()]
  /// The index of the buffer that is shown.
  var index = 0
  /// The run that is under way, or waits for arguments or confirmation.
  package var run: SQLActivity?
  /// Whether the transaction is being ended by a commit; nil while none is being ended.
  var ending: Bool?
  var completions: CompletionList?
  /// What would mend the fault that is marked; only as long as it is.
  var mend: SQLFault.Mend?

  /// Whether the fault that is marked can be mended.
  var canMend: Bool {
    guard let range = mend?.range else { return false }
    return range == editor.errorRange
  }

  /// What was run last, and its parameters.
  var last: LastRun?
  /// The form that was left without running anything.
  var leftForm: (key: String, form: ParameterForm)?
  /// Whether the texts differ from those in the memory.
  private(set) var areTextsChanged = false
  /// Whether the program ends once the statement or the transaction has.
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

  /// Whether nothing is written in any text, and nothing runs.
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

  /// The texts to keep for the next session, without empty ones.
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

  /// Notes that a text has been saved, in the buffer that still holds it, which need not be the one shown.
  mutating func noteSaved(_ text: String, at origin: TextOrigin) {
    let indexes = [index] + buffers.indices
    guard let index = indexes.first(where: { buffers[$0].text == text }) else { return }
    buffers[index].noteSaved(at: origin)
  }

  /// Marks the texts as changed, to be remembered when the messages at hand have been handled.
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

  /// Moves to another buffer; the first follows the last.
  mutating func moveBuffer(by step: Int) {
    index = (index + step + buffers.count) % buffers.count
    completions = nil
  }

  /// Removes the current buffer; an empty one replaces the last.
  mutating func removeBuffer() {
    buffers.remove(at: index)
    if buffers.isEmpty { buffers = [SQLBuffer()] }
    index = min(index, buffers.count - 1)
    completions = nil
  }

  /// Shows a text: in the buffer that holds it, in the current one where that is empty, or else in a new one.
  mutating func show(_ text: String, at origin: TextOrigin? = nil) {
    completions = nil
    if let known = buffers.firstIndex(where: { $0.text == text && (origin == nil || $0.origin == origin) }) { return index = known }
    if !buffer.text.isBlank || buffer.origin != nil {
      index = buffers.count
      buffers.append(SQLBuffer())
    }
    buffer = SQLBuffer(text: text, origin: origin)
  }

  /// The statement under the caret, as bytes of the text; nil where there is none.
  var currentStatement: SQLScript.Part? { SQLScript(buffer.text).part(at: editor.caretOffset) }
}

/// A text in the editor.
package struct SQLBuffer: Hashable, Sendable {
  var editor: EditorPane
  /// Where it was last read from or saved to.
  var origin: TextOrigin?
  /// The revision that was last read or saved; nil where the origin holds another text.
  private var savedRevision: Int?

  /// Makes a buffer.
  ///
  /// - Parameter isChanged: Whether the text differs from the one at its origin.
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

/// A run, from the key to its end.
package struct SQLActivity: Hashable, Sendable {
  enum Phase: Hashable, Sendable {
    /// The engine examines the statements.
    case preparing
    /// The person is asked for arguments or confirmation.
    case asking(PreparedRun)
    case running([String: ParameterInput])
  }

  var request: SQLRequest
  var phase = Phase.preparing
  /// Whether the form is shown even if no argument is missing.
  var isFormWanted = true
  /// Why the last statement failed; nil where it succeeded.
  var fault: SQLFault?
  /// What the statements may not mean, a sentence each.
  var remarks: [String] = []

  /// Whether something is under way that can be stopped.
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

  /// The size from which a text is not split into statements for drawing.
  private static let markLimit = 200_000

  private var markedStatement: Range<Int>? {
    editor.byteCount <= Self.markLimit ? currentStatement?.range : nil
  }

  func title(_ environment: ScreenEnvironment) -> StyledLine? {
    let separator = " \(environment.appearance.glyphs.dot) "
    var line = StyledLine("SQL", environment.hasFocus ? .accent : .header)
    line = line.adding(separator + (buffer.origin?.title ?? "not saved"), .muted)
    if buffer.origin != nil, buffer.isChanged { line = line.adding("\(separator)changed", .warning) }
    if buffers.count > 1 { line = line.adding("\(separator)text \(index + 1) of \(buffers.count)", .muted) }
    return line
  }
}
