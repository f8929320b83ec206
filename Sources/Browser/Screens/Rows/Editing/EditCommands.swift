import QuarryChanges
import QuarryEngine
import QuarryRows
import QuarrySources
import Terminal

extension Command {
  static let editCell: Command = "edit-cell"
  static let editCellExternally: Command = "edit-in-visual"
  static let newRow: Command = "new-row"
  static let newRowLikeThis: Command = "new-row-like-this"
  static let deleteRows: Command = "delete-rows"
  static let paste: Command = "paste"
  static let editColumn: Command = "edit-column"
  static let undoChange: Command = "undo-change"
  static let redoChange: Command = "redo-change"
}

/// The commands that stage changes of rows.
extension RowsCommands {
  static let editCommands: [Binding] = [
    Binding(
      .editCell, "Change this value, or the selected cells", brief: "Change this value", aliases: ["edit", "update"],
      keys: [.grid: ["e"]], hint: "edit", hintedWhen: { _, environment in canBeEdited(environment) },
      unless: { $1.grid?.obstacleUntilArrival == nil ? obstacle(to: .update, $0, $1) : nil }
    ) { rows, context, _ in
      if context.grid?.obstacleUntilArrival == nil { rows.editCells(&context) } else { context.workspace.pendingCommand = .editCell }
    },
    Binding(
      .editCellExternally, "Change this value in $VISUAL", keys: [.grid: ["E"]], unless: { obstacle(to: .update, $0, $1) }
    ) { rows, context, _ in
      rows.editCells(externally: true, &context)
    },
    Binding(
      .setNull, "Set NULL, in all selected cells", brief: "Set NULL", keys: [.grid: ["g n"]],
      unless: { obstacle(to: .update, $0, $1) }
    ) { _, context, _ in
      CellEditing.setNull(&context)
    },
    Binding(
      .editColumn, "Change this column in all rows that match the filter", aliases: ["update all"],
      unless: { obstacle(to: .update, $0, $1) }
    ) { rows, context, _ in
      CellEditing.beginColumn(in: rows.gridArea(context.environment), &context)
    },
    Binding(
      .newRow, "Add a row", aliases: ["insert", "add row"], keys: [.grid: ["o", "insert"]], unless: { obstacle(to: .insert, $0, $1) }
    ) { _, context, _ in
      CellEditing.addRow(&context)
    },
    Binding(
      .newRowLikeThis, "Add a row like this one", aliases: ["duplicate", "clone"], keys: [.grid: ["O"]],
      unless: { needsAnyRow($0, $1) ?? obstacle(to: .insert, $0, $1) }
    ) { _, context, _ in
      CellEditing.addRowLikeThis(&context)
    },
    Binding(
      .deleteRows, "Delete this row, or the selected rows; again to restore it", brief: "Delete rows",
      aliases: ["delete", "remove"],
      keys: [.grid: ["d d", "delete"]], unless: { needsAnyRow($0, $1) ?? obstacle(to: .delete, $0, $1) }
    ) { _, context, _ in
      CellEditing.deleteRows(&context)
    },
    Binding(
      .paste, "Paste copied values over the selection, into the cell, or as new rows", brief: "Paste", keys: [.grid: ["p"]],
      unless: { $1.workspace.copied == nil ? "nothing has been copied yet: \($1.keyHint(.copyRow)) copies a row" : nil }
    ) { rows, context, _ in
      if let text = context.workspace.copied { rows.paste(text, &context) }
    },
    Binding(
      .undoChange, "Undo the last staged change", brief: "Undo a change", aliases: ["undo"], keys: [.grid: ["u"]],
      unless: { _, environment in undoObstacle(environment) }
    ) { _, context, _ in
      context.undoStaged()
    },
    Binding(
      .redoChange, "Redo the last undone change", brief: "Redo a change", aliases: ["redo"], keys: [.grid: ["ctrl-r"]],
      unless: { _, environment in
        environment.takingBackObstacle ?? environment.needsStagedRows
          ?? (environment.workspace.edits.redoDescription == nil ? "there is nothing to redo" : nil)
      }
    ) { _, context, _ in
      context.redoStaged()
    },
  ]

  /// The commands that move from field to field of a new row, and otherwise to other panes.
  static let fieldCommands: [Binding] = [
    Binding(.nextPane, "Go to the next pane; in a new row, to its next field") { rows, context, _ in
      rows.goOn(by: 1, &context)
    },
    Binding(.previousPane, "Go to the previous pane; in a new row, to its previous field") { rows, context, _ in
      rows.goOn(by: -1, &context)
    },
  ]

  /// Returns the reason why there is no row under the cursor, stored or new; nil if there is one.
  static let needsAnyRow: Obstacle = { rows, environment in
    needsGrid(rows, environment) ?? environment.grid?.rowObstacle
  }

  /// Returns the reason why an operation is not possible in the column under the cursor; nil if it is.
  static func obstacle(to operation: RowOperation, _ rows: RowsScreen, _ environment: ScreenEnvironment) -> String? {
    needsGrid(rows, environment) ?? environment.obstacle(to: operation, column: environment.grid?.column ?? 0)
  }

