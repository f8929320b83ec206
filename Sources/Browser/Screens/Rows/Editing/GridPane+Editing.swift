import QuarryChanges
import QuarryEngine
import QuarryRows

extension GridPane {
  /// The table of the rows; nil for a query whose rows come from no table, or from several.
  var table: TableReference? { rowSet.sourceTable ?? origin?.table?.schema.entry.reference }

  /// The schema of the table.
  var tableSchema: TableSchema? { schema ?? origin?.table?.schema }

  /// Returns the index of a column of the table.
  func index(of name: String) -> Int? {
    columns.firstIndex { $0.schema?.name == name }
  }

  /// Returns the type of a column of the table.
  func type(of name: String) -> ExpressionType? {
    guard let table = origin?.table?.schema else { return filterColumns.named(name)?.type }
    return table.column(named: name).map { FilterColumn($0, isStrict: table.entry.isStrict).type }
  }

  /// The number of loaded rows, including the new rows if they follow.
  var rowCount: Int { window.rows.count + (window.reachesEnd ? newRows.count : 0) }

  /// The number of the new row under the cursor; nil if the cursor is on a row of the file.
  var newRow: Int? { newRow(at: row) }

  /// The identifier of the row under the cursor among the staged changes; nil without a row, or if nothing identifies it.
  var stagedRow: StagedRowID? { stagedRow(at: row) }

  func stagedRow(at index: Int) -> StagedRowID? {
    if window.rows.indices.contains(index) { return storedRow(window.rows[index]) }
    return newRow(at: index).map(StagedRowID.new)
  }

  /// Returns the identifier of a row of the file; nil if nothing identifies it.
  ///
  /// A row of a view is identified by all of its values.
  private func storedRow(_ line: WindowRow) -> StagedRowID? {
    if origin != nil { return line.tableKey.map(StagedRowID.stored) }
    guard schema?.entry.kind == .view else { return .stored(line.key) }
    let values = line.cells.compactMap(\.whole?.value)
    return values.count == line.cells.count ? .stored(.values(values)) : nil
  }

  /// The reason why no change of the row under the cursor can be staged; nil if one can.
  var rowObstacle: String? {
    if stagedRow != nil { return nil }
    guard currentRow != nil else { return "there are no rows here" }
    return origin?.table?.sentenceOnUnknownRow ?? "a row of a view with a value this large cannot be changed"
  }

  private func newRow(at index: Int) -> Int? {
    guard window.reachesEnd, newRows.indices.contains(index - window.rows.count) else { return nil }
    return newRows[index - window.rows.count]
  }

  /// Moves to the next or the previous visible column that can be edited.
  ///
  /// In a new row, the last field is followed by the first.
  ///
  /// - Returns: Whether there is such a column.
  mutating func moveToField(after step: Int) -> Bool {
    let fields = layout.shown.filter { $0 == column || self.column(at: $0)?.schema.map { $0.generation == nil && !$0.isHidden } ?? false }
    guard let place = fields.firstIndex(of: column) else { return false }
    let next = place + step
    if fields.indices.contains(next) {
      column = fields[next]
    } else if newRow != nil, let end = step > 0 ? fields.first : fields.last {
      column = end
    } else {
      return false
    }
    revealCursor()
    return true
  }

  /// Returns whether the row under the cursor has staged changes.
  func isStaged(_ staged: StagedChanges) -> Bool {
    guard let table, let row = stagedRow else { return false }
    return staged.status(of: row, in: table) != nil
  }

  /// Returns the value shown in the cell under the cursor: the staged or the stored one; nil if it is not completely loaded.
  func shownValue(_ staged: StagedChanges) -> DatabaseValue? {
    guard let table, let row = stagedRow, let name = currentColumn?.schema?.name,
      let value = staged.value(of: name, in: row, of: table)
    else { return currentCell?.whole?.value }
    return value.stored?.value
  }

  /// Sets the rows that are staged for insertion.
  ///
  /// The cursor stays on its row, or moves to the last row if its row was removed.
  mutating func show(newRows: [Int]) {
    guard newRows != self.newRows else { return }
    let current = newRow
    self.newRows = newRows
    if let current { row = index(ofNewRow: current, at: .same) ?? max(0, min(row, rowCount - 1)) }
    revealCursor()
  }

