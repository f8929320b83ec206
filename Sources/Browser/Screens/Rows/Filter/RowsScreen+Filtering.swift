import QuarryRows
import Terminal

/// Filter and order: applying the text of the bar, and the commands that rewrite it.
extension RowsScreen {
  mutating func beginBar(_ text: RowView.Text, _ context: inout ScreenContext<Self>) {
    if let view = pendingView(in: context.workspace) { filter.begin(text, of: view, &context) }
  }

  /// Closes the bar, and restores the view from the time when it got the focus; the text stays in the history.
  mutating func abandonBar(_ context: inout ScreenContext<Self>) {
    filter.keepDraft(&context)
    filter.close()
    if opening.restore(filter.bar.origin, &context) { dropOpening(&context) }
  }

  /// Closes a bar that has lost the focus to another pane.
  mutating func dismissUnfocusedBar(_ context: inout ScreenContext<Self>) {
    guard context.environment.focus != .rows, isTyping(in: context.workspace) else { return }
    // Another table is being opened, and the grid moves to the history with its current view.
    guard opening.pending.map({ $0.replaced != nil }) ?? true else {
      filter.keepDraft(&context)
      return filter.close()
    }
    abandonBar(&context)
  }

  /// Applies the text in the bar after the engine has checked it, and asks for its parameters.
  mutating func applyBar(_ context: inout ScreenContext<Self>) {
    guard let grid = context.grid else { return }
    switch filter.apply(over: grid) {
    case .awaited: break
    case .refused(let fault, let report):
      filter.refuse(fault, report, barRows: RowsLayout(area, filter, context.environment).bar.rows, &context)
    case .asks(let parameters): filter.askForParameters(parameters, &context)
    case .applied(let view): apply(view, &context)
    }
  }

  /// Applies a view permanently.
  mutating func apply(_ view: RowView, _ context: inout ScreenContext<Self>) {
    let text = filter.bar.isTyping ? filter.bar.text : nil
    filter.finish(with: view, &context)
    show(view, &context)
    if let text { goToColumn(of: text, in: view, &context) }
  }

  /// Applies the text in the bar with the values of its parameters.
  mutating func apply(_ inputs: [String: ParameterInput], _ context: inout ScreenContext<Self>) {
    guard let grid = context.grid else { return }
    var view = filter.draft(of: grid)
    view.arguments = inputs.compactMapValues { if case .value(let value) = $0 { value } else { nil } }
    apply(view, &context)
  }

  /// Stores the report on the text; the rows follow it if that is cheap, or it is applied if Enter was pressed before.
  mutating func receive(_ report: ViewReport, on draft: RowView, of id: GridID, _ context: inout ScreenContext<Self>) {
    guard filter.receive(report, on: draft, of: id, in: context.workspace), let grid = context.grid else { return }
    if filter.bar.isApplyAwaited { return applyBar(&context) }
    // A computed column is removed by Enter, not while its text is written anew.
    if filter.bar.isOfColumn, filter.bar.field.text.isBlank { return }
    // The preview of a text is irrelevant while another table is being opened.
    if report.isReady, !opening.isLeaving(id), FilterSession.isCheap(report, for: grid, context.workspace) {
      show(draft, &context)
      goToColumn(of: filter.bar.text, in: draft, &context)
    }
  }

  /// Returns whether the rows in the grid do not match the text in the bar.
  ///
  /// While a fast answer is pending, the former result remains; otherwise the grid would flicker at each key.
  package func areRowsOutdated(in workspace: Workspace) -> Bool {
    guard let grid = workspace.grid else { return false }
    guard let pending = opening.pending, pending.replaced == grid.id, pending.progress != nil else { return false }
    return pending.view.filter != grid.view.filter
  }

  /// Applies a filter as if it had been entered in the bar.
  mutating func choose(filter text: String, _ context: inout ScreenContext<Self>) {
    beginBar(.filter, &context)
    filter.change { $0.isApplyAwaited = true }
    filter.replaceText(text, &context)
  }

  /// Asks again for the parameters of the current filter, as Enter in the bar does.
  mutating func askForFilter(_ context: inout ScreenContext<Self>) {
    if !(context.environment.focus == .rows && isTyping(in: context.workspace)) { beginBar(.filter, &context) }
    filter.change { $0.isApplyAwaited = true }
    if filter.bar.isReportCurrent { applyBar(&context) }
  }

  // MARK: Commands that rewrite the text

  /// Begins a condition on the column under the cursor, and shows its values.
  mutating func filterColumn(_ context: inout ScreenContext<Self>) {
    if let column = context.grid?.currentColumn { filter(on: column.syntax, &context) }
  }

  /// Begins a condition on a column or another value, and shows its values.
  mutating func filter(on value: FilterSyntax, _ context: inout ScreenContext<Self>) {
    guard let grid = context.grid else { return }
    let text = (try? Filter.text(grid.view.filter, adding: value, in: grid.filterColumns)) ?? value.description
    beginBar(.filter, &context)
    filter.beginComparison(after: text, &context)
  }

  /// Includes or excludes the rows with the value under the cursor.
  mutating func filterValue(isIncluded: Bool, _ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, let column = grid.currentColumn, let cell = grid.currentCell else { return }
    guard let value = cell.wholeValue else {
      return context.notify("cannot filter by this value: too long or not valid text", .warning)
    }
    let term = Filter.term(column.syntax, value, isExcluded: !isIncluded, in: grid.filterColumns)
    filter(.add(term), &context)
  }

  /// Applies a filter or an order derived from the last applied one, whose rows may still be pending.
  private mutating func rewrite(
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

  /// Changes the filter and applies it.
  mutating func filter(_ change: FilterChange, _ context: inout ScreenContext<Self>) {
    rewrite(.filter, &context) { text, columns throws(FilterErrors) in try change.applied(to: text, in: columns) }
  }

  /// Cycles the sorting by the column under the cursor: ascending, descending, off.
  ///
  /// - Parameter isFurther: Whether other sort keys are preserved.
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
}
