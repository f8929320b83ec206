internal import ArgumentParser
internal import QuarryChanges
internal import QuarryEngine

struct TextconvVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "textconv", abstract: "Print a database as text for `git diff`: the schema, then a line for each row.",
    discussion: """
      The text changes only where the database does: tables are sorted by name and rows by key. It is not SQL; `quarry dump` prints SQL. \
      `quarry man` shows how to set up git.
      """)

  @OptionGroup var database: DatabaseArgument

  @Option(name: .customLong("table"), help: ArgumentHelp("Print only this table. Repeatable.", valueName: "table"))
  var tables: [String] = []

  @OptionGroup var output: OutputOptions

  func run() throws {
    Interrupts.watch()
    try database.requireDatabase(because: "it is text already")
    let queue = try database.openForReading()
    let names = try queue.read { db in try tables.map { try TableSchema(named: $0, in: db).entry.reference.name } }
    let side = try FileDiffSide(queue, name: PathText.shown(database.paths.first ?? ""))
    let output = try output.open(databases: database.paths)
    let text = TextLines(to: output)
    let unread = try DatabaseFiles.findingDamage {
      try InsightOptions.waiting {
        try await DatabaseText(side).write(tables: names.isEmpty ? nil : names) {
          text.tell($0, $1)
        } to: {
          try text.write($0)
        }
      }
    }
    text.line.end()
    try output.finish()
    for table in unread { StandardError.write("quarry: the rows of \(table.table) were not printed: \(table.reason)\n") }
  }
}

/// The output of the text, with a progress line.
private final class TextLines: @unchecked Sendable {
  // Sendable because one task writes, and the thread that waits for its end finishes.
  private let output: VerbOutput
  let line = ProgressLine()

  init(to output: VerbOutput) {
    self.output = output
  }

  func tell(_ table: String, _ rows: Int) {
    if !output.isTerminal { line.show("reading \(table): \(Plural.of(rows, "row")) (^C stops that)") }
  }

  func write(_ text: String) throws { try output.write(text) }
}
