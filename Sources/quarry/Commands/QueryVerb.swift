internal import ArgumentParser
internal import QuarryChanges
internal import QuarryCluster
internal import QuarryEngine
internal import QuarryRows
internal import QuarrySources

struct QueryVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query", abstract: "Run SQL statements and print the rows that they return.",
    discussion: """
      The statements run in order, each in a transaction of its own unless you use BEGIN and COMMIT. The file is opened for writing only \
      if a statement writes. Commits are recorded: standard error reports the changed rows, `quarry changes` lists the commits, and \
      `quarry undo` undoes one.

      If the file has a rollback journal, no other program can write while a statement reads; `quarry rows` reads in parts instead.

      Set parameters with -p: x sets :x, @x and $x in all statements; a number sets the parameter with that number in each statement, 1 \
      the first ?. A parameter without -p gets the default that a comment in the SQL declares, as in
        -- :min integer = 3
      Without a type, a value gets the type of the column that the parameter is compared with or stored in, or else the type that \
      it looks like. Nothing runs while a value is missing.

      If the reader of the output closes it, as `head` does, the remaining rows are not read, but the remaining statements run.
      """)

  @OptionGroup var database: DatabaseArgument

  @Argument(help: "SQL to run. Read from standard input if it is - or missing, without -f and --statement.")
  var sql: String?

  @Option(
    name: [.customShort("f"), .customLong("file")], help: "Read the SQL from a file. Use - for standard input.",
    completion: .file(extensions: ["sql"]))
  var scriptFile: String?

  @Option(name: .customLong("statement"), help: ArgumentHelp("Run this saved statement.", valueName: "name"), completion: .statements)
  var savedName: String?

  @OptionGroup var parameters: ParameterOptions

  @OptionGroup var format: FormatOptions

  @OptionGroup var recording: RecordingOptions

  func validate() throws {
    if [sql, scriptFile, savedName].count(where: { $0 != nil }) > 1 {
      throw ValidationError("give the SQL, -f with a file, or --statement with a name, not both")
    }
  }

  func run() throws {
    Interrupts.watch()
    let script = Script(try readScript())
    for error in script.declarations.errors { StandardError.write("quarry: \(error)\n") }
    if let remote = try database.remote() { return try run(script, on: remote) }
    let sources = try database.sources()
    let reader = try database.openForReading()
    let output = try format.output.open(databases: database.paths)
    let writes = try reader.read { db in
      try script.check(parameters, db)
      return try script.writes(db)
    }
    let queue = writes ? try database.open(isReadOnly: false) : reader
    let writesDatabase = writes && !sources.databasePaths.isEmpty && !database.access.refusesWriting
    let recorder = writesDatabase ? recording.recorder : nil
    let report = ScriptReport(
      of: script.statements.count, recorder, named: sources.hasData ? nil : database.file, reportsChanges: writesDatabase)
    try report.reporting {
      try queue.withoutTransaction { db in
        try recorder?.attach(to: db)
        try report.watching(db) { try run(script, recorder, report, db, to: output) }
      }
      try output.finish()
    }
    if writes, sources.hasData {
      StandardError.write("quarry: changes to tables made from files are not saved; the files are unchanged\n")
    }
  }

  /// Runs the statements one after another.
  private func run(
    _ script: Script, _ recorder: ChangeRecorder?, _ report: ScriptReport, _ db: Database, to output: VerbOutput
  ) throws {
    var isOutputClosed = false
    try script.forEach(db) { statement in
      try Script.remark(db.quotedTexts(in: statement.sql).map(\.sentence))
      try script.bind(parameters, to: statement)
      try Interrupts.check()
      report.willRun(statement, in: db)
      var fault: (any Error)?
      let body = { fault = try run(statement, db, to: isOutputClosed ? nil : output) }
      if let recorder { try recorder.recording(statement, in: db, body) } else { try body() }
      report.didRun(statement, in: db)
      guard let fault else { return }
      // A reader that closes the pipe early does not stop the writes of the statement.
      guard StandardOutput.isClosed(fault) else { throw fault }
      isOutputClosed = true
    }
    try checkTransaction(isOpen: db.isInsideTransaction)
  }

  /// Whether the SQL is read from standard input.
  var readsInput: Bool {
    if let scriptFile { return scriptFile == StandardInput.name }
    return savedName == nil && sql.map { $0 == StandardInput.name } ?? true
  }

  /// Runs the statements on a server, each in its own transaction except between BEGIN and COMMIT.
  private func run(_ script: Script, on remote: RemoteDataSource) throws {
    let output = try format.output.open(databases: [])
    let schema = try remote.waitForSchema()
    let statements = script.statements
    do {
      // Before they are compiled locally, because a statement that a server must not get is not compiled either.
      let preparation = try InsightOptions.waiting { try await remote.prepare(statements) }
      Script.remark(preparation.remarks)
      if let act = preparation.longReads.first { try remote.confirm(LongRead(act)) }
    } catch let failure as StatementFailure {
      throw script.failure(failure.cause, at: failure.index)
    }
    try schema.read { db in try script.check(parameters, db) }
    var report = ServedReport()
    defer { report.write() }
    for (number, sql) in statements.enumerated() {
      try Interrupts.check()
      if let sentence = IrreversibleStatement(sql: sql)?.sentence { StandardError.write("quarry: \(sentence)\n") }
      do {
        let changes = try run(sql, of: script, on: remote, to: output)
        let isInside = try InsightOptions.waiting { await remote.transaction() } != nil
        if let changes { report.note(StatementKind(of: sql), changes: changes, isInside: isInside) }
      } catch {
        throw script.failure(error, at: number, afterCommits: report.hasCommitted)
      }
    }
    try checkTransaction(isOpen: InsightOptions.waiting { await remote.transaction() } != nil)
    try output.finish()
  }

  /// Runs a statement on a server, and returns the number of rows that it has changed.
  ///
  /// Returns nil if it only reads rows.
  private func run(_ sql: String, of script: Script, on remote: RemoteDataSource, to output: VerbOutput) throws -> Int? {
    let (text, count, values, reads) = try remote.waitForSchema().withoutTransaction { db in
      let statement = try db.makeStatement(sql: sql)
      let reads = statement.isReadonly && statement.columnCount > 0 && !statement.isExplanation && !StatementKind(of: sql).isPragma
      return (statement.sql, statement.parameterCount, try script.values(parameters, of: statement), reads)
    }
    if reads {
      var arguments = Array(repeating: DatabaseValue.null, count: count)
      for (parameter, value) in values { arguments[parameter.index - 1] = value }
      try remote.print(text, arguments, format.chosen, table: "result", to: output)
      return nil
    }
    let named = Dictionary(values.map { ($0.parameter.identity, $0.value) }, uniquingKeysWith: { first, _ in first })
    return try remote.run(text, named, format.chosen, to: output)
  }

  private func readScript() throws -> String {
    if let sql, sql != StandardInput.name { return sql }
    if readsInput, ([database.file] + database.others).contains(StandardInput.name) {
      throw Failure.usage("standard input is the data: give the SQL, -f with a file, or --statement with a name")
    }
    if let savedName { return try SavedScript.text(named: savedName) }
    if let scriptFile, scriptFile != StandardInput.name {
      guard let file = TextFile(path: scriptFile) else { throw Failure.usage("“\(scriptFile)” cannot be read") }
      return try file.text(named: "“\(scriptFile)”")
    }
    return try TextFile.sqlOnStandardInput("give the SQL, -f with a file, --statement with a name, or pipe it in")
  }

  /// Runs a statement and prints its rows, or runs it only for its effects if the reader is gone.
  ///
  /// - Returns: The reason why the rows could not be printed, which does not stop the writes of the statement, or nil.
  private func run(_ statement: Statement, _ db: Database, to output: VerbOutput?) throws -> (any Error)? {
    if statement.columnCount == 0 {
      try statement.execute()
    } else if let output {
      do {
        try format.chosen.print(statement, table: "result", in: db, to: output)
      } catch let error where VerbOutput.isFault(error) {
        return error
      }
    } else if !statement.isReadonly || StatementKind(of: statement.sql).isPragma {
      while try statement.step() {}
    }
    return nil
  }

  /// Rejects SQL that ends inside a transaction, because its changes would be lost without notice.
  private func checkTransaction(isOpen: Bool) throws {
    if isOpen { throw Failure.refused("the SQL ended inside a transaction, which was rolled back: end it with COMMIT") }
  }
}
