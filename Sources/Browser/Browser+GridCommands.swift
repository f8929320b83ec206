import QuarryEngine
import Terminal

extension Browser {
  mutating func performInGrid(_ command: Command, count: Int?) -> [Effect] {
    if let effects = moveInGrid(command, count: count) { return effects }
    switch command {
    case .openRecord: return openRecord()
    case .details: return showGridDetails()
    case .find: askForText()
    case .findNext: return findAgain(backwards: false)
    case .findPrevious: return findAgain(backwards: true)
    case .findSameValue: return findSameValue()
    case .goToColumn: showColumns()
    case .fitColumn: fitColumn()
    case .copy: return grid?.selection == nil ? copyValue() : copySelection(as: .tsv)
    case .copyRow: return copyRow(as: .tsv)
    case .copyAs: showCopyFormats()
    case .followForeignKey: return grid.flatMap { grid in grid.currentRow.map { (grid.column, $0.cells) } }.map { followForeignKey(column: $0, cells: $1) } ?? []
    case .referringRows: return showReferringRows()
    case .goBack: return goBack()
    case .goForward: return goForward()
    case .filter: return beginBar(.filter)
    case .sortBar: return beginBar(.sort)
    case .filterColumn: return filterColumn()
    case .includeValue: return filterValue(isIncluded: true)
    case .excludeValue: return filterValue(isIncluded: false)
    case .dropLastFilter: return dropLastFilter()
    case .dropFilter: return dropFilter()
    case .chooseFilter: showKeptFilters()
    case .editAsSQL: return grid.map { [.prepareSQL($0.id, for: .editor)] } ?? []
    case .explain: return explainGrid()
    case .nextResult: return moveResult(by: 1)
    case .previousResult: return moveResult(by: -1)
    case .sortColumn: return sortColumn(isFurther: false)
    case .sortFurther: return sortColumn(isFurther: true)
    case .naturalOrder: return sortNaturally()
    default: return changeGrid { $0.perform(command, count: count ?? 1) }
    }
    return []
  }

  private mutating func fitColumn() {
    let glyphs = look.glyphs
    _ = changeGrid { grid in
      grid.fitColumn(glyphs: glyphs)
      return []
    }
  }

  /// Performs a move of the cursor; nil for any other command.
  private mutating func moveInGrid(_ command: Command, count: Int?) -> [Effect]? {
    let steps = count ?? 1
    let page = max(1, (grid?.extent.rows ?? 1) - 1)
    switch command {
    case .moveDown: return changeGrid { $0.moveRows(by: steps) }
    case .moveUp: return changeGrid { $0.moveRows(by: -steps) }
    case .halfPageDown: return changeGrid { $0.moveRows(by: max(1, page / 2)) }
    case .halfPageUp: return changeGrid { $0.moveRows(by: -max(1, page / 2)) }
    case .pageDown: return changeGrid { $0.moveRows(by: page) }
    case .pageUp: return changeGrid { $0.moveRows(by: -page) }
    case .moveToTop: return changeGrid { grid in count.map { grid.moveToRow(number: $0 - 1) } ?? grid.moveToTop() }
    case .moveToBottom: return changeGrid { grid in count.map { grid.moveToRow(number: $0 - 1) } ?? grid.moveToBottom() }
    case .moveToPercent: return moveToPercent(count ?? 0)
    case .backToRow: return changeGrid { $0.moveToFormerRow() }
    default: return nil
    }
  }

  private mutating func moveToPercent(_ percent: Int) -> [Effect] {
    guard let total = grid?.total, total.value > 0 else { return [] }
    let (product, overflows) = total.value.multipliedReportingOverflow(by: min(percent, 100))
    let number = overflows ? total.value : product / 100
    return changeGrid { $0.moveToRow(number: min(number, total.value - 1)) }
  }

  mutating func showReferringRows() -> [Effect] {
    guard let grid, case .table(let table) = grid.rowSet.source else { return [] }
    return [.loadReferences(grid.id, table)]
  }

  // MARK: Record

  private mutating func openRecord() -> [Effect] {
    guard let grid, let key = grid.currentRow?.key else { return [] }
    overlays.append(.record(RecordScreen(grid: grid.id, title: grid.title, columns: grid.columns, key: key, field: grid.column)))
    return [.loadRecord(grid.id, key)]
  }

  mutating func takeRecord(_ id: GridID, _ key: RowKey, _ result: Result<WindowRow?, Problem>) {
    let glyphs = look.glyphs
    changeRecord { screen in
      if screen.grid == id { screen.take(result, for: key, glyphs: glyphs) }
    }
  }

