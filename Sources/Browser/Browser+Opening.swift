import QuarryEngine
import Terminal

extension Browser {
  /// Asks for the rows of a set; the grid changes when they are here, so nothing flickers.
  ///
  /// - Parameter view: nil takes what is remembered of the table.
  mutating func open(
    _ rowSet: RowSet, title: String, view: RowView? = nil, at place: OpeningPlace = .first, isFailureShown: Bool = true
  ) -> [Effect] {
    let view = view ?? (place == .first ? rememberedView(of: rowSet) : RowView())
    return begin(Opening(id: makeGridID(), rowSet: rowSet, view: view, title: title, isFailureShown: isFailureShown), at: place)
  }

  /// Asks for other rows of the set in the grid, which stays as it is until they are here.
  mutating func show(_ view: RowView) -> [Effect] {
    guard let grid, view != awaitedView else { return [] }
    let opening = Opening(id: makeGridID(), rowSet: grid.rowSet, view: view, title: grid.title, isFailureShown: false, replaced: grid.id)
    // Who sorts wants to see the top, unless they have gone to a row.
    let showsTop = view.sort != grid.view.sort && grid.placement != .hand
    return begin(opening, at: showsTop ? .first : placeToKeep(in: grid))
  }

  /// Goes back to a view that was left for another, and to the row in it; where its rows are still here, those on their way are given up.
  mutating func restore(_ origin: FilterBar.Origin) -> [Effect] {
    guard let grid, awaitedView != origin.view else { return [] }
    if grid.view == origin.view {
      opening = nil
      return [.stopOpening] + countAgain() + searchAgain()
    }
    let opening = Opening(
      id: makeGridID(), rowSet: grid.rowSet, view: origin.view, title: grid.title, isFailureShown: false, replaced: grid.id)
    return begin(opening, at: place(of: origin.row, in: grid))
  }

  /// Opens the rows of the grid anew: those of a snapshot, and those whose table has been made anew.
  mutating func openAgain(_ grid: GridPane) -> [Effect] {
    let opening = Opening(
      id: makeGridID(), rowSet: grid.rowSet, view: grid.view, title: grid.title, isFailureShown: false, replaced: grid.id)
    return begin(opening, at: grid.isSnapshot ? .number(grid.window.number(at: grid.row)?.value ?? 0) : placeToKeep(in: grid))
  }

  /// The view that the grid is to have once what was asked for is here.
  var awaitedView: RowView? { rows.awaitedView }

  /// The row under the cursor, where its key says which it is in another view too.
  private func placeToKeep(in grid: GridPane) -> OpeningPlace {
    place(of: grid.currentRow?.key, in: grid)
  }

  private func place(of row: RowKey?, in grid: GridPane) -> OpeningPlace {
    switch row {
    case .rowID(let id): .kept(.rowID(id), amongFew: hasFewRows(grid.rowSet))
    case .values(let values): .kept(.values(values), amongFew: hasFewRows(grid.rowSet))
    case .position, nil: .first
    }
  }

  private mutating func begin(_ opening: Opening, at place: OpeningPlace) -> [Effect] {
    var opening = opening
    opening.fileChanges = fileChanges
    opening.row = grid?.currentRow?.key
    self.opening = opening
    if opening.replaced == nil { search = nil }
    let effect = Effect.openRows(opening.id, opening.rowSet, opening.view, at: place, limit: max(60, 2 * size.rows))
    return [effect] + (grid.map { [.preempt($0.id)] } ?? [])
  }

  mutating func takeOpened(_ id: GridID, _ result: Result<OpenedRows, Problem>) -> [Effect] {
    guard let opening, opening.id == id else { return [.forget(id)] }
    self.opening = nil
    return take(result, of: opening) + countTables()
  }

  private mutating func take(_ result: Result<OpenedRows, Problem>, of opening: Opening) -> [Effect] {
    switch result {
    case .success(let opened) where opening.replaced != nil && opening.replaced == grid?.id: return replaceGrid(with: opened, as: opening)
    case .success(let opened): return show(opened, as: opening)
    case .failure(let problem) where opening.isFailureShown:
      let dropped = leaveGrid()
      failure = OpeningFailure(title: opening.title, problem: problem)
      return dropped + [.forget(opening.id)]
    case .failure(let problem):
      notice = Notice(problem.text, .warning)
      return [.forget(opening.id)] + countAgain() + searchAgain()
    }
  }

  /// Goes on with the count of the rows that stay, which has made way for those that did not come.
  private mutating func countAgain() -> [Effect] {
    guard let grid, grid.total?.isExact != true, !grid.isCounting else { return [] }
    self.grid?.isCounting = true
    return [.count(grid.id)]
  }

