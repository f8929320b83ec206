internal import ArgumentParser
internal import QuarryEngine

/// How rows are printed.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
  case table, csv, tsv, json, ndjson, markdown, sql
}

struct FormatOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("How to print rows; by default table on a terminal, else csv.", valueName: "format"))
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

  /// What the command line chooses, or else what suits standard output.
  var chosen: OutputFormat {
    requested.first ?? (StandardOutput.isTerminal ? .table : .csv)
  }

  func validate() throws {
    if Set(requested).count > 1 {
      throw ValidationError("one format at a time: these are \(requested.map(\.rawValue).joined(separator: " and "))")
    }
  }

  private var requested: [OutputFormat] {
    let flags: [(Bool, OutputFormat)] = [(isCSV, .csv), (isJSON, .json), (isMarkdown, .markdown), (isTable, .table), (isTSV, .tsv)]
    return (format.map { [$0] } ?? []) + flags.filter(\.0).map(\.1)
  }
}
