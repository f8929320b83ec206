import QuarryRows
import Terminal

/// Editing in the bar: every change of the text is checked, and Tab completes it.
extension FilterSession {
  /// Opens the bar with the text of the current view.
  mutating func begin(_ text: RowView.Text, of view: RowView, _ context: inout RowsContext) {
    context.focus(.rows)
    if let grid = context.grid, begin(text, of: view, under: grid) { check(&context) }
  }

  /// Changes the text.
  mutating func edit(_ context: inout RowsContext, _ body: (inout TextField) -> Bool) {
    guard change({ $0.edit(body) }) else { return }
    check(&context)
    if bar.completions != nil { complete(&context) }
  }

  /// Removes an inserted operator if a character begins another one.
  mutating func acceptImplicitPair(_ character: Character) { change { $0.acceptImplicitPair(character) } }

  /// Replaces the text of the bar, with the caret at its end or at an offset in UTF-8 bytes.
  mutating func replaceText(_ text: String, caret: Int? = nil, _ context: inout RowsContext) {
    change { $0.replaceText(text, caret: caret) }
    check(&context)
  }

  /// Begins a condition after a text that ends with a column, and shows the values of the column.
  mutating func beginComparison(after text: String, _ context: inout RowsContext) {
    change { $0.beginComparison(after: text) }
    check(&context)
    complete(&context)
  }

  /// Asks the engine to check the text.
  func check(_ context: inout RowsContext) {
    guard let grid = context.grid else { return }
    let (id, draft) = (grid.id, draft(of: grid))
    context.ask(CheckView(grid: id, view: draft, text: bar.text)) { rows, context, result in
      switch result {
      case .success(let report): rows.receive(report, on: draft, of: id, &context)
      case .failure(let problem):
        guard rows.filter.isApplying else { return }
        // A text that cannot be checked is not applied, and input waits no longer.
        rows.filter.change { $0.isApplyAwaited = false }
        context.notify(problem.text, .error)
      }
    }
  }

  // MARK: Completions and earlier texts

  /// Shows the completions at the caret; inserts a single one immediately if the person requested it.
  mutating func complete(_ context: inout RowsContext) {
    guard let grid = context.grid else { return }
    let (id, draft, caret) = (grid.id, draft(of: grid), bar.field.caretUTF8Offset)
    change { $0.awaitList() }
    let labels = context.environment.options.labels
    context.ask(CompleteView(grid: id, view: draft, text: bar.text, caret: caret, labels: labels)) { rows, context, result in
      guard case .success(let items) = result, context.workspace.shownGrid == id else { return }
      guard let only = rows.filter.receive(items, completing: draft, at: caret, in: context.workspace) else {
        return rows.filter.nameCompletions(&context)
      }
      rows.filter.change { $0.insert(only) }
      rows.filter.check(&context)
    }
  }

  /// Finds the completions again that were being found for rows that others have replaced.
  mutating func resumeCompletion(_ context: inout RowsContext) {
    if bar.isListAwaited { complete(&context) }
  }

  /// Reads the names of the rows that the offered values refer to.
  private func nameCompletions(_ context: inout RowsContext) {
    guard let grid = context.grid, let items = bar.completions?.items else { return }
    var names = ColumnNames()
    let values = items.compactMap { item in item.value.map { (column: $0.column, value: $0.value) } }
    guard let request = names.request(for: values, of: grid, in: CompleteView.namesSlot(grid.id), context.environment) else { return }
    context.ask(request) { rows, context, result in
      guard case .success(let found) = result else { return }
      let known = Dictionary(found.compactMap { pair in pair.key.values.first.map { ($0, pair.value) } }) { first, _ in first }
      // If another list has arrived in the meantime, its values are requested separately.
      guard rows.filter.bar.completions?.items == items else { return }
      rows.filter.change { $0.nameCompletions(known, glyphs: context.appearance.glyphs) }
    }
  }

  /// Inserts the selected completion; returns whether that has changed the text.
  mutating func acceptCompletion(_ context: inout RowsContext) -> Bool {
    guard bar.completion != nil else { return false }
    let isChanged = change { $0.acceptCompletion() }
    check(&context)
    return isChanged
  }

