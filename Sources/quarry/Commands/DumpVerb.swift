internal import ArgumentParser
internal import Browser
internal import QuarryEngine
internal import QuarryFiles
internal import QuarryRows
internal import Synchronization

struct DumpVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump", abstract: "Print the SQL that makes the database again: tables with their rows, indexes, triggers and views.",
    discussion: """
      The sqlite3 shell reads it: `quarry dump app.db | sqlite3 copy.db`. All of it is of one state of the database, whatever others write \
      meanwhile; where the file has a rollback journal, they cannot write before the dump has ended. Reals, texts with NUL, and texts that \
      are not UTF-8 read back as they are; rowids too, but those of a table that has 2,000 columns.
      """)

  @OptionGroup var database: DatabaseArgument

  @Argument(help: "The tables and views, with their indexes and triggers; without any, the whole database.")
  var tables: [String] = []

  @OptionGroup var output: OutputOptions

  func run() throws {
    Interrupts.watch()
    let queue = try database.openForReading()
    let names = try queue.read { db in
      let names = try tables.map { try TableSchema(named: $0, in: db).entry.reference.name }
      try db.reportIgnoredSchemaSQL(of: names.isEmpty ? nil : names)
      return names
    }
    let output = try output.open(databases: database.paths)
    let files = try database.files()
    let connections = ReadConnections(queue, secondReader: { try files.open(label: "second reader", busyTimeout: .zero) })
    let line = Mutex(ProgressLine())
    // Beside SQL on the terminal it would be in the way.
    let isTold = !output.isTerminal
    try InsightOptions.waiting {
      defer { line.withLock { $0.end() } }
      try await connections.dump(tables: names.isEmpty ? nil : names) { progress in
        if isTold { line.withLock { $0.show("dumping: \(progress.words) (^C stops that)") } }
      } to: {
        try output.write($0)
      }
    }
    try output.finish()
  }
}
