import QuarryEngine

/// The SQL editor over the grid: its buffers, what runs, and what that came to.
struct SQLPane: Sendable {
  var isShown = false
  var buffers: [SQLBuffer] = [SQLBuffer()]
  /// The buffer that is shown.
  var place = 0
  var results = ResultTabs()
  /// What runs, or waits for values or a yes.
  var run: SQLActivity?
  var transaction: OpenTransaction?
  /// Whether the transaction that is being ended is committed; nil while none is.
  var ending: Bool?
  var completions: CompletionList?
  /// What was run last, and its parameters.
  var last: LastRun?
  /// The form that was left without running anything, as it was.
  var leftForm: (key: String, form: ParameterForm)?
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
    get { buffer.editor }
    _modify { yield &buffer.editor }
  }

  /// Whether the editor's connection has something to do that can be stopped.
  var isBusy: Bool { isRunning || ending != nil }

  /// Whether the person waits for a statement.
  var isRunning: Bool { run?.isUnderWay ?? false }

  /// Takes the texts of the last time.
  mutating func restore(_ kept: [Memory.Buffer]?) {
    guard let kept, !kept.isEmpty else { return }
    buffers = kept.map { kept in
      let origin = kept.statement.map(TextOrigin.statement) ?? kept.file.map(TextOrigin.file(path:))
      return SQLBuffer(text: kept.text, origin: origin, isChanged: kept.isChanged ?? false)
    }
    place = buffers.count - 1
  }

  /// The texts for the next time: those with nothing in them are left out.
  var kept: [Memory.Buffer] {
    buffers.compactMap { buffer in
      let text = buffer.text
      guard !text.isBlank else { return nil }
      let isChanged = buffer.isChanged ? true : nil
      switch buffer.origin {
      case .statement(let name)?: return Memory.Buffer(text: text, statement: name, isChanged: isChanged)
      case .file(let path)?: return Memory.Buffer(text: text, file: path, isChanged: isChanged)
      case nil: return Memory.Buffer(text: text)
      }
    }
  }

  /// Takes note that a text has been saved, in the buffer that has it still; another one may be shown by now.
  mutating func noteSaved(_ text: String, at origin: TextOrigin) {
    let places = [place] + buffers.indices
    guard let index = places.first(where: { buffers[$0].text == text }) else { return }
    buffers[index].noteSaved(at: origin)
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
    case running([String: ParameterInput], elapsed: Duration)
  }

  var request: SQLRequest
  var phase = Phase.preparing
  /// Whether the form is to be shown though nothing is missing.
  var isFormWanted = true

  /// Whether something is under way that can be stopped.
  var isUnderWay: Bool {
    switch phase {
    case .preparing, .running: true
    case .asking: false
    }
  }
}

/// What the statements of the last run came to, a tab each; of a long script the last ones.
struct ResultTabs: Hashable, Sendable {
  /// How many are kept: each holds rows, and nobody leafs through more.
  static let limit = 200

  struct Tab: Hashable, Sendable {
    /// The beginning of the statement.
    var title: String
    var sql: String
    var content: Content
    /// Whose rows they are, beside the pane: to look for one must not copy all of them.
    var grid: GridID?
    var elapsed: Duration
  }

  enum Content: Hashable, Sendable {
    /// Rows; the pane is the one on the screen while the tab is.
    case rows(GridPane)
    /// So many rows were read, or more, and none is kept.
    case read(count: Int, isAll: Bool)
    case done(changes: Int, lastRowID: Int64?)
    case failed(SQLFault)
  }

  private(set) var tabs: [Tab] = []
  /// How many results before these are not kept any more.
  private(set) var earlierCount = 0
  /// The tab that is shown; nil while a table is.
  var place: Int?

  var current: Tab? { place.flatMap { tabs.indices.contains($0) ? tabs[$0] : nil } }

  /// Why the last statement failed; nil where it did not.
  var fault: SQLFault? {
    if case .failed(let fault)? = tabs.last?.content { fault } else { nil }
  }

  /// Adds a tab, none being shown; returns the grid of one that goes for it.
  mutating func add(_ tab: Tab) -> GridID? {
    tabs.append(tab)
    guard tabs.count > Self.limit else { return nil }
    earlierCount += 1
    return tabs.removeFirst().grid
  }

  /// Takes all tabs away; returns their grids.
  mutating func removeAll() -> [GridID] {
    defer { (tabs, place, earlierCount) = ([], nil, 0) }
    return tabs.compactMap(\.grid)
  }

  /// Whether a grid is the one of a tab.
  func holds(_ id: GridID) -> Bool { index(of: id) != nil }

  private func index(of id: GridID) -> Int? { tabs.indices.last { tabs[$0].grid == id } }

  /// What the tab that is shown came to, and what is not kept beside it; nil where none is shown.
  var sentence: String? {
    guard let current else { return nil }
    return earlierCount == 0 ? current.sentence : "\(current.sentence); only the last \(Plural.of(tabs.count, "result")) are kept"
  }

  /// Keeps the state of a tab's grid as it is on the screen; `replaced` is the grid that it had.
  mutating func keep(_ pane: GridPane, insteadOf replaced: GridID) {
    guard let index = index(of: replaced) else { return }
    tabs[index].content = .rows(pane)
    tabs[index].grid = pane.id
  }
}

extension ResultTabs.Tab {
  var pane: GridPane? {
    if case .rows(let pane) = content { pane } else { nil }
  }

  init(_ part: SQLRequest.Part, _ outcome: StatementOutcome, glyphs: Glyphs) {
    sql = part.sql
    title = part.sql.summary
    elapsed = outcome.elapsed
    switch outcome.content {
    case .rows(let set, let opened):
      content = .rows(GridPane(id: part.grid, rowSet: set, title: title, opened: opened, glyphs: glyphs))
      grid = part.grid
    case .read(let count, let isAll): content = .read(count: count, isAll: isAll)
    case .done(let changes, let lastRowID): content = .done(changes: changes, lastRowID: lastRowID)
    case .failed(let fault): content = .failed(fault)
    }
  }

  /// What the statement came to, in a sentence.
  var sentence: String {
    switch content {
    case .rows(let pane) where pane.window.reachesStart && pane.window.reachesEnd: "\(Plural.of(pane.window.rows.count, "row")) in \(elapsed.words)"
    case .rows: "the first rows after \(elapsed.words)"
    case .read(let count, let isAll): "\(isAll ? "" : "more than ")\(Plural.of(count, "row")) in \(elapsed.words), not kept: run it alone to see them"
    case .done(let changes, let lastRowID):
      [Plural.of(changes, "row") + " changed", lastRowID.map { "last rowid \($0)" }, elapsed.words].compactMap(\.self).joined(separator: ", ")
    case .failed(let fault): fault.sentence
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

extension Duration {
  /// The duration for a person: `4 ms`, `1.3 s`, `2 min 5 s`.
  var words: String {
    let milliseconds = Int(self / .milliseconds(1))
    if milliseconds < 1_000 { return "\(milliseconds) ms" }
    if milliseconds < 60_000 { return "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s" }
    return "\(milliseconds / 60_000) min \(milliseconds / 1_000 % 60) s"
  }
}
