import QuarryEngine
import Terminal

/// The commands for editing a filter or an order.
extension RowsCommands {
  static let barCommands: [Binding] = [
    Binding(.accept, "Accept the selected item or the text", keys: [.bar: ["enter"]], hint: "apply") { rows, context, _ in
      if !rows.filter.acceptCompletion(&context) { rows.applyBar(&context) }
    },
    Binding(
      .complete, "Complete the word at the caret", keys: [.bar: ["tab"]], hint: "complete",
      hintedWhen: { rows, environment in rows.isTyping(in: environment.workspace) },
      unless: { rows, environment in rows.isTyping(in: environment.workspace) ? nil : "this works in the filter bar and in the editor" }
    ) { rows, context, _ in
      if !rows.filter.acceptCompletion(&context) { rows.filter.complete(&context) }
    },
    Binding(
      .applyReplacement, "Apply the suggested correction", keys: [.bar: ["alt-enter"]], hint: "fix",
      hintedWhen: { rows, _ in rows.filter.bar.report?.remark?.mended.isEmpty == false }, unless: needsBar
    ) { rows, context, _ in
      rows.filter.applyReplacement(&context)
    },
    Binding(
      .historyOlder, "Go to an older text, or up in a list", keys: [.bar: ["up"]], hint: "history",
      hintedWhen: { rows, environment in
        environment.grid.map { !environment.memory.history(of: rows.filter.bar.text, for: $0.rowSet.sourceTable).isEmpty } ?? false
      }
    ) { rows, context, _ in
      rows.filter.goThrough(by: -1, &context)
    },
    Binding(.historyNewer, "Go to a newer text, or down in a list", keys: [.bar: ["down"]]) { rows, context, _ in
      rows.filter.goThrough(by: 1, &context)
    },
    Binding(
      .explainPlan, "Show the query plan", keys: [.bar: ["alt-l"]], hint: "plan",
      hintedWhen: { rows, _ in rows.filter.bar.report?.plan != nil },
      unless: { rows, environment in rows.isTyping(in: environment.workspace) ? nil : "this works in the filter bar and in the editor" }
    ) { rows, context, _ in
      rows.filter.explainPlan(&context)
    },
    Binding(
      .keepFilter, "Save the filter under a name", keys: [.bar: ["alt-s"]], hint: "save",
      hintedWhen: { rows, environment in
        environment.grid?.rowSet.rememberedTable != nil && !rows.filter.bar.field.text.isBlank && !rows.filter.bar.isOfColumn
      },
      unless: { needsBar($0, $1) ?? ($0.filter.bar.isOfColumn ? "a computed column is remembered with the view of its table" : nil) }
    ) { rows, context, _ in
      rows.filter.askForName(&context)
    },
    Binding(
      .chooseFilter, "Choose a saved filter", keys: [.bar: ["alt-o"]], hint: "saved",
      hintedWhen: { _, environment in
        environment.grid?.rowSet.rememberedTable.map { !environment.memory.keptFilters(of: $0).isEmpty } ?? false
      },
      unless: needsFilters
    ) { rows, context, _ in
      rows.filter.showSaved(&context)
    },
  ]
}
