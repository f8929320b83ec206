internal import ArgumentParser
internal import QuarryCluster
internal import QuarryEngine
internal import QuarryFiles

/// The format of printed rows: a table for people, or one of the export formats with the same names.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
  case table, csv, tsv, json, ndjson, markdown, html, sql
}

struct FormatOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Print rows in this format. Default: the extension of --output, else table on a terminal, csv elsewhere.", valueName: "format"))
  private var format: OutputFormat?

  @Flag(name: .customLong("csv", withSingleDash: true), help: ArgumentHelp("The same as --format csv.", visibility: .hidden))
  private var isCSV = false

  @Flag(name: .customLong("json", withSingleDash: true), help: ArgumentHelp("The same as --format json.", visibility: .hidden))
  private var isJSON = false

  @Flag(name: .customLong("markdown", withSingleDash: true), help: ArgumentHelp("The same as --format markdown.", visibility: .hidden))
  private var isMarkdown = false

  @Flag(name: .customLong("table", withSingleDash: true), help: ArgumentHelp("The same as --format table.", visibility: .hidden))
  private var isTable = false

  @Flag(name: .customLong("tabs", withSingleDash: true), help: ArgumentHelp("The same as --format tsv.", visibility: .hidden))
  private var isTSV = false

  @OptionGroup var output: OutputOptions

  /// The format chosen by --format or the extension of --output, or else the default for the output.
  var chosen: OutputFormat {
    if let format = requested.first { return format }
    guard output.isFile else { return StandardOutput.isTerminal ? .table : .csv }
    return output.path.flatMap(ExportFormat.init(pathEnding:)).flatMap(OutputFormat.init) ?? .csv
  }

  /// Whether the command line names neither a format nor an output.
  var isUnspecified: Bool { requested.isEmpty && !output.isGiven }

  func validate() throws {
    if Set(requested).count > 1 {
      throw ValidationError("one format at a time: you gave \(requested.map(\.rawValue).joined(separator: " and "))")
    }
  }

  private var requested: [OutputFormat] {
    let flags: [(Bool, OutputFormat)] = [(isCSV, .csv), (isJSON, .json), (isMarkdown, .markdown), (isTable, .table), (isTSV, .tsv)]
    return (format.map { [$0] } ?? []) + flags.filter(\.0).map(\.1)
  }
}

/// A printer of the rows of one result.
protocol RowPrinter {
  /// Prints the current row of a statement.
  func write(_ statement: Statement) throws
  func write(_ values: [DatabaseValue]) throws
  /// Prints a row.
  ///
  /// Texts may be invalid UTF-8.
  func write(_ values: [StoredValue]) throws
  /// Prints a row received from a server.
  func write(_ row: RemoteRow) throws
  /// Prints the rows before a failure.
  func flush() throws
  /// Prints remaining rows and the end of the format.
  func finish() throws
}

extension RowExporter: RowPrinter {}

extension OutputFormat {
  fileprivate init?(_ format: ExportFormat) {
    self.init(rawValue: format.rawValue)
  }

  /// Returns a printer of rows with these columns.
  ///
  /// `table` is the table name in INSERT statements.
  func makePrinter(columns: [String], table: String, to output: VerbOutput) -> any RowPrinter {
    guard let format = ExportFormat(rawValue: rawValue) else { return TablePrinter(columns: columns, to: output) }
    return RowExporter(format, columns: columns, table: table, to: output.write(_:))
  }

  /// Prints all rows of a statement.
  ///
  /// If the first row takes long, reports the wait.
  func print(_ statement: Statement, table: String, in db: Database, to output: VerbOutput) throws {
    let printer = makePrinter(columns: statement.columnNames, table: table, to: output)
    var isRow = try Self.tellingWait(in: db) { try statement.step() }
    do {
      while isRow {
        try printer.write(statement)
        isRow = try statement.step()
      }
    } catch let error where VerbOutput.isFault(error) {
      // A statement that writes is still run to its end.
      if !statement.isReadonly { while try statement.step() {} }
      throw error
    } catch {
      // These rows were read before the row that failed.
      try? printer.flush()
      throw error
    }
    try printer.finish()
  }

  /// Reads the first row.
  ///
  /// After a second, reports the wait on the terminal.
  private static func tellingWait(in db: Database, for row: () throws -> Bool) throws -> Bool {
    guard StandardError.isTerminal else { return try row() }
    let deadline = ContinuousClock.now + .seconds(1)
    var hasWarned = false
    func warn() -> Bool {
      if !hasWarned, ContinuousClock.now > deadline {
        hasWarned = true
        StandardError.write("quarry: no row has been found yet; waiting for the first (^C stops that)\n")
      }
      return false
    }
    return try db.withProgress(every: 100_000, warn, during: row)
  }
}
