import QuarryEngine
import QuarryRows
import Terminal

/// Requests for the rows of a set, and for another view of the same rows.
///
/// The grid changes when they arrive, which avoids flicker.
extension OpeningSession {
  /// Requests the rows of a set.
  ///
  /// - Parameter view: The view; nil for the remembered view of the table.
  mutating func open(
    _ rowSet: RowSet, title: String, view: RowView?, at place: OpeningPlace, isFailureShown: Bool, isPreview: Bool = false,
    isOfGroup: Bool = false, _ context: inout RowsContext
  ) {
    let kept = rowSet.rememberedTable.flatMap { context.workspace.memory[$0] }
    // Computed columns remain visible, even if the opening goes to other rows of the table.
    let remembered = place == .first ? kept?.view : kept?.columns.map { RowView(columns: $0) }
    let id = context.workspace.makeGridID()
    var opening = Opening(id: id, rowSet: rowSet, view: view ?? remembered ?? RowView(), title: title, isFailureShown: isFailureShown)
    (opening.isPreview, opening.isOfGroup) = (isPreview, isOfGroup)
    begin(opening, at: place, &context)
  }

  /// Requests the rows of another view of the set; the grid stays until they arrive.
  mutating func show(_ view: RowView, _ context: inout RowsContext) {
    guard let grid = context.grid, view != self.view(of: grid) else { return }
    // Sorting moves to the top, unless the person has chosen a row. So does a filter after it, whether the sorted rows have arrived or not.
    let placement = grid.cursorPath.placement
    let showsTop = placement == .sorting || view.sort != grid.view.sort && placement != .hand
    replace(grid, by: view, at: showsTop ? .first : .row(grid.currentRow?.key, of: grid, context.workspace), &context)
  }

  /// Restores a former view and its row; returns whether its rows are still loaded, so that pending ones can be dropped.
  mutating func restore(_ origin: FilterBar.Origin, _ context: inout RowsContext) -> Bool {
    guard let grid = context.grid, view(of: grid) != origin.view else { return false }
    if grid.view == origin.view { return true }
    replace(grid, by: origin.view, at: .row(origin.row, of: grid, context.workspace), &context)
    if let column = origin.column { _ = note(column: column) }
    return false
  }

  /// Reopens the rows of the grid: the rows of a snapshot, or of a table that was recreated.
  mutating func openAgain(_ grid: GridPane, _ context: inout RowsContext) {
    let number = grid.window.number(at: grid.row)?.value ?? 0
    replace(grid, by: grid.view, at: grid.isSnapshot ? .number(number) : .row(grid.currentRow?.key, of: grid, context.workspace), &context)
  }

  private mutating func replace(_ grid: GridPane, by view: RowView, at place: OpeningPlace, _ context: inout RowsContext) {
    let id = context.workspace.makeGridID()
    var opening = Opening(id: id, rowSet: grid.rowSet, view: view, title: grid.title, isFailureShown: false, replaced: grid.id)
    (opening.grouping, opening.isOfGroup) = (grid.grouping, grid.isOfGroup)
    begin(opening, at: place, &context)
  }

  mutating func begin(_ opening: Opening, at place: OpeningPlace, _ context: inout RowsContext) {
    var begun = opening
    begun.fileChanges = context.workspace.source.fileChanges
    begun.row = context.grid?.currentRow?.key
    begin(begun)
    let request = OpenRows(begun, at: place, limit: max(60, 2 * context.environment.size.rows))
    context.ask(request) { [begun] rows, context, report in
      rows.receive(report, of: begun, &context)
    } then: { [begun] rows, context, result in
      rows.receive(result, of: begun, at: place, &context)
    }
    if let grid = context.workspace.shownGrid { preempt(grid, &context) }
  }

  /// Cancels work that would delay the rows requested now: a search, and sorting.
  private func preempt(_ grid: GridID, _ context: inout RowsContext) {
    context.supersede(FindRow.slot(grid))
    context.call(StopOrdering(grid: grid))
  }

  /// Asks whether to read rows that take long; until then the visible rows stay.
  func ask(_ problem: Problem, about opening: Opening, at place: OpeningPlace, _ context: inout RowsContext) {
    let items = [
      PickerItem(label: "No, cancel"),
      PickerItem(
        label: "Yes, read the rows", detail: "it cannot be stopped",
        perform: context.handler { rows, context in
          var opening = opening
          opening.id = context.workspace.makeGridID()
          opening.mayTakeLong = true
          if opening.replaced == nil { rows.find.cancel() }
          rows.opening.begin(opening, at: place, &context)
        }),
    ]
    context.present(Picker(title: problem.text, placeholder: "read them?", items: items))
  }
}

extension OpeningPlace {
  /// Returns the opening place of a row, if its key identifies it in another view too.
  fileprivate static func row(_ key: RowKey?, of grid: GridPane, _ workspace: Workspace) -> Self {
    switch key {
    case .rowID(let id): .kept(.rowID(id), amongFew: workspace.hasFewRows(grid))
    case .values(let values): .kept(.values(values), amongFew: workspace.hasFewRows(grid))
    case .position, nil: .first
    }
  }
}
