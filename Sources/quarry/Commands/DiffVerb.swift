internal import ArgumentParser
internal import QuarryChanges
internal import QuarryCluster
internal import QuarryEngine

struct DiffVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Compare two databases: files or clusters.",
    discussion: """
      Schemas are compared by meaning: layout and the case of names do not matter. Rows are matched by primary key, or else by rowid, or \
      else as whole rows; --key sets other columns. Storage classes matter: 1 equals neither '1' nor 1.0. Each difference is a line: object, \
      key, change, column, from, to. Memory use is bounded. Exit status: 0 equal, 1 different or a table could not be compared, 3 a file \
      cannot be read.
      """)

  @Argument(help: "First database: a file, or the address of a cluster.", completion: .file(), transform: FileArgument.path)
  var from: String

  @Argument(help: "Second database.", completion: .file(), transform: FileArgument.path)
  var to: String

  @Option(
    name: .customLong("table"), help: ArgumentHelp("Compare this table, with its indexes and triggers. Repeatable.", valueName: "table"),
    completion: .tables)
  var tables: [String] = []

  @Flag(name: .customLong("schema"), help: "Compare only the schemas.")
  var isSchemaOnly = false

  @Flag(name: .customLong("data"), help: "Compare only the rows.")
  var isDataOnly = false

  @Option(help: ArgumentHelp("Match rows by these columns instead of the primary key.", valueName: "a,b"), completion: .columnList)
  var key: ColumnList?

  @Option(
    name: .customLong("ignore"), help: ArgumentHelp("Ignore this column. Repeatable.", valueName: "column"),
    completion: .columns)
  var ignored: [String] = []

  @OptionGroup var format: FormatOptions

  func validate() throws {
    if isSchemaOnly && isDataOnly { throw ValidationError("--schema and --data exclude each other: omit both to compare everything") }
    if [.json, .sql].contains(format.chosen) {
      throw ValidationError("diff prints table, csv, tsv, ndjson, markdown or html, not \(format.chosen.rawValue)")
    }
  }

  func run() throws {
    Interrupts.watch()
    var diff = DatabaseDiff(try side(from), try side(to))
    if !tables.isEmpty { diff.tables = tables }
    diff.key = key?.names
    diff.ignored = ignored
    let output = try format.output.open(databases: [from, to])
    let lines = DiffLines(format.chosen.makePrinter(columns: DiffLines.columns, table: "diff", to: output))
    let result = try compare(diff, lines)
    try lines.finish()
    try output.finish()
    tell(result)
    if !lines.isEmpty || !result.notCompared.isEmpty { throw Failure(status: .refused, message: nil) }
  }

  private func compare(_ diff: DatabaseDiff, _ lines: DiffLines) throws -> DatabaseDiff.Result {
    do {
      return try InsightOptions.waiting { [isSchemaOnly, isDataOnly] in
        if !isDataOnly { for difference in try await diff.schema() { try lines.print(difference) } }
        guard !isSchemaOnly else { return DatabaseDiff.Result() }
        return try await diff.rows {
          lines.tell($0, $1)
        } _: {
          try lines.print($0)
        }
      }
    } catch let error as UnknownDiffKey {
      throw Failure.usage(error.description)
    } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_CORRUPT {
      throw Failure(status: .cannotOpen, message: Failure(error)?.message)
    }
  }

  private func side(_ place: String) throws -> any DiffSide {
    if let remote = try RemoteOpening.source(place, refusal: RemoteOpening.refusalOfVerbs, changes: nil) { return remote.diffSide }
    if let path = try SourceFiles([place], options: nil).dataPaths.first {
      throw Failure.usage("“\(PathText.shown(path))” is not a database: import it into one first")
    }
    let queue = try DatabaseFiles(paths: [place], isReadOnly: true, recovery: .reported).open()
    return try FileDiffSide(queue, name: PathText.shown(place))
  }

  /// Reports on standard error the number of differences, and the tables that could not be compared.
  private func tell(_ result: DatabaseDiff.Result) {
    for table in result.tables where table.added + table.removed + table.changed > 0 {
      StandardError.write("quarry: \(table.table): +\(table.added) -\(table.removed) ~\(table.changed)\n")
    }
    for table in result.notCompared {
      StandardError.write("quarry: the rows of \(table.table) were not compared: \(table.reason)\n")
    }
    if result.isTorn {
      StandardError.write("quarry: another program wrote while rows were compared, so the result may be inconsistent: compare again\n")
    } else if result.isOfUnknownMoment {
      StandardError.write(
        "quarry: the leader was lost while rows were compared, so the result may be inconsistent: compare again\n")
    }
  }
}

/// The output of the differences as rows of a result, with a progress line.
private final class DiffLines: @unchecked Sendable {
  // Sendable because one task prints, and the thread that waits for its end finishes.
  static let columns = ["object", "key", "change", "column", "from", "to"]

  private let printer: any RowPrinter
  private let line = ProgressLine()
  private(set) var isEmpty = true

  init(_ printer: any RowPrinter) {
    self.printer = printer
  }

  func tell(_ table: String, _ rows: Int) { line.show("comparing \(table): \(Plural.of(rows, "row")) (^C stops that)") }

  func print(_ difference: SchemaDifference) throws {
    try write([
      .text("\(difference.kind) \(difference.name)"), .null, .text(difference.change.rawValue), .null,
      difference.from.map { .text($0) } ?? .null, difference.to.map { .text($0) } ?? .null,
    ])
  }

  /// Prints a line for each different value.
  ///
  /// For a row that only one database has, prints a line for each value, or one line for the key alone.
  func print(_ difference: RowDifference) throws {
    let values = difference.key.map(\.value.databaseValue)
    let key: DatabaseValue =
      switch values.count {
      case 0: .null
      case 1: values[0]
      default: .text(values.map(\.sqlLiteral).joined(separator: ", "))
      }
    let start: [DatabaseValue] = [.text(difference.table), key, .text(difference.change.rawValue)]
    for cell in difference.cells {
      try write(start + [.text(cell.column), cell.from?.databaseValue ?? .null, cell.to?.databaseValue ?? .null])
    }
    if difference.cells.isEmpty { try write(start + [.null, .null, .null]) }
  }

  func finish() throws {
    line.end()
    try printer.finish()
  }

  private func write(_ values: [DatabaseValue]) throws {
    isEmpty = false
    line.end()
    try printer.write(values)
  }
}
