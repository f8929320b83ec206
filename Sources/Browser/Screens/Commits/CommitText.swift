import QuarryEngine
import Terminal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The columns of the list of commits.
struct CommitColumns {
  private let number: Int
  private let changes: Int
  private let tables: Int

  private static let time = 16
  private static let widestTables = 28

  init(_ commits: [RecordedCommit]) {
    number = max(2, commits.map { String($0.id.number).count }.max() ?? 0)
    changes = max(7, commits.map { TextWidth.columns(of: $0.changeWords) }.max() ?? 0)
    tables = min(Self.widestTables, max(6, commits.map { TextWidth.columns(of: $0.tableWords) }.max() ?? 0))
  }

  var heading: StyledLine {
    StyledLine(
      "\(Self.padded("#", number))  \(Self.padded("time", Self.time))  \(Self.padded("tables", tables))  "
        + "\(Self.padded("changes", changes))  what", .muted)
  }

  func line(of commit: RecordedCommit, _ appearance: Appearance) -> StyledLine {
    let isUndone = if case .undone = commit.state { true } else { false }
    let tableName = TextWidth.truncated(commit.tableWords, to: tables, ellipsis: appearance.glyphs.ellipsis)
    var line = StyledLine(Self.padded(String(commit.id.number), number), .key)
      .adding("  \(Self.padded(commit.timeWords, Self.time))", .muted)
      .adding("  \(Self.padded(tableName, tables))", isUndone ? .muted : .text)
      .adding("  \(Self.padded(commit.changeWords, changes))", isUndone ? .muted : .changed)
    if case .undone(let number) = commit.state { line = line.adding("  undone by \(number)", .warning) }
    return line.adding("  \(commit.statement.split(whereSeparator: \.isNewline).joined(separator: " "))", isUndone ? .muted : .text)
  }

  private static func padded(_ text: String, _ columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - TextWidth.columns(of: text)))
  }
}

extension RecordedCommit {
  /// The time of day where the person is: `2026-03-12 14:05`.
  var timeWords: String {
    let moment = Calendar.current.dateComponents([.year, .month, .day, .hour, .minute], from: time)
    func two(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : String(number ?? 0) }
    return "\(moment.year ?? 0)-\(two(moment.month))-\(two(moment.day)) \(two(moment.hour)):\(two(moment.minute))"
  }

  var tableWords: String { tables.map { table in table.alteration.map { "\(table.name) (\($0))" } ?? table.name }.joined(separator: ", ") }

  /// What was changed: `3 changed, 1 new, 2 deleted`.
  var changeWords: String {
    let parts = [
      updated > 0 ? "\(Plural.grouped(updated)) changed" : "", inserted > 0 ? "\(Plural.grouped(inserted)) new" : "",
      deleted > 0 ? "\(Plural.grouped(deleted)) deleted" : "",
    ]
    let words = parts.filter { !$0.isEmpty }.joined(separator: ", ")
    return words.isEmpty ? "schema" : words
  }
}

/// The rows of a commit with their old and new values, as lines.
struct CommitText {
  let commit: RecordedCommit
  let rows: [RecordedRow]
  /// The number of rows that are read at most.
  let limit: Int
  let appearance: Appearance

  var lines: [StyledLine] {
    var lines = [
      StyledLine("\(commit.timeWords)  \(commit.kind.words)  ", .muted).adding(commit.changeWords, .changed)
    ]
    lines += commit.statement.split(whereSeparator: \.isNewline).map { StyledLine(String($0), .string) }
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
    return [StyledLine("  \(kind.sign) \(row.key)", kind.role)]
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