  /// Returns the index of the new row under the cursor after a load of rows; nil if the cursor does not stay on it.
  func index(ofNewRow number: Int, at target: CursorTarget) -> Int? {
    guard target == .same, window.reachesEnd, let index = newRows.firstIndex(of: number) else { return nil }
    return window.rows.count + index
  }
}

/// A row as the grid shows it: with its staged changes.
struct ShownRow: Sendable {
  let columns: [RowSetColumn]
  /// The stored values; nil for a new row.
  let stored: [CellValue]?
  /// The staged changes of the row; nil for none.
  let change: StagedRow?

  var kind: StagedRow.Kind? { change?.kind }

  /// Returns the cell of a column.
  func cell(_ column: Int) -> ShownCell {
    let old = stored.flatMap { $0.indices.contains(column) ? $0[column] : nil } ?? .null
    guard columns.indices.contains(column), let schema = columns[column].schema, let value = change?.value(of: schema.name) else {
      return ShownCell(value: old)
    }
    let automatic = value == .defaultValue ? schema.automaticText : nil
    return ShownCell(value: CellValue(value), isChanged: stored != nil, automatic: automatic)
  }

  /// Returns the role of a cell with a staged value; nil for the role of the value itself.
  func role(of cell: ShownCell) -> Role? {
    switch kind {
    case .deleted?: .deleted
    case .inserted?: cell.automatic == nil ? .added : .null
    case .updated?: cell.isChanged ? .changed : nil
    case nil: nil
    }
  }
}

/// A cell as the grid shows it.
struct ShownCell: Hashable, Sendable {
  var value: CellValue
  /// Whether a cell of a stored row has a new staged value.
  var isChanged = false
  /// The value that SQLite will store for an omitted column: `auto`, or the SQL of its DEFAULT; nil if a value is staged.
  var automatic: String?

  func text(isKey: Bool, hidesTime: Bool, glyphs: Glyphs) -> CellText {
    var text = CellText(value, isKey: isKey, hidesTime: hidesTime, glyphs: glyphs)
    if let automatic { text.text = automatic }
    return text
  }
}

extension GridPane {
  /// Returns a loaded or new row with its staged changes.
  func shownRow(at index: Int, _ staged: StagedChanges) -> ShownRow {
    let stored = window.rows.indices.contains(index) ? window.rows[index].cells : nil
    let hasChanges = table.map { staged.counts(of: $0).changes > 0 } ?? false
    let row = hasChanges ? stagedRow(at: index) : nil
    let change = row.flatMap { row in table.flatMap { staged.change(of: row, in: $0) } }
    return ShownRow(columns: columns, stored: stored, change: change)
  }
}

extension ColumnSchema {
  /// The placeholder for a value that SQLite assigns: for a rowid, a generated column or a DEFAULT; nil if it will be NULL.
  fileprivate var automaticText: String? { isRowID || generation != nil ? "auto" : defaultSQL }
}

extension CellValue {
  /// Creates the value that a cell shows for a staged value; NULL for a default.
  init(_ value: StagedValue) {
    switch value {
    case .value(.null), .defaultValue: self = .null
    case .value(.integer(let number)): self = .integer(number)
    case .value(.real(let number)): self = .real(number)
    case .value(.text(let text)): self = .text(String(text.prefix(Self.prefixLimit)), byteCount: text.utf8.count, isValid: true)
    case .value(.blob(let bytes)): self = .blob(Array(bytes.prefix(Self.prefixLimit)), byteCount: bytes.count)
    case .file(let file): self = .blob([], byteCount: file.size)
    case .rawText(let bytes):
      self = .text(String(decoding: bytes.prefix(Self.prefixLimit), as: UTF8.self), byteCount: bytes.count, isValid: false)
    }
  }
}

extension StagedRow.Kind {
  /// The sign beside the row.
  var sign: String {
    switch self {
    case .updated: "~"
    case .inserted: "+"
    case .deleted: "-"
    }
  }

  var role: Role {
    switch self {
    case .updated: .changed
    case .inserted: .added
    case .deleted: .deleted
    }
  }
}

extension ResultTable {
  /// The message that the table has no row with the key shown in the result.
  var sentenceOnUnknownRow: String {
    "this row cannot be changed: its key is NULL, too large or no longer in \(schema.entry.reference.name)"
  }
}
