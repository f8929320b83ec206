package import QuarryEngine
import QuarryFiles
import QuarryRows
import QuarrySources

/// Following foreign keys in both directions.
extension RowsScreen {
  /// Follows the foreign key of a column; shows a list if there are several.
  mutating func followForeignKey(column: Int, cells: [CellValue], _ context: inout ScreenContext<Self>) {
    guard let grid = context.grid else { return }
    let targets = ForeignKeyTarget.all(of: column, cells: cells, in: grid)
    if targets.count == 1 { return go(to: targets[0].rows, title: targets[0].name, at: .matching(targets[0].matching), &context) }
    guard !targets.isEmpty else { return }
    let items = targets.map { target in
      PickerItem(
        label: target.name, detail: target.condition,
        perform: context.handler { rows, context in
          rows.go(to: target.rows, title: target.name, at: .matching(target.matching), &context)
        })
    }
    context.present(Picker(title: "Follow", placeholder: "type part of a name", items: items))
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

  /// Shows the rows that reference the row under the cursor; shows a list of tables with counts if there are several.
  private mutating func offer(_ references: [InboundReference], _ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, let cells = grid.currentRow?.cells else { return }
    let sets = references.compactMap { reference in
      reference.referringRows { grid.value(of: $0, in: cells) }.map { rows in
        (name: reference.table.name, rows: rows, title: "\(reference.table.name) where \(rows.condition)")
      }
    }
    if sets.count == 1 { return go(to: sets[0].rows, title: sets[0].title, at: .first, &context) }
    guard !sets.isEmpty else { return context.notify("no table references \(grid.title)", .warning) }
    let items = sets.map { set in
      PickerItem(
        label: set.name, detail: set.rows.condition,
        perform: context.handler { rows, context in rows.go(to: set.rows, title: set.title, at: .first, &context) })
    }
    var picker = Picker(title: "Referencing rows", placeholder: "type part of a name", items: items)
    let count = CountReferring(sets: sets.map(\.rows))
    picker.begin = { _, context in
      context.ask(count) { picker, _, count in
        picker.setTrailing(Plural.grouped(count.number.value), of: count.index)
      } then: { _, _, _ in
      }
    }
    context.present(picker)
  }

  /// Shows SQLite's plan for the rows of the grid, or for the statement of a result without rows.
  func explainGrid(_ context: inout ScreenContext<Self>) {
    if let tab = results.current, tab.grid == nil { return context.send(SQLIntent.explain(tab.sql)) }
    guard let grid = context.grid else { return }
    if case .query(let sql, _) = grid.rowSet.source, grid.view.isPlain {
      return context.send(SQLIntent.explain(sql, rows: Self.explainedRows))
    }
    context.writeQuery { .explain($0, rows: Self.explainedRows) }
  }

  /// The number of rows for which indexes are measured: about as many as a screen shows.
  private static let explainedRows = 100
}

extension RowsContext {
  /// Shows a list of the grid's columns, including hidden ones.
  mutating func showColumns() {
    guard let grid else { return }
    let items = grid.columns.enumerated().map { index, column in
      PickerItem(
        label: column.name, detail: column.declaredType.lowercased(),
        trailing: grid.layout.hidden.contains(index) ? "hidden" : "",
        perform: handler { _, context in
          context.workspace.changeGrid { grid in
            guard let index = grid.columns.firstIndex(of: column) else { return }
            grid.layout.show(index)
            grid.column = index
            grid.revealCursor()
          }
        })
    }
    present(
      Picker(title: "Columns", placeholder: "type part of a name", items: items, emptyText: "no match", cursor: grid.column))
  }

  /// Opens the filter and the order as SQL in the editor.
  mutating func editAsSQL() {
    writeQuery { .edit($0 + ";") }
  }

  /// Sends the SELECT of the grid's rows to the editor.
  fileprivate mutating func writeQuery(as intent: @escaping @Sendable (String) -> SQLIntent) {
    guard let grid = workspace.shownGrid else { return }
    ask(WriteQuery(grid: grid)) { _, context, result in
      if case .success(let sql) = result { context.send(intent(sql)) }
    }
  }
}

/// A request that reads the references from other tables to a table.
struct LoadReferences: Request {
  let table: TableReference

  var slot: RequestSlot? { RequestSlot("references") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> [InboundReference] {
    try await services.source.references(to: table)
  }
}

/// A request that counts sets of rows one after the other, in the background; it skips sets that cannot be counted.
struct CountReferring: Request {
  let sets: [RowSet]

  struct Count: Sendable {
    /// The index of the set.
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
  /// The condition on the columns, for a title.
  var condition: String {
    matching.map { "\($0.column) = \($0.value.plainText)" }.joined(separator: ", ")
  }
}

extension GridPane {
  /// Returns the value of a named column in a row's cells; nil if it is missing or truncated.
  func value(of column: String, in cells: [CellValue]) -> DatabaseValue? {
    let index = columns.firstIndex { $0.name.isSameIdentifier(as: column) }
    return index.flatMap { cells.indices.contains($0) ? cells[$0].wholeValue : nil }
  }
}

extension CellValue {
  /// The value; nil if the cell does not contain all of it.
  package var wholeValue: DatabaseValue? {
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
  /// The value for a title: text without quotes, a blob by its size.
  package var plainText: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): String(number)
    case .real(let number): RealText.shortest(number)
    case .text(let text): text
    case .blob(let bytes): BlobKind.describe(bytes, byteCount: bytes.count)
    }
  }
}

/// The rows that a foreign key references.
struct ForeignKeyTarget {
  var name: String
  var rows: RowSet
  var matching: [ColumnMatch]
  var condition: String

  /// Returns the rows that the cells of a row reference by the foreign keys of a column.
  static func all(of column: Int, cells: [CellValue], in grid: GridPane) -> [Self] {
    guard let name = grid.column(at: column)?.name else { return [] }
    let keys = grid.schema?.foreignKeys.filter { key in key.columns.contains { $0.isSameIdentifier(as: name) } } ?? []
    return keys.compactMap { key in
      guard let target = key.referencedRows({ grid.value(of: $0, in: cells) }) else { return nil }
      return Self(name: key.table.name, rows: RowSet(target.source), matching: target.matching, condition: target.condition)
    }
  }
}

/// The reason why a foreign key cannot be followed from a cell.
enum ForeignKeyObstacle {
  /// Returns the reason as a sentence; nil if the key can be followed.
  ///
  /// - Parameter mark: The header's mark of foreign keys.
  static func sentence(column: Int, cells: [CellValue], columns: [RowSetColumn], schema: TableSchema?, mark: String) -> String? {
    guard columns.indices.contains(column), cells.indices.contains(column) else { return nil }
    let name = columns[column].name
    let isReference = schema?.foreignKeys.contains { key in key.columns.contains { $0.isSameIdentifier(as: name) } } ?? false
    guard isReference else { return "\(name) is not a foreign key: foreign keys are marked with \(mark)" }
    return cells[column] == .null ? "\(name) is NULL in this row, so it references no row" : nil
  }
}
