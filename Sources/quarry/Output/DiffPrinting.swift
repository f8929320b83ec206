internal import Browser
internal import QuarryChanges
internal import QuarryEngine
internal import QuarryFiles

/// The printing of the differences of two databases in a format.
struct DiffPrinting: Sendable {
  let subject: DiffSubject
  let format: OutputFormat
  /// Whether rows are only counted.
  let isSummary: Bool
  /// Whether a line on the terminal shows the progress.
  var showsProgress = true

  /// What was printed.
  struct Outcome: Sendable {
    var result = DatabaseDiff.Result()
    /// The tables whose rows the printed SQL does not change.
    var notWritten: [UncomparedTable] = []
    var isDifferent = false
  }

  /// Compares, and prints the differences.
  func print(_ diff: DatabaseDiff, to output: VerbOutput) async throws -> Outcome {
    format == .sql ? try await printScript(diff, to: output) : try await printRows(diff, to: output)
  }

  private func printRows(_ diff: DatabaseDiff, to output: VerbOutput) async throws -> Outcome {
    let lines = DiffLines(printer(to: output), showsProgress)
    if subject.comparesSchema {
      for difference in try await diff.schema(findsRenames: subject.comparesRows) { try lines.print(difference) }
    }
    var result = DatabaseDiff.Result()
    if subject.comparesRows {
      result = try await diff.rows {
        lines.tell($0, $1)
      } end: {
        try lines.end($0)
      } _: {
        try lines.print($0)
      }
    }
    try lines.finish(result)
    try output.finish()
    return Outcome(result: result, isDifferent: !lines.isEmpty || !result.isSame)
  }

  private func printer(to output: VerbOutput) -> any DifferencePrinter {
    switch format {
    case .json: return DifferenceObject(to: output, isSummary: isSummary)
    case .ndjson where !isSummary: return DifferenceObjects(output: output)
    default:
      let columns = isSummary ? DifferenceCounts.columns : DifferenceRows.columns
      let printer = format.makePrinter(columns: columns, table: "diff", to: output)
      return isSummary ? DifferenceCounts(printer: printer) : DifferenceRows(printer: printer)
    }
  }

  /// Prints the SQL that turns the first database into the second one.
  private func printScript(_ diff: DatabaseDiff, to output: VerbOutput) async throws -> Outcome {
    let lines = ScriptLines(to: output, showsProgress)
    let parts: DiffScript.Parts = subject.comparesSchema ? subject.comparesRows ? .all : .schema : .rows
    let script = try await diff.script(parts) {
      lines.tell($0, $1)
    } _: {
      try lines.print($0)
    }
    try lines.finish()
    try output.finish()
    return Outcome(result: script.result, notWritten: script.notWritten, isDifferent: !script.isEmpty || !script.result.isSame)
  }
}

/// The output of the differences, with a progress line.
private final class DiffLines: @unchecked Sendable {
  // Sendable because one task uses it.
  private let printer: any DifferencePrinter
  private let line: ProgressLine?
  private(set) var isEmpty = true

  init(_ printer: any DifferencePrinter, _ showsProgress: Bool) {
    self.printer = printer
    line = showsProgress ? ProgressLine() : nil
  }

  func tell(_ table: String, _ rows: Int) { line?.show("comparing \(table): \(Plural.of(rows, "row")) (^C stops that)") }

  func print(_ difference: SchemaDifference) throws {
    begin()
    try printer.print(difference)
  }

  func print(_ difference: RowDifference) throws {
    begin()
    try printer.print(difference)
  }

  func end(_ table: TableDifference) throws {
    line?.end()
    try printer.end(table)
  }

  func finish(_ result: DatabaseDiff.Result) throws {
    line?.end()
    try printer.finish(result)
  }

  private func begin() {
    isEmpty = false
    line?.end()
  }
}

/// The output of the statements that turn one database into another, with a progress line.
private final class ScriptLines: @unchecked Sendable {
  // Sendable because one task uses it.
  private let output: VerbOutput
  private let format = PatchFormat()
  private let line: ProgressLine?
  private var isEmpty = true

  init(to output: VerbOutput, _ showsProgress: Bool) {
    self.output = output
    line = showsProgress ? ProgressLine() : nil
  }

  func tell(_ table: String, _ rows: Int) { line?.show("comparing \(table): \(Plural.of(rows, "row")) (^C stops that)") }

  func print(_ statements: [PatchStatement]) throws {
    line?.end()
    if isEmpty { try output.write(PatchFormat.beginning) }
    isEmpty = false
    for statement in statements { try format.bytes(of: statement).withUnsafeBytes { try output.write($0) } }
  }

  func finish() throws {
    line?.end()
    if !isEmpty { try output.write(PatchFormat.ending) }
  }
}
