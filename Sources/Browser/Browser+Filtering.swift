import QuarryEngine
import Terminal

/// The filter bar: writing in it, applying it, and the keys that write for the person.
extension Browser {
  /// Whether the bar has the keys.
  var isInBar: Bool { overlays.isEmpty && focus == .grid && grid?.bar.isTyping ?? false }

  mutating func beginBar(_ text: RowView.Text) -> [Effect] {
    guard let view = awaitedView else { return [] }
    focus = .grid
    return changeGrid { $0.beginBar(text, of: view) }
  }

  /// Leaves the bar with what is applied as it is.
  private mutating func leaveBar() {
    grid?.bar.isTyping = false
    grid?.bar.completions = nil
  }

  /// Leaves the bar with what was in force when it took the keys; what was written stays in its history.
  mutating func abandonBar() -> [Effect] {
    guard let origin = grid?.bar.origin else { return [] }
    keepDraft()
    leaveBar()
    return restore(origin)
  }

  /// Keeps a text that is left in the bar, so that Up brings it back.
  mutating func keepDraft() {
    guard let grid, grid.bar.isTyping, grid.bar.isChanged else { return }
    memory.keep(draft: grid.bar.field.text, of: grid.bar.text, for: grid.rowSet.sourceTable)
  }

  /// Ends the writing in a bar that has lost the keys to another pane.
  mutating func abandonForsakenBar() -> [Effect] {
    guard focus != .grid, grid?.bar.isTyping ?? false else { return [] }
    // Rows of another table are on their way, and the grid goes to the trail with what it shows.
    guard opening.map({ $0.replaced != nil }) ?? true else {
      keepDraft()
      leaveBar()
      return []
    }
    return abandonBar()
  }

  mutating func applyReplacement() -> [Effect] {
    guard let bar = grid?.bar, bar.isReportCurrent, let mended = bar.report?.remark?.mended.first else {
      notice = Notice("there is nothing to mend here", .muted)
      return []
    }
    return changeGrid { $0.replaceBarText(mended) }
  }

  /// Says what the lamp means, and offers the index that would help.
  mutating func explainPlan() {
    guard let plan = grid?.bar.report?.plan else { return notice = Notice("there is no plan before the text is right", .muted) }
    guard let index = plan.index else { return notice = Notice(plan.sentence, .muted) }
    let item = PickerItem(label: index) { $0.outbox.append(.copyToClipboard(CopyText(text: index, title: "the index"))) }
    present(Picker(title: plan.sentence, placeholder: "Enter copies what would help", items: [item]))
  }

  /// Shows the rows that the text in the bar asks for; waits for the engine's word on it, and asks for parameters.
  mutating func applyBar() -> [Effect] {
    guard let grid else { return [] }
    guard grid.bar.isReportCurrent, let report = grid.bar.report else {
      self.grid?.bar.isApplyAwaited = true
      return []
    }
    self.grid?.bar.isApplyAwaited = false
    if let fault = report.faults.first {
      notice = Notice(fault.sentence, .error)
      return []
    }
    let missing = report.parameters.contains { grid.view.arguments[$0.identity] == nil }
    if missing || grid.draft == grid.view, !report.parameters.isEmpty { return askForParameters(report.parameters) }
    return apply(grid.draft)
  }

  /// Shows a view for good: it enters the history and is what the table shows when one comes back to it.
  mutating func apply(_ view: RowView) -> [Effect] {
    if let grid {
      // A key or a click that rewrites the view ends the writing too.
      if view[grid.bar.text] != grid.bar.field.text { keepDraft() }
      memory.note(view, for: grid.rowSet.sourceTable)
    }
    leaveBar()
    return show(view)
  }

  mutating func takeReport(_ id: GridID, _ draft: RowView, _ report: ViewReport) -> [Effect] {
    guard var grid, grid.id == id, grid.bar.isTyping, grid.draft == draft else { return [] }
    grid.bar.take(report)
    self.grid = grid
    if grid.bar.isApplyAwaited { return applyBar() }
    // Rows that follow a text are not what was asked for last where another table is on its way.
    let isLeft = opening.map { $0.replaced != id } ?? false
    return report.isReady && !isLeft && isCheap(report, for: grid) ? show(draft) : []
  }

  /// A table of so many rows is read while a key is on its way.
  private static let cheapCount = 100_000

  /// Whether the source of a set has so few rows that all may be read for what is seen next.
  func hasFewRows(_ rowSet: RowSet) -> Bool {
    guard case .table(let table) = rowSet.source, let count = catalog.count(of: table) else { return false }
    return count.isExact && count.value <= Browser.cheapCount
  }

  /// Whether the rows in the grid are not those that the text in the bar asks for.
  ///
  /// While an answer is on its way that will be here at once, they stay what they were a key before: else the grid would flicker at each key.
  var areRowsOutdated: Bool {
    guard let grid else { return false }
    let isAwaited = opening?.replaced == grid.id
    guard grid.bar.isTyping else { return isAwaited && opening?.progress != nil && opening?.view.filter != grid.view.filter }
    guard grid.draft[grid.bar.text] != grid.view[grid.bar.text], let report = grid.bar.report else { return false }
    guard report.isReady, isCheap(report, for: grid) else { return true }
    return grid.bar.isReportCurrent && (!isAwaited || opening?.progress != nil)
  }

