import QuarryEngine

/// How tables were looked at, kept for when one comes back to them.
extension Browser {
  /// What a set of rows is shown with at first.
  func rememberedView(of rowSet: RowSet) -> RowView {
    rowSet.rememberedTable.flatMap { memory[$0]?.view } ?? RowView()
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

  /// Says what a table is shown with that is remembered from a former start, the first time that it is shown.
  mutating func tellOfFormerView(in pane: GridPane) {
    guard let table = pane.rememberedTable, let former = formerViews.removeValue(forKey: Memory.key(table)), notice == nil else {
      return
    }
    let filter = !former.filter.isBlank && pane.view.filter == former.filter
    let sort = !former.sort.isBlank && pane.view.sort == former.sort
    let told: [(name: String, command: Command)] = [
      filter ? ("filter", .dropFilter) : nil, sort ? ("sort", .naturalOrder) : nil,
      pane.layout.hidden.isEmpty ? nil : ("columns", .showAllColumns),
    ].compactMap(\.self)
    guard !told.isEmpty else { return }
    let keys = told.map { keyHint($0.command) }.joined(separator: told.count == 2 ? " and " : ", ")
    let verb = told.count > 1 ? "drop them" : filter || sort ? "drops it" : "shows them all"
    notice = Notice("remembered: \(told.map(\.name).joined(separator: ", ")) \(look.glyphs.dot) \(keys) \(verb)")
  }

  /// Takes note of how the table on the screen is looked at.
  mutating func noteView() {
    guard let grid, let table = grid.rememberedTable, !grid.bar.isTyping else { return }
    let hidden = grid.layout.hidden.sorted().map { grid.columns[$0].name }
    let arguments = grid.view.filter.isBlank ? [:] : grid.view.arguments
    let stored = arguments.sorted { $0.key < $1.key }.map { StoredArgument($0.key, $0.value) }
    memory[table] = Memory.TableView(
      filter: grid.view.filter, sort: grid.view.sort, hidden: hidden, frozen: grid.layout.frozen, arguments: stored.isEmpty ? nil : stored)
  }

  /// Takes note of the texts in the editor, and returns what keeps all that has been noted for the next start.
  ///
  /// Once for the messages that have come together: to put a long text together for each of its keys takes longer than the keys.
  mutating func remember() -> [Effect] {
    if areTextsChanged {
      memory.buffers = sql.kept
      areTextsChanged = false
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