  private mutating func show(_ opened: OpenedRows, as opening: Opening) -> [Effect] {
    let dropped = leaveGrid()
    let needle = rows.history.needle(in: opening.rowSet)
    failure = nil
    var pane = GridPane(id: opening.id, rowSet: opening.rowSet, title: opening.title, opened: opened, glyphs: look.glyphs)
    pane.fileChanges = opening.fileChanges
    pane.isCounting = true
    restoreLayout(of: &pane)
    pane.needle = needle
    showFirstColumns(in: &pane)
    grid = pane
    applyLayout()
    if let remark = opened.schema?.unreadableColumns { notice = Notice(remark, .warning) }
    let glyphs = look.glyphs
    changeGrid(opening.id) { grid in
      grid.useSpareRoom(glyphs: glyphs)
      grid.centerCursor()
    }
    tellOfFormerView(in: pane)
    if case .table(let table) = opening.rowSet.source { catalog.select(table) }
    return dropped + [.count(opening.id)] + changeGrid { $0.prefetch() } + catchUp()
  }

  /// Shows the rows of another view in the grid's place, laid out as before.
  private mutating func replaceGrid(with opened: OpenedRows, as opening: Opening) -> [Effect] {
    guard let before = grid else { return [] }
    var pane = GridPane(id: opening.id, rowSet: opening.rowSet, title: opening.title, opened: opened, glyphs: look.glyphs)
    pane.fileChanges = opening.fileChanges
    (pane.needle, pane.bar, pane.extent) = (before.needle, before.bar, before.extent)
    // Unless somebody has made the table anew.
    if pane.columns == before.columns { (pane.layout, pane.column) = (before.layout, before.column) }
    if opened.cursor != nil {
      pane.top = min(max(0, pane.row - (before.row - before.top)), max(0, pane.window.rows.count - pane.extent.rows))
    }
    pane.takePlacement(of: before, isKept: opened.cursor != nil)
    pane.isCounting = !(pane.total?.isExact ?? false)
    sql.results.keep(pane, insteadOf: before.id)
    grid = pane
    copying = nil
    if opened.view != opening.view {
      notice = Notice("what these rows were filtered or sorted by is not there any more: all of them are shown", .warning)
    }
    let count = pane.isCounting ? [Effect.count(pane.id)] : []
    return [.stopBackgroundWork(before.id), .forget(before.id)] + count
      + changeGrid { $0.follow(before, from: opening.row) + ($0.bar.isTyping ? $0.checkDraft() : []) } + searchAgain() + catchUp()
  }

  /// Shows of the first table only the columns that the command line names, in its order.
  private mutating func showFirstColumns(in pane: inout GridPane) {
    guard !options.columns.isEmpty, case .table(options.table) = pane.rowSet.source, rows.history.back.isEmpty else { return }
    let wanted = options.columns.compactMap { name in pane.columns.firstIndex { $0.name.isSameName(as: name) } }
    guard let first = wanted.first else { return }
    pane.layout.show(only: wanted)
    pane.layout.putFirst(wanted)
    pane.column = first
  }

  /// Puts the present grid on the trail.
  mutating func leaveGrid() -> [Effect] {
    sql.results.place = nil
    keepDraft()
    guard var left = grid else { return [] }
    left.bar.isTyping = false
    left.dropRequests()
    grid = nil
    (search, copying) = (nil, nil)
    if sql.results.holds(left.id) {
      sql.results.keep(left, insteadOf: left.id)
      return [.stopBackgroundWork(left.id)]
    }
    return [.stopBackgroundWork(left.id)] + rows.history.leave(left).map(Effect.forget)
  }

  mutating func goBack() -> [Effect] {
    revisit { history, grid in history.goBack(from: grid) }
  }

  mutating func goForward() -> [Effect] {
    revisit { history, grid in history.goForward(from: grid) }
  }

  private mutating func revisit(_ step: (inout NavigationHistory, GridPane?) -> GridPane?) -> [Effect] {
    let left = grid.map { [Effect.stopBackgroundWork($0.id)] } ?? []
    grid?.dropRequests()
    let isResult = grid.map { sql.results.holds($0.id) } ?? false
    guard let pane = step(&rows.history, isResult ? nil : grid) else { return [] }
    if isResult, let grid { sql.results.keep(grid, insteadOf: grid.id) }
    sql.results.place = nil
    (grid, failure, search, copying) = (pane, nil, nil, nil)
    focus = .grid
    applyLayout()
    if case .table(let table) = pane.rowSet.source { catalog.select(table) }
    guard !(pane.total?.isExact ?? false) else { return left + changeGrid { $0.prefetch() } + catchUp() }
    changeGrid(pane.id) { $0.isCounting = true }
    return left + [.count(pane.id)] + changeGrid { $0.prefetch() } + catchUp()
  }

  // MARK: Relations

