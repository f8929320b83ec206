import QuarryRows
import Terminal

extension SQLPane: Screen {
  func keyContext(in workspace: Workspace) -> KeyContext { .editor }
  func purpose(in workspace: Workspace) -> String {
    "SQL text, restored at the next start. F5 runs the statement under the caret and shows its rows below. Letters insert text here, so "
      + "commands are on function keys, Alt and Ctrl."
  }
  func backOutHint(in workspace: Workspace) -> String? { "results" }

  static let commands: [CommandBinding<Self>] =
    runs.grouped("Running") + texts.grouped("Texts").grouped("Writing", only: [.complete, .editExternally, .historyOlder, .historyNewer])
    + edits.grouped("Writing") + lists.grouped("Statements") + transactions.grouped("Transactions").grouped("Running", only: [.parameters])

  private static let runs: [CommandBinding<Self>] = [
    CommandBinding(
      .runStatement, "Run the selection, or the statement under the caret", keys: [.editor: ["f5"]], hint: "run", unless: needsRunning
    ) { pane, context, _ in
      pane.runStatement(&context)
    },
    CommandBinding(.runAll, "Run all statements", keys: [.editor: ["shift-f5"]], hint: "run all", unless: needsRunning) {
      pane, context, _ in
      pane.runAll(&context)
    },
  ]

  private static let edits: [CommandBinding<Self>] = [
    edit(.undo, "Undo the last change", ["alt-z", "ctrl-_"]) { $0.undo() },
    edit(.redo, "Redo the last undone change", ["alt-y"]) { $0.redo() },
    edit(.comment, "Comment out the lines, or uncomment them", ["alt-/"]) { $0.comment() },
    edit(.unindent, "Unindent the selected lines", ["shift-tab"]) { $0.unindent() },
    CommandBinding(
      .applyReplacement, "Apply the suggested correction", keys: [.editor: ["alt-enter"]], hint: "fix",
      hintedWhen: { pane, _ in pane.canMend },
      unless: { pane, environment in
        needsEditor(pane, environment)
          ?? (pane.canMend ? nil : "there is no correction to apply")
      }
    ) { pane, context, _ in
      pane.applyMend(&context)
    },
    CommandBinding(.accept, "Accept the selected item or the text", unless: needsEditor) { pane, context, _ in
      pane.acceptCompletion(&context)
    },
    CommandBinding(.filter, "Write a filter, or leave the filter bar", keys: [.editor: ["f6"]], unless: { $1.needsFilters }) {
      _, context, _ in
      context.send(RowsIntent.beginFilter)
    },
  ]

  private static let texts: [CommandBinding<Self>] = [
    CommandBinding(.complete, "Complete the word at the caret", keys: [.editor: ["tab"]], hint: "complete", unless: needsEditor) {
      pane, context, _ in
      if pane.completions != nil { return pane.acceptCompletion(&context) }
      if pane.editor.hasSelection { return pane.change(&context) { $0.indent() } }
      pane.complete(&context)
    },
    CommandBinding(
      .saveFile, "Save the text as a statement or to a file", keys: [.editor: ["alt-s"]], hint: "save", unless: needsEditor
    ) {
      pane, context, _ in
      let placeholder = "a statement's name, or the path of an .sql file"
      context.prompt("save as", placeholder: placeholder, text: pane.buffer.origin?.path ?? "", isPath: true) { pane, context, name in
        pane.save(as: name, &context)
      }
    },
    CommandBinding(.editExternally, "Edit the text in $VISUAL", keys: [.editor: ["alt-e"]], hint: "$VISUAL", unless: needsEditor) {
      pane, context, _ in
      pane.editExternally(&context)
    },
    CommandBinding(.openFile, "Open an .sql file", keys: [.editor: ["alt-o"]], unless: needsEditor) { _, context, _ in
      context.prompt("open", placeholder: "path of an .sql file", isPath: true) { pane, context, path in
        pane.load(path, &context)
      }
    },
    CommandBinding(.nextBuffer, "Go to the next text", keys: [.editor: ["alt-n"]], unless: needsEditor) { pane, _, _ in
      pane.moveBuffer(by: 1)
    },
    CommandBinding(.closeBuffer, "Close the text", keys: [.editor: ["alt-w"]], unless: needsEditor) { pane, context, _ in
      pane.closeBuffer(&context)
    },
    CommandBinding(
      .explainPlan, "Show the query plan", keys: [.editor: ["alt-l"]], unless: { needsEditor($0, $1) ?? $1.needsPlans }
    ) {
      pane, context, _ in
      pane.explainStatement(&context)
    },
    CommandBinding(.historyOlder, "Go to an older text, or up in a list") { pane, _, _ in pane.completions?.move(by: -1) },
    CommandBinding(.historyNewer, "Go to a newer text, or down in a list") { pane, _, _ in pane.completions?.move(by: 1) },
  ]

  /// The lists that can be opened from everywhere.
  private static let lists: [CommandBinding<Self>] = [
    CommandBinding(
      .statements, "Choose a saved statement and run it", brief: "Saved statements", keys: [.everywhere: ["f9"], .grid: ["g l"]],
      unless: { $1.needsStatements }
    ) { pane, context, _ in
      pane.showStatements(&context)
    },
    CommandBinding(
      .history, "Choose a statement from the history", brief: "History", keys: [.everywhere: ["f8"], .grid: ["g h"]],
      unless: { $1.needsStatements }
    ) { pane, context, _ in
      pane.showHistory(&context)
    },
  ]

  /// The commands of transactions, which are only in the palette so that no accidental key ends a transaction.
  private static let transactions: [CommandBinding<Self>] = [
    CommandBinding(
      .parameters, "Fill in the parameters again", brief: "Parameters again", keys: [.everywhere: ["f7"], .grid: ["g p"]],
      unless: { pane, environment in
        environment.isFilterAsking || pane.last?.parameters.isEmpty == false ? nil : "the last run had no parameters"
      }
    ) { pane, context, _ in
      pane.askAgain(&context)
    },
    CommandBinding(.commit, "Commit the open transaction", unless: needsTransaction) { pane, context, _ in
      pane.endTransaction(isCommitted: true, &context)
    },
    CommandBinding(.rollBack, "Roll back the open transaction", unless: needsTransaction) { pane, context, _ in
      pane.endTransaction(isCommitted: false, &context)
    },
  ]

  private static func edit(
    _ name: Command, _ help: String, _ keys: [String], _ change: @escaping @Sendable (inout EditorPane) -> Void
  ) -> CommandBinding<Self> {
    CommandBinding(name, help, keys: [.editor: keys], unless: needsEditor) { pane, context, _ in pane.change(&context, change) }
  }

  private static let needsEditor: CommandBinding<Self>.Obstacle = { pane, environment in
    pane.isShown ? nil : "the editor is not open: \(environment.keyHint(.editSQL)) opens it"
  }

  private static let needsRunning: CommandBinding<Self>.Obstacle = { needsEditor($0, $1) ?? $1.needsStatements }

  private static let needsTransaction: CommandBinding<Self>.Obstacle = { pane, environment in
    environment.workspace.source.transaction == nil ? "no transaction is open" : pane.busyReason(environment)
  }

  func generalHints(_ environment: ScreenEnvironment) -> [GeneralHint] {
    [
      GeneralHint(command: .statements, word: "saved", before: .editExternally),
      GeneralHint(command: .history, word: "history", before: .editExternally),
    ]
  }

  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>) { editor.scroll(by: rows) }

  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    completions = nil
    context.focus(.editor)
    editor.moveCaret(to: point, area: area)
  }

  /// Closes the list of completions, or clears the selection.
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
