import QuarryEngine
import Terminal

/// What can be done with the row and the cell under the cursor.
extension RowsScreen {
  typealias Binding = CommandBinding<RowsScreen>

  static let rowCommands: [Binding] = [
    Binding(.openRecord, "Show this row as a record", keys: [.grid: ["enter", "K"]], hint: "record", unless: needsRows) { rows, context, _ in
      guard let grid = rows.grid, let key = grid.currentRow?.key else { return }
      context.present(RecordScreen(grid: grid.id, title: grid.title, columns: grid.columns, schema: grid.schema, key: key, field: grid.column))
    },
    Binding(.find, "Find a text in the rows", keys: [.grid: ["/", "f3"]], hint: "find", unless: needsRows) { _, context, _ in
      context.browser { browser in
        browser.askForText()
        return []
      }
    },
    Binding(.findNext, "Go to the next hit", keys: [.grid: ["n"]], unless: needsNeedle) { _, context, _ in
      context.browser { $0.findAgain(backwards: false) }
    },
    Binding(.findPrevious, "Go to the previous hit", keys: [.grid: ["N", "shift-f3"]], unless: needsNeedle) { _, context, _ in
      context.browser { $0.findAgain(backwards: true) }
    },
    Binding(.findSameValue, "Go to the next row with this value", keys: [.grid: ["*"]], unless: needsRows) { _, context, _ in
      context.browser { $0.findSameValue() }
    },
  ]

  /// Filter, order, and where to write them.
  static let viewCommands: [Binding] = [
    Binding(
      .filter, "Write a filter, or leave the filter bar", keys: [.grid: ["&", "f6"], .bar: ["f6"]], hint: "filter",
      hintedWhen: { rows, _ in rows.grid != nil && !rows.isTyping }, unless: needsGrid
    ) { rows, context, _ in
      let isTyping = rows.isTyping
      context.browser { isTyping ? $0.abandonBar() : $0.beginBar(.filter) }
    },
    Binding(.filterColumn, "Filter on this column", keys: [.grid: ["f"]], unless: needsGrid) { _, context, _ in
      context.browser { $0.filterColumn() }
    },
    Binding(.includeValue, "Keep only the rows with this value", keys: [.grid: ["="]], unless: needsRows) { _, context, _ in
      context.browser { $0.filterValue(isIncluded: true) }
    },
    Binding(.excludeValue, "Leave the rows with this value out", keys: [.grid: ["!"]], unless: needsRows) { _, context, _ in
      context.browser { $0.filterValue(isIncluded: false) }
    },
    Binding(.dropLastFilter, "Drop the last condition of the filter", keys: [.grid: ["F"]], unless: needsFilter) { _, context, _ in
      context.browser { $0.dropLastFilter() }
    },
    Binding(.dropFilter, "Drop the filter", keys: [.grid: ["g F"]], unless: needsFilter) { _, context, _ in
      context.browser { $0.dropFilter() }
    },
    Binding(.editAsSQL, "Write filter and order as SQL in the editor", keys: [.grid: ["g e"]], unless: needsQuery) { rows, context, _ in
      if let grid = rows.grid { context.send(.prepareSQL(grid.id, for: .editor)) }
    },
    Binding(.explain, "Say how SQLite finds these rows", keys: [.grid: ["g x"]], unless: needsQuery) { _, context, _ in
      context.browser { $0.explainGrid() }
    },
    Binding(
      .sortColumn, "Sort by this column: upwards, downwards, not at all", keys: [.grid: ["s"]], hint: "sort", unless: needsGrid
    ) { _, context, _ in
      context.browser { $0.sortColumn(isFurther: false) }
    },
    Binding(.sortFurther, "Sort by this column too, after the others", keys: [.grid: ["S"]], unless: needsGrid) { _, context, _ in
      context.browser { $0.sortColumn(isFurther: true) }
    },
    Binding(
      .naturalOrder, "Show the rows in their natural order", keys: [.grid: ["g S"]],
      unless: needs(needsGrid, "the rows are in their natural order") { $0.awaitedView?.sort.isBlank == false }
    ) { _, context, _ in
      context.browser { $0.sortNaturally() }
    },
    Binding(.sortBar, "Write what the rows are sorted by", keys: [.grid: ["g s"]], unless: needsGrid) { rows, context, _ in
      let isTyping = rows.isTyping
      context.browser { isTyping ? $0.abandonBar() : $0.beginBar(.sort) }
    },
  ]

  private static let needsFilter = needs(needsGrid, "there is no filter") { $0.awaitedView?.filter.isBlank == false }