  /// Moves through the completions if there are any, or otherwise through the earlier texts.
  mutating func goThrough(by step: Int, _ context: inout RowsContext) {
    guard let grid = context.grid, bar.completions == nil else {
      change { $0.moveInList(by: step) }
      return
    }
    let texts = context.workspace.memory.history(of: bar.text, for: grid.rowSet.sourceTable)
    change { $0.recall(by: -step, from: texts) }
    check(&context)
  }

  /// Saves an unapplied text of the bar, so that Up restores it.
  func keepDraft(_ context: inout RowsContext) {
    guard let grid = context.grid, isOpen(under: grid.id), bar.isChanged else { return }
    context.workspace.memory.keep(draft: bar.field.text, of: bar.text, for: grid.rowSet.sourceTable)
  }

  // MARK: Reports

  mutating func applyReplacement(_ context: inout RowsContext) {
    guard bar.isReportCurrent, let mended = bar.report?.remark?.mended.first else {
      return context.notify("there is no correction to apply")
    }
    replaceText(mended, &context)
  }

  /// Explains the lamp, and suggests a helpful index.
  func explainPlan(_ context: inout RowsContext) {
    guard let plan = bar.report?.plan else { return context.notify("there is no plan while the text has an error") }
    guard let index = plan.index else { return context.notify(plan.sentence) }
    let copy = context.handler { _, context in context.send(.copyToClipboard(CopyText(text: index, title: "the index"))) }
    context.present(
      Picker(title: plan.sentence, placeholder: "Enter copies this index", items: [PickerItem(label: index, perform: copy)]))
  }

  /// Reports the reason why a text is not applied.
  ///
  /// If the bar has a line for the fault, the notice only names the keys that help.
  ///
  /// - Parameter barRows: The height of the bar.
  func refuse(_ fault: TextRemark, _ report: ViewReport, barRows: Int, _ context: inout RowsContext) {
    let role: Role = report.isUnfinished ? .warning : .error
    guard !report.isUnfinished, barRows > 1 else { return context.notify(fault.sentence, role) }
    let mend = fault.mended.isEmpty ? "" : "\(context.environment.keyHint(.applyReplacement)) fixes it, "
    context.notify("not applied: \(mend)\(context.environment.keyHint(.backOut)) leaves the bar", role)
  }

  // MARK: Applying

  /// Closes the bar after a view has been applied: the view enters the history and is remembered for the table.
  mutating func finish(with view: RowView, _ context: inout RowsContext) {
    if let grid = context.grid {
      // A key or a click that rewrites the view also ends the editing.
      if view[bar.text] != bar.field.text { keepDraft(&context) }
      context.workspace.memory.note(view, for: grid.rowSet.sourceTable)
    }
    close()
  }

  /// Asks for the values of parameters, and then applies the text.
  func askForParameters(_ parameters: [FormParameter], _ context: inout RowsContext) {
    let values = context.grid?.view.arguments ?? [:]
    context.present(
      ParameterForm(
        title: "Parameters of the filter", parameters: parameters, values: values.mapValues(ParameterInput.value), takesFiles: false,
        accept: context.handler { rows, context, inputs in rows.apply(inputs, &context) }))
  }

  // MARK: Saved filters

  func askForName(_ context: inout RowsContext) {
    guard context.grid?.rowSet.rememberedTable != nil else {
      return context.notify("only the filter of a table or view can be saved", .warning)
    }
    context.prompt("save this filter as", placeholder: "name") { rows, context, name in rows.filter.save(as: name, &context) }
  }

  private func save(as name: String, _ context: inout RowsContext) {
    guard let grid = context.grid, let table = grid.rowSet.rememberedTable, !name.isBlank else { return }
    context.workspace.memory.keep(SessionMemory.KeptFilter(name: name, text: draft(of: grid).filter), of: table)
    context.notify("saved as \(name): \(context.environment.keyHint(.chooseFilter, in: .bar)) in the filter bar lists them", .success)
  }

  func showSaved(_ context: inout RowsContext) {
    let kept = context.grid?.rowSet.rememberedTable.map { context.workspace.memory.keptFilters(of: $0) } ?? []
    guard !kept.isEmpty else {
      return context.notify("this table has no saved filter: \(context.environment.keyHint(.keepFilter, in: .bar)) in the bar saves one")
    }
    let items = kept.map { filter in
      PickerItem(
        label: filter.name, detail: filter.text,
        perform: context.handler { rows, context in rows.choose(filter: filter.text, &context) })
    }
    context.present(Picker(title: "Saved filters", placeholder: "type part of a name", items: items))
  }
}
