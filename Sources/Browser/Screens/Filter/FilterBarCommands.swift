import QuarryEngine
import Terminal

/// What can be done while a filter or an order is written.
extension RowsScreen {
  static let barCommands: [Binding] = [
    Binding(.accept, "Take what is chosen or written", keys: [.bar: ["enter"]], hint: "apply") { rows, context, _ in
      if !rows.acceptCompletion(&context) { context.browser { $0.applyBar() } }
    },
    Binding(
      .complete, "Complete what stands before the caret", keys: [.bar: ["tab"]], hint: "complete", hintedWhen: { rows, _ in rows.isTyping },
      unless: { rows, _ in rows.isTyping ? nil : "neither the filter bar nor the editor has the keys" }
    ) { rows, context, _ in
      if !rows.acceptCompletion(&context), let grid = rows.grid { context.send(grid.complete()) }
    },
    Binding(
      .applyReplacement, "Mend the text as offered", keys: [.bar: ["alt-enter"]], hint: "mend",
      hintedWhen: { rows, _ in rows.grid?.bar.report?.remark?.mended.isEmpty == false }, unless: needsBar
    ) { _, context, _ in
      context.browser { $0.applyReplacement() }
    },
    Binding(
      .historyOlder, "Go to an older text, or up in a list", keys: [.bar: ["up"]], hint: "history",
      hintedWhen: { rows, environment in
        rows.grid.map { !environment.memory.history(of: $0.bar.text, for: $0.rowSet.sourceTable).isEmpty } ?? false
      }
    ) { rows, context, _ in
      rows.goThrough(by: -1, &context)
    },
    Binding(.historyNewer, "Go to a newer text, or down in a list", keys: [.bar: ["down"]]) { rows, context, _ in rows.goThrough(by: 1, &context) },
    Binding(
      .explainPlan, "Say how SQLite reads the rows", keys: [.bar: ["alt-l"]], hint: "plan",
      hintedWhen: { rows, _ in rows.grid?.bar.report?.plan != nil },
      unless: { rows, _ in rows.isTyping ? nil : "neither the filter bar nor the editor has the keys" }
    ) { _, context, _ in
      context.browser { browser in
        browser.explainPlan()
        return []
      }
    },
    Binding(
      .keepFilter, "Keep the filter under a name", keys: [.bar: ["alt-s"]], hint: "keep",
      hintedWhen: { rows, _ in rows.grid?.rememberedTable != nil && rows.grid?.bar.field.text.isBlank == false }, unless: needsBar
    ) { _, context, _ in
      context.browser { browser in
        browser.askForFilterName()
        return []
      }
    },
    Binding(
      .chooseFilter, "Choose a filter kept under a name", keys: [.bar: ["alt-o"]], hint: "kept",
      hintedWhen: { rows, environment in rows.grid?.rememberedTable.map { !environment.memory.keptFilters(of: $0).isEmpty } ?? false },
      unless: needsGrid
    ) { _, context, _ in
      context.browser { browser in
        browser.showKeptFilters()
        return []
      }
    },
  ]

  /// Puts the completion under the cursor of the list in; returns whether there is a list.
  private mutating func acceptCompletion(_ context: inout ScreenContext<Self>) -> Bool {
    guard let completion = grid?.bar.completions?.current else { return false }
    context.send(change { $0.accept(completion) })
    return true
  }

  /// Goes through the completions where there is a list of them, else through the texts that were written before.
  private mutating func goThrough(by step: Int, _ context: inout ScreenContext<Self>) {
    guard let grid, grid.bar.completions == nil else {
      self.grid?.bar.completions?.move(by: step)
      return
    }
    let texts = context.environment.memory.history(of: grid.bar.text, for: grid.rowSet.sourceTable)
    context.send(
      change { grid in
        grid.bar.recall(by: -step, from: texts)
        return grid.checkDraft()
      })
  }
}
