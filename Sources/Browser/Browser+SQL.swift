import QuarryEngine
import Terminal

/// The SQL editor: going to it, writing in it, and the lists that belong to it.
extension Browser {
  /// Whether the editor has the keys.
  var isInEditor: Bool { overlays.isEmpty && focus == .editor && sql.isShown }

  mutating func toggleEditor() -> [Effect] {
    if isInEditor {
      focus = .grid
    } else {
      overlays = []
      sql.isShown = true
      focus = .editor
    }
    return []
  }

  /// Goes to the results, and tells that letters are commands there.
  mutating func leaveEditor() {
    focus = .grid
    notice = Notice("letters are commands here: \(keyHint(.editSQL)) goes back to the editor", .muted)
  }

  /// Closes the editor, whose buffers stay.
  mutating func closeEditor() {
    sql.isShown = false
    if focus == .editor { focus = .grid }
  }

  /// Changes the text in the editor.
  mutating func change(_ change: (inout EditorPane) -> Void) -> [Effect] {
    let revision = sql.editor.revision
    change(&sql.editor)
    sql.completions = nil
    noteTexts(changedSince: revision)
    return []
  }

  /// Has the texts remembered; a move of the caret is no reason to put them together.
  private mutating func noteTexts(changedSince revision: Int) {
    if sql.editor.revision != revision { areTextsChanged = true }
  }

  /// Takes a key that is no command; the list of completions has the first word.
  mutating func editSQL(_ key: Key) -> [Effect] {
    if sql.completions != nil {
      switch key {
      case Key(.enter): return acceptSQLCompletion()
      case Key(.up):
        sql.completions?.move(by: -1)
        return []
      case Key(.down):
        sql.completions?.move(by: 1)
        return []
      default: break
      }
    }
    let (hadList, revision) = (sql.completions != nil, sql.editor.revision)
    guard sql.editor.handle(key) else {
      notice = Notice("\(keymap.display(of: [key])) does nothing here; \(keyHint(.help)) shows the keys", .muted)
      return []
    }
    sql.completions = nil
    noteTexts(changedSince: revision)
    let isWord = if case .character = key.code { key.isPlainCharacter } else { key == Key(.backspace) }
    return hadList && isWord ? [.completeSQL(sql.buffer.text, caret: sql.editor.caretOffset)] : []
  }

  /// Takes characters typed one after the other.
  mutating func typeSQL(_ text: String) -> [Effect] {
    let hadList = sql.completions != nil
    let effects = change { $0.type(text) }
    return hadList ? effects + [.completeSQL(sql.buffer.text, caret: sql.editor.caretOffset)] : effects
  }

  mutating func takeSQLCompletions(_ text: String, caret: Int, _ items: [Completion]) -> [Effect] {
    guard isInEditor, caret == sql.editor.caretOffset, text == sql.buffer.text else { return [] }
    sql.completions = CompletionList(items)
    if items.isEmpty { notice = Notice("nothing completes this", .muted) }
    if items.count == 1 { return acceptSQLCompletion() }
    return []
  }

  mutating func acceptSQLCompletion() -> [Effect] {
    guard let completion = sql.completions?.current else { return [] }
    return change { $0.replace(completion.range, with: completion.replacement) }
  }

  /// Shows a text in the editor and turns to it.
  mutating func edit(_ text: String, at origin: TextOrigin? = nil) {
    overlays = []
    sql.show(text, at: origin)
    sql.isShown = true
    focus = .editor
    areTextsChanged = true
  }

  /// Takes the present text away; one that is nowhere else is asked about first.
  mutating func closeBuffer() {
    let buffer = sql.buffer
    guard !buffer.text.isBlank, buffer.isChanged || buffer.origin == nil else { return dropBuffer() }
    ask("This text is not saved", "close it?", [("No, keep it", "", .leaveOpen), ("Yes, close it", "", .dropBuffer)])
  }

  mutating func dropBuffer() {
    sql.removeBuffer()
    areTextsChanged = true
  }

  // MARK: Plan

  /// Explains the statement under the caret.
  mutating func explainStatement() -> [Effect] {
    guard let part = sql.currentStatement else {
      notice = Notice("there is no statement here: write one first", .warning)
      return []
    }
    return [.explain(SQLScript(sql.buffer.text).sql(of: part))]
  }

