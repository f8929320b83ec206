import QuarryEngine
import QuarryFiles
import QuarryRows
import Terminal

/// The commands of the pane of rows, and the reasons why they are not available.
enum RowsCommands {
  typealias Binding = CommandBinding<RowsScreen>
  typealias Obstacle = Binding.Obstacle

  /// All commands, in the order of the help.
  static let all: [Binding] = refusingPartialGroups(
    moveCommands.grouped("Moving")
      + rowCommands.grouped("Looking and finding")
      + viewCommands.grouped("Filtering").grouped("Sorting", only: [.sortColumn, .sortFurther, .naturalOrder, .sortBar])
      + (relationCommands + lensCommands + replayCommands).grouped("Following").grouped(
        "Copying", only: [.copy, .copyRow, .copyAs, .viewAsText, .copyCommandLine])
      + exportCommands.grouped("Copying")
      + insightCommands.grouped("Knowing the data") + groupCommands.grouped("Groups")
      + columnCommands.grouped("Columns").grouped(
        "Selecting", only: [.selectCells, .selectRows, .extendLeft, .extendRight, .extendUp, .extendDown])
      + (editCommands + writingCommands).grouped("Changing") + barCommands.grouped("Writing a filter or an order")
      + resultCommands.grouped("Results")
      + fieldCommands.grouped("Everywhere"))

  /// The commands for the row and the cell under the cursor.
  static let rowCommands: [Binding] = [
    Binding(.openRecord, "Show this row as a record", keys: [.grid: ["enter", "K"]], hint: "record", unless: needsRows) {
      _, context, _ in
      context.send(RecordIntent.showCurrentRow)
    },
    Binding(.refresh, "Read the rows and the catalog again", keys: [.everywhere: ["R"], .grid: ["f5"]]) { rows, context, _ in
      rows.refresh(&context)
    },
    Binding(.find, "Find text in the rows", keys: [.grid: ["/", "f3"]], hint: "find", unless: needsRows) { rows, context, _ in
      rows.find.askForText(&context)
    },
    Binding(.findNext, "Go to the next match", keys: [.grid: ["n"]], unless: needsNeedle) { rows, context, _ in
      rows.find.findAgain(backwards: false, &context)
    },
    Binding(.findPrevious, "Go to the previous match", keys: [.grid: ["N", "shift-f3"]], unless: needsNeedle) { rows, context, _ in
      rows.find.findAgain(backwards: true, &context)
    },
    Binding(.findSameValue, "Go to the next row with this value", keys: [.grid: ["*"]], unless: needsRows) { rows, context, _ in
      rows.find.findSameValue(&context)
    },
  ]

  /// The commands for filter and order.
  static let viewCommands: [Binding] = [
    Binding(
      .filter, "Write a filter, or leave the filter bar", keys: [.grid: ["&", "f6"], .bar: ["f6"]], hint: "filter",
      hintedWhen: { rows, environment in environment.needsFilters == nil && !rows.isTyping(in: environment.workspace) },
      unless: needsFilters
    ) { rows, context, _ in
      if rows.isTyping(in: context.workspace) { rows.abandonBar(&context) } else { rows.beginBar(.filter, &context) }
    },
    Binding(.filterColumn, "Filter on this column", keys: [.grid: ["f"]], unless: needsFilters) { rows, context, _ in
      rows.filterColumn(&context)
    },
    Binding(.includeValue, "Show only rows with this value", keys: [.grid: ["="]], unless: needsFiltersAndRows) { rows, context, _ in
      rows.filterValue(isIncluded: true, &context)
    },
    Binding(.excludeValue, "Exclude rows with this value", keys: [.grid: ["!"]], unless: needsFiltersAndRows) { rows, context, _ in
      rows.filterValue(isIncluded: false, &context)
    },
    Binding(.dropLastFilter, "Remove the last condition of the filter", keys: [.grid: ["F"]], unless: needsFilter) { rows, context, _ in
      rows.filter(.removeLast, &context)
    },
    Binding(.dropFilter, "Remove the filter", keys: [.grid: ["g F"]], unless: needsFilter) { rows, context, _ in
      rows.filter(.removeAll, &context)
    },
    Binding(
      .editAsSQL, "Open filter and sort order as SQL in the editor", brief: "Open as SQL", keys: [.grid: ["g e"]],
      unless: { needsQuery($0, $1) ?? $1.needsStatements }
    ) { _, context, _ in
      context.editAsSQL()
    },
    Binding(
      .explain, "Show the query plan of these rows", brief: "Query plan", keys: [.grid: ["g x"]],
      unless: { needsPlan($0, $1) ?? $1.needsPlans }
    ) {
      rows, context, _ in
      rows.explainGrid(&context)
    },
    Binding(
      .sortColumn, "Sort by this column: ascending, descending, off", keys: [.grid: ["s"]], hint: "sort", unless: needsGrid
    ) { rows, context, _ in
      rows.sortColumn(isFurther: false, &context)
    },
    Binding(.sortFurther, "Add this column to the sort keys", keys: [.grid: ["S"]], unless: needsGrid) { rows, context, _ in
      rows.sortColumn(isFurther: true, &context)
    },
    Binding(
      .naturalOrder, "Remove the sorting", keys: [.grid: ["g S"]],
      unless: needs(needsGrid, "the rows are not sorted") { rows, environment in
        rows.pendingView(in: environment.workspace)?.sort.isBlank == false
      }
    ) { rows, context, _ in
      rows.sortNaturally(&context)
    },
    Binding(.sortBar, "Edit the sort order", keys: [.grid: ["g s"]], unless: needsGrid) { rows, context, _ in
      if rows.isTyping(in: context.workspace) { rows.abandonBar(&context) } else { rows.beginBar(.sort, &context) }
    },
  ]

