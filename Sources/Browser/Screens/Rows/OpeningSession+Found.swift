import QuarryEngine
import QuarryRows

/// Opening a table at a hit of a search, and returning to the hits.
extension RowsScreen {
  /// Opens a table at the cell of a hit.
  ///
  /// - Parameters:
  ///   - place: The cell; nil for the first row.
  ///   - filter: The filter of the rows.
  ///   - search: The hits.
  mutating func open(
    _ table: TableReference, at place: SearchPlace?, filter: String, of search: FormerSearch, _ context: inout ScreenContext<Self>
  ) {
    let opened: OpeningPlace =
      switch place?.key {
      case .position(let position)?: .number(position)
      case let key?: .kept(key, amongFew: false)
      case nil: .first
      }
    context.closeAll()
    context.focus(.rows)
    open(RowSet(.table(table)), title: table.name, view: RowView(filter: filter), at: opened, isFailureShown: false, &context)
    opening.note(place, foundBy: search)
  }
}

extension OpeningSession {
  /// Moves the cursor of new rows to the column of the hit, and marks the hit.
  func showFound(in pane: inout GridPane, _ opening: Opening, isThere: Bool, _ context: inout RowsContext) {
    guard let found, found.grid == pane.id else { return }
    pane.search.needle = found.search.text.map { .text($0) }
    guard let place = opening.sought else { return }
    if let index = place.column.flatMap({ name in pane.columns.firstIndex { $0.name.isSameIdentifier(as: name) } }) {
      pane.layout.show(index)
      pane.column = index
    }
    if isThere {
      context.notify("\(context.environment.keyHint(.goBack, in: .grid)) goes back to the hits")
    } else {
      context.notify(Problem.rowDeleted.text, .warning)
    }
  }

  /// Shows the hits again that the rows were opened from, above the rows that were visible before.
  mutating func returnToHits(_ context: inout RowsContext) {
    if let search = takeHits() { context.send(SearchIntent.resume(search)) }
  }
}
