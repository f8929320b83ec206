import Essentials
import QuarryChanges
import QuarryEngine
import Terminal

/// The columns of the list of commits; on a narrow screen, rows are counted by their signs and statements are omitted.
struct CommitColumns {
  private let isNarrow: Bool
  private let number: Int
  private let changes: Int
  private let tables: Int

  private static let widestTables = 28

  /// Measures the commits for a list of a given width.
  init(_ commits: [RecordedCommit], columns: Int) {
    isNarrow = columns < ScreenLayout.narrow
    let isNarrow = isNarrow
    number = max(2, commits.map { String($0.id.number).count }.max() ?? 0)
    changes = max(7, commits.map { TextWidth.columns(of: isNarrow ? $0.changeSigns.text : $0.changeWords) }.max() ?? 0)
    tables = min(Self.widestTables, max(6, commits.map { TextWidth.columns(of: $0.tableWords) }.max() ?? 0))
  }

  private var time: Int { isNarrow ? 11 : 16 }

  var heading: StyledLine {
    let start = "\(TextWidth.padded("#", to: number))  \(TextWidth.padded("time", to: time))  "
    let end =
      isNarrow
      ? "\(TextWidth.padded("changes", to: changes))  tables"
      : "\(TextWidth.padded("tables", to: tables))  \(TextWidth.padded("changes", to: changes))  statement"
    return StyledLine(start + end, .muted)
  }

  func line(of commit: RecordedCommit, _ appearance: Appearance) -> StyledLine {
    let line = StyledLine(TextWidth.padded(String(commit.id.number), to: number), .key)
      .adding("  \(TextWidth.padded(isNarrow ? commit.shortTimeWords : commit.timeWords, to: time))", .muted)
    return isNarrow ? narrow(line, commit) : wide(line, commit, appearance)
  }

  private func wide(_ line: StyledLine, _ commit: RecordedCommit, _ appearance: Appearance) -> StyledLine {
    let tableName = TextWidth.truncated(commit.tableWords, to: tables, ellipsis: appearance.glyphs.ellipsis)
    var line = line.adding("  \(TextWidth.padded(tableName, to: tables))", commit.isUndone ? .muted : .text)
      .adding("  \(TextWidth.padded(commit.changeWords, to: changes))", commit.isUndone ? .muted : .changed)
    if case .undone(let number) = commit.state {
      line = line.adding(number == commit.id.number ? "  undone" : "  undone by \(number)", .warning)
    }
    return line.adding("  \(commit.statement.split(whereSeparator: \.isNewline).joined(separator: " "))", commit.isUndone ? .muted : .text)
  }

  private func narrow(_ line: StyledLine, _ commit: RecordedCommit) -> StyledLine {
    let signs = commit.changeSigns
    var line = line.adding("  ")
    line.runs += commit.isUndone ? [StyledLine.Run(text: signs.text, role: .muted)] : signs.runs
    line = line.adding(String(repeating: " ", count: max(0, changes - signs.width) + 2))
    return commit.isUndone ? line.adding("undone  ", .warning).adding(commit.tableWords, .muted) : line.adding(commit.tableWords)
  }
}

extension RecordedCommit {
  /// The local date and time: `2026-03-12 14:05`.
  var timeWords: String {
    let moment = Calendar.current.dateComponents([.year, .month, .day, .hour, .minute], from: time)
    func two(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : String(number ?? 0) }
    return "\(moment.year ?? 0)-\(two(moment.month))-\(two(moment.day)) \(two(moment.hour)):\(two(moment.minute))"
  }

  /// The date and time without the year: `03-12 14:05`.
  var shortTimeWords: String { String(timeWords.dropFirst(5)) }

  var tableWords: String { tables.map { table in table.alteration.map { "\(table.name) (\($0))" } ?? table.name }.joined(separator: ", ") }

  /// The changes in words: `3 changed, 1 new, 2 deleted`.
  var changeWords: String {
    let parts = [
      updated > 0 ? "\(Plural.grouped(updated)) changed" : "", inserted > 0 ? "\(Plural.grouped(inserted)) new" : "",
      deleted > 0 ? "\(Plural.grouped(deleted)) deleted" : "",
    ]
    let words = parts.filter { !$0.isEmpty }.joined(separator: ", ")
    return words.isEmpty ? "schema" : words
  }

  /// The changes in words, including changes of tables: `2 deleted, town (dropped)`.
  var changeAndTableWords: String {
    let altered = tables.compactMap { table in table.alteration.map { "\(table.name) (\($0))" } }
    let rows = inserted + updated + deleted > 0 || altered.isEmpty ? [changeWords] : []
    return (rows + altered).joined(separator: ", ")
  }

  /// The changes with the signs of the rows: `~3 +1 -2`.
  var changeSigns: StyledLine {
    let signs = StyledLine(signsOf: [(updated, .updated), (inserted, .inserted), (deleted, .deleted)])
    return signs.runs.isEmpty ? StyledLine("schema", .changed) : signs
  }
}

/// The rows of a commit with their old and new values, as lines.
struct CommitText {
  let commit: RecordedCommit
  let rows: [RecordedRow]
  /// The largest number of rows to read.
  let limit: Int
  let appearance: Appearance

  var lines: [StyledLine] {
    var lines = [
      StyledLine("\(commit.timeWords)  \(commit.kind.words)  ", .muted).adding(commit.changeWords, .changed)
    ]
    // The statement of an edit would only repeat the names of the tables below.
    if commit.kind != .edit { lines += commit.statement.split(whereSeparator: \.isNewline).map { StyledLine(String($0), .string) } }
    var table: String?
    for row in rows {
      if row.table != table {
        lines += [StyledLine(), StyledLine(row.table, .accent)]
        table = row.table
      }
      lines += self.lines(of: row)
    }
    if rows.count == limit {
      lines.append(
        StyledLine(
          "Only the first \(Plural.grouped(limit)) rows are shown: `quarry changes FILE \(commit.id.number)` prints all.", .warning))
    }
    return lines
  }

  private func lines(of row: RecordedRow) -> [StyledLine] {
    let kind = row.operation.stagedKind
    return [StyledLine("  \(kind.sign) row \(row.key)", kind.role)]
      + row.columns.map { column in
        let name = StyledLine("      \(column.name)  ", .muted)
        switch (column.old, column.new) {
        case (let old?, let new?):
          return name.adding(StagedValue.value(old).shortText, .muted).adding(appearance.sentence(" → "), .muted)
            .adding(StagedValue.value(new).shortText, .changed)
        case (nil, let new?): return name.adding(StagedValue.value(new).shortText, .added)
        case (let old?, nil): return name.adding(StagedValue.value(old).shortText, .muted)
        case (nil, nil): return name
        }
      }
  }
}

extension RowChangeKind {
  fileprivate var stagedKind: StagedRow.Kind {
    switch self {
    case .insert: .inserted
    case .update: .updated
    case .delete: .deleted
    }
  }
}

extension RecordedCommit.Kind {
  fileprivate var words: String {
    switch self {
    case .edit: "edited in the grid"
    case .sql: "SQL"
    case .import: "import"
    case .undo: "undo"
    }
  }
}