  private static let needsFiltersAndRows: Obstacle = { $1.needsFilters ?? needsRows($0, $1) }

  private static let needsFilter = needs(needsGrid, "there is no filter") { rows, environment in
    rows.pendingView(in: environment.workspace)?.filter.isBlank == false
  }

  static let relationCommands: [Binding] = [
    Binding(.goToColumn, "Go to a column by name", keys: [.grid: ["c"]], hint: "column", unless: needsGrid) { _, context, _ in
      context.showColumns()
    },
    Binding(
      .followForeignKey, "Go to the referenced row", brief: "Follow foreign key", keys: [.grid: ["g d", "f12"]],
      hint: "follow",
      // The hint does not depend on the column. Otherwise the last line would change with each step.
      hintedWhen: { _, environment in environment.grid?.schema?.foreignKeys.isEmpty == false },
      unless: { needsRows($0, $1) ?? foreignKeyObstacle($1) }
    ) { rows, context, _ in
      guard let grid = context.grid, let cells = grid.currentRow?.cells else { return }
      rows.followForeignKey(column: grid.column, cells: cells, &context)
    },
    Binding(
      .referringRows, "Show the referencing rows", brief: "Referencing rows", keys: [.grid: ["g r", "shift-f12"]],
      unless: needs(needsRows, "these rows are not from a single table") { $1.grid?.rowSet.sourceTable != nil }
    ) { rows, context, _ in
      rows.showReferringRows(&context)
    },
    Binding(
      .goBack, "Go back to where you came from", brief: "Go back", keys: [.grid: ["ctrl-o", "backspace"]], hint: "back",
      unless: { rows, environment in
        rows.opening.history.back.isEmpty && !rows.opening.returnsToHits(from: environment.workspace.shownGrid)
          ? "there is nothing to go back to" : nil
      }
    ) { rows, context, _ in
      rows.goBack(&context)
    },
    Binding(
      .goForward, "Go forward again", keys: [.grid: ["g o"]],
      unless: { rows, _ in rows.opening.history.forward.isEmpty ? "there is nothing to go forward to" : nil }
    ) { rows, context, _ in
      rows.goForward(&context)
    },
    Binding(.copy, "Copy the value, or the selection", keys: [.grid: ["y"]], hint: "copy", unless: needsRows) { _, context, _ in
      if context.grid?.selection == nil { context.copyValue() } else { context.copySelection(as: .tsv) }
    },
    Binding(.copyRow, "Copy the row", keys: [.grid: ["Y"]], unless: needsRows) { _, context, _ in
      context.copyRow(as: .tsv)
    },
    Binding(.copyAs, "Copy as CSV, TSV, JSON, Markdown or INSERT", brief: "Copy in a format", keys: [.grid: ["g y"]], unless: needsRows) {
      _, context, _ in
      context.showCopyFormats()
    },
    Binding(.details, "Show columns, keys, indexes, triggers and DDL", keys: [.grid: ["i", "f2"]]) { rows, context, _ in
      if let table = context.grid?.rowSet.sourceTable { context.send(DetailsIntent.table(table)) }
    },
  ]

  private static func foreignKeyObstacle(_ environment: ScreenEnvironment) -> String? {
    guard let grid = environment.grid, let cells = grid.currentRow?.cells else { return nil }
    return ForeignKeyObstacle.sentence(
      column: grid.column, cells: cells, columns: grid.columns, schema: grid.schema, mark: environment.appearance.glyphs.reference)
  }
}

