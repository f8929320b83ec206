internal import ArgumentParser
internal import QuarryEngine

struct QueryVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query", abstract: "Run SQL, and print the rows of each statement that yields some.",
    discussion: """
      The statements run one after the other, each by itself but for BEGIN and COMMIT. The file is opened to be written only where one \
      of them writes.
      """)

  @OptionGroup var database: DatabaseArgument

  @Argument(help: "The SQL; without it and without -f it is read from standard input.")
  var sql: String?

  @Option(name: [.customShort("f"), .customLong("file")], help: "A file that holds the SQL.", completion: .file(extensions: ["sql"]))
  var scriptFile: String?

  @OptionGroup var format: FormatOptions

  func validate() throws {
    if sql != nil, scriptFile != nil { throw ValidationError("give the SQL or -f with its file, not both") }
  }

  func run() throws {
    Interrupts.watch()
    let script = try readScript()
    let reader = try database.openForReading()
    let writes = try reader.read { db in try Script(script).writes(db) }
    let queue = writes ? try database.open(isReadOnly: false) : reader
    try queue.withoutTransaction { db in
      try Script(script).forEach(db) { try run($0) }
      try checkTransaction(db)
    }
  }

  private func readScript() throws -> String {
    if let sql { return sql }
    if let scriptFile {
      guard let file = TextFile(path: scriptFile) else { throw Failure.usage("“\(scriptFile)” cannot be read") }
      return try text(of: file, named: "“\(scriptFile)”")
    }
    guard let file = TextFile.standardInput else { throw Failure.usage("give the SQL, -f with a file of it, or pipe it in") }
    return try text(of: file, named: "the SQL on standard input")
  }

  private func text(of file: TextFile, named name: String) throws -> String {
    guard let text = file.text else { throw Failure.usage("\(name) is not UTF-8") }
    return text
  }

  private func run(_ statement: Statement) throws {
    try Interrupts.check()
    if statement.parameterCount > 0 {
      throw Failure.usage("the statement has a parameter, \(statement.parameterName(at: 1) ?? "?"), and no value for it")
    }
    if statement.columnCount > 0 {
      try format.chosen.print(statement, table: "result")
    } else {
      try statement.execute()
    }
  }

  /// What a transaction that nobody commits has written would be lost without a word.
  private func checkTransaction(_ db: Database) throws {
    guard db.isInsideTransaction else { return }
    throw Failure.refused("the SQL ended inside a transaction, which was rolled back: end it with COMMIT")
  }
}
