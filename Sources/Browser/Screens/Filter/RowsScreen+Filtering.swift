import QuarryRows
import Terminal

/// The filter bar: writing in it, applying it, and the commands that edit it.
extension RowsScreen {
  mutating func beginBar(_ text: RowView.Text, _ context: inout ScreenContext<Self>) {
    guard let view = pendingView(in: context.workspace) else { return }
    context.focus(.rows)
    change(&context) { $0.beginBar(text, of: view) }
  }

  /// Leaves the bar, keeping the applied view.
  private func leaveBar(_ context: inout ScreenContext<Self>) {
    context.workspace.changeGrid { grid in
      grid.bar.isTyping = false
      grid.bar.completions = nil
    }
  }

  /// Leaves the bar, restoring the view in force when it got the focus; the text stays in the history.
  mutating func abandonBar(_ context: inout ScreenContext<Self>) {
    guard let origin = context.grid?.bar.origin else { return }
    keepDraft(&context)
    leaveBar(&context)
    restore(origin, &context)
  }

  /// Keeps a text that is left in the bar, so that Up brings it back.
  func keepDraft(_ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, grid.bar.isTyping, grid.bar.isChanged else { return }
    context.workspace.memory.keep(draft: grid.bar.field.text, of: grid.bar.text, for: grid.rowSet.sourceTable)
  }

  /// Leaves a bar that has lost the focus to another pane.
  mutating func dismissUnfocusedBar(_ context: inout ScreenContext<Self>) {
    guard context.environment.focus != .rows, isTyping(in: context.workspace) else { return }
    // Another table is being opened, and the grid moves to the history with what it shows.
    guard opening.map({ $0.replaced != nil }) ?? true else {
      keepDraft(&context)
      return leaveBar(&context)
    }
    abandonBar(&context)
  }

  mutating func applyReplacement(_ context: inout ScreenContext<Self>) {
    guard let bar = context.grid?.bar, bar.isReportCurrent, let mended = bar.report?.remark?.mended.first else {
      return context.notify("there is no correction to apply")
    }
    change(&context) { $0.replaceBarText(mended) }
  }

  /// Explains the lamp, and suggests an index that would help.
  func explainPlan(_ context: inout ScreenContext<Self>) {
    guard let plan = context.grid?.bar.report?.plan else { return context.notify("there is no plan while the text has an error") }
    guard let index = plan.index else { return context.notify(plan.sentence) }
    let copy = context.handler { _, context in context.send(.copyToClipboard(CopyText(text: index, title: "the index"))) }
    context.present(
      Picker(title: plan.sentence, placeholder: "Enter copies this index", items: [PickerItem(label: index, perform: copy)]))
  }

  /// Applies the text in the bar, after the engine has checked it, asking for parameters.
  mutating func applyBar(_ context: inout ScreenContext<Self>) {
    guard let grid = context.grid else { return }
    guard grid.bar.isReportCurrent, let report = grid.bar.report else {
      context.workspace.changeGrid { $0.bar.isApplyAwaited = true }
      return
    }
    context.workspace.changeGrid { $0.bar.isApplyAwaited = false }
    if let fault = report.faults.first { return refuse(fault, report, &context) }
    let missing = report.parameters.contains { grid.view.arguments[$0.identity] == nil }
    if missing || grid.draft == grid.view, !report.parameters.isEmpty { return askForParameters(report.parameters, &context) }
    apply(grid.draft, &context)
  }

  /// Reports why a text is not applied: the bar says what is wrong where it has a line for that, so that what can be done is left to say.
  private func refuse(_ fault: TextRemark, _ report: ViewReport, _ context: inout ScreenContext<Self>) {
    let role: Role = report.isUnfinished ? .warning : .error
    guard !report.isUnfinished, RowsLayout(area, context.environment).bar.rows > 1 else { return context.notify(fault.sentence, role) }
    let mend = fault.mended.isEmpty ? "" : "\(context.environment.keyHint(.applyReplacement)) mends it, "
    context.notify("not applied: \(mend)\(context.environment.keyHint(.backOut)) leaves it", role)
  }

