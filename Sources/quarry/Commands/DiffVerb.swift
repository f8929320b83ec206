internal import ArgumentParser
internal import QuarryChanges
internal import QuarryCluster
internal import QuarryEngine
internal import QuarryFiles

struct DiffVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Compare two databases: files or clusters.",
    discussion: """
      Schemas are compared by meaning: layout and the case of names do not matter. Rows are matched by primary key, or else by rowid, or \
      else as whole rows; --key sets other columns. Storage classes matter: 1 equals neither '1' nor 1.0. Each difference is a line: object, \
      key, change, column, from, to. json prints one object, ndjson an object per change, and sql a transaction that turns the first \
      database into the second. Memory use is bounded. Exit status: 0 equal, 1 different or a table could not be compared, 3 a file \
      cannot be opened or is damaged.
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

  @Flag(name: .customLong("summary"), help: "Print only the changes of the schema, and the number of different rows in each table.")
  var isSummary = false

  @OptionGroup var format: FormatOptions

  func validate() throws {
    if isSchemaOnly && isDataOnly { throw ValidationError("--schema and --data exclude each other: omit both to compare everything") }
    if isSummary, format.chosen == .sql { throw ValidationError("--summary counts rows, and sql changes them: omit one of them") }
  }

  func run() throws {
    Interrupts.watch()
    var diff = DatabaseDiff(try side(from), try side(to))
    if !tables.isEmpty { diff.tables = tables }
    diff.key = key?.names
    diff.ignored = ignored
    let output = try format.output.open(databases: [from, to])
    do {
      let isDifferent = try format.chosen == .sql ? writeScript(diff, to: output) : print(diff, to: output)
      if isDifferent { throw Failure(status: .refused, message: nil) }
    } catch let error where StandardOutput.isClosed(error) {
      // The reader of the output has ended, and status 0 would mean equal databases.
      throw Failure(status: .refused, message: nil)
    }
  }

  // MARK: Differences

  /// Prints the differences, and returns whether there are any.
  private func print(_ diff: DatabaseDiff, to output: VerbOutput) throws -> Bool {
    let lines = DiffLines(printer(to: output))
    let result = try compare { [isSchemaOnly, isDataOnly] in
      if !isDataOnly { for difference in try await diff.schema(findsRenames: !isSchemaOnly) { try lines.print(difference) } }
      guard !isSchemaOnly else { return DatabaseDiff.Result() }
      return try await diff.rows {
        lines.tell($0, $1)
      } end: {
        try lines.end($0)
      } _: {
        try lines.print($0)
      }
    }
    try lines.finish(result)
    try output.finish()
    tell(result)
    return !lines.isEmpty || !result.isSame
  }

  private func printer(to output: VerbOutput) -> any DifferencePrinter {
    switch format.chosen {
    case .json: return DifferenceObject(to: output, isSummary: isSummary)
    case .ndjson where !isSummary: return DifferenceObjects(output: output)
    default:
      let columns = isSummary ? DifferenceCounts.columns : DifferenceRows.columns
      let printer = format.chosen.makePrinter(columns: columns, table: "diff", to: output)
      return isSummary ? DifferenceCounts(printer: printer) : DifferenceRows(printer: printer)
    }
  }

  private func compare<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) throws -> Result {
    do {
      return try DatabaseFiles.findingDamage { try InsightOptions.waiting(body) }
    } catch let error as UnknownDiffKey {
      throw Failure.usage(error.description)
    } catch let error as UnknownIgnoredColumn {
      throw Failure.usage(error.description)
    }
  }

  // MARK: Script

  /// Prints the SQL that turns the first database into the second one, and returns whether they differ.
  private func writeScript(_ diff: DatabaseDiff, to output: VerbOutput) throws -> Bool {
    let lines = ScriptLines(to: output)
    let parts: DiffScript.Parts = isSchemaOnly ? .schema : isDataOnly ? .rows : .all
    let script = try compare {
      try await diff.script(parts) {
        lines.tell($0, $1)
      } _: {
        try lines.print($0)
      }
    }
    try lines.finish()
    try output.finish()
    tell(script.result)
    for table in script.notWritten {
      StandardError.write("quarry: the SQL does not change the rows of \(table.table): \(table.reason)\n")
    }
    return !script.isEmpty || !script.result.isSame
  }

  private func side(_ place: String) throws -> any DiffSide {
    // `git difftool` names this for a file that one side does not have.
    if place == "/dev/null" { return try FileDiffSide(DatabaseQueue(), name: place) }
    if let remote = try RemoteOpening.source(place, refusal: RemoteOpening.refusalOfVerbs, changes: nil) { return remote.diffSide }
    if let path = try SourceFiles([place], options: nil).dataPaths.first {
      throw Failure(status: .cannotOpen, message: "“\(PathText.shown(path))” is not a database: import it into one first")
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

/// The output of the differences, with a progress line.
private final class DiffLines: @unchecked Sendable {
  // Sendable because one task prints, and the thread that waits for its end finishes.
  private let printer: any DifferencePrinter
  private let line = ProgressLine()
  private(set) var isEmpty = true

  init(_ printer: any DifferencePrinter) {
    self.printer = printer
  }

  func tell(_ table: String, _ rows: Int) { line.show("comparing \(table): \(Plural.of(rows, "row")) (^C stops that)") }

  func print(_ difference: SchemaDifference) throws {
    begin()
    try printer.print(difference)
  }

  func print(_ difference: RowDifference) throws {
    begin()
    try printer.print(difference)
  }

  func end(_ table: TableDifference) throws {
    line.end()
    try printer.end(table)
  }

  func finish(_ result: DatabaseDiff.Result) throws {
    line.end()
    try printer.finish(result)
  }

  private func begin() {
    isEmpty = false
    line.end()
  }
}

/// The output of the statements that turn one database into another, with a progress line.
private final class ScriptLines: @unchecked Sendable {
  // Sendable because one task prints, and the thread that waits for its end finishes.
  private let output: VerbOutput
  private let format = PatchFormat()
  private let line = ProgressLine()
  private var isEmpty = true

  init(to output: VerbOutput) {
    self.output = output
  }

  func tell(_ table: String, _ rows: Int) { line.show("comparing \(table): \(Plural.of(rows, "row")) (^C stops that)") }

  func print(_ statements: [PatchStatement]) throws {
    line.end()
    if isEmpty { try output.write(PatchFormat.beginning) }
    isEmpty = false
    for statement in statements { try format.bytes(of: statement).withUnsafeBytes { try output.write($0) } }
  }

  func finish() throws {
    line.end()
    if !isEmpty { try output.write(PatchFormat.ending) }
  }
}
