import QuarryEngine
import Terminal

/// The SQL editor over the grid: its buffers, what runs, and what that came to.
struct SQLPane: Sendable {
  var isShown = false
  var buffers: [SQLBuffer] = [SQLBuffer()]
  /// The buffer that is shown.
  var place = 0
  /// What runs, or waits for values or a yes.
  var run: SQLActivity?
  /// Whether the transaction that is being ended is committed; nil while none is.
  var ending: Bool?
  var completions: CompletionList?
  /// What was run last, and its parameters.
  var last: LastRun?
  /// The form that was left without running anything, as it was.
  var leftForm: (key: String, form: ParameterForm)?
  /// Whether the texts are others than those in the memory.
  private(set) var areTextsChanged = false
  /// Whether the program ends once the transaction has, or what runs.
  var isLeaving = false
  private var nextRun = 0

  struct LastRun: Hashable, Sendable {
    var request: SQLRequest
    var parameters: [FormParameter] = []
  }

  // Changed in their places: a copy of a long text for each key would be felt.
  var buffer: SQLBuffer {
    get { buffers[place] }
    _modify { yield &buffers[place] }
  }

  var editor: EditorPane {
    get { buffers[place].editor }
    _modify { yield &buffers[place].editor }
  }

  /// Whether the person waits for a statement.
  var isRunning: Bool { run?.isUnderWay ?? false }

  /// Takes the texts of the last time.
  mutating func restore(_ kept: [SessionMemory.Buffer]?) {
    guard let kept, !kept.isEmpty else { return }
    buffers = kept.map { kept in
      let origin = kept.statement.map(TextOrigin.statement) ?? kept.file.map(TextOrigin.file(path:))
      return SQLBuffer(text: kept.text, origin: origin, isChanged: kept.isChanged ?? false)
    }
    place = buffers.count - 1
  }

  /// The texts for the next time: those with nothing in them are left out.
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

  /// Takes note that a text has been saved, in the buffer that has it still; another one may be shown by now.
  mutating func noteSaved(_ text: String, at origin: TextOrigin) {
    let places = [place] + buffers.indices
    guard let index = places.first(where: { buffers[$0].text == text }) else { return }
    buffers[index].noteSaved(at: origin)
  }

  /// Has the texts remembered when all keys that have come together are done.
  mutating func noteTexts() { areTextsChanged = true }

  mutating func remember(_ context: inout ScreenContext<Self>) {
    guard areTextsChanged else { return }
    areTextsChanged = false
    context.workspace.memory.buffers = kept
  }

  /// Returns a number for a new run.
  mutating func makeRunNumber() -> Int {
    nextRun += 1
    return nextRun
  }

  /// Goes to another buffer; after the last comes the first.
  mutating func moveBuffer(by step: Int) {
    place = (place + step + buffers.count) % buffers.count
    completions = nil
  }

  /// Takes the present buffer away; one without text takes the place of the last.
  mutating func removeBuffer() {
    buffers.remove(at: place)
    if buffers.isEmpty { buffers = [SQLBuffer()] }
    place = min(place, buffers.count - 1)
    completions = nil
  }

  /// Shows a text: in the buffer that has it, in the present one where that is empty, else in one of its own.
  mutating func show(_ text: String, at origin: TextOrigin? = nil) {
    completions = nil
    if let known = buffers.firstIndex(where: { $0.text == text && (origin == nil || $0.origin == origin) }) { return place = known }
    if !buffer.text.isBlank || buffer.origin != nil {
      place = buffers.count
      buffers.append(SQLBuffer())
    }
    buffer = SQLBuffer(text: text, origin: origin)
  }

  /// The statement under the caret, as bytes of the text; nil where there is none.
  var currentStatement: SQLScript.Part? { SQLScript(buffer.text).part(at: editor.caretOffset) }
}

/// A text in the editor.
struct SQLBuffer: Hashable, Sendable {
  var editor: EditorPane
  /// Where it was read from or saved last.
  var origin: TextOrigin?
  /// Which of its changes was read or saved last; nil where that is another text.
  private var savedRevision: Int?

  /// - Parameter isChanged: whether it is no longer the text that its origin has.
  init(text: String = "", origin: TextOrigin? = nil, isChanged: Bool = false) {
    editor = EditorPane(text: text)
    self.origin = origin
    savedRevision = isChanged ? nil : editor.revision
  }

  var text: String { editor.text }

  /// Whether something of it is in no file yet.
  var isChanged: Bool { editor.revision != savedRevision }

  mutating func noteSaved(at place: TextOrigin) {
    origin = place
    savedRevision = editor.revision
  }
}

/// A run from the key to its end.
struct SQLActivity: Hashable, Sendable {
  enum Phase: Hashable, Sendable {
    /// The engine looks at the statements.
    case preparing
    /// The person is asked.
    case asking(PreparedRun)
    case running([String: ParameterInput])
  }

  var request: SQLRequest
  var phase = Phase.preparing
  /// Whether the form is to be shown though nothing is missing.
  var isFormWanted = true
  /// Why the last statement failed; nil where it did not.
  var fault: SQLFault?

  /// Whether something is under way that can be stopped.
  var isUnderWay: Bool {
    switch phase {
    case .preparing, .running: true
    case .asking: false
    }
  }
}

extension String {
  /// The beginning of a statement in one line, without the comments before it.
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

  /// Draws the list of completions, which may lie over the rows.
  func drawOver(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    guard !area.isEmpty, environment.hasFocus, let completions, let caret = surface.cursor else { return }
    let room = Rect(column: area.column, row: area.row, columns: area.columns, rows: max(0, environment.size.rows - 1 - area.row))
    surface.clipped(to: room) { completions.draw(into: &$0, at: caret, area: room, appearance: environment.appearance) }
  }

  /// A text of more bytes is not taken apart into statements each time it is drawn.
  private static let markLimit = 200_000

  private var markedStatement: Range<Int>? {
    editor.byteCount <= Self.markLimit ? currentStatement?.range : nil
  }

  func title(_ environment: ScreenEnvironment) -> StyledLine? {
    let separator = " \(environment.appearance.glyphs.dot) "
    var line = StyledLine("SQL", .header)
    line = line.adding(separator + (buffer.origin?.title ?? "not saved"), .muted)
    if buffer.origin != nil, buffer.isChanged { line = line.adding("\(separator)changed", .warning) }
    if buffers.count > 1 { line = line.adding("\(separator)text \(place + 1) of \(buffers.count)", .muted) }
    return line
  }
}
