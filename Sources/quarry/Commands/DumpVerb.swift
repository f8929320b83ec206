internal import ArgumentParser
internal import Browser
internal import QuarryEngine
internal import QuarryFiles
internal import QuarryRows
internal import Synchronization

struct DumpVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump", abstract: "Print SQL that recreates the database: tables with their rows, indexes, triggers and views.",
    discussion: """
      Load it into the sqlite3 shell: `quarry dump app.db | sqlite3 copy.db`. The dump contains one state of the database, even if other \
      programs write meanwhile. If the file has a rollback journal, they cannot write until the dump has ended. Reals, texts with NUL and \
      texts that are not UTF-8 read back exactly. So do rowids, except in a table with 2,000 columns.
      """)

  @OptionGroup var database: DatabaseArgument

  @Argument(help: "Tables and views to print, with their indexes and triggers. The default is the whole database.", completion: .tables)
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
    // The progress line would disturb SQL printed on the terminal.
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