  /// Follows the foreign key that a column takes part in; several are offered.
  mutating func followForeignKey(column: Int, cells: [CellValue]) -> [Effect] {
    guard let grid else { return [] }
    let targets = targets(of: column, cells: cells, in: grid)
    if targets.count > 1 {
      present(Picker(title: "Follow", placeholder: "table", items: targets))
    } else {
      targets.first?.perform(&self)
    }
    return []
  }

  private func targets(of column: Int, cells: [CellValue], in grid: GridPane) -> [PickerItem] {
    let name = grid.columns[column].name
    let keys = grid.schema?.foreignKeys.filter { key in key.columns.contains { $0.isSameName(as: name) } } ?? []
    return keys.compactMap { key in
      guard let target = key.referencedRows({ grid.value(of: $0, in: cells) }) else { return nil }
      return PickerItem(label: key.table.name, detail: target.condition) {
        $0.go(to: RowSet(target.source), title: key.table.name, at: .matching(target.matching))
      }
    }
  }

  mutating func takeReferences(_ id: GridID, _ result: Result<[InboundReference], Problem>) -> [Effect] {
    guard let grid, grid.id == id, let cells = grid.currentRow?.cells else { return [] }
    guard case .success(let references) = result else {
      if case .failure(let problem) = result { notice = Notice(problem.text, .error) }
      return []
    }
    let sets = references.compactMap { reference in
      reference.referringRows { grid.value(of: $0, in: cells) }.map { (name: reference.table.name, rows: $0) }
    }
    let items = sets.map { name, rows in
      PickerItem(label: name, detail: rows.condition) { $0.go(to: rows, title: "\(name) where \(rows.condition)", at: .first) }
    }
    if items.isEmpty {
      notice = Notice("no table refers to \(grid.title)", .warning)
    } else if items.count == 1 {
      items[0].perform(&self)
    } else {
      var picker = Picker(title: "Rows that refer here", placeholder: "table", items: items)
      let count = CountReferring(sets: sets.map(\.rows))
      picker.begin = { _, context in
        context.ask(count) { picker, _, count in
          picker.setTrailing(Plural.grouped(count.number.value), of: count.index)
        } then: { _, _, _ in }
      }
      present(picker)
    }
    return []
  }

  /// Shows the rows that a relation leads to, unless they cannot be opened.
  fileprivate mutating func go(to set: RowSet, title: String, at place: OpeningPlace) {
    overlays = []
    focus = .grid
    outbox += open(set, title: title, at: place, isFailureShown: false)
  }
}

/// Counts some sets of rows, one after the other, beside what is on the screen; one that cannot be counted goes without.
struct CountReferring: Request {
  let sets: [RowSet]

  struct Count: Sendable {
    /// Which of the sets it is.
    var index: Int
    var number: RowNumber
  }

  var slot: RequestSlot? { RequestSlot("references") }

  func run(in services: Services, report: @escaping @Sendable (Count) -> Void) async throws {
    for (index, set) in sets.enumerated() where !Task.isCancelled {
      guard let number = try? await services.connections.valueReader(of: set).count(), number.isExact else { continue }
      report(Count(index: index, number: number))
    }
  }
}

extension RowSet {
  /// What its columns are to be, for a title.
  var condition: String {
    matching.map { "\($0.column) = \($0.value.plainText)" }.joined(separator: ", ")
  }
}

extension GridPane {
  /// The value of a column by name in the cells of a row; nil where there is none, or not all of it.
  fileprivate func value(of column: String, in cells: [CellValue]) -> DatabaseValue? {
    let place = columns.firstIndex { $0.name.isSameName(as: column) }
    return place.flatMap { cells.indices.contains($0) ? cells[$0].wholeValue : nil }
  }
}

extension CellValue {
  /// The value, where the cell holds all of it.
  var wholeValue: DatabaseValue? {
    switch self {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .text(let text, let byteCount, let isValid): isValid && text.utf8.count == byteCount ? .text(text) : nil
    case .blob(let bytes, let byteCount): bytes.count == byteCount ? .blob(bytes) : nil
    }
  }
}

extension DatabaseValue {
  /// The value for a title: a text without quotes, a blob by its size.
  var plainText: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): String(number)
    case .real(let number): number.description
    case .text(let text): text
    case .blob(let bytes): BlobKind.describe(bytes, byteCount: bytes.count)
    }
  }
}

extension TableSchema {
  /// Which columns are left out of the rows, and why; nil where none is.
  fileprivate var unreadableColumns: String? {
    let unreadable = columns.filter { $0.problem != nil }
    guard let problem = unreadable.first?.problem else { return nil }
    let names = unreadable.map { "“\($0.name)”" }.joined(separator: ", ")
    return "left out: \(names): \(problem)"
  }
}
