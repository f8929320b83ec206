import QuarryEngine
import Terminal

/// The areas of the changes: the list, and the SQL or the conflict of what is under the cursor.
struct ChangesLayout: Hashable, Sendable {
  let list: Rect
  let detail: Rect

  init(_ screen: ChangesScreen, in area: Rect, _ environment: ScreenEnvironment) {
    var rest = area.inset(columns: 2, rows: 1)
    let wanted = screen.detail(columns: rest.columns, environment).count
    let rows = min(wanted, rest.rows / 2)
    detail = rows > 0 ? rest.removeBottom(rows) : .none
    if rows > 0 { _ = rest.removeBottom(1) }
    list = rest
  }
}

extension ChangesScreen {
  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    let counts = environment.workspace.staged.counts
    Box.draw(
      into: &surface, rect: area, title: "Changes \(appearance.glyphs.dot) \(counts.words)",
      footer: environment.workspace.isCommitting ? "committing\(appearance.glyphs.ellipsis)" : "nothing is written yet",
      hasFocus: environment.hasFocus, appearance: appearance)
    let layout = ChangesLayout(self, in: area, environment)
    for (offset, line) in lines.dropFirst(cursor.top).prefix(layout.list.rows).enumerated() {
      let row = Rect(column: layout.list.column, row: layout.list.row + offset, columns: layout.list.columns, rows: 1)
      styledLine(line, environment).drawListed(
        into: &surface, row: row, isCurrent: cursor.top + offset == cursor.index, hasFocus: environment.hasFocus, appearance: appearance)
    }
    guard !layout.detail.isEmpty else { return }
    let rule = Rect(column: layout.detail.column, row: layout.detail.row - 1, columns: layout.detail.columns, rows: 1)
    surface.write(
      String(repeating: appearance.glyphs.horizontal, count: rule.columns), at: Point(column: rule.column, row: rule.row),
      style: appearance.theme.style(.border))
    for (offset, line) in detail(columns: layout.detail.columns, environment).prefix(layout.detail.rows).enumerated() {
      line.draw(
        into: &surface, at: Point(column: layout.detail.column, row: layout.detail.row + offset), columns: layout.detail.columns,
        appearance: appearance)
    }
  }

  private func styledLine(_ line: Line, _ environment: ScreenEnvironment) -> StyledLine {
    let (staged, appearance) = (environment.workspace.staged, environment.appearance)
    switch line {
    case .table(let table):
      return StyledLine(table.name, .accent).adding("  \(staged.counts(of: table).words)", .muted)
        .adding(isGone(table) ? "  \(appearance.glyphs.wrong)" : "", .error)
    case .row(let table, let row):
      guard let change = staged.change(of: row, in: table) else { return StyledLine() }
      var styled = StyledLine("  \(change.kind.sign) ", change.kind.role).adding(words(for: row, in: table), change.kind.role)
      if case .deleted(let was) = change { styled = styled.adding("  \(words(for: was, in: table))", .muted) }
      if refusal?.places.contains(where: { $0.table == table && $0.row == row }) == true {
        styled = styled.adding("  \(appearance.glyphs.wrong)", .error)
      }
      return styled
    case .cell(let table, let row, let column):
      let change = staged.change(of: row, in: table)
      let isGone = change.map { goneColumns(of: $0, in: table).contains(column) } ?? false
      return cellLine(change, column, of: table, appearance).adding(isGone ? "  \(appearance.glyphs.wrong)" : "", .error)
    }
  }

  private func cellLine(_ change: StagedRow?, _ column: String, of table: TableReference, _ appearance: Appearance) -> StyledLine {
    let name = StyledLine("      \(column)  ", .muted)
    switch change {
    case .updated(let cells):
      guard let cell = cells[column] else { return name }
      let arrow = appearance.glyphs == .ascii ? " -> " : " → "
      return name.adding(StagedValue(cell.was).shortText, .muted).adding(arrow, .muted).adding(cell.value.shortText, .changed)
    case .inserted(let values): return name.adding(values[column]?.shortText ?? "", .added)
    case .deleted, nil: return name
    }
  }

  /// Returns the first values of a row that is deleted.
  private func words(for values: [String: StoredValue], in table: TableReference) -> String {
    let columns = schemas[table]?.columns.map(\.name).filter { values[$0] != nil } ?? values.keys.sorted()
    return columns.prefix(6).compactMap { column in values[column].map { "\(column) \(StagedValue($0).shortText)" } }.joined(
      separator: ", ")
  }

  /// Returns what is told of the change under the cursor: the refusal or the conflict of its row, and its SQL.
  func detail(columns: Int, _ environment: ScreenEnvironment) -> [StyledLine] {
    var lines: [StyledLine] = []
    let conflicts = conflicts
    if let refusal, conflicts.isEmpty {
      lines += WrappedText.lines(refusal.sentence, columns: max(1, columns)).map { StyledLine($0, .error) }
    }
    lines += self.lines(of: conflicts)
    if let sentence = goneSentence(environment) {
      return lines + WrappedText.lines(sentence, columns: max(1, columns)).map { StyledLine($0, .warning) }
    }
    guard let current, let row = current.row, let schema = schemas[current.table],
      let sql = environment.workspace.staged.sqlText(of: row, in: schema)?.queryString
    else { return lines }
    return lines + WrappedText.lines(sql, columns: max(1, columns)).prefix(Self.mostSQL).map { StyledLine($0, .string) }
  }

  /// Returns what of the change under the cursor is no longer in the schema, and the way out; nil where all is there.
  private func goneSentence(_ environment: ScreenEnvironment) -> String? {
    guard let current else { return nil }
    let (table, key) = (current.table, environment.keyHint(.takeOut))
    if isGone(table) { return "The table \(table.name) is gone: \(key) on its line discards its changes, and the others can be committed." }
    guard let row = current.row, let change = environment.workspace.staged.change(of: row, in: table) else { return nil }
    let gone = goneColumns(of: change, in: table)
    guard !gone.isEmpty else { return nil }
    let columns = gone.count == 1 ? "column \(gone[0]) of \(table.name) is" : "columns \(gone.joined(separator: ", ")) of \(table.name) are"
    let place = change.kind == .deleted || gone.count > 1 ? "on the row" : "on its line"
    return "The \(columns) gone: \(key) \(place) discards what cannot be written, and the rest can be committed."
  }

  /// The most lines of SQL that are shown.
  private static let mostSQL = 8

  private func lines(of conflicts: [Conflict]) -> [StyledLine] {
    guard !conflicts.isEmpty else { return [] }
    if conflicts.contains(where: \.isRowGone) { return [StyledLine("Another program has deleted this row.", .warning)] }
    return [StyledLine("Another program has changed this row.", .warning)]
      + conflicts.map { conflict in
        StyledLine("\(conflict.column ?? "")  ", .muted).adding("was ", .muted)
          .adding(conflict.base.map { StagedValue($0).shortText } ?? "").adding("   theirs ", .muted)
          .adding(conflict.theirs.map { StagedValue($0).shortText } ?? "", .warning).adding("   mine ", .muted)
          .adding(conflict.mine?.shortText ?? "deleted", .changed)
      }
  }
}

