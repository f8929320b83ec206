internal import QuarryEngine

/// What prints the rows of one result on standard output.
protocol RowPrinter {
  /// Prints the current row of a statement.
  func write(_ statement: Statement) throws
  func write(_ values: [DatabaseValue]) throws
  /// Prints what is left.
  func finish() throws
}

extension RowExporter: RowPrinter {}

extension OutputFormat {
  /// Returns a printer of rows with these columns; `table` is what INSERT statements name.
  func makePrinter(columns: [String], table: String) -> any RowPrinter {
    let format: ExportFormat
    switch self {
    case .table: return TablePrinter(columns: columns)
    case .csv: format = .csv
    case .tsv: format = .tsv
    case .json: format = .json
    case .ndjson: format = .ndjson
    case .markdown: format = .markdown
    case .sql: format = .sql
    }
    return RowExporter(format, columns: columns, table: table, to: StandardOutput.write(_:))
  }

  /// Prints all rows of a statement.
  func print(_ statement: Statement, table: String) throws {
    let printer = makePrinter(columns: statement.columnNames, table: table)
    while try statement.step() {
      try printer.write(statement)
    }
    try printer.finish()
  }
}
