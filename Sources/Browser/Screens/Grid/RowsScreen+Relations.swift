import QuarryEngine

/// Following foreign keys, in both directions, and going to columns.
extension RowsScreen {
  /// Follows the foreign key that a column takes part in; several are offered.
  mutating func followForeignKey(column: Int, cells: [CellValue], _ context: inout ScreenContext<Self>) {
    guard let grid = context.grid else { return }
    let targets = targets(of: column, cells: cells, in: grid)
    if targets.count == 1 { return go(to: targets[0].rows, title: targets[0].name, at: .matching(targets[0].matching), &context) }
    guard !targets.isEmpty else { return }
    let items = targets.map { target in
      PickerItem(
        label: target.name, detail: target.condition,
        perform: context.handler { rows, context in
          rows.go(to: target.rows, title: target.name, at: .matching(target.matching), &context)
        })
    }
    context.present(Picker(title: "Follow", placeholder: "table", items: items))
  }

  /// The rows that a foreign key leads to.
  private struct Target {
    var name: String
    var rows: RowSet
    var matching: [ColumnMatch]
    var condition: String
  }

  private func targets(of column: Int, cells: [CellValue], in grid: GridPane) -> [Target] {
    let name = grid.columns[column].name
    let keys = grid.schema?.foreignKeys.filter { key in key.columns.contains { $0.isSameName(as: name) } } ?? []
    return keys.compactMap { key in
      guard let target = key.referencedRows({ grid.value(of: $0, in: cells) }) else { return nil }
      return Target(name: key.table.name, rows: RowSet(target.source), matching: target.matching, condition: target.condition)
    }
  }

  func showReferringRows(_ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, case .table(let table) = grid.rowSet.source else { return }
    let id = grid.id
    context.ask(LoadReferences(table: table)) { rows, context, result in
      guard context.workspace.shownGrid == id else { return }
      switch result {
      case .success(let references): rows.offer(references, &context)
      case .failure(let problem): context.notify(problem.text, .error)
      }
    }
  }

  /// Shows the rows that refer to the one under the cursor; those of several tables are offered, with their counts.
  private mutating func offer(_ references: [InboundReference], _ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, let cells = grid.currentRow?.cells else { return }
    let sets = references.compactMap { reference in
      reference.referringRows { grid.value(of: $0, in: cells) }.map { rows in
        (name: reference.table.name, rows: rows, title: "\(reference.table.name) where \(rows.condition)")
      }
    }
    if sets.count == 1 { return go(to: sets[0].rows, title: sets[0].title, at: .first, &context) }
    guard !sets.isEmpty else { return context.notify("no table refers to \(grid.title)", .warning) }
    let items = sets.map { set in
      PickerItem(
        label: set.name, detail: set.rows.condition,
        perform: context.handler { rows, context in rows.go(to: set.rows, title: set.title, at: .first, &context) })
    }
    var picker = Picker(title: "Rows that refer here", placeholder: "table", items: items)
    let count = CountReferring(sets: sets.map(\.rows))
    picker.begin = { _, context in
      context.ask(count) { picker, _, count in
        picker.setTrailing(Plural.grouped(count.number.value), of: count.index)
      } then: { _, _, _ in
      }
    }
    context.present(picker)
  }

  /// Offers the columns of the grid, hidden ones too.
  func showColumns(_ context: inout ScreenContext<Self>) {
    guard let grid = context.grid else { return }
    let items = grid.columns.indices.map { place in
      let column = grid.columns[place]
      return PickerItem(
        label: column.name, detail: column.schema?.declaredType.lowercased() ?? "",
        trailing: grid.layout.hidden.contains(place) ? "hidden" : "",
        perform: context.handler { _, context in
          context.workspace.changeGrid { grid in
            grid.layout.show(place)
            grid.column = place
            grid.revealCursor()
          }
        })
    }
    context.present(
      Picker(title: "Columns", placeholder: "type a part of the name", items: items, emptyText: "no such column", cursor: grid.column))
  }

  /// Explains how the rows in the grid are read.
  func explainGrid(_ context: inout ScreenContext<Self>) {
    guard let grid = context.grid else { return }
    if case .query(let sql, _) = grid.rowSet.source, grid.view.isPlain {
      return context.change(SQLPane.self) { pane, context in pane.explain(sql, &context) }
    }
    writeQuery(&context) { pane, context, sql in pane.explain(sql, &context) }
  }

  /// Writes filter and order as SQL into the editor.
  func editAsSQL(_ context: inout ScreenContext<Self>) {
    writeQuery(&context) { pane, context, sql in pane.edit(sql + ";", &context) }
  }

  /// Hands the SELECT of the grid's rows to the editor.
  private func writeQuery(
    _ context: inout ScreenContext<Self>, then receive: @escaping @Sendable (inout SQLPane, inout ScreenContext<SQLPane>, String) -> Void
  ) {
    guard let grid = context.workspace.shownGrid else { return }
    context.ask(WriteQuery(grid: grid)) { _, context, result in
      guard case .success(let sql) = result else { return }
      context.change(SQLPane.self) { pane, context in receive(&pane, &context, sql) }
    }
  }
}

/// Reads which tables refer to one.
struct LoadReferences: Request {
  let table: TableReference

  var slot: RequestSlot? { RequestSlot("references") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> [InboundReference] {
    try await services.source.references(to: table)
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

  var slot: RequestSlot? { RequestSlot("counts of references") }

  func run(in services: Services, report: @escaping @Sendable (Count) -> Void) async throws {
    for (index, set) in sets.enumerated() where !Task.isCancelled {
      guard let number = try? await services.source.backgroundReader(of: set).count(), number.isExact else { continue }
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

/// Why a foreign key cannot be followed from a cell.
enum ForeignKeyObstacle {
  /// Returns the reason as a sentence; nil where the key can be followed.
  ///
  /// - Parameter mark: What columns that are foreign keys have in the header.
  static func sentence(column: Int, cells: [CellValue], columns: [RowSetColumn], schema: TableSchema?, mark: String) -> String? {
    guard columns.indices.contains(column), cells.indices.contains(column) else { return nil }
    let name = columns[column].name
    let isReference = schema?.foreignKeys.contains { key in key.columns.contains { $0.isSameName(as: name) } } ?? false
    guard isReference else { return "\(name) is no foreign key; those that are have a \(mark) in the header" }
    return cells[column] == .null ? "\(name) is NULL here, so it refers to nothing" : nil
  }
}