  /// Returns whether the last line shows the key that edits.
  ///
  /// This does not depend on the column. Otherwise the line would change with each step.
  private static func canBeEdited(_ environment: ScreenEnvironment) -> Bool {
    guard let grid = environment.grid, let schema = grid.tableSchema, grid.table != nil, grid.total?.value != 0 else { return false }
    return environment.needs(\.edits, "") == nil
      && schema.editability(of: .update, refusal: environment.workspace.source.editRefusal) == .editable
  }

  private static func undoObstacle(_ environment: ScreenEnvironment) -> String? {
    let workspace = environment.workspace
    if let obstacle = environment.takingBackObstacle ?? environment.needsStagedRows { return obstacle }
    if workspace.edits.undoDescription != nil { return nil }
    if workspace.source.transaction != nil { return "\(environment.keyHint(.rollBack)) undoes the open transaction" }
    return environment.nothingToUndo
  }
}

extension RowsScreen {
  /// Opens the field of the cell under the cursor, or one field for all selected cells.
  func editCells(externally: Bool = false, _ context: inout ScreenContext<Self>) {
    CellEditing.begin(externally: externally, in: gridArea(context.environment), &context)
  }

  /// Stages the same value for the cell under the cursor, or for all selected cells.
  func stage(_ value: StagedValue, inSelectionOf context: inout ScreenContext<Self>) {
    CellEditing.stage(value, inSelectionOf: &context)
  }

  /// Stages the values of a copied text.
  func paste(_ text: CopiedText, _ context: inout ScreenContext<Self>) {
    let environment = context.environment
    CellEditing.paste(text, &context) { RowsCommands.obstacle(to: $0, self, environment) }
  }

  /// Moves to another field of a new row, or otherwise to another pane.
  fileprivate func goOn(by step: Int, _ context: inout ScreenContext<Self>) {
    let isInNewRow = context.environment.keyContext == .grid && context.grid?.newRow != nil
    if isInNewRow, context.workspace.changeGrid({ $0.moveToField(after: step) }) == true { return }
    context.send(BrowserIntent.focusPane(after: step))
  }
}

extension ScreenEnvironment {
  /// The message that no staged change can be undone, with the key that undoes committed changes.
  var nothingToUndo: String {
    let commits = needs(\.commits, "") == nil ? ": \(keyHint(.commits)) shows commits, and undoes them" : ""
    return "no staged change to undo\(commits)"
  }

  /// Returns the reason why an operation on the grid's table is not possible in a column; nil if it is.
  func obstacle(to operation: RowOperation, column index: Int) -> String? {
    guard let grid else { return needsGrid }
    // The pending edit began earlier: it would overwrite a change that is staged now.
    if stagingReads.contains(where: { !$0.isOfOneRow }) { return needsStagedRows }
    if let obstacle = grid.obstacleUntilArrival { return obstacle }
    guard let schema = grid.tableSchema, let table = grid.table else {
      if case .refused(let reason)? = grid.origin { return reason }
      return "the rows of a query cannot be changed: \(keyHint(.jumpToTable)) goes to a table"
    }
    if let obstacle = needs(\.edits, "this data source cannot be changed") { return obstacle }
    let onlyInFiles = "\(operation.obstaclePhrase) \(table.name): views can be edited only in files, by triggers; edit its tables"
    if schema.entry.kind == .view, let obstacle = needs(\.editsViews, onlyInFiles) { return obstacle }
    let isUpdate = operation == .update
    if operation == .insert, grid.rowSet.sourceTable == nil {
      return "rows are added in the table itself: \(keyHint(.jumpToTable)) goes to \(table.name)"
    }
    let shown = isUpdate && grid.columns.indices.contains(index) ? grid.columns[index] : nil
    if let shown, shown.computed != nil {
      return "\(shown.name) is computed for each row and cannot be changed: \(keyHint(.addColumn)) edits its expression"
    }
    if let shown, shown.schema == nil { return "\(shown.name) is not a column of \(table.name)" }
    let column = shown?.schema?.name
    let editability = schema.editability(
      of: isUpdate && grid.newRow != nil ? .insert : operation, column: column, refusal: workspace.source.editRefusal)
    if let reason = editability.reason { return "\(operation.obstaclePhrase) \(table.name): \(reason)" }
    guard isUpdate else { return nil }
    guard let row = grid.stagedRow else { return grid.rowObstacle }
    let isDeleted = grid.selection == nil && workspace.staged.status(of: row, in: table) == .deleted
    return isDeleted ? "this row will be deleted: \(keyHint(.deleteRows)) restores it" : nil
  }
}

extension RowOperation {
  fileprivate var obstaclePhrase: String {
    switch self {
    case .update: "cannot change values of"
    case .insert: "cannot add rows to"
    case .delete: "cannot delete rows from"
    }
  }
}

extension GridPane {
  /// The reason why no command can use the row under the cursor; nil if it can.
  ///
  /// The row that the cursor moves to may still be being read.
  var obstacleUntilArrival: String? {
    pending?.target.isElsewhere == true ? "the rows at the cursor are still being read: press the key again" : nil
  }
}
