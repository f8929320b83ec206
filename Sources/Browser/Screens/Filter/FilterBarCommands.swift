import QuarryEngine
import Terminal

/// The commands while a filter or an order is being written.
extension RowsCommands {
  static let barCommands: [Binding] = [
    Binding(.accept, "Accept the selected item or the text", keys: [.bar: ["enter"]], hint: "apply") { rows, context, _ in
      if !rows.acceptCompletion(&context) { rows.applyBar(&context) }
    },
    Binding(
      .complete, "Complete the word at the caret", keys: [.bar: ["tab"]], hint: "complete",
      hintedWhen: { rows, environment in rows.isTyping(in: environment.workspace) },
      unless: { rows, environment in rows.isTyping(in: environment.workspace) ? nil : "this works in the filter bar and in the editor" }
    ) { rows, context, _ in
      if !rows.acceptCompletion(&context) { rows.change(&context) { $0.complete() } }
    },
    Binding(
      .applyReplacement, "Apply the suggested correction", keys: [.bar: ["alt-enter"]], hint: "fix",
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
      .explainPlan, "Show the query plan", keys: [.bar: ["alt-l"]], hint: "plan",
      hintedWhen: { _, environment in environment.grid?.bar.report?.plan != nil },
      unless: { rows, environment in rows.isTyping(in: environment.workspace) ? nil : "this works in the filter bar and in the editor" }
    ) { rows, context, _ in
      rows.explainPlan(&context)
    },
    Binding(
      .keepFilter, "Save the filter under a name", keys: [.bar: ["alt-s"]], hint: "save",
      hintedWhen: { _, environment in environment.grid?.rowSet.rememberedTable != nil && environment.grid?.bar.field.text.isBlank == false
      }, unless: needsBar
    ) { rows, context, _ in
      rows.askForFilterName(&context)
    },
    Binding(
      .chooseFilter, "Choose a saved filter", keys: [.bar: ["alt-o"]], hint: "saved",
      hintedWhen: { _, environment in
        environment.grid?.rowSet.rememberedTable.map { !environment.memory.keptFilters(of: $0).isEmpty } ?? false
      },
      unless: needsFilters
    ) { rows, context, _ in
      rows.showKeptFilters(&context)
    },
  ]
}

extension RowsScreen {
  /// Accepts the selected completion; returns whether there is a list.
  fileprivate mutating func acceptCompletion(_ context: inout ScreenContext<Self>) -> Bool {
    guard let completion = context.grid?.bar.completions?.current else { return false }
    change(&context) { $0.accept(completion) }
    return true
  }

  /// Steps through the completions where there are any, or else through the earlier texts.
  fileprivate mutating func goThrough(by step: Int, _ context: inout ScreenContext<Self>) {
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