  /// Applies a view for good: it enters the history and is remembered for the table.
  mutating func apply(_ view: RowView, _ context: inout ScreenContext<Self>) {
    if let grid = context.grid {
      // A key or a click that rewrites the view also ends the editing.
      if view[grid.bar.text] != grid.bar.field.text { keepDraft(&context) }
      context.workspace.memory.note(view, for: grid.rowSet.sourceTable)
    }
    leaveBar(&context)
    show(view, &context)
  }

  // MARK: Checks

  func check(_ view: RowView, _ text: RowView.Text, of grid: GridID, _ context: inout ScreenContext<Self>) {
    context.ask(CheckView(grid: grid, view: view, text: text)) { rows, context, result in
      if case .success(let report) = result { rows.receive(report, on: view, of: grid, &context) }
    }
  }

  private mutating func receive(_ report: ViewReport, on draft: RowView, of id: GridID, _ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, grid.id == id, grid.bar.isTyping, grid.draft == draft else { return }
    context.workspace.changeGrid { $0.bar.receive(report) }
    if grid.bar.isApplyAwaited { return applyBar(&context) }
    // The preview of a text does not count where another table is being opened.
    let isLeft = opening.map { $0.replaced != id } ?? false
    if report.isReady, !isLeft, Self.isCheap(report, for: grid, context.workspace) { show(draft, &context) }
  }

  /// Returns whether the rows in the grid do not match the text in the bar.
  ///
  /// While a fast answer is pending, the state of the text before is kept, as the grid would flicker at each key.
  func areRowsOutdated(in workspace: Workspace) -> Bool {
    guard let grid = workspace.grid else { return false }
    guard let opening, opening.replaced == grid.id, opening.progress != nil else { return false }
    return opening.view.filter != grid.view.filter
  }

  /// Returns whether the rows may follow a text while it is typed.
  private static func isCheap(_ report: ViewReport, for grid: GridPane, _ workspace: Workspace) -> Bool {
    guard let plan = report.plan, plan.lamp != .search else { return true }
    return workspace.hasFewRows(grid)
  }

  /// Whether the rows that the text in the bar asks for come only when it is applied.
  func waitsForEnter(in workspace: Workspace) -> Bool {
    guard let grid = workspace.grid, grid.bar.isTyping, grid.draft != grid.view, grid.bar.isReportCurrent, let report = grid.bar.report
    else { return false }
    return report.faults.isEmpty && !(report.isReady && Self.isCheap(report, for: grid, workspace))
  }

  func complete(_ view: RowView, _ text: RowView.Text, at caret: Int, of grid: GridID, _ context: inout ScreenContext<Self>) {
    context.ask(CompleteView(grid: grid, view: view, text: text, caret: caret)) { rows, context, result in
      guard case .success(let items) = result, context.workspace.shownGrid == grid else { return }
      rows.change(&context) { $0.receive(items, completing: view) }
    }
  }

  // MARK: Commands that edit the text

  /// Begins a condition on the column under the cursor, and offers its values.
  mutating func filterColumn(_ context: inout ScreenContext<Self>) {
    if let column = context.grid?.currentColumn { filter(on: column.syntax, &context) }
  }

  /// Begins a condition on a column or another value, and offers its values.
  mutating func filter(on value: FilterSyntax, _ context: inout ScreenContext<Self>) {
    guard let grid = context.grid else { return }
    let text = (try? Filter.text(grid.view.filter, adding: value, in: grid.filterColumns)) ?? value.description
    beginBar(.filter, &context)
    change(&context) { $0.beginComparison(after: text) }
  }

  /// Keeps, or excludes, the rows with the value under the cursor.
  mutating func filterValue(isIncluded: Bool, _ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, let column = grid.currentColumn, let cell = grid.currentCell else { return }
    guard let value = cell.wholeValue else {
      return context.notify("this value is too long, or not valid text, to filter by", .warning)
    }
    let term = Filter.term(column.syntax, value, isExcluded: !isIncluded, in: grid.filterColumns)
    rewrite(.filter, &context) { text, columns throws(FilterErrors) in try Filter.text(text, adding: term, in: columns) }
  }

  /// Applies a filter or an order made from the one applied last, whose rows may still be pending.
  mutating func rewrite(
    _ text: RowView.Text, _ context: inout ScreenContext<Self>, _ change: (String, FilterColumns) throws(FilterErrors) -> String
  ) {
    guard let grid = context.grid, var view = pendingView(in: context.workspace) else { return }
    do throws(FilterErrors) {
      view[text] = try change(view[text], grid.filterColumns)
    } catch {
      return context.notify(error.errors.first?.sentence ?? "", .error)
    }
    apply(view, &context)
  }

