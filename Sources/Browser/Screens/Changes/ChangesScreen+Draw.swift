import QuarryChanges
import QuarryEngine
import QuarryRows
import QuarrySources
import Terminal

/// The areas of the screen: the list, and the SQL or the conflict of the change under the cursor.
struct ChangesLayout: Hashable, Sendable {
  let list: Rect
  let detail: Rect
  /// The description of the change under the cursor.
  let lines: [StyledLine]

  /// The least number of rows of a screen with room for SQL below the list.
  private static let leastRowsForSQL = 10

  init(_ screen: ChangesScreen, in area: Rect, _ environment: ScreenEnvironment) {
    var rest = area.inset(columns: 2, rows: 1)
    lines = screen.detail(columns: rest.columns, isShort: rest.rows < Self.leastRowsForSQL, environment)
    let rows = min(lines.count, rest.rows / 2)
    detail = rows > 0 ? rest.removeBottom(rows) : .none
    if rows > 0 { _ = rest.removeBottom(1) }
    list = rest
  }
}

extension ChangesScreen {
  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    Box.draw(
      into: &surface, rect: area, title: title(columns: area.columns - 6, environment), footer: footer(columns: area.columns, environment),
      hasFocus: environment.hasFocus, appearance: appearance)
    let layout = ChangesLayout(self, in: area, environment)
    for (offset, line) in lines.dropFirst(cursor.top).prefix(layout.list.rows).enumerated() {
      let row = Rect(column: layout.list.column, row: layout.list.row + offset, columns: layout.list.columns, rows: 1)
      styledLine(line, columns: row.columns, environment).drawListed(
        into: &surface, row: row, isCurrent: cursor.top + offset == cursor.index, hasFocus: environment.hasFocus, appearance: appearance)
    }
    guard !layout.detail.isEmpty else { return }
    Box.drawRule(into: &surface, above: layout.detail, appearance: appearance)
    layout.lines.draw(into: &surface, area: layout.detail, appearance: appearance)
  }

  private func title(columns: Int, _ environment: ScreenEnvironment) -> String {
    let counts = environment.workspace.staged.counts
    let title = "Changes \(environment.appearance.glyphs.dot) "
    let isWide = TextWidth.columns(of: title + counts.words) <= columns
    return title + (isWide ? counts.words : counts.signs.text)
  }

  /// Returns the text of the footer: the key that commits on a narrow screen, whose last line has no room for it.
  private func footer(columns: Int, _ environment: ScreenEnvironment) -> String {
    if environment.workspace.edits.sent != nil { return "committing\(environment.appearance.glyphs.ellipsis)" }
    return columns < ScreenLayout.narrow ? "\(environment.keyHint(.commitChanges)) commits" : "nothing is written yet"
  }

  private func styledLine(_ line: Line, columns: Int, _ environment: ScreenEnvironment) -> StyledLine {
    let (staged, appearance) = (environment.workspace.staged, environment.appearance)
    switch line {
    case .table(let table):
      let counts = staged.counts(of: table)
      let name = StyledLine(table.name, .accent).adding("  ")
      let whole = name.adding(counts.words, .muted)
      let isWide = whole.width + 2 <= columns
      return (isWide ? whole : StyledLine(name.runs + counts.signs.runs))
        .adding(isGone(table) ? "  \(appearance.glyphs.wrong)" : "", .error)
        .adding(hasUnrecordedTriggers(table, environment) ? "  changes by its triggers are not recorded" : "", .warning)
    case .row(let table, let row):
      guard let change = staged.change(of: row, in: table) else { return StyledLine() }
      var styled = StyledLine("  \(change.kind.sign) ", change.kind.role).adding(words(for: row, in: table), change.kind.role)
      if case .deleted(let was) = change { styled = styled.adding("  \(words(for: was, besides: row, in: table))", .muted) }
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

  /// Returns whether a table has triggers whose changes cannot be undone.
  private func hasUnrecordedTriggers(_ table: TableReference, _ environment: ScreenEnvironment) -> Bool {
    !environment.workspace.source.roles.recordsTriggers && schemas[table]?.triggers.isEmpty == false
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

  /// Returns the first values of a deleted row, except those in its name.
  private func words(for values: [String: StoredValue], besides row: StagedRowID, in table: TableReference) -> String {
    let named = schemas[table].map { hasName(row, in: table) ? $0.primaryKey + $0.labelColumns() : [] } ?? []
    let columns = schemas[table]?.columns.map(\.name).filter { values[$0] != nil } ?? values.keys.sorted()
    let told = columns.filter { !named.contains($0) }.prefix(6)
    return told.compactMap { column in values[column].map { "\(column) \(StagedValue($0).shortText)" } }.joined(separator: ", ")
  }

  /// Returns the description of the change under the cursor: the refusal or the conflict of its row, or its SQL.
  ///
  /// - Parameter isShort: Whether there is little room below the list.
  func detail(columns: Int, isShort: Bool, _ environment: ScreenEnvironment) -> [StyledLine] {
    let conflicts = conflicts
    if !conflicts.isEmpty { return lines(of: conflicts, columns: columns, isShort: isShort, environment) }
    let (sentence, role): (String?, Role) = refusal.map { ($0.sentence, .error) } ?? (forecast.sentence, .warning)
    let told = sentence.map { WrappedText.lines($0, columns: max(1, columns)).map { StyledLine($0, role) } } ?? []
    if let sentence = goneSentence(environment) {
      return told + WrappedText.lines(sentence, columns: max(1, columns)).map { StyledLine($0, .warning) }
    }
    // If nothing was written, the reason matters more than the SQL.
    guard refusal == nil, !isShort, let current, let row = current.row, let schema = schemas[current.table],
      let sql = environment.workspace.staged.sqlText(of: row, in: schema)?.shortQueryString
    else { return told }
    return told + WrappedText.lines(sql, columns: max(1, columns)).prefix(Self.mostSQL).map { StyledLine($0, .string) }
  }

  /// Returns the parts of the change under the cursor that the schema no longer has, and the remedy; nil if all exist.
  private func goneSentence(_ environment: ScreenEnvironment) -> String? {
    guard let current else { return nil }
    let (table, key) = (current.table, environment.keyHint(.takeOut))
    if isGone(table) {
      return "The table \(table.name) no longer exists: \(key) on its line discards its changes, then you can commit the rest."
    }
    guard let row = current.row, let change = environment.workspace.staged.change(of: row, in: table) else { return nil }
    let gone = goneColumns(of: change, in: table)
    guard !gone.isEmpty else { return nil }
    let columns = (gone.count == 1 ? "column " : "columns ") + gone.joined(separator: ", ")
    let verb = gone.count == 1 ? "exists" : "exist"
    let place = change.kind == .deleted || gone.count > 1 ? "on the row" : "on its line"
    return "The \(columns) of \(table.name) no longer \(verb): \(key) \(place) discards the change, then you can commit the rest."
  }

  /// The largest number of visible lines of SQL.
  private static let mostSQL = 8

  /// Returns the original, the current and the staged values of the row, with the keys that choose between them.
  private func lines(of conflicts: [Conflict], columns: Int, isShort: Bool, _ environment: ScreenEnvironment) -> [StyledLine] {
    let (mine, theirs) = (environment.keyHint(.resolveMine), environment.keyHint(.resolveTheirs))
    let sentence =
      if conflicts.contains(where: \.isByCommit) {
        "This commit deletes the row, by a foreign key or a trigger: \(theirs) discards your other change to it."
      } else if conflicts.contains(where: \.isRowGone) {
        isShort ? "Row deleted: \(theirs) discards mine" : "This row has been deleted since you edited it: \(theirs) discards your change."
      } else {
        isShort
          ? "Row has changed: \(mine) mine, \(theirs) theirs"
          : "This row has changed since you edited it: \(mine) writes your values over theirs, \(theirs) keeps theirs."
      }
    let warning = WrappedText.lines(sentence, columns: max(1, columns)).map { StyledLine($0, .warning) }
    let rows = conflicts.compactMap { conflict in conflict.column.map { ($0, conflict) } }
    if isShort {
      return warning + rows.map { StyledLine("\($0) theirs ", .muted).adding(Self.text($1.theirs), .warning) }
    }
    let headings = [("was", Role.muted), ("theirs", .text), ("mine", .changed)].map { ComparedValues.Heading(text: $0, role: $1) }
    let compared = rows.map { column, conflict in
      let isDeleted = environment.workspace.staged.status(of: .stored(conflict.key), in: conflict.table) == .deleted
      let mine = conflict.mine?.shortText ?? (isDeleted ? "deleted" : Self.text(conflict.base))
      return ComparedValues.Row(column: column, values: [Self.text(conflict.base), Self.text(conflict.theirs), mine])
    }
    return warning + (compared.isEmpty ? [] : ComparedValues(headings: headings, rows: compared).lines(columns: columns))
  }

  private static func text(_ value: StoredValue?) -> String { value.map { StagedValue($0).shortText } ?? "" }
}

extension StagedRow {
  /// The names of the columns with a staged value, or with a stored value in a deleted row, in alphabetical order.
  var columns: [String] {
    switch self {
    case .updated(let cells): cells.changes.keys.sorted()
    case .inserted(let values): values.keys.sorted()
    case .deleted(let was): was.keys.sorted()
    }
  }
}

extension StagedValue {
  /// The value in a short form for a line: a truncated text in quotes, a blob by its size.
  var shortText: String {
    switch self {
    case .defaultValue: "default"
    case .value(.text(let text)):
      "'\(text.prefix(60).map { $0.isNewline ? " " : String($0) }.joined())\(text.dropFirst(60).isEmpty ? "" : "…")'"
    case .value(let value): value.plainText
    case .file(let file): "file \(file.path), \(BlobKind.size(file.size))"
    case .rawText(let bytes): "text of \(Plural.of(bytes.count, "byte"))"
    }
  }
}

extension ChangeCounts {
  /// The counts in words: `3 cells in 2 rows, 1 new row, 2 deleted rows`.
  var words: String {
    let parts = [
      cells > 0 ? "\(Plural.of(cells, "cell")) in \(Plural.of(updatedRows, "row"))" : "",
      newRows > 0 ? Plural.of(newRows, "new row") : "", deletedRows > 0 ? Plural.of(deletedRows, "deleted row") : "",
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// The numbers of rows with the signs of the grid: `~2 +1 -3`.
  var signs: StyledLine { StyledLine(signsOf: [(updatedRows, .updated), (newRows, .inserted), (deletedRows, .deleted)]) }
}

extension StyledLine {
  /// Creates a line of numbers of rows with the signs of the grid; omits zeros.
  init(signsOf counts: [(rows: Int, kind: StagedRow.Kind)]) {
    self = counts.filter { $0.rows > 0 }.reduce(into: StyledLine()) { line, count in
      line = line.adding(line.runs.isEmpty ? "" : " ").adding("\(count.kind.sign)\(Plural.grouped(count.rows))", count.kind.role)
    }
  }
}
