import QuarryEngine
import QuarryRows
import Terminal

/// Editing in the editor, and its lists.
extension SQLPane {
  /// Closes the editor, keeping its buffers.
  mutating func close(_ context: inout ScreenContext<Self>) {
    isShown = false
    if context.environment.focus == .editor { context.focus(.rows) }
    context.send(RowsIntent.leaveResults)
  }

  /// Moves the focus to the results, and reports that letters are commands there.
  func leave(_ context: inout ScreenContext<Self>) {
    context.focus(.rows)
    context.notify("letters are commands; \(context.environment.keyHint(.editSQL)) returns to the editor")
  }

  /// Changes the text in the editor.
  mutating func change(_ context: inout ScreenContext<Self>, _ change: (inout EditorPane) -> Void) {
    let revision = editor.revision
    change(&editor)
    completions = nil
    noteTexts(changedSince: revision)
  }

  /// Marks the texts as changed, unless only the caret has moved.
  private mutating func noteTexts(changedSince revision: Int) {
    if editor.revision != revision { noteTexts() }
  }

  /// Handles a key that is not a command; the list of completions has priority.
  mutating func press(_ key: Key, _ context: inout ScreenContext<Self>) -> Bool {
    if completions != nil {
      switch key {
      case Key(.enter):
        acceptCompletion(&context)
        return true
      case Key(.up), Key(.down):
        completions?.move(by: key == Key(.up) ? -1 : 1)
        return true
      default: break
      }
    }
    let (hadList, revision) = (completions != nil, editor.revision)
    guard editor.handle(key) else { return false }
    completions = nil
    noteTexts(changedSince: revision)
    let isWord = if case .character = key.code { key.isPlainCharacter } else { key == Key(.backspace) }
    if hadList, isWord { complete(&context) }
    return true
  }

  /// Inserts a text that was pasted, or characters typed in quick succession.
  mutating func insert(_ text: String, isTyped: Bool, _ context: inout ScreenContext<Self>) {
    guard isTyped else { return change(&context) { $0.insert(text) } }
    let hadList = completions != nil
    change(&context) { $0.type(text) }
    if hadList { complete(&context) }
  }

  // MARK: Completion

  /// Requests the completions at the caret.
  func complete(_ context: inout ScreenContext<Self>) {
    let (text, caret) = (buffer.text, editor.caretOffset)
    context.ask(CompleteSQL(text: text, caret: caret)) { pane, context, result in
      guard context.environment.hasFocus, caret == pane.editor.caretOffset, text == pane.buffer.text else { return }
      pane.offer((try? result.get()) ?? [], &context)
    }
  }

  private mutating func offer(_ items: [Completion], _ context: inout ScreenContext<Self>) {
    completions = CompletionList(items)
    if items.isEmpty { context.notify("no completions") }
    if items.count == 1 { acceptCompletion(&context) }
  }

  mutating func acceptCompletion(_ context: inout ScreenContext<Self>) {
    guard let completion = completions?.current else { return }
    change(&context) { $0.replace(completion.range, with: completion.replacement) }
  }

  /// Replaces the marked fault with its fix.
  mutating func applyMend(_ context: inout ScreenContext<Self>) {
    guard let mend, mend.range == editor.errorRange else { return }
    change(&context) { $0.replace(mend.range, with: mend.text) }
  }

  // MARK: Buffers

  /// Shows a text in the editor and moves the focus there.
  mutating func edit(_ text: String, at origin: TextOrigin? = nil, _ context: inout ScreenContext<Self>) {
    context.closeAll()
    show(text, at: origin)
    isShown = true
    context.focus(.editor)
    noteTexts()
  }

  /// Closes the current buffer; asks first if its text is not saved.
  mutating func closeBuffer(_ context: inout ScreenContext<Self>) {
    guard !buffer.text.isBlank, buffer.isChanged || buffer.origin == nil else { return dropBuffer(&context) }
    let choices = [Choice("No, keep it"), Choice("Yes, close it") { $0.dropBuffer(&$1) }]
    ask("This text is not saved", "close it?", choices, &context)
  }

  private mutating func dropBuffer(_ context: inout ScreenContext<Self>) {
    removeBuffer()
    noteTexts()
  }

  /// Opens the text in the external editor.
  func editExternally(_ context: inout ScreenContext<Self>) {
    context.editExternally(buffer.text) { pane, context, result in
      context.send(.repaint)
      switch result {
      case .failure(let problem): context.notify(problem.text, .error)
      case .success(let text): pane.change(&context) { $0.replaceText(text) }
      }
    }
  }

  // MARK: Plan

  /// Shows the plan of the statement under the caret.
  func explainStatement(_ context: inout ScreenContext<Self>) {
    guard let part = currentStatement else { return context.notify("there is no statement under the caret", .warning) }
    explain(SQLScript(buffer.text).sql(of: part), &context)
  }

