package import QuarryEngine
import QuarryRows

extension GridPane {
  /// Makes the grid of rows that were not shown before.
  init(_ opening: Opening, _ opened: OpenedRows, _ memory: SessionMemory, glyphs: Glyphs) {
    self.init(id: opening.id, rowSet: opening.rowSet, title: opening.title, opened: opened, glyphs: glyphs)
    note(opening)
    freshness.fileChanges = opening.fileChanges
    restoreLayout(from: memory)
    if grouping?.foreignKeys.isEmpty == false { lens = ReferenceLabels(nameChanges: freshness.fileChanges) }
  }

  /// Makes the grid of another view of rows, which keeps the layout.
  init(_ opening: Opening, _ opened: OpenedRows, replacing before: GridPane, glyphs: Glyphs) {
    self.init(id: opening.id, rowSet: opening.rowSet, title: opening.title, opened: opened, glyphs: glyphs)
    note(opening)
    freshness.fileChanges = opening.fileChanges
    inheritState(of: before, isKept: opened.cursor != nil)
    // A new level is shown with the names of its rows.
    if let grouping, before.foreignKeys.isEmpty, !grouping.foreignKeys.isEmpty {
      lens = ReferenceLabels(nameChanges: freshness.fileChanges)
    }
  }

  /// Shows only columns that are named, in that order.
  mutating func show(onlyNamed names: [String]) {
    let wanted = names.compactMap { name in columns.firstIndex { $0.name.isSameIdentifier(as: name) } }
    guard let first = wanted.first else { return }
    layout.show(only: wanted)
    layout.putFirst(wanted)
    column = first
  }

  /// Restores the hidden and frozen columns of the table's last view.
  private mutating func restoreLayout(from memory: SessionMemory) {
    guard let table = rowSet.rememberedTable, let kept = memory[table] else { return }
    let shown = columns.indices.filter { index in !kept.hidden.contains(columns[index].name) }
    if shown.count < columns.count, let first = shown.first {
      layout.show(only: shown)
      column = first
    }
    if kept.showsReferences == true { lens = ReferenceLabels(nameChanges: freshness.fileChanges) }
    if kept.frozen > 0, kept.frozen <= layout.shown.count { layout.toggleFreeze(upTo: layout.shown[kept.frozen - 1]) }
  }

  /// Inherits the appearance of a grid of the same rows.
  ///
  /// - Parameter isKept: Whether the cursor is still on its row.
  private mutating func inheritState(of before: GridPane, isKept: Bool) {
    (search.needle, extent, lens) = (before.search.needle, before.extent, before.lens)
    lens?.dropRequests()
    if let time = before.source.readingTime { becomeResult(after: time) }
    tally = RowTally(replacing: before, by: total)
    inheritLayout(of: before)
    if isKept { top = min(max(0, row - (before.row - before.top)), max(0, window.rows.count - extent.rows)) }
    inheritPlacement(of: before, isKept: isKept)
    // Partial groups have other keys.
    if before.partial != nil { cursorPath.former = nil }
  }
}

extension GridPane {
  /// Takes over the layout of the former grid, unless the table has been recreated with other columns.
  private mutating func inheritLayout(of before: GridPane) {
    if columns == before.columns {
      emptyTimes.inherit(columns.count, from: before.emptyTimes)
      layout.inherit(from: before.layout)
      return column = before.column
    }
    let (own, former) = (columns.filter { $0.computed == nil }, before.columns.filter { $0.computed == nil })
    guard own == former else { return }
    let places = columns.indices.map { $0 < own.count ? $0 : before.place(of: columns[$0]) }
    layout.inherit(places, from: before.layout)
    emptyTimes.inherit(own.count, from: before.emptyTimes)
    placeComputedColumns(places)
    let near = ([before.column] + before.layout.neighbors(of: before.column)).lazy.compactMap { places.firstIndex(of: $0) }
    column = before.column < own.count ? before.column : name(of: before.column, in: before) ?? near.first ?? 0
  }
}

extension GridPane {
  /// Returns the column that has the name of a column of another grid, whose expression may have changed.
  private func name(of column: Int, in other: GridPane) -> Int? {
    other.column(at: column).flatMap { former in columns.firstIndex { $0.name == former.name } }
  }

  /// Returns the index of a computed column of another view here, which keeps its place and its width.
  ///
  /// A column with another expression keeps a width that the person has set.
  fileprivate func place(of computed: RowSetColumn) -> Int? {
    columns.firstIndex(of: computed)
      ?? columns.indices.first { columns[$0].computed != nil && columns[$0].name == computed.name && layout.fixed.contains($0) }
  }

  /// Returns the index of a column among the computed columns of the view; nil for a column of the rows.
  func computedIndex(of column: Int) -> Int? {
    self.column(at: column)?.computed.map { _ in columns[..<column].count { $0.computed != nil } }
  }
}

extension SessionMemory.TableView {
  /// Returns what of the view a new grid shows, and which commands remove it; nil for nothing.
  func restored(in pane: GridPane, _ environment: ScreenEnvironment) -> String? {
    let filter = !self.filter.isBlank && pane.view.filter == self.filter
    let sort = !self.sort.isBlank && pane.view.sort == self.sort
    // The command line may name other columns.
    let columns = !hidden.isEmpty && Set(hidden) == Set(pane.layout.hidden.compactMap { pane.column(at: $0)?.name })
    let restored: [(name: String, command: Command)] = [
      filter ? ("filter", .dropFilter) : nil, sort ? ("sort", .naturalOrder) : nil, columns ? ("columns", .showAllColumns) : nil,
    ].compactMap(\.self)
    guard !restored.isEmpty else { return nil }
    let keys = restored.map { environment.keyHint($0.command) }.joined(separator: restored.count == 2 ? " and " : ", ")
    let verb = restored.count > 1 ? "remove them" : filter || sort ? "removes it" : "shows them all"
    return "remembered: \(restored.map(\.name).joined(separator: ", ")) \(environment.appearance.glyphs.dot) \(keys) \(verb)"
  }
}

extension TableSchema {
  /// The columns that cannot be read, and why; nil for none.
  var unreadableColumns: String? {
    let unreadable = columns.filter { $0.problem != nil }
    guard let problem = unreadable.first?.problem else { return nil }
    let names = unreadable.map { "“\($0.name)”" }.joined(separator: ", ")
    return "not shown: \(names): \(problem)"
  }
}

extension RowSet {
  /// The table or view that the rows come from; nil for a query.
  package var sourceTable: TableReference? {
    if case .table(let table) = source { table } else { nil }
  }

  /// The table or view of which these are all rows; nil for a part of them and for a query.
  package var rememberedTable: TableReference? {
    matching.isEmpty ? sourceTable : nil
  }
}