  /// Explains how the rows in the grid are read.
  mutating func explainGrid() -> [Effect] {
    guard let grid else { return [] }
    if case .query(let sql, _) = grid.rowSet.source, grid.view.isPlain { return [.explain(sql)] }
    return [.prepareSQL(grid.id, for: .plan)]
  }

  mutating func takePlan(_ statement: String, _ result: Result<[PlanStep], Problem>) {
    switch result {
    case .failure(let problem): notice = Notice(problem.text, .error)
    case .success(let steps):
      let lines = steps.map { step in
        let indent = String(repeating: "  ", count: step.depth)
        return StyledLine("\(indent)\(look.glyphs.dot) ", .muted).adding(step.sentence)
      }
      let details = steps.map { StyledLine(String(repeating: "  ", count: $0.depth) + $0.detail, .muted) }
      let sqlLines = statement.split(separator: "\n", omittingEmptySubsequences: false).map { StyledLine(String($0), .muted) }
      present(
        (DetailsScreen(title: "Plan", lines: lines + [StyledLine(), StyledLine("As SQLite words it", .accent)] + details + [StyledLine(), StyledLine("Of", .accent)] + sqlLines)))
    }
  }

  // MARK: Files

  mutating func takeExternal(_ result: Result<String, Problem>) -> [Effect] {
    switch result {
    case .failure(let problem):
      notice = Notice(problem.text, .error)
      return [.repaint]
    case .success(let text): return change { $0.replaceText(text) } + [.repaint]
    }
  }

  // MARK: Lists

  mutating func showHistory(_ entries: [HistoryEntry]) {
    let items = entries.map { entry in
      PickerItem(label: entry.sql.summary, detail: entry.detail, trailing: entry.outcome, preview: entry.sql) { $0.outbox += $0.choose(entry) }
    }
    guard !items.isEmpty else { return notice = Notice("nothing has been run yet", .muted) }
    present(Picker(title: "History", placeholder: "type a part of the statement", items: items))
  }

  mutating func showStatements(_ result: Result<[SavedStatement], Problem>) {
    switch result {
    case .failure(let problem): notice = Notice(problem.text, .error)
    case .success(let statements) where statements.isEmpty:
      notice = Notice("no statement is saved yet: \(keyHint(.saveFile, in: .editor)) in the editor saves one", .muted)
    case .success(let statements):
      let items = statements.map { statement in
        PickerItem(label: statement.name, detail: statement.about, preview: statement.sql) { $0.outbox += $0.choose(statement) }
      }
      present(Picker(title: "Statements", placeholder: "type a part of the name", items: items))
    }
  }

  /// Puts a saved statement into the editor and runs it; where it has parameters, the form asks for them.
  mutating func choose(_ statement: SavedStatement) -> [Effect] {
    edit(statement.sql, at: .statement(statement.name))
    return runAll()
  }

  /// Puts a statement of the history into the editor, its values into the form that it will show.
  mutating func choose(_ entry: HistoryEntry) -> [Effect] {
    edit(entry.sql)
    let values = entry.arguments.compactMap { argument in argument.value.map { (argument.identity, ParameterInput.value($0)) } }
    memory.remember(Dictionary(values, uniquingKeysWith: { $1 }), of: entry.sql)
    return []
  }

  /// Shows the form of the filter in force, or else of what was run last, again.
  mutating func askAgain() -> [Effect] {
    if isFilterAsking { return askForFilter() }
    guard let last = sql.last else { return [] }
    return begin(renewed(last.request))
  }
}

extension HistoryEntry {
  /// With what it ran, and when.
  fileprivate var detail: String {
    let values = arguments.map(\.description).joined(separator: ", ")
    return [values, String(time.prefix(16).map { $0 == "T" ? " " : $0 })].filter { !$0.isEmpty }.joined(separator: "  ")
  }

  fileprivate var outcome: String {
    if error != nil { return "failed" }
    return rows.map { Plural.of($0, "row") } ?? ""
  }
}

extension TextOrigin {
  /// The place as a person writes it.
  var path: String {
    switch self {
    case .statement(let name): name
    case .file(let path): path
    }
  }
}

extension SavedStatement {
  /// Its title and what it is for.
  fileprivate var about: String {
    [title == name ? "" : title, summary].filter { !$0.isEmpty }.joined(separator: ": ")
  }
}
