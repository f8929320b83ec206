internal import ArgumentParser
internal import Browser
internal import Essentials
internal import QuarryChanges
internal import QuarryEngine
internal import QuarryFiles

struct ImportVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import CSV, TSV, JSON or NDJSON files into a table.",
    discussion: """
      All files are imported in one transaction. The first row that fails undoes all of it, unless --rejects names a file for such rows. \
      Columns are matched by name, ignoring case; --map assigns columns with other names. --create creates the table, and the database \
      too if it does not exist. It chooses types that preserve every value exactly. `quarry undo` undoes an import.
      """)

  @Argument(help: "Database.", completion: .file(), transform: FileArgument.path)
  var file: String

  @Argument(help: "Table to import into.", completion: .tables)
  var table: String

  @Argument(help: "Files to read. Use - or no file for standard input.", completion: .file())
  var sources: [String] = []

  @Flag(help: "Create the table.")
  var create = false

  @Option(
    help: ArgumentHelp("Read these columns of the file. Without a header, name its columns from the left.", valueName: "a,b"))
  var columns: ColumnList?

  @Option(help: ArgumentHelp("Assign columns of the file to columns of the table with other names.", valueName: "from=to,…"))
  var map: ColumnMap?

  @OptionGroup var data: DataFileOptions

  @Option(
    help: ArgumentHelp(
      "If a row with the same key exists: \(ImportConflictChoice.names). update changes the existing row.",
      valueName: "choice"))
  var onConflict = ImportConflictChoice.abort

  @Option(help: ArgumentHelp("Write the rows that fail to a new CSV file, with line and reason, and import the rest.", valueName: "path"))
  var rejects: String?

  @Flag(help: "Try the import, print the target and the type of each column, and write nothing.")
  var dryRun = false

  @OptionGroup var access: AccessOptions

  @OptionGroup var recording: RecordingOptions

  @OptionGroup var format: FormatOptions

  func validate() throws {
    if rejects != nil, sources.count > 1 {
      throw ValidationError("--rejects needs a single file: it identifies rows by their line numbers")
    }
  }

  func run() throws {
    Interrupts.watch()
    if access.refusesWriting { throw Failure.refused("an import writes: omit --read-only and --immutable") }
    if file == ":memory:" { throw Failure.usage("an import into memory would be lost at once: name a file") }
    if table.isEmpty { throw Failure.usage("the name of the table is empty: name one") }
    if case .dqlite = try Address(file) {
      throw Failure.refused(
        """
        files cannot be imported into a cluster: convert them to statements and run those, as in \
        `quarry rows tracks.csv tracks --format sql -o tracks.sql && quarry query --write '\(file)' -f tracks.sql`
        """)
    }
    if sources.isEmpty, StandardInput.isTerminal {
      throw Failure.usage("name the file to import, or pipe it in, as in `… | quarry import \(file) \(table) -`")
    }
    if try SourceFiles.isData(file) {
      throw Failure.usage("“\(PathText.shown(file))” is not a database, which comes first: `quarry import app.db Track tracks.csv`")
    }
    let isNew = !PathText.exists(PathText.bytes(file))
    let queue = try open(isNew: isNew)
    let output = try format.output.open(databases: [file] + sources)
    let imports: [(importer: Importer, result: ImportResult)]
    do {
      imports = try queue.withoutTransaction { db in try importAll(db, to: output) }
    } catch {
      if isNew, !dryRun { try? removeEmpty(queue) }
      throw error
    }
    try report(imports, to: output)
  }

  /// The names of the files to read, as shown to the user.
  private var readSources: [String] { sources.isEmpty ? [StandardInput.name] : sources }

  /// Whether the files are on another machine and arrive on standard input one after another.
  private var areElsewhere: Bool { SSHSession.current?.sourceCount != nil }

  /// Opens the database.
  ///
  /// For a dry run with `--create`, a new database is created in memory.
  private func open(isNew: Bool) throws -> DatabaseQueue {
    let path = isNew && create && dryRun ? ":memory:" : file
    if isNew {
      guard create else { throw missingDatabase }
      try requireFolder()
    }
    let queue = try DatabaseFiles(paths: [path], isReadOnly: false, recovery: .reported).open()
    Interrupts.stop(queue)
    return queue
  }

  private var missingDatabase: Failure {
    let error = DatabaseOpenError(kind: .noSuchFile, path: file)
    let advice = [error.description, NearbyFiles.question(about: error), "--create creates the database and the table."]
    return Failure(status: .cannotOpen, message: advice.compactMap(\.self).joined(separator: " "))
  }

  /// Checks that the folder of a new database exists.
  private func requireFolder() throws {
    guard let slash = file.lastIndex(of: "/"), slash > file.startIndex else { return }
    if PathText.exists(PathText.bytes(String(file[..<slash]))) { return }
    let message = "the folder of “\(PathText.shown(file))” does not exist: create it, or name another database"
    throw Failure(status: .cannotOpen, message: message)
  }

  /// Removes the new database after a failed import.
  private func removeEmpty(_ queue: DatabaseQueue) throws {
    let isEmpty = try queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0 }
    try queue.close()
    if isEmpty { try FileManager.default.removeItem(atPath: file) }
  }

  /// Imports all files in one transaction.
  ///
  /// The transaction begins once the first file is open, because a pipe may be slow.
  private func importAll(_ db: Database, to output: VerbOutput) throws -> [(importer: Importer, result: ImportResult)] {
    let recorder = dryRun ? nil : recording.recorder
    try recorder?.attach(to: db)
    let (sources, line) = (readSources, ProgressLine())
    let names = sources.count == 1 ? Self.shown(sources[0]) : Plural.of(sources.count, "file")
    var (importers, current): ([Importer], Int) = ([], 0)
    func next(_ index: Int) throws -> Importer {
      current = index
      if importers.count <= index {
        line.end()
        if index > 0, areElsewhere { try SSHInput.beginNextSource() }
        importers.append(try open(sources[index], isLater: index > 0, db, to: output))
      }
      return importers[index]
    }
    do {
      _ = try next(0)
      let transaction = ImportTransaction(recorder: recorder, isDryRun: dryRun)
      let results = try transaction.run(sources.count, in: db, as: "import of \(names) into \(tableName(db))", importer: next) {
        line.show("\(dryRun ? "trying" : "importing") \($0.words) (^C stops that)")
      }
      line.end()
      return zip(importers, results).map { (importer: $0, result: $1) }
    } catch {
      line.end()
      throw failure(of: error, sources[current], hasBegun: !importers.isEmpty)
    }
  }

  /// Opens a file and reports how it is read.
  private func open(_ source: String, isLater: Bool, _ db: Database, to output: VerbOutput) throws -> Importer {
    let plan = try plan(source, makesTable: create && !isLater, db)
    let wait = InputWait()
    let importer = try Importer(plan, in: db) { try wait.check() }
    Interrupts.end { importer.cancel() }
    for note in importer.preview.notes { tell(note, of: source) }
    if dryRun { try printMapping(importer.preview, to: output) }
    let problems = importer.preview.problems
    if !problems.isEmpty {
      let isOfColumns = importer.preview.columns.contains { $0.target == nil }
      let help = isOfColumns ? ["--map from=to assigns a column, --columns chooses the columns to read"] : []
      throw Failure.usage((problems + help).joined(separator: "\n"))
    }
    return importer
  }

  private static func shown(_ source: String) -> String { source == StandardInput.name ? "standard input" : PathText.shown(source) }

  /// Writes a message about a file.
  ///
  /// Includes the file's name if there are several files.
  private func tell(_ sentence: String, of source: String) {
    StandardError.write("quarry: \(sources.count > 1 ? "\(Self.shown(source)): " : "")\(sentence)\n")
  }

  /// Returns the failure for an error that has ended the import.
  ///
  /// The message names the file if there are several, and states that nothing was written.
  ///
  /// - Parameters:
  ///   - source: The file that was being read.
  ///   - hasBegun: Whether a file had been opened.
  private func failure(of error: any Error, _ source: String, hasBegun: Bool) -> any Error {
    if Interrupts.haveCome, hasBegun { return Failure(status: .interrupted, message: "stopped: nothing was imported") }
    if var error = error as? FileReadError {
      // The file's name on the user's machine.
      if areElsewhere { error.path = source }
      guard var failure = Failure(error), hasBegun else { return error }
      // The rejects file cannot be written on the user's machine if that is a remote machine.
      let isAdvised = error.isAfterRecords && SSHSession.current == nil && sources.count < 2
      failure.message? += isAdvised ? " Nothing was imported: --rejects PATH imports the records before it." : " Nothing was imported."
      return failure
    }
    guard sources.count > 1, var failure = Failure(error) else { return error }
    if let error = error as? ImportFailure, case .row(let reject) = error.reason {
      let way =
        SSHSession.current == nil ? ", or import this file alone with --rejects PATH, which saves such rows" : ""
      failure.message = "\(reject.clause); nothing was imported: correct the row\(way)"
    }
    failure.message = failure.message.map { "\(Self.shown(source)): \($0)" }
    return failure
  }

  private func plan(_ source: String, makesTable: Bool, _ db: Database) throws -> ImportPlan {
    let reference = TableReference(name: try tableName(db))
    let table = reference.name
    if table.lowercased().hasPrefix("sqlite_") {
      throw Failure.refused("SQLite reserves the name \(table) for itself: import into a table with another name")
    }
    let isThere = try db.catalog().entries(of: "main").contains { $0.reference.name.lowercased() == table.lowercased() }
    if makesTable, isThere { throw Failure.refused("there is already a table \(table): omit --create to add rows to it") }
    if !makesTable, !isThere {
      var failure = try NoSuchTable.failure(table, db)
      failure.message = failure.message.map { $0.hasSuffix("?") ? "\($0) --create creates a new table" : "\($0); --create creates it" }
      throw failure
    }
    var plan = ImportPlan(
      path: areElsewhere ? StandardInput.name : source, into: makesTable ? .new(reference) : .existing(reference), reading: data.reading)
    plan.columns = columns?.names
    plan.mapping = map?.names ?? [:]
    plan.types = data.types?.types ?? [:]
    plan.onConflict = onConflict.rule
    plan.rejectsPath = rejects
    plan.isDryRun = dryRun
    return plan
  }

  /// Returns the name of the table without a database name.
  ///
  /// The import opens only one database.
  private func tableName(_ db: Database) throws -> String {
    let isWhole = try db.catalog().entries(of: "main").contains { $0.reference.name.lowercased() == table.lowercased() }
    guard !isWhole, let point = table.firstIndex(of: ".") else { return table }
    let (database, name) = (table[..<point].lowercased(), String(table[table.index(after: point)...]))
    if database == "temp" { throw Failure.usage("temporary tables are lost when the program ends: name a table of the file") }
    return database == "main" && !name.isEmpty ? name : table
  }

  /// Prints the target of each column and its value in the first row.
  private func printMapping(_ preview: ImportPreview, to output: VerbOutput) throws {
    let printer = format.chosen.makePrinter(columns: ["source", "target", "type", "first"], table: "mapping", to: output)
    let first = Dictionary(
      zip(preview.imported.map(\.source.name), preview.rows.first ?? []), uniquingKeysWith: { first, _ in first })
    for column in preview.columns {
      try printer.write([
        .text(column.source.nameInFile.isEmpty ? column.source.name : column.source.nameInFile), column.target.map { .text($0) } ?? .null,
        .text(column.declaredType), first[column.source.name] ?? .null,
      ])
    }
    try printer.finish()
  }

  /// The maximum number of rejected rows that are reported individually.
  private static let toldRejects = 5

  /// Reports the results.
  ///
  /// If the output cannot be written, the error includes them, because the import has been committed.
  private func report(_ imports: [(importer: Importer, result: ImportResult)], to output: VerbOutput) throws {
    let sentences = imports.enumerated().map { index, each in
      let (source, result) = (readSources[index], each.result)
      for note in result.notes where !each.importer.preview.notes.contains(note) { tell(note, of: source) }
      for reject in result.rejects.prefix(Self.toldRejects) { tell(reject.clause, of: source) }
      tellRejects(of: result)
      return result.summary(of: sources.count > 1 ? Self.shown(source) : nil, wasTried: dryRun)
    }
    if dryRun {
      for sentence in sentences { StandardError.write("quarry: \(sentence)\n") }
      return try output.finish()
    }
    do {
      for sentence in sentences { try output.write(sentence + "\n") }
      try output.finish()
    } catch  where VerbOutput.isFault(error) {
      guard var failure = Failure(error) else { throw error }
      failure.message = (sentences + [failure.message ?? "\(error)"]).joined(separator: "; ")
      throw failure
    }
  }

  private func tellRejects(of result: ImportResult) {
    guard let rejects, result.rejected > 0 else { return }
    let path = PathText.shown(rejects)
    StandardError.write("quarry: \(dryRun ? "the rejected rows would go to" : "the rejected rows are in") “\(path)”\n")
  }
}

extension ImportResult {
  /// Returns the summary of the import or of the dry run.
  ///
  ///     imported 1,000 rows into Track (3 rejected, 2 updated)
  ///
  /// - Parameter source: The file, or nil if only one file is imported.
  fileprivate func summary(of source: String?, wasTried: Bool) -> String {
    let counts = [
      (rejected, "rejected"), (updated, "updated"), (unchanged, "unchanged"), (replaced, "replaced"), (ignored, "ignored"),
    ]
    let rest = counts.filter { $0.0 > 0 }.map { "\(Plural.grouped($0.0)) \($0.1)" }.joined(separator: ", ")
    let rows =
      "\(Plural.of(inserted + updated, "row"))\(source.map { " of \($0)" } ?? "") into \(table.name)" + (rest.isEmpty ? "" : " (\(rest))")
    return wasTried ? "nothing was written; this would import \(rows)" : "imported \(rows)"
  }
}
