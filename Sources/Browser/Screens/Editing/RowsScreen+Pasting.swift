import QuarryEngine

/// Pasting values and rows.
extension RowsScreen {
  /// Stages what a text has: one value for the cell under the cursor, or for those that are selected; several over the selection, or else
  /// as new rows.
  mutating func paste(_ text: CopiedText, _ context: inout ScreenContext<Self>) {
    let cells = PastedCells(text, isLines: (context.grid?.selectedRows?.count ?? 1) > 1)
    let obstacle = obstacle(to: context.grid?.selection != nil || cells.isSingle ? .update : .insert, context.environment)
    guard let grid = context.grid, let table = grid.table, obstacle == nil else {
      return context.notify(obstacle ?? "no table is open", .warning)
    }
    if let value = text.value { return stage(.value(value), inSelectionOf: &context) }
    if cells.isSingle, let cell = cells.rows.first?.first {
      let column = grid.columns[grid.column].schema?.name ?? ""
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

  private func pasteOver(_ cells: PastedCells, _ grid: GridPane, _ table: TableReference, _ context: inout ScreenContext<Self>) {
    let columns = grid.editableColumns(among: grid.selectedColumns)
    guard let range = grid.selectedRange, let width = cells.rows.map(\.count).max(), width <= columns.count else {
      return context.notify(
        "\(Plural.of(cells.rows.map(\.count).max() ?? 0, "column")) were copied, but only \(columns.count) of those selected can be changed",
        .warning)
    }
    let used = Array(columns.prefix(width))
    context.ask(LoadStoredRows(cells: EditedCells(grid, table, columns: used, rows: range))) { rows, context, result in
      switch result {
      case .failure(let problem): context.notify(problem.text, .error)
      case .success(let read):
        guard cells.rows.count <= read.count else {
          return context.notify("\(Plural.of(cells.rows.count, "row")) were copied, but only \(read.count) are selected", .warning)
        }
        rows.stage(cells, over: read, used, grid, table, &context)
      }
    }
  }

  private func stage(
    _ cells: PastedCells, over rows: [LoadStoredRows.Row], _ columns: [String], _ grid: GridPane, _ table: TableReference,
    _ context: inout ScreenContext<Self>
  ) {
    do {
      try context.workspace.staged.step("paste of \(Plural.of(cells.rows.count, "row"))") { changes in
        for (row, texts) in zip(rows, cells.rows) {
          for ((column, was), cell) in zip(zip(columns, row.values), texts) {
            try changes.set(.value(grid.value(of: cell, column: column)), column: column, row: row.id, of: table, was: was)
          }
        }
      }
      context.workspace.changeGrid { $0.selection = nil }
      context.notify("staged: paste of \(Plural.of(cells.rows.count, "row"))")
      checkStaged(zip(rows, cells.rows).map(\.0.id), columns, of: table, &context)
    } catch {
      context.notify("nothing was pasted: \(error)", .error)
    }
  }

  private func pasteAsNewRows(_ cells: PastedCells, _ grid: GridPane, _ table: TableReference, _ context: inout ScreenContext<Self>) {
    let (columns, rows) = cells.placed(in: grid)
    guard let columns else {
      return context.notify("what was copied has more columns than \(grid.title) shows", .warning)
    }
    do {
      var new: [StagedRowID] = []
      try context.workspace.staged.step("paste of \(Plural.of(rows.count, "new row"))") { changes in
        for texts in rows {
          let values = try zip(columns, texts).map { ($0, StagedValue.value(try grid.value(of: $1, column: $0))) }
          new.append(changes.insert(Dictionary(values, uniquingKeysWith: { $1 }), into: table))
        }
      }
      goToNewRow(of: table, &context)
      checkStaged(new, nil, of: table, &context)
    } catch {
      context.notify("nothing was pasted: \(error)", .error)
    }
  }
}

/// What was copied last, here or from another program.
struct CopiedText: Hashable, Sendable {
  let text: String
  /// The value, where it was copied from one cell here.
  private(set) var value: DatabaseValue?
  /// Whether tabs, line ends and backslashes in it are written with a backslash, as in TSV from here.
  private(set) var isEscaped = false

  /// Makes a text from another program.
  init(_ text: String) { self.text = text }

  init(_ copy: CopyText) {
    (text, value, isEscaped) = (copy.text, copy.value, copy.isEscaped)
  }
}

/// A text that was copied, as rows of cells: of TSV where it has tabs, of CSV where several lines have commas, else one value.
struct PastedCells: Hashable, Sendable {
  /// A cell; nil for one that is left empty without quotes, which is NULL.
  private(set) var rows: [[String?]]

  /// Whether it is one value.
  var isSingle: Bool { rows.count == 1 && rows[0].count == 1 }

  /// Reads a text.
  ///
  /// - Parameter isLines: Whether each line without a tab or comma is a row of its own.
  init(_ copied: CopiedText, isLines: Bool = false) {
    let text = copied.text
    let body = text.hasSuffix("\r\n") ? String(text.dropLast()) : text.hasSuffix("\n") ? String(text.dropLast()) : text
    let lines = body.split(whereSeparator: \.isNewline)
    let commas = lines.map { line in line.count { $0 == "," } }
    if body.contains("\t") {
      rows = Self.read(body, separator: "\t")
      if copied.isEscaped { rows = rows.map { $0.map { $0?.unescaped } } }
    } else if lines.count > 1, let first = commas.first, first > 0, commas.allSatisfy({ $0 >= first }) {
      rows = Self.read(body, separator: ",")
    } else {
      rows = isLines && lines.count > 1 ? lines.map { [String($0)] } : [[text]]
    }
  }

  /// Reads cells between separators; what stands between double quotes may hold separators and line ends.
  private static func read(_ text: String, separator: Character) -> [[String?]] {
    var (rows, row): ([[String?]], [String?]) = ([], [])
    var rest = text[...]
    while true {
      row.append(takeCell(from: &rest, separator: separator))
      guard let end = rest.popFirst() else { return rows + [row] }
      guard end != separator else { continue }
      rows.append(row)
      row = []
    }
  }

  /// Takes one cell off the front, up to the separator or line end; nil for one that is left empty without quotes.
  private static func takeCell(from rest: inout Substring, separator: Character) -> String? {
    var cell = ""
    let isQuoted = rest.first == "\""
    if isQuoted {
      rest.removeFirst()
      while let quote = rest.firstIndex(of: "\"") {
        cell += rest[..<quote]
        rest = rest[rest.index(after: quote)...]
        guard rest.first == "\"" else { break }
        cell.append(rest.removeFirst())
      }
    }
    let end = rest.firstIndex { $0 == separator || $0.isNewline } ?? rest.endIndex
    cell += rest[..<end]
    rest = rest[end...]
    return cell.isEmpty && !isQuoted ? nil : cell
  }

  /// Returns the columns that the cells belong to, by their names where the first row has these, else from the first one in sight on, and
  /// the rows; no columns where there are too few.
  fileprivate func placed(in grid: GridPane) -> (columns: [String]?, rows: [[String?]]) {
    let names = rows[0].compactMap { name in grid.columns.first { column in name.map { column.name.isSameName(as: $0) } ?? false }?.name }
    if names.count == rows[0].count, rows.count > 1 { return (names, Array(rows.dropFirst())) }
    let shown = grid.layout.shown.map { grid.columns[$0].name }
    let width = rows.map(\.count).max() ?? 0
    return (width <= shown.count ? Array(shown.prefix(width)) : nil, rows)
  }
}

extension String {
  /// The text with what is written `\\t`, `\\n`, `\\r` and `\\\\` put back.
  fileprivate var unescaped: String {
    guard contains("\\") else { return self }
    var result = ""
    var rest = self[...]
    while let character = rest.popFirst() {
      guard character == "\\", let next = rest.popFirst() else {
        result.append(character)
        continue
      }
      switch next {
      case "t": result.append("\t")
      case "n": result.append("\n")
      case "r": result.append("\r")
      case "\\": result.append("\\")
      default: result += "\\\(next)"
      }
    }
    return result
  }
}

extension GridPane {
  /// Returns the value of a pasted cell, read as the column's type.
  fileprivate func value(of cell: String?, column: String) throws(ParameterError) -> DatabaseValue {
    guard let cell else { return .null }
    let reading = ParameterReading(expression: type(of: column))
    return try reading.value(of: cell)
  }
}