extension StagedRow {
  /// The names of the columns that have a staged value, or of a deleted row those that it had, in the order of the alphabet.
  var columns: [String] {
    switch self {
    case .updated(let cells): cells.keys.sorted()
    case .inserted(let values): values.keys.sorted()
    case .deleted(let was): was.keys.sorted()
    }
  }
}

extension StagedValue {
  /// The value as a line has it: a text between quotes and cut, a blob by its size.
  var shortText: String {
    switch self {
    case .defaultValue: "default"
    case .value(.text(let text)):
      "'\(text.prefix(60).map { $0.isNewline ? " " : String($0) }.joined())\(text.count > 60 ? "…" : "")'"
    case .value(let value): value.plainText
    case .rawText(let bytes): "text of \(Plural.of(bytes.count, "byte"))"
    }
  }
}

extension ChangeCounts {
  /// How much it is in words: `3 cells in 2 rows, 1 new row, 2 deleted rows`.
  var words: String {
    let parts = [
      cells > 0 ? "\(Plural.of(cells, "cell")) in \(Plural.of(updatedRows, "row"))" : "",
      newRows > 0 ? Plural.of(newRows, "new row") : "", deletedRows > 0 ? Plural.of(deletedRows, "deleted row") : "",
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: ", ")
  }
}
