internal import ArgumentParser
internal import QuarryChanges
internal import QuarryCluster
internal import QuarryEngine

struct ChangesVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "changes", abstract: "List the commits made with Quarry, the latest first, or the rows that one commit changed.",
    discussion: """
      Quarry records every row that a commit changes, including rows changed by triggers and foreign keys. When the records of the \
      database exceed changes.limit in config.toml, the oldest are deleted. `quarry undo` undoes a commit.
      """)

  @OptionGroup var database: DatabaseArgument

  @Argument(help: "Number of a commit whose rows to print.")
  var number: Int?

  @OptionGroup var format: FormatOptions

  func run() throws {
    Interrupts.watch()
    try database.requireDatabase(because: "changes to a table made from a file are not saved")
    let folder = try ChangeLogFolder.ofThisPerson()
    let log: ChangeLog?
    if let remote = try database.remote(changes: folder) {
      log = try InsightOptions.waiting { try await remote.changeLog() }
    } else {
      log = try database.openForReading().withoutTransaction { db in try folder.settledLog(ofDatabase: "main", in: db) }
    }
    let output = try format.output.open(databases: database.paths)
    if let number {
      guard let log, try log.commit(number) != nil else {
        throw Failure.refused("there is no commit \(number); `quarry changes` lists them")
      }
      try printRows(of: number, in: log, to: output)
    } else {
      try printCommits(log?.commits() ?? [], to: output)
    }
    try output.finish()
  }

  private static let commitColumns = ["number", "time", "kind", "tables", "inserted", "updated", "deleted", "statement"]

  private func printCommits(_ commits: [RecordedCommit], to output: VerbOutput) throws {
    let printer = format.chosen.makePrinter(columns: Self.commitColumns, table: "changes", to: output)
    for commit in commits {
      let tables = commit.tables.map { table in table.name + (table.alteration.map { " (\($0))" } ?? "") }
      try printer.write([
        .integer(Int64(commit.id.number)), commit.time.databaseValue, .text(commit.kind.rawValue), .text(tables.joined(separator: ", ")),
        .integer(Int64(commit.inserted)), .integer(Int64(commit.updated)), .integer(Int64(commit.deleted)), .text(commit.statement),
      ])
    }
    try printer.finish()
  }

  private func printRows(of number: Int, in log: ChangeLog, to output: VerbOutput) throws {
    let columns = ["table", "key", "operation", "column", "old", "new"]
    let printer = format.chosen.makePrinter(columns: columns, table: "changes", to: output)
    try log.forEachRow(of: number) { row in
      for column in row.columns {
        try printer.write([
          .text(row.table), row.key.value, .text(row.operation.word), .text(column.name), column.old ?? .null, column.new ?? .null,
        ])
      }
    }
    try printer.finish()
  }
}

extension RecordedKey {
  /// The key as a value: a single value unchanged, several as a list.
  fileprivate var value: DatabaseValue {
    switch self {
    case .rowID(let rowID): .integer(rowID)
    case .values(let values) where values.count == 1: values[0]
    case .values: .text(description)
    }
  }
}

extension RowChangeKind {
  /// The kind of change in one word.
  fileprivate var word: String {
    switch self {
    case .insert: "insert"
    case .update: "update"
    case .delete: "delete"
    }
  }
}