  private mutating func changeRecord(_ change: (inout RecordScreen) -> Void) {
    for index in overlays.indices {
      guard case .record(var screen) = overlays[index] else { continue }
      change(&screen)
      overlays[index] = .record(screen)
    }
  }

  mutating func perform(_ command: Command, count: Int?, record: RecordScreen) -> [Effect] {
    let steps = count ?? 1
    switch command {
    case .moveDown: changeRecord { $0.moveField(by: steps) }
    case .moveUp: changeRecord { $0.moveField(by: -steps) }
    case .moveToTop: changeRecord { $0.moveField(by: -$0.columns.count) }
    case .moveToBottom: changeRecord { $0.moveField(by: $0.columns.count) }
    case .halfPageDown: changeRecord { $0.scroll(by: max(1, $0.room.rows / 2)) }
    case .halfPageUp: changeRecord { $0.scroll(by: -max(1, $0.room.rows / 2)) }
    case .pageDown: changeRecord { $0.scroll(by: $0.room.rows) }
    case .pageUp: changeRecord { $0.scroll(by: -$0.room.rows) }
    case .nextRecord: return turnRecord(by: steps)
    case .previousRecord: return turnRecord(by: -steps)
    case .copy: return copyValue(of: record.key, column: record.field)
    case .copyRow: return copyRow(as: .tsv)
    case .followForeignKey: return leaveRecord { $0.followForeignKey(column: record.field, cells: record.cells) }
    case .referringRows: return leaveRecord { $0.showReferringRows() }
    case .goBack: closeOverlay()
    case .find: askForText()
    case .findNext, .findPrevious:
      var isFound = false
      changeRecord { isFound = $0.findNext(backwards: command == .findPrevious) }
      if !isFound { noteNotFound(record.needle) }
    default: noteNothingDone(by: command)
    }
    return []
  }

  /// Closes the record for where a relation leads; a choice that is offered lies over it.
  private mutating func leaveRecord(_ follow: (inout Browser) -> [Effect]) -> [Effect] {
    let record = overlays.popLast()
    let effects = follow(&self)
    if effects.isEmpty, let record { overlays.insert(record, at: 0) }
    return effects
  }

  private mutating func turnRecord(by count: Int) -> [Effect] {
    let effects = changeGrid { $0.moveRows(by: count) }
    return effects + turnRecordIfOwed()
  }

  /// Turns the record to the row under the grid's cursor, where it is another one.
  mutating func turnRecordIfOwed() -> [Effect] {
    guard let grid, let key = grid.currentRow?.key, case .record(let screen)? = overlays.last, screen.grid == grid.id, screen.key != key
    else { return [] }
    changeRecord { $0.turn(to: key) }
    return [.loadRecord(grid.id, key)]
  }
}

extension GridPane {
  /// Performs what changes the grid's looks or its selection.
  mutating func perform(_ command: Command, count: Int) -> [Effect] {
    switch command {
    case .moveLeft: moveColumns(by: -count)
    case .moveRight: moveColumns(by: count)
    case .moveToStart: moveColumns(by: -columns.count)
    case .moveToEnd: moveColumns(by: columns.count)
    case .hideColumn: hideColumn()
    case .showAllColumns: layout.showAll()
    case .narrowColumn: layout.fix(layout.widths[column] - 2 * count, of: column)
    case .widenColumn: layout.fix(min(layout.widths[column] + 2 * min(count, 1_000), max(extent.columns, 10)), of: column)
    case .freezeColumns: layout.toggleFreeze(upTo: column)
    case .selectCells: toggleSelection(wholeRows: false)
    case .selectRows: toggleSelection(wholeRows: true)
    case .extendLeft, .extendDown, .extendUp, .extendRight: return extend(command, count: count)
    default: break
    }
    revealCursor()
    return []
  }

  private mutating func extend(_ command: Command, count: Int) -> [Effect] {
    startSelection()
    switch command {
    case .extendLeft: moveColumns(by: -count)
    case .extendRight: moveColumns(by: count)
    case .extendUp: return moveRows(by: -count)
    case .extendDown: return moveRows(by: count)
    default: break
    }
    return []
  }

  private mutating func hideColumn() {
    let shown = layout.shown
    guard let place = shown.firstIndex(of: column), layout.hide(column) else { return }
    column = place + 1 < shown.count ? shown[place + 1] : shown[place - 1]
  }
}
