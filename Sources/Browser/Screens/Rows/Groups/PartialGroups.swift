import QuarryRows

/// How much of a large table has been read for groups whose values are not final.
package struct PartialGroups: Hashable, Sendable {
  /// The number of groups so far.
  var count: Int
  /// The number of rows whose values the groups contain.
  var read: Int
  /// Whether nothing more is being read.
  var isStopped = false
}

extension OpenedRows {
  /// Returns the rows with the groups so far, which are not sorted again as they grow; nil if they cannot be shown.
  func showing(_ found: RowsSoFar, of set: RowSet) -> OpenedRows? {
    // An error, such as the overflow of a sum, is reported with the final groups.
    guard let rows = try? found.rows(of: set), !rows.isEmpty else { return nil }
    var opened = self
    opened.page = RowPage(rows: rows, firstNumber: .exact(0), reachesStart: true, reachesEnd: true)
    opened.partial = PartialGroups(count: found.count, read: found.read)
    opened.order = []
    return opened
  }
}

extension GridPane {
  /// How much has been read for the groups; nil if they are final, and for other rows.
  package var partial: PartialGroups? { source.partial }

  /// Returns whether the values of a column are not final.
  func isPartial(column: Int) -> Bool { partial != nil && column >= levelCount }

  private var levelCount: Int { grouping?.groups.shape.levels.count ?? 0 }

  /// The values by which the group under the cursor is grouped; nil without a group.
  var currentGroup: [CellValue]? { currentRow.map { Array($0.cells.prefix(levelCount)) } }

  /// Shows later values of the groups, each on its line; new groups follow.
  mutating func update(with opened: OpenedRows) {
    note(opened.partial)
    window.update(opened.page.rows)
    if let partial { _ = tally.receive(.atLeast(partial.count), isFinal: false) }
  }

  /// Takes note that nothing more is being read.
  mutating func stopGroups() {
    guard var partial else { return }
    partial.isStopped = true
    note(partial)
  }

  /// Whether the person has moved the cursor.
  fileprivate var isMoved: Bool { cursorPath.placement == .hand }

  /// Returns the index of the group under the cursor in a page; nil if the page does not contain it.
  fileprivate func index(ofCurrentGroupIn page: RowPage) -> Int? {
    guard let group = currentGroup else { return nil }
    return page.rows.firstIndex { $0.cells.prefix(group.count).elementsEqual(group) }
  }
}

extension ScreenEnvironment {
  /// The reason why a command needs final groups; nil if the rows are final.
  var needsFinalRows: String? {
    guard let partial = grid?.partial else { return nil }
    return partial.isStopped
      ? "these groups are not final, because reading was stopped: \(keyHint(.refresh)) reads again"
      : "these groups are not final: wait until all rows have been read"
  }
}

extension RowsCommands {
  /// The commands that partial groups have: moving, the layout, another shape, and the rows of a group.
  private static let partialCommands: Set<Command> = Set(
    (moveCommands + groupCommands + resultCommands + barCommands + fieldCommands + lensCommands + replayCommands).map(\.name)
      + [
        .goToColumn, .goBack, .goForward, .refresh, .details, .hideColumn, .showAllColumns, .fitColumn, .narrowColumn, .widenColumn,
        .freezeColumns,
      ])

  /// Returns the commands, of which most refuse partial groups, so that no value that is not final is copied, compared or written.
  static func refusingPartialGroups(_ commands: [Binding]) -> [Binding] {
    commands.map { partialCommands.contains($0.name) ? $0 : $0.also { $1.needsFinalRows } }
  }
}

/// Showing the groups of a large table while it is read.
extension RowsScreen {
  /// Takes the progress of an opening, and shows its groups so far, or their later values.
  mutating func receive(_ report: OpeningReport, of begun: Opening, _ context: inout ScreenContext<Self>) {
    var progress = report.progress
    progress.found = nil
    opening.note(progress)
    guard let soFar = report.soFar, let pending = opening.pending else { return }
    if pending.isPartlyShown {
      context.workspace.change(pending.id) { $0.update(with: soFar) }
    } else if pending.replaced == nil {
      show(soFar, as: pending, &context)
      opening.notePartlyShown()
    } else if let grid = context.grid, grid.id == pending.replaced, grid.partial != nil || grid.grouping != pending.grouping {
      replace(grid, with: soFar, as: pending, &context)
      opening.notePartlyShown()
    }
  }

  /// Shows the final groups in place of the partial ones; a cursor that was moved stays on its group.
  mutating func complete(_ opened: OpenedRows, as opening: Opening, _ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, grid.partial != nil, grid.isMoved, opening.move == nil, let group = grid.currentGroup,
      grid.index(ofCurrentGroupIn: opened.page) == nil
    else {
      return finish(opened, as: opening, &context)
    }
    context.ask(FindGroup(grid: opening.id, values: group, limit: opened.page.rows.count)) { rows, context, result in
      var opened = opened
      if case .success(let place?) = result { opened.page = place.page }
      rows.finish(opened, as: opening, &context)
    }
  }

  /// Shows the final groups, or keeps them for later if other rows are shown by now.
  mutating func finish(_ opened: OpenedRows, as opening: Opening, _ context: inout ScreenContext<Self>) {
    if let grid = context.grid, grid.id == opening.replaced { return replace(grid, with: opened, as: opening, &context) }
    guard let before = context.workspace[opening.id] else { return }
    context.workspace.keep(GridPane(opening, opened, replacing: before, glyphs: context.appearance.glyphs))
  }

  /// Shows rows in place of those of a grid; in partial groups, the cursor stays on its group, unless that would hide the first groups.
  private mutating func replace(
    _ grid: GridPane, with opened: OpenedRows, as opening: Opening, _ context: inout ScreenContext<Self>
  ) {
    guard grid.partial != nil else { return replaceGrid(with: opened, as: opening, &context) }
    var opened = opened
    let index = grid.index(ofCurrentGroupIn: opened.page)
    if let index, grid.isMoved || index < grid.extent.rows { opened.cursor = opened.page.rows[index].key }
    replaceGrid(with: opened, as: opening, &context)
    guard !grid.isMoved, opening.move == nil else { return }
    context.workspace.changeGrid { grid in
      grid.top = 0
      grid.revealCursor()
    }
  }

  /// Stops reading for partial groups that other groups will replace.
  mutating func leavePartialGroups(_ context: inout ScreenContext<Self>) {
    guard context.grid?.partial != nil else { return }
    dropOpening(&context)
    context.workspace.changeGrid { $0.stopGroups() }
  }

  /// Opens the rows of the partial group under the cursor, whose values by which it is grouped are final.
  mutating func openPartialGroup(_ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, let grouping = grid.grouping, let group = grid.currentGroup else { return }
    let values = group.compactMap(\.whole)
    guard values.count == group.count else { return context.notify(context.environment.needsFinalRows ?? "") }
    // The cursor is on this group again when the person comes back.
    context.workspace.changeGrid { $0.cursorPath.placement = .hand }
    open(values, column: grid.column, of: grouping, &context)
  }
}