  /// Whether rows may follow a text as it is typed.
  private func isCheap(_ report: ViewReport, for grid: GridPane) -> Bool {
    guard let plan = report.plan, plan.lamp != .search else { return true }
    return hasFewRows(grid.rowSet)
  }

  // MARK: Keys that write

  /// Begins a condition on the column under the cursor.
  mutating func filterColumn() -> [Effect] {
    guard let grid else { return [] }
    let column = FilterSyntax(.column(grid.columns[grid.column].name))
    let text = (try? Filter.text(grid.view.filter, adding: column, in: grid.filterColumns)) ?? column.description
    let begun = beginBar(.filter)
    return begun + changeGrid { $0.replaceBarText("\(text) ") }
  }

  /// Keeps the rows with the value under the cursor, or those without it.
  mutating func filterValue(isIncluded: Bool) -> [Effect] {
    guard let grid, let cell = grid.currentCell else { return [] }
    guard let value = cell.wholeValue else {
      notice = Notice("this value is too long, or not all text, to be filtered by", .warning)
      return []
    }
    let term = Filter.term(grid.columns[grid.column].name, value, isExcluded: !isIncluded, in: grid.filterColumns)
    return rewrite(.filter) { text, columns throws(FilterErrors) in try Filter.text(text, adding: term, in: columns) }
  }

  /// Applies another filter or order, made from the one that was applied last, whose rows may still be on their way.
  mutating func rewrite(_ text: RowView.Text, _ change: (String, FilterColumns) throws(FilterErrors) -> String) -> [Effect] {
    guard let grid, var view = awaitedView else { return [] }
    do throws(FilterErrors) {
      view[text] = try change(view[text], grid.filterColumns)
    } catch {
      notice = Notice(error.errors.first?.sentence ?? "", .error)
      return []
    }
    return apply(view)
  }

  mutating func dropLastFilter() -> [Effect] {
    rewrite(.filter) { text, columns throws(FilterErrors) in try Filter.text(text, droppingLastTermIn: columns) }
  }

  mutating func dropFilter() -> [Effect] {
    rewrite(.filter) { _, _ in "" }
  }

  mutating func takeCompletions(_ id: GridID, _ draft: RowView, _ items: [Completion]) -> [Effect] {
    guard grid?.id == id else { return [] }
    return changeGrid { $0.takeCompletions(items, of: draft) }
  }

  // MARK: Kept filters

  mutating func askForFilterName() {
    guard grid?.rememberedTable != nil else { return notice = Notice("only a table's or a view's filter can be kept", .warning) }
    present(PromptScreen(label: "keep this filter as", placeholder: "a name") { $0.outbox += $0.keepFilter(as: $1) })
  }

  mutating func keepFilter(as name: String) -> [Effect] {
    guard let grid, let table = grid.rememberedTable, !name.isBlank else { return [] }
    memory.keep(Memory.KeptFilter(name: name, text: grid.draft.filter), of: table)
    notice = Notice("kept as \(name): \(keyHint(.chooseFilter, in: .bar)) in the bar chooses it again", .success)
    return []
  }

  mutating func showKeptFilters() {
    let kept = grid?.rememberedTable.map { memory.keptFilters(of: $0) } ?? []
    guard !kept.isEmpty else { return notice = Notice("no filter of this table is kept: \(keyHint(.keepFilter, in: .bar)) in the bar keeps one", .muted) }
    let items = kept.map { filter in
      PickerItem(label: filter.name, detail: filter.text) { $0.outbox += $0.choose(filter: filter.text) }
    }
    present(Picker(title: "Kept filters", placeholder: "type a part of the name", items: items))
  }

  /// Applies a filter text, as if it had been written in the bar.
  mutating func choose(filter text: String) -> [Effect] {
    let begun = beginBar(.filter)
    grid?.bar.isApplyAwaited = true
    return begun + changeGrid { $0.replaceBarText(text) }
  }

  // MARK: Parameters

  /// Whether the filter of the grid that has the keys has parameters.
  var isFilterAsking: Bool { focus == .grid && !(grid?.view.arguments.isEmpty ?? true) }

  /// Asks for the parameters of the filter in force again, as Enter in the bar does.
  mutating func askForFilter() -> [Effect] {
    let begun = isInBar ? [] : beginBar(.filter)
    grid?.bar.isApplyAwaited = true
    return grid?.bar.isReportCurrent ?? false ? begun + applyBar() : begun
  }

  private mutating func askForParameters(_ parameters: [FormParameter]) -> [Effect] {
    let values = grid?.view.arguments ?? [:]
    let form = ParameterForm(
      title: "Parameters of the filter", parameters: parameters, values: values.mapValues(ParameterInput.value), takesFiles: false
    ) { browser, inputs in
      guard var view = browser.grid?.draft else { return }
      view.arguments = inputs.compactMapValues { if case .value(let value) = $0 { value } else { nil } }
      browser.outbox += browser.apply(view)
    }
    present(form)
    return []
  }
}
