import QuarryEngine

extension Browser {
  /// Returns why a command cannot be performed now, as a sentence; nil where it can.
  func unavailability(of command: Command) -> String? {
    if let screen = overlays.last?.details, DetailsScreen.commands.contains(command) { return unavailability(of: command, in: screen) }
    if case .record(let screen)? = overlays.last, command == .findNext || command == .findPrevious { return needsNeedle(screen.needle) }
    switch command {
    case .openRecord, .find, .findSameValue, .copyRow, .copyAs, .selectCells, .selectRows, .copy:
      return needsRows
    case .findNext, .findPrevious:
      return needsRows ?? needsNeedle(grid?.needle.map { _ in "" })
    case .goToColumn, .fitColumn, .narrowColumn, .widenColumn, .freezeColumns:
      return needsGrid
    case .hideColumn:
      return needsGrid ?? (grid?.layout.shown.count == 1 ? "this is the only column shown" : nil)
    case .showAllColumns:
      return needsGrid ?? (grid?.layout.hidden.isEmpty ?? true ? "no column is hidden" : nil)
    case .filter, .filterColumn, .sortBar, .sortColumn, .sortFurther, .chooseFilter: return needsGrid
    case .editAsSQL, .explain: return needsGrid ?? needsQuery
    case .includeValue, .excludeValue: return needsRows
    case .dropLastFilter, .dropFilter: return needsGrid ?? (awaitedView?.filter.isBlank ?? true ? "there is no filter" : nil)
    case .naturalOrder: return needsGrid ?? (awaitedView?.sort.isBlank ?? true ? "the rows are in their natural order" : nil)
    case .complete, .explainPlan: return isInBar || isInEditor ? nil : "neither the filter bar nor the editor has the keys"
    case .runStatement, .runAll, .nextBuffer, .closeBuffer, .openFile, .saveFile, .editExternally, .undo, .redo, .comment, .unindent:
      return sql.isShown ? nil : "the editor is not open: \(keyHint(.editSQL)) opens it"
    case .nextResult, .previousResult: return sql.results.tabs.isEmpty ? "nothing has been run yet" : nil
    case .parameters where overlays.contains(where: \.isForm): return "the form is open already"
    case .parameters where isFilterAsking: return nil
    case .parameters: return sql.last?.parameters.isEmpty ?? true ? "what was run last has no parameters" : nil
    case .commit, .rollBack: return sql.transaction == nil ? "no transaction is open" : busyScript
    case .applyReplacement, .keepFilter: return isInBar ? nil : "the filter bar does not have the keys: \(keyHint(.filter)) goes there"
    case .followForeignKey: return needsRows ?? foreignKeyUnavailability
    case .referringRows: return needsRows ?? needsTable
    case .goBack: return trail.back.isEmpty && overlays.isEmpty ? "this is where you began" : nil
    case .goForward: return trail.forward.isEmpty ? "there is nothing further on" : nil
    case .moveToPercent: return needsRows ?? (grid?.total == nil ? "the rows are not counted yet" : nil)
    case .backToRow: return needsRows ?? (grid?.formerRow == nil ? "the cursor has not been taken from its row yet" : nil)
    case .nextRecord, .previousRecord: return overlays.contains { $0.isRecord } ? nil : "no record is open"
    default: return nil
    }
  }

  private func unavailability(of command: Command, in screen: DetailsScreen) -> String? {
    switch command {
    case .copy, .copyRow: screen.copied == nil ? "there is nothing to copy here" : nil
    case .findNext, .findPrevious: needsNeedle(screen.needle)
    case .find: nil
    default: "no row is shown here"
    }
  }

  /// - Parameter needle: What was looked for last; nil for nothing.
  private func needsNeedle(_ needle: String?) -> String? {
    needle == nil ? "nothing was looked for yet: \(keyHint(.find)) finds a text" : nil
  }

  /// Why the editor's connection can be given nothing to do now; nil where it can.
  var busyScript: String? {
    let stop = "\(keyHint(.stop)) stops that"
    if let isCommitted = sql.ending { return "the transaction is being \(isCommitted ? "committed" : "rolled back"): \(stop)" }
    return sql.isRunning ? "a statement is running: \(stop)" : nil
  }

  private var needsGrid: String? {
    grid == nil ? "no table is open" : nil
  }

  private var needsRows: String? {
    needsGrid ?? (grid?.currentRow == nil ? "there are no rows here" : nil)
  }

  private var needsTable: String? {
    if case .table? = grid?.rowSet.source { nil } else { "these rows belong to no one table" }
  }

  private var needsQuery: String? {
    guard case .returned? = grid?.rowSet.source else { return nil }
    return "a statement that wrote has returned these rows: no SELECT gives them again"
  }

  private var foreignKeyUnavailability: String? {
    guard let grid, let cells = currentRecordCells ?? grid.currentRow?.cells else { return nil }
    let column = currentRecordField ?? grid.column
    guard grid.columns.indices.contains(column), cells.indices.contains(column) else { return nil }
    let name = grid.columns[column].name
    guard grid.isReference(column) else { return "\(name) is no foreign key; those that are have a \(look.glyphs.reference) in the header" }
    return cells[column] == .null ? "\(name) is NULL here, so it refers to nothing" : nil
  }

  private var currentRecordCells: [CellValue]? {
    if case .record(let screen)? = overlays.last, !screen.cells.isEmpty { screen.cells } else { nil }
  }

  private var currentRecordField: Int? {
    if case .record(let screen)? = overlays.last { screen.field } else { nil }
  }
}

extension Overlay {
  var details: DetailsScreen? {
    if case .details(let screen) = self { screen } else { nil }
  }

  var isRecord: Bool {
    if case .record = self { true } else { false }
  }

  /// Whether it asks for parameters.
  var isForm: Bool {
    if case .form = self { true } else { false }
  }
}
