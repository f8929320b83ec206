import QuarryEngine

/// How tables were looked at, kept for when one comes back to them.
extension Browser {
  /// What a set of rows is shown with at first.
  func rememberedView(of rowSet: RowSet) -> RowView {
    guard let table = rowSet.rememberedTable, let kept = memory[table] else { return RowView() }
    return RowView(filter: kept.filter, sort: kept.sort)
  }

  /// Hides and freezes the columns as they were when the table was left.
  func restoreLayout(of pane: inout GridPane) {
    guard let table = pane.rememberedTable, let kept = memory[table] else { return }
    let shown = pane.columns.indices.filter { !kept.hidden.contains(pane.columns[$0].name) }
    if shown.count < pane.columns.count, let first = shown.first {
      pane.layout.show(only: shown)
      pane.column = first
    }
    if kept.frozen > 0, kept.frozen <= pane.layout.shown.count { pane.layout.toggleFreeze(upTo: pane.layout.shown[kept.frozen - 1]) }
  }

  /// Takes note of what the editor holds.
  mutating func noteBuffers() {
    memory.buffers = sql.kept
  }

  /// Takes note of how the table on the screen is looked at; returns what keeps it for the next start.
  mutating func remember() -> [Effect] {
    if let grid, let table = grid.rememberedTable, !grid.bar.isTyping, grid.view.arguments.isEmpty {
      let hidden = grid.layout.hidden.sorted().map { grid.columns[$0].name }
      memory[table] = Memory.TableView(filter: grid.view.filter, sort: grid.view.sort, hidden: hidden, frozen: grid.layout.frozen)
    }
    guard memory != savedMemory else { return [] }
    savedMemory = memory
    return [.saveMemory(memory)]
  }
}

extension RowSet {
  /// The table or view that the rows belong to; nil for a query.
  var sourceTable: TableReference? {
    if case .table(let table) = source { table } else { nil }
  }

  /// The table or view whose rows these all are; nil for a part of them and for a query.
  var rememberedTable: TableReference? {
    matching.isEmpty ? sourceTable : nil
  }
}

extension GridPane {
  var rememberedTable: TableReference? { rowSet.rememberedTable }
}
