import QuarryChanges
import QuarryEngine
import QuarryRows

/// Pasting values and rows.
extension CellEditing {
  /// Stages the values of a text.
  ///
  /// A single value is staged for the cell under the cursor, or for all selected cells. Several values are staged over the selection, or as
  /// new rows.
  ///
  /// - Parameter obstacle: Returns the reason why values cannot be changed, or rows cannot be added; nil if they can.
  static func paste(_ text: CopiedText, _ context: inout RowsContext, unless obstacle: (RowOperation) -> String?) {
    let cells = PastedCells(text, isLines: (context.grid?.selectedRows?.count ?? 1) > 1)
    let operation: RowOperation = context.grid?.selection != nil || cells.isSingle ? .update : .insert
    let obstacle = obstacle(operation)
    guard let grid = context.grid, let table = grid.table, obstacle == nil else {
      return context.notify(obstacle ?? "no rows are open", .warning)
    }
    if let value = text.value { return stage(.value(value), inSelectionOf: &context) }
    if cells.isSingle, let cell = cells.rows.first?.first {
      let column = grid.currentColumn?.schema?.name ?? ""
      do throws(ParameterError) {
        let value = try grid.value(of: cell, column: column)
        stage(.value(value), inSelectionOf: &context)
      } catch {
        context.notify("\(column): \(error.description)", .error)
      }
    } else if grid.selection != nil {
      pasteOver(cells, grid, table, &context)
    } else {
      pasteAsNewRows(cells, grid, table, &context)
    }
  }

  private static func pasteOver(_ cells: PastedCells, _ grid: GridPane, _ table: TableReference, _ context: inout RowsContext) {
    let columns = grid.editableColumns(among: grid.selectedColumns)
    guard let range = grid.selectedRange, cells.width <= columns.count else {
      return context.notify(
        "\(Plural.of(cells.width, "column")) were copied, but only \(Plural.of(columns.count, "selected column")) can be changed", .warning)
    }
    let used = Array(columns.prefix(cells.width))
    let editing = CellEditing(cells: EditedCells(grid, table, columns: used, rows: range, context.workspace.edits))
    editing.load(&context) { _, context, result in
      switch result {
      case .failure(.stopped): break
      case .failure(let problem): context.notify(problem.text, .error)
      case .success(let read):
        let cells = cells.filling(read.count)
        guard cells.rows.count <= read.count else {
          return context.notify("\(Plural.of(cells.rows.count, "row")) were copied, but only \(read.count) are selected", .warning)
        }
        editing.stage(cells, over: read, grid, &context)
      }
    }
  }

  private func stage(_ pasted: PastedCells, over rows: [LoadStoredRows.Row], _ grid: GridPane, _ context: inout RowsContext) {
    do {
      let values = try pasted.values(for: cells.columns, in: grid)
      try cells.paste(values, over: rows, in: &context.workspace.edits)
      context.workspace.changeGrid { $0.selection = nil }
      context.notify("staged: paste of \(Plural.of(pasted.rows.count, "row"))")
      context.checkStaged(zip(rows, pasted.rows).map(\.0.id), cells.columns, of: cells.table)
    } catch {
      context.notify("nothing was pasted: \(Problem(describing: error).text)", .error)
    }
  }

  private static func pasteAsNewRows(_ cells: PastedCells, _ grid: GridPane, _ table: TableReference, _ context: inout RowsContext) {
    let (columns, cells) = cells.placed(in: grid)
    guard let columns else {
      return context.notify(
        "\(Plural.of(cells.width, "column")) were copied, too many to paste from \(grid.currentColumn?.name ?? "here") on", .warning)
    }
    do throws(Problem) {
      let rows = try cells.values(for: columns, in: grid)
      var new: [StagedRowID] = []
      context.workspace.edits.step("paste of \(Plural.of(rows.count, "new row"))") { edits in
        for values in rows {
          let row = zip(columns, values).map { ($0, StagedValue.value($1)) }
          new.append(edits.insert(Dictionary(row, uniquingKeysWith: { $1 }), into: table))
        }
      }
      goToNewRow(of: table, &context)
      context.checkStaged(new, nil, of: table)
    } catch {
      context.notify("nothing was pasted: \(error.text)", .error)
    }
  }
}

extension GridPane {
  /// Returns the value of a pasted cell, parsed as the column's type.
  func value(of cell: String?, column: String) throws(ParameterError) -> DatabaseValue {
    guard let cell else { return .null }
    let reading = ParameterReading(expression: type(of: column))
    return try reading.value(of: cell)
  }
}