  static let relationCommands: [Binding] = [
    Binding(.goToColumn, "Go to a column by name", keys: [.grid: ["c"]], hint: "column", unless: needsGrid) { _, context, _ in
      context.browser { browser in
        browser.showColumns()
        return []
      }
    },
    Binding(
      .followForeignKey, "Go to the row that this foreign key refers to", keys: [.grid: ["g d", "f12"]], hint: "follow",
      // Not only in a column that is one, or the line would change with each step.
      hintedWhen: { rows, _ in rows.grid?.schema?.foreignKeys.isEmpty == false },
      unless: { rows, environment in needsRows(rows, environment) ?? rows.foreignKeyObstacle(environment) }
    ) { rows, context, _ in
      guard let grid = rows.grid, let cells = grid.currentRow?.cells else { return }
      context.browser { $0.followForeignKey(column: grid.column, cells: cells) }
    },
    Binding(
      .referringRows, "Show the rows that refer to this one", keys: [.grid: ["g r", "shift-f12"]],
      unless: needs(needsRows, "these rows belong to no one table") { $0.grid?.rowSet.sourceTable != nil }
    ) { _, context, _ in
      context.browser { $0.showReferringRows() }
    },
    Binding(
      .goBack, "Go back to where you came from", keys: [.grid: ["ctrl-o", "backspace"]], hint: "back",
      unless: { rows, _ in rows.history.back.isEmpty ? "this is where you began" : nil }
    ) { _, context, _ in
      context.browser { $0.goBack() }
    },
    Binding(
      .goForward, "Go forward again", keys: [.grid: ["g o"]],
      unless: { rows, _ in rows.history.forward.isEmpty ? "there is nothing further on" : nil }
    ) { _, context, _ in
      context.browser { $0.goForward() }
    },
    Binding(.copy, "Copy the value, or the selection", keys: [.grid: ["y"]], hint: "copy", unless: needsRows) { rows, context, _ in
      let isSelected = rows.grid?.selection != nil
      context.browser { isSelected ? $0.copySelection(as: .tsv) : $0.copyValue() }
    },
    Binding(.copyRow, "Copy the row", keys: [.grid: ["Y"]], unless: needsRows) { _, context, _ in
      context.browser { $0.copyRow(as: .tsv) }
    },
    Binding(.copyAs, "Copy as CSV, TSV, JSON, Markdown or INSERT", keys: [.grid: ["g y"]], unless: needsRows) { _, context, _ in
      context.browser { browser in
        browser.showCopyFormats()
        return []
      }
    },
    Binding(.details, "Show columns, keys, indexes, triggers and DDL", keys: [.grid: ["i", "f2"]]) { rows, context, _ in
      if let table = rows.grid?.rowSet.sourceTable { context.present(DetailsScreen(table: table)) }
    },
  ]

  private func foreignKeyObstacle(_ environment: ScreenEnvironment) -> String? {
    guard let grid, let cells = grid.currentRow?.cells else { return nil }
    return ForeignKeyObstacle.sentence(
      column: grid.column, cells: cells, columns: grid.columns, schema: grid.schema, mark: environment.look.glyphs.reference)
  }
}

/// What changes the columns and the selection.
extension RowsScreen {
  static let columnCommands: [Binding] = [
    layout(.hideColumn, "Hide this column", ["-"], unless: needsOtherColumns) { grid, _ in grid.hideColumn() },
    layout(.showAllColumns, "Show all columns", ["g -"], unless: needsHiddenColumns) { grid, _ in grid.layout.showAll() },
    Binding(.fitColumn, "Fit this column to its values", keys: [.grid: ["_"]], unless: needsGrid) { rows, context, _ in
      rows.grid?.fitColumn(glyphs: context.look.glyphs)
    },
    layout(.narrowColumn, "Make this column narrower", ["<"]) { grid, count in
      grid.layout.fix(grid.layout.widths[grid.column] - 2 * count, of: grid.column)
    },
    layout(.widenColumn, "Make this column wider", [">"]) { grid, count in
      grid.layout.fix(min(grid.layout.widths[grid.column] + 2 * min(count, 1_000), max(grid.extent.columns, 10)), of: grid.column)
    },
    layout(.freezeColumns, "Freeze the columns up to here, or let them go", ["z f"]) { grid, _ in grid.layout.toggleFreeze(upTo: grid.column) },
    layout(.selectCells, "Select cells", ["v"], unless: needsRows) { grid, _ in grid.toggleSelection(wholeRows: false) },
    layout(.selectRows, "Select rows", ["V"], unless: needsRows) { grid, _ in grid.toggleSelection(wholeRows: true) },
    layout(.extendLeft, "Extend the selection to the left", ["shift-left"]) { grid, count in
      grid.startSelection()
      grid.moveColumns(by: -count)
    },
    layout(.extendRight, "Extend the selection to the right", ["shift-right"]) { grid, count in
      grid.startSelection()
      grid.moveColumns(by: count)
    },
    move(.extendUp, "Extend the selection upwards", ["shift-up"]) { grid, count in
      grid.startSelection()
      return grid.moveRows(by: -(count ?? 1))
    },
    move(.extendDown, "Extend the selection downwards", ["shift-down"]) { grid, count in
      grid.startSelection()
      return grid.moveRows(by: count ?? 1)
    },
  ]

