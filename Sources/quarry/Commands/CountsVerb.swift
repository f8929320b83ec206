internal import ArgumentParser
internal import QuarryEngine
internal import QuarryRows

struct CountsVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "counts", abstract: "Count how often each value of a column occurs, the most frequent first.")

  @OptionGroup var subject: InsightOptions

  @Argument(
    help: ArgumentHelp("Column to count, or a value such as AlbumId.Title.", valueName: "column"), completion: .columns,
    transform: { ColumnList(name: $0) })
  var column: ColumnList

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Print at most this many values.", valueName: "n"), transform: RowsVerb.rowCount)
  var limit: Int?

  @OptionGroup var format: FormatOptions

  /// The number of values computed at once.
  private static let batch = 10_000

  func run() throws {
    let subject = try subject.open { try self.column.insightColumns(in: $0, $1).map(\.expression) }
    let output = try format.output.open(databases: subject.databases)
    let column = try column.insightColumns(in: subject.schema, subject.columns)[0]
    let request = CountRequest(column, in: subject.rows)
    let counts = try InsightOptions.waiting { try await subject.connections.counts(request) }
    let printer = format.chosen.makePrinter(columns: ["value", "count"], table: "counts", to: output)
    let end = min(counts.lines, limit ?? .max)
    for start in stride(from: 0, to: end, by: Self.batch) {
      for line in counts.list(.mostFrequentFirst, start..<min(end, start + Self.batch)) {
        try printer.write([line.value.printed, .value(.integer(Int64(line.count)))])
      }
    }
    try printer.finish()
    try output.finish()
    if counts.progress.sawChanges { InsightOptions.tellChanges(in: subject) }
  }
}

extension CountedValue {
  /// The value as printed by a verb.
  var printed: StoredValue {
    switch self {
    case .value(let value): .value(value)
    case .rawText(let bytes): .rawText(bytes)
    case .bin(let bin): .value(.text("\(bin.lower) to \(bin.upper)"))
    }
  }
}
