internal import ArgumentParser
internal import QuarryEngine
internal import QuarryFiles
internal import QuarryRows

struct ProfileVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profile", abstract: "Summarize each column: types, NULLs, distinct values, quartiles, lengths.")

  @OptionGroup var subject: InsightOptions

  @Option(help: ArgumentHelp("Columns to summarize, in this order.", valueName: "a,b"), completion: .columnList)
  var columns: ColumnList?

  @OptionGroup var format: FormatOptions

  private static let names = [
    "column", "declared", "rows", "null", "integer", "real", "text", "blob", "empty", "distinct", "min", "max", "mean", "p25", "p50", "p75",
    "min_length", "max_length",
  ]

  func run() throws {
    let subject = try subject.open()
    let output = try format.output.open(databases: subject.databases)
    let names = try columns?.names(in: subject.schema)
    let request = ProfileRequest(subject.rows, columns: names, isExact: true)
    let profile = try InsightOptions.waiting { try await subject.connections.profile(request) }
    switch format.chosen {
    case .json: try output.write("[" + profile.columns.map(Self.json).joined(separator: ",\n") + "]\n")
    case .ndjson: for column in profile.columns { try output.write(Self.json(of: column) + "\n") }
    case .table, .csv, .tsv, .markdown, .html, .sql: try print(profile, to: output)
    }
    try output.finish()
    if profile.progress.sawChanges { InsightOptions.tellChanges(in: subject) }
  }

  private func print(_ profile: TableProfile, to output: VerbOutput) throws {
    let printer = format.chosen.makePrinter(columns: Self.names, table: "profile", to: output)
    for column in profile.columns { try printer.write(Self.values(of: column)) }
    try printer.finish()
  }

  private static func values(of column: ColumnProfile) -> [DatabaseValue] {
    let counts = [
      column.rows, column.nulls, column.integers, column.reals, column.texts, column.blobs, column.empty, column.distinct.value,
    ]
    let lengths = [column.minLength, column.maxLength].map { $0.map { DatabaseValue.integer(Int64($0)) } ?? .null }
    return [.text(column.name), .text(column.declaredType)] + counts.map { .integer(Int64($0)) }
      + [column.min, column.max, column.mean.map { .real(Self.rounded($0)) } ?? .null]
      + [column.p25, column.p50, column.p75].map { $0?.value ?? .null } + lengths
  }

  /// An empty database that formats numbers like SQLite, or nil if there is not enough memory.
  private static let database = try? DatabaseQueue()

  /// Returns a mean with the digits that SQLite prints, at most 15.
  private static func rounded(_ mean: Double) -> Double {
    let text = try? database?.read { db in try String.fetchOne(db, sql: "SELECT CAST(? AS TEXT)", arguments: [mean]) }
    return text.flatMap { Double($0) } ?? mean
  }

  /// Returns a column as an object, with its histogram, most frequent values and remarks.
  private static func json(of column: ColumnProfile) -> String {
    let histogram = column.histogram.compactMap { line in
      line.value.bin.map { [$0.lower, $0.upper, .integer(Int64(line.count))] }
    }
    let top = column.top.map { [$0.value.printed, .value(.integer(Int64($0.count)))] }
    let object = text(.ndjson, names, [values(of: column)])
    return object.dropLast() + ",\"histogram\":" + text(.json, ["lower", "upper", "count"], histogram)
      + ",\"top\":" + ExportFormat.json.text(columns: ["value", "count"], rows: top).filter { $0 != "\n" }
      + ",\"remarks\":" + text(.json, ["remark"], column.remarks.map { [.text($0.sentence)] }) + "}"
  }

  /// Returns rows in a format on one line.
  ///
  /// Line breaks in values are escaped.
  private static func text(_ format: ExportFormat, _ columns: [String], _ rows: [[DatabaseValue]]) -> String {
    format.text(columns: columns, rows: rows).filter { $0 != "\n" }
  }
}