  static let moveCommands: [Binding] = [
    move(.moveDown, "Move down", ["j", "down"]) { $0.moveRows(by: $1 ?? 1) },
    move(.moveUp, "Move up", ["k", "up"]) { $0.moveRows(by: -($1 ?? 1)) },
    layout(.moveLeft, "Move left", ["h", "left", "b"], unless: always) { $0.moveColumns(by: -$1) },
    layout(.moveRight, "Move right", ["l", "right", "w"], unless: always) { $0.moveColumns(by: $1) },
    layout(.moveToStart, "Go to the first column", ["0", "^", "home"], unless: always) { grid, _ in
      grid.moveColumns(by: -grid.columns.count)
    },
    layout(.moveToEnd, "Go to the last column", ["$", "end"], unless: always) { grid, _ in grid.moveColumns(by: grid.columns.count) },
    moveToEnd(.moveToTop, "Go to the top, or to the row of the number typed before it", ["g g", "ctrl-home"]) { $0.moveToTop() },
    moveToEnd(.moveToBottom, "Go to the bottom, or to the row of the number typed before it", ["G", "ctrl-end"]) { $0.moveToBottom() },
    move(.moveToPercent, "Go to the row at so many percent of them all", ["%"], unless: needsCount) { $0.moveToPercent($1 ?? 0) },
    move(.backToRow, "Go back to the row where the cursor was", ["`"], unless: needsFormerRow) { grid, _ in grid.moveToFormerRow() },
    move(.halfPageDown, "Move down by half a page", []) { grid, _ in grid.moveRows(by: max(1, grid.pageRows / 2)) },
    move(.halfPageUp, "Move up by half a page", []) { grid, _ in grid.moveRows(by: -max(1, grid.pageRows / 2)) },
    move(.pageDown, "Move down by a page", []) { grid, _ in grid.moveRows(by: grid.pageRows) },
    move(.pageUp, "Move up by a page", []) { grid, _ in grid.moveRows(by: -grid.pageRows) },
  ]

  private static let always: Obstacle = { _, _ in nil }
  private static let needsOtherColumns = needs(needsGrid, "this is the only column shown") { $0.grid?.layout.shown.count != 1 }
  private static let needsHiddenColumns = needs(needsGrid, "no column is hidden") { $0.grid?.layout.hidden.isEmpty == false }
  private static let needsCount = needs(needsRows, "the rows are not counted yet") { $0.grid?.total != nil }
  private static let needsFormerRow = needs(needsRows, "the cursor has not been taken from its row yet") { $0.grid?.formerRow != nil }

  /// Returns a command that moves the cursor by rows, and may need rows that are not here.
  private static func move(
    _ name: Command, _ help: String, _ keys: [String], unless obstacle: @escaping Obstacle = { _, _ in nil },
    by move: @escaping @Sendable (inout GridPane, Int?) -> [Effect]
  ) -> Binding {
    Binding(name, help, keys: keys.isEmpty ? [:] : [.grid: keys], unless: obstacle) { rows, context, count in
      context.send(rows.change { move(&$0, count) })
    }
  }

  /// Returns a command that moves the cursor to one end of the rows, or to the row of a number, and says so where there are fewer.
  private static func moveToEnd(
    _ name: Command, _ help: String, _ keys: [String], by move: @escaping @Sendable (inout GridPane) -> [Effect]
  ) -> Binding {
    Binding(name, help, keys: [.grid: keys]) { rows, context, count in
      context.send(rows.change { grid in count.map { grid.moveToRow(number: $0 - 1) } ?? move(&grid) })
      if let count, let sentence = rows.grid?.sentence(onNumber: count - 1) { context.notify(sentence) }
    }
  }

  /// Returns a command that needs no other rows: it changes the columns or the selection.
  private static func layout(
    _ name: Command, _ help: String, _ keys: [String], unless obstacle: @escaping Obstacle = needsGrid,
    _ change: @escaping @Sendable (inout GridPane, Int) -> Void
  ) -> Binding {
    Binding(name, help, keys: [.grid: keys], unless: obstacle) { rows, _, count in
      guard var grid = rows.grid else { return }
      change(&grid, count ?? 1)
      grid.revealCursor()
      rows.grid = grid
    }
  }
}
