import QuarryEngine
import Terminal

extension SQLPane: Screen {
  var keyContext: KeyContext { .editor }
  var backOutHint: String? { "results" }

  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    editor.draw(into: &surface, area: area, hasFocus: false, statement: nil, look: environment.look)
  }

  static let commands: [CommandBinding<Self>] = runs + texts + edits + lists + results

  private static let runs: [CommandBinding<Self>] = [
    CommandBinding(
      .runStatement, "Run the selection, or the statement under the caret", keys: [.editor: ["f5"]], hint: "run", unless: needsEditor
    ) { _, context, _ in
      context.browser { $0.runStatement() }
    },
    CommandBinding(.runAll, "Run all statements", keys: [.editor: ["shift-f5"]], hint: "run all", unless: needsEditor) { _, context, _ in
      context.browser { $0.runAll() }
    },
  ]

  private static let edits: [CommandBinding<Self>] = [
    edit(.undo, "Undo the last change", ["alt-z", "ctrl-_"]) { $0.undo() },
    edit(.redo, "Do again what was undone", ["alt-y"]) { $0.redo() },
    edit(.comment, "Make the lines comments, or SQL again", ["alt-/"]) { $0.comment() },
    edit(.unindent, "Move the selected lines to the left", ["shift-tab"]) { $0.unindent() },
    CommandBinding(.accept, "Take what is chosen or written", unless: needsEditor) { pane, context, _ in
      if pane.completions != nil { context.browser { $0.acceptSQLCompletion() } }
    },
    CommandBinding(.filter, "Write a filter, or leave the filter bar", keys: [.editor: ["f6"]], unless: needsGrid) { _, context, _ in
      context.browser { $0.beginBar(.filter) }
    },
  ]

  private static let texts: [CommandBinding<Self>] = [
    CommandBinding(.complete, "Complete what stands before the caret", keys: [.editor: ["tab"]], hint: "complete", unless: needsEditor) {
      pane, context, _ in
      if pane.completions != nil { return context.browser { $0.acceptSQLCompletion() } }
      if pane.editor.hasSelection { return context.browser { $0.change { $0.indent() } } }
      context.send(.completeSQL(pane.buffer.text, caret: pane.editor.caretOffset))
    },
    CommandBinding(.saveFile, "Save the text among the statements, or in a file", keys: [.editor: ["alt-s"]], hint: "save", unless: needsEditor) {
      pane, context, _ in
      let placeholder = "a name among your statements, or the path of an .sql file"
      context.prompt("save as", placeholder: placeholder, text: pane.buffer.origin?.path ?? "") { pane, context, name in
        pane.save(as: name, &context)
      }
    },
    CommandBinding(.editExternally, "Edit the text in $VISUAL", keys: [.editor: ["alt-e"]], hint: "$VISUAL", unless: needsEditor) {
      pane, context, _ in
      context.send(.editExternally(pane.buffer.text))
    },
    CommandBinding(.openFile, "Open an .sql file", keys: [.editor: ["alt-o"]], unless: needsEditor) { _, context, _ in
      context.prompt("open", placeholder: "the path of an .sql file") { pane, context, path in
        pane.load(path, &context)
      }
    },
    CommandBinding(.nextBuffer, "Go to the next text", keys: [.editor: ["alt-n"]], unless: needsEditor) { pane, _, _ in pane.moveBuffer(by: 1) },
    CommandBinding(.closeBuffer, "Close the text", keys: [.editor: ["alt-w"]], unless: needsEditor) { _, context, _ in
      context.browser { browser in
        browser.closeBuffer()
        return []
      }
    },
    CommandBinding(.explainPlan, "Say how SQLite reads the rows", keys: [.editor: ["alt-l"]], unless: needsEditor) { _, context, _ in
      context.browser { $0.explainStatement() }
    },
    CommandBinding(.historyOlder, "Go to an older text, or up in a list") { pane, _, _ in pane.completions?.move(by: -1) },
    CommandBinding(.historyNewer, "Go to a newer text, or down in a list") { pane, _, _ in pane.completions?.move(by: 1) },
  ]

  /// Lists that are there from everywhere.
  private static let lists: [CommandBinding<Self>] = [
    CommandBinding(.statements, "Choose a saved statement and run it", keys: [.everywhere: ["f9"], .grid: ["g l"]]) { pane, context, _ in
      pane.showStatements(&context)
    },
    CommandBinding(.history, "Choose from what was run before", keys: [.everywhere: ["f8"], .grid: ["g h"]]) { pane, context, _ in
      pane.showHistory(&context)
    },
  ]

  /// The tabs under the editor; their keys are those of the rows.
  private static let results: [CommandBinding<Self>] = [
    CommandBinding(.nextResult, "Go to the next result", keys: [.grid: ["g t"]], unless: needsResult) { _, context, _ in
      context.browser { $0.moveResult(by: 1) }
    },
    CommandBinding(.previousResult, "Go to the result before", keys: [.grid: ["g T"]], unless: needsResult) { _, context, _ in
      context.browser { $0.moveResult(by: -1) }
    },
  ]

  private static func edit(
    _ name: Command, _ help: String, _ keys: [String], _ change: @escaping @Sendable (inout EditorPane) -> Void
  ) -> CommandBinding<Self> {
    CommandBinding(name, help, keys: [.editor: keys], unless: needsEditor) { _, context, _ in context.browser { $0.change(change) } }
  }

  private static let needsEditor: CommandBinding<Self>.Obstacle = { pane, environment in
    pane.isShown ? nil : "the editor is not open: \(environment.keyHint(.editSQL)) opens it"
  }

  private static let needsGrid: CommandBinding<Self>.Obstacle = { _, environment in environment.hasGrid ? nil : "no table is open" }

  private static let needsResult: CommandBinding<Self>.Obstacle = { pane, _ in
    pane.results.tabs.isEmpty ? "nothing has been run yet" : nil
  }

  func generalHints(_ environment: ScreenEnvironment) -> [GeneralHint] {
    [
      GeneralHint(command: .statements, word: "saved", before: .editExternally),
      GeneralHint(command: .history, word: "history", before: .editExternally),
    ]
  }

  mutating func press(_ key: Key, _ context: inout ScreenContext<Self>) -> Bool {
    context.browser { $0.editSQL(key) }
    return true
  }

  mutating func insert(_ text: String, isTyped: Bool, _ context: inout ScreenContext<Self>) {
    context.browser { isTyped ? $0.typeSQL(text) : $0.change { $0.insert(text) } }
  }

  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>) { editor.scroll(by: rows) }

  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    completions = nil
    editor.moveCaret(to: point, area: area)
  }

  /// Closes the list of completions, else ends the selection.
  mutating func backOut(_ context: inout ScreenContext<Self>) -> Bool {
    if completions != nil {
      completions = nil
    } else if editor.hasSelection {
      editor.clearSelection()
    } else {
      return false
    }
    return true
  }
}