/// The commands for columns, the selection and the cursor.
extension RowsCommands {
  static let columnCommands: [Binding] = [
    Binding(
      .addColumn, "Add a computed column, or edit this one", brief: "Computed column",
      aliases: ["computed column", "expression", "formula", "calculate", "derive", "new column"], keys: [.grid: ["+"]],
      unless: needsFilters
    ) { rows, context, _ in
      rows.editComputedColumn(&context)
    },
    Binding(.hideColumn, "Hide this column, or remove a computed one", keys: [.grid: ["-"]], unless: needsOtherColumns) {
      rows, context, _ in
      rows.hideColumn(&context)
    },
    layout(.showAllColumns, "Show all columns", ["g -"], unless: needsHiddenColumns) { grid, _ in grid.layout.showAll() },
    Binding(.fitColumn, "Fit this column to its values", keys: [.grid: ["_"]], unless: needsGrid) { rows, context, _ in
      let glyphs = context.appearance.glyphs
      context.workspace.changeGrid { $0.fitColumn(glyphs: glyphs) }
    },
    layout(.narrowColumn, "Make this column narrower", ["<"]) { grid, count in
      grid.layout.fix(grid.layout.width(of: grid.column, in: grid.extent.columns) - 2 * count, of: grid.column)
    },
    layout(.widenColumn, "Make this column wider", [">"]) { grid, count in
      let width = grid.layout.width(of: grid.column, in: grid.extent.columns) + 2 * min(count, 1_000)
      grid.layout.fix(min(width, max(grid.extent.columns, 10)), of: grid.column)
    },
    Binding(.freezeColumns, "Freeze the columns up to here, or unfreeze them", keys: [.grid: ["z f"]], unless: needsGrid) { _, context, _ in
      let isDone = context.workspace.changeGrid { $0.layout.toggleFreeze(upTo: $0.column) } ?? true
      if !isDone { context.notify("frozen columns would fill the grid: freeze or show fewer columns", .warning) }
    },
    layout(.selectCells, "Select cells", ["v"], unless: needsArrivedRows) { grid, _ in grid.toggleSelection(wholeRows: false) },
    layout(.selectRows, "Select rows", ["V"], unless: needsArrivedRows) { grid, _ in grid.toggleSelection(wholeRows: true) },
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
    moveToEnd(.moveToTop, "Go to the first row, or to row {count}", ["g g", "ctrl-home"], .top),
    moveToEnd(.moveToBottom, "Go to the last row, or to row {count}", ["G", "ctrl-end"], .bottom),
    move(.moveToPercent, "Go to {count} percent of the rows", ["%"], unless: needsCount) { $0.moveToPercent($1 ?? 0) },
    move(.backToRow, "Go back to the row before the last jump", ["`"], unless: needsFormerRow) { grid, _ in grid.moveToFormerRow() },
    Binding(
      .followEnd, "Follow new rows as other programs add them", brief: "Follow the end",
      aliases: ["tail", "follow", "watch"], keys: [.grid: ["g w"]], unless: needsEnd
    ) { rows, context, _ in
      rows.following.toggle(&context)
    },
    move(.halfPageDown, "Move down by half a page", []) { grid, _ in grid.moveRows(by: max(1, grid.pageRows / 2)) },
    move(.halfPageUp, "Move up by half a page", []) { grid, _ in grid.moveRows(by: -max(1, grid.pageRows / 2)) },
    move(.pageDown, "Move down by a page", []) { grid, _ in grid.moveRows(by: grid.pageRows) },
    move(.pageUp, "Move up by a page", []) { grid, _ in grid.moveRows(by: -grid.pageRows) },
  ]

  private static let always: Obstacle = { _, _ in nil }
  private static let needsOtherColumns = needs(needsGrid, "this is the only column shown") { $1.grid?.layout.shown.count != 1 }
  private static let needsHiddenColumns = needs(needsGrid, "no column is hidden") { $1.grid?.layout.hidden.isEmpty == false }
  private static let needsCount = needs(needsRows, "the rows are not counted yet") { $1.grid?.total != nil }
  private static let needsFormerRow = needs(needsRows, "you have not jumped yet") { $1.grid?.cursorPath.former != nil }

  /// Returns a command that moves the cursor by rows, and may request rows that are not loaded.
  private static func move(
    _ name: Command, _ help: String, _ keys: [String], unless obstacle: @escaping Obstacle = { _, _ in nil },
    by move: @escaping @Sendable (inout GridPane, Int?) -> [GridRequest]
  ) -> Binding {
    Binding(name, help, keys: keys.isEmpty ? [:] : [.grid: keys], unless: obstacle) { rows, context, count in
      rows.opening.note(nil as FarMove?)
      rows.change(&context) { move(&$0, count) }
    }
  }

  /// Returns a command that moves to one end of the rows, or to the row with a number.
  private static func moveToEnd(_ name: Command, _ help: String, _ keys: [String], _ end: FarMove) -> Binding {
    Binding(name, help, keys: [.grid: keys]) { rows, context, count in
      rows.go(count.map { .number($0 - 1) } ?? end, &context)
    }
  }

  /// Returns a command that requests no rows, because it only changes the columns or the selection.
  private static func layout(
    _ name: Command, _ help: String, _ keys: [String], unless obstacle: @escaping Obstacle = needsGrid,
    _ change: @escaping @Sendable (inout GridPane, Int) -> Void
  ) -> Binding {
    Binding(name, help, keys: [.grid: keys], unless: obstacle) { _, context, count in
      context.workspace.changeGrid { grid in
        change(&grid, count ?? 1)
        grid.revealCursor()
      }
    }
  }
}

extension RowsScreen {
  /// Performs a far move, and reports a missing row number; if other rows are being opened, the move is performed in those rows.
  mutating func go(_ move: FarMove, _ context: inout ScreenContext<Self>) {
    let isReplaced = opening.isReplacing(context.workspace.shownGrid)
    if isReplaced { opening.note(move) }
    change(&context) { $0.move(move) }
    if !isReplaced, case .number(let number) = move, let sentence = context.grid?.sentence(onNumber: number) { context.notify(sentence) }
  }
}