  mutating func dropLastFilter(_ context: inout ScreenContext<Self>) {
    rewrite(.filter, &context) { text, columns throws(FilterErrors) in try Filter.text(text, droppingLastTermIn: columns) }
  }

  mutating func dropFilter(_ context: inout ScreenContext<Self>) {
    rewrite(.filter, &context) { _, _ in "" }
  }

  /// Cycles the sorting by the column under the cursor: ascending, descending, off.
  ///
  /// - Parameter isFurther: Whether the other sort keys are kept.
  mutating func sortColumn(isFurther: Bool, _ context: inout ScreenContext<Self>) {
    if let column = context.grid?.currentColumn { sort(by: column.syntax, isFurther: isFurther, &context) }
  }

  /// Cycles the sorting by a column or another value.
  mutating func sort(by value: FilterSyntax, isFurther: Bool, _ context: inout ScreenContext<Self>) {
    rewrite(.sort, &context) { text, columns throws(FilterErrors) in
      var sort = try FilterSort.compile(text, columns: columns)
      if isFurther { sort.add(value) } else { sort.toggle(value) }
      return sort.text
    }
  }

  mutating func sortNaturally(_ context: inout ScreenContext<Self>) {
    rewrite(.sort, &context) { _, _ in "" }
  }

  // MARK: Saved filters

  func askForFilterName(_ context: inout ScreenContext<Self>) {
    guard context.grid?.rowSet.rememberedTable != nil else {
      return context.notify("only the filter of a table or view can be saved", .warning)
    }
    context.prompt("save this filter as", placeholder: "name") { rows, context, name in rows.keepFilter(as: name, &context) }
  }

  private func keepFilter(as name: String, _ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, let table = grid.rowSet.rememberedTable, !name.isBlank else { return }
    context.workspace.memory.keep(SessionMemory.KeptFilter(name: name, text: grid.draft.filter), of: table)
    context.notify("saved as \(name): \(context.environment.keyHint(.chooseFilter, in: .bar)) in the filter bar lists them", .success)
  }

  func showKeptFilters(_ context: inout ScreenContext<Self>) {
    let kept = context.grid?.rowSet.rememberedTable.map { context.workspace.memory.keptFilters(of: $0) } ?? []
    guard !kept.isEmpty else {
      return context.notify("no filter of this table is saved: \(context.environment.keyHint(.keepFilter, in: .bar)) in the bar saves one")
    }
    let items = kept.map { filter in
      PickerItem(
        label: filter.name, detail: filter.text,
        perform: context.handler { rows, context in rows.choose(filter: filter.text, &context) })
    }
    context.present(Picker(title: "Saved filters", placeholder: "type part of a name", items: items))
  }

  /// Applies a filter as if it had been written in the bar.
  private mutating func choose(filter text: String, _ context: inout ScreenContext<Self>) {
    beginBar(.filter, &context)
    context.workspace.changeGrid { $0.bar.isApplyAwaited = true }
    change(&context) { $0.replaceBarText(text) }
  }

  // MARK: Parameters

  /// Asks again for the parameters of the filter in force, as Enter in the bar does.
  mutating func askForFilter(_ context: inout ScreenContext<Self>) {
    if !(context.environment.focus == .rows && isTyping(in: context.workspace)) { beginBar(.filter, &context) }
    context.workspace.changeGrid { $0.bar.isApplyAwaited = true }
    if context.grid?.bar.isReportCurrent ?? false { applyBar(&context) }
  }

  private func askForParameters(_ parameters: [FormParameter], _ context: inout ScreenContext<Self>) {
    let values = context.grid?.view.arguments ?? [:]
    context.present(
      ParameterForm(
        title: "Parameters of the filter", parameters: parameters, values: values.mapValues(ParameterInput.value), takesFiles: false,
        accept: context.handler { rows, context, inputs in rows.apply(inputs, &context) }))
  }

  private mutating func apply(_ inputs: [String: ParameterInput], _ context: inout ScreenContext<Self>) {
    guard var view = context.grid?.draft else { return }
    view.arguments = inputs.compactMapValues { if case .value(let value) = $0 { value } else { nil } }
    apply(view, &context)
  }
}
