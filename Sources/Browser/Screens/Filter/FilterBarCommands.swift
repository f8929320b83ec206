import QuarryEngine
import Terminal

/// What can be done while a filter or an order is written.
extension RowsScreen {
  static let barCommands: [Binding] = [
    Binding(.accept, "Take what is chosen or written", keys: [.bar: ["enter"]], hint: "apply") { rows, context, _ in
      if !rows.acceptCompletion(&context) { rows.applyBar(&context) }
    },
    Binding(
      .complete, "Complete what stands before the caret", keys: [.bar: ["tab"]], hint: "complete",
      hintedWhen: { rows, environment in rows.isTyping(in: environment.workspace) },
      unless: { rows, environment in rows.isTyping(in: environment.workspace) ? nil : "neither the filter bar nor the editor has the keys" }
    ) { rows, context, _ in
      if !rows.acceptCompletion(&context) { rows.change(&context) { $0.complete() } }
    },
    Binding(
      .applyReplacement, "Mend the text as offered", keys: [.bar: ["alt-enter"]], hint: "mend",
      hintedWhen: { _, environment in environment.grid?.bar.report?.remark?.mended.isEmpty == false }, unless: needsBar
    ) { rows, context, _ in
      rows.applyReplacement(&context)
    },
    Binding(
      .historyOlder, "Go to an older text, or up in a list", keys: [.bar: ["up"]], hint: "history",
      hintedWhen: { _, environment in
        environment.grid.map { !environment.memory.history(of: $0.bar.text, for: $0.rowSet.sourceTable).isEmpty } ?? false
      }
    ) { rows, context, _ in
      rows.goThrough(by: -1, &context)
    },
    Binding(.historyNewer, "Go to a newer text, or down in a list", keys: [.bar: ["down"]]) { rows, context, _ in
      rows.goThrough(by: 1, &context)
    },
    Binding(
      .explainPlan, "Say how SQLite reads the rows", keys: [.bar: ["alt-l"]], hint: "plan",
      hintedWhen: { _, environment in environment.grid?.bar.report?.plan != nil },
      unless: { rows, environment in rows.isTyping(in: environment.workspace) ? nil : "neither the filter bar nor the editor has the keys" }
    ) { rows, context, _ in
      rows.explainPlan(&context)
    },
    Binding(
      .keepFilter, "Keep the filter under a name", keys: [.bar: ["alt-s"]], hint: "keep",
      hintedWhen: { _, environment in environment.grid?.rowSet.rememberedTable != nil && environment.grid?.bar.field.text.isBlank == false
      }, unless: needsBar
    ) { rows, context, _ in
      rows.askForFilterName(&context)
    },
    Binding(
      .chooseFilter, "Choose a filter kept under a name", keys: [.bar: ["alt-o"]], hint: "kept",
      hintedWhen: { _, environment in
        environment.grid?.rowSet.rememberedTable.map { !environment.memory.keptFilters(of: $0).isEmpty } ?? false
      },
      unless: needsFilters
    ) { rows, context, _ in
      rows.showKeptFilters(&context)
    },
  ]

  /// Puts the completion under the cursor of the list in; returns whether there is a list.
  private mutating func acceptCompletion(_ context: inout ScreenContext<Self>) -> Bool {
    guard let completion = context.grid?.bar.completions?.current else { return false }
    change(&context) { $0.accept(completion) }
    return true
  }

  /// Goes through the completions where there is a list of them, else through the texts that were written before.
  private mutating func goThrough(by step: Int, _ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, grid.bar.completions == nil else {
      context.workspace.changeGrid { $0.bar.completions?.move(by: step) }
      return
    }
    let texts = context.workspace.memory.history(of: grid.bar.text, for: grid.rowSet.sourceTable)
    change(&context) { grid in
      grid.bar.recall(by: -step, from: texts)
      return grid.checkDraft()
    }
  }
}
