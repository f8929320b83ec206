/// A format in which rows are written for other programs.
public enum ExportFormat: String, CaseIterable, Hashable, Sendable {
  /// Comma-separated values, quoted as RFC 4180 has it; NULL is empty, and an empty text is `""`.
  case csv
  /// Tab-separated values with `\t`, `\n`, `\r` and `\\` for what would break a line; NULL is empty.
  case tsv
  /// One array of objects.
  case json
  /// An object a line.
  case ndjson
  /// A table as GitHub's Markdown has it.
  case markdown
  /// An INSERT statement a row.
  case sql

  /// Returns the writer of rows with these columns; `table` is the name that INSERT statements give.
  func makeRowFormat(columns: [String], table: String) -> any RowFormat {
    switch self {
    case .csv: CSVFormat(columns: columns)
    case .tsv: TSVFormat(columns: columns)
    case .json: JSONFormat(columns: columns, isArray: true)
    case .ndjson: JSONFormat(columns: columns, isArray: false)
    case .markdown: MarkdownFormat(columns: columns)
    case .sql: InsertFormat(columns: columns, table: table)
    }
  }
}