  /// Shows SQLite's plan for a statement, with indexes if it scans or sorts.
  ///
  /// - Parameter rows: The number of rows for which indexes are measured; nil for all.
  func explain(_ sql: String, rows: Int? = nil, _ context: inout ScreenContext<Self>) {
    context.ask(ExplainStatement(sql: sql)) { _, context, result in
      switch result {
      case .failure(let problem): context.notify(problem.text, .error)
      case .success(let steps):
        let lines = steps.lines(of: sql, glyphs: context.appearance.glyphs)
        guard IndexAdvice.isNeeded(for: steps.map(\.detail)) else {
          return context.send(DetailsIntent.lines(title: "Plan", lines, isOverList: false))
        }
        if context.workspace.source.roles.advice { return context.send(AdviceIntent.show(sql: sql, rows: rows, lines: lines)) }
        let remark = StyledLine("Indexes are measured only in files: `quarry backup` saves this database as one.", .muted)
        context.send(DetailsIntent.lines(title: "Plan", lines + [StyledLine(), remark], isOverList: false))
      }
    }
  }

  // MARK: Lists

  /// Shows the history of runs.
  func showHistory(_ context: inout ScreenContext<Self>) {
    context.ask(LoadHistory()) { pane, context, result in
      guard case .success(let entries) = result, !entries.isEmpty else { return context.notify("nothing has been run yet") }
      let items = entries.map { entry in
        PickerItem(
          label: entry.sql.summary, detail: entry.detail, trailing: entry.outcome, preview: entry.sql,
          perform: context.handler { pane, context in pane.choose(entry, &context) })
      }
      var picker = Picker(title: "History", placeholder: "type part of the statement", items: items)
      picker.alignsDetails = true
      context.present(picker)
    }
  }

  /// Shows the saved statements.
  func showStatements(_ context: inout ScreenContext<Self>) {
    context.ask(LoadStatements()) { pane, context, result in
      switch result {
      case .failure(let problem): context.notify(problem.text, .error)
      case .success(let statements) where statements.isEmpty:
        context.notify("no statement is saved yet: \(context.environment.keyHint(.saveFile, in: .editor)) in the editor saves one")
      case .success(let statements):
        let items = statements.map { statement in
          PickerItem(
            label: statement.name, detail: statement.about, preview: statement.sql,
            perform: context.handler { pane, context in pane.choose(statement, &context) })
        }
        context.present(Picker(title: "Statements", placeholder: "type part of a name", items: items))
      }
    }
  }

  /// Opens a saved statement in the editor and runs it, with the focus on its results.
  ///
  /// The form asks for parameters, if there are any.
  private mutating func choose(_ statement: SavedStatement, _ context: inout ScreenContext<Self>) {
    edit(statement.sql, at: .statement(statement.name), &context)
    context.focus(.rows)
    runAll(&context)
  }

  /// Opens a statement of the history in the editor, and fills its arguments into the form.
  private mutating func choose(_ entry: HistoryEntry, _ context: inout ScreenContext<Self>) {
    edit(entry.sql, &context)
    let values = entry.arguments.compactMap { argument in argument.value.map { (argument.identity, ParameterInput.value($0)) } }
    context.workspace.memory.remember(Dictionary(values, uniquingKeysWith: { $1 }), of: entry.sql)
  }

  /// Shows the form for the current filter again, or for the last run.
  mutating func askAgain(_ context: inout ScreenContext<Self>) {
    if context.environment.isFilterAsking { return context.send(RowsIntent.askForFilterValues) }
    guard let last else { return }
    begin(renewed(last.request, &context), &context)
  }
}

extension ScreenEnvironment {
  /// Whether the filter of the focused grid has parameters.
  var isFilterAsking: Bool { focus == .rows && grid?.view.arguments.isEmpty == false }
}

extension [PlanStep] {
  /// Returns the plan of a statement as lines.
  fileprivate func lines(of sql: String, glyphs: Glyphs) -> [StyledLine] {
    let lines = map { step in
      StyledLine("\(String(repeating: "  ", count: step.depth))\(glyphs.dot) ", .muted).adding(step.sentence)
    }
    let details = map { StyledLine(String(repeating: "  ", count: $0.depth) + $0.detail, .muted) }
    let text = sql.split(separator: "\n", omittingEmptySubsequences: false).map { StyledLine(String($0), .muted) }
    let wording = [StyledLine(), StyledLine("In SQLite's words", .accent)] + details
    return lines + wording + [StyledLine(), StyledLine("Statement", .accent)] + text
  }
}

extension HistoryEntry {
  /// The time and the arguments.
  fileprivate var detail: String {
    let values = arguments.map(\.description).joined(separator: ", ")
    return [String(time.prefix(16).map { $0 == "T" ? " " : $0 }), values].filter { !$0.isEmpty }.joined(separator: "  ")
  }

  fileprivate var outcome: String {
    if error != nil { return "failed" }
    return rows.map { Plural.of($0, "row") } ?? ""
  }
}

extension SavedStatement {
  /// The title and the description.
  fileprivate var about: String {
    [title == name ? "" : title, summary].filter { !$0.isEmpty }.joined(separator: ": ")
  }
}
