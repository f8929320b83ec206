internal import ArgumentParser
internal import Browser
internal import QuarryChanges
internal import QuarryCluster
internal import QuarryEngine
internal import QuarryFiles

struct DiffVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Compare two databases: files, on any host, or clusters.",
    discussion: """
      Schemas are compared by meaning: layout and the case of names do not matter. Rows are matched by primary key, or else by rowid, or \
      else as whole rows; --key sets other columns. Storage classes matter: 1 equals neither '1' nor 1.0. On a terminal, without --format, \
      -o and --summary, the differences appear on a full screen. Elsewhere, each is a line: object, key, change, column, from, to. json \
      prints one object, ndjson an object per change, and sql a transaction that turns the first database into the second. Memory use is \
      bounded. Exit status: 0 equal, 1 different or a table could not be compared, 3 a file cannot be opened or is damaged.
      """)

  @Argument(help: "First database: a file, host:path, or the address of a cluster.", completion: .file(), transform: FileArgument.path)
  var from: String

  @Argument(help: "Second database.", completion: .file(), transform: FileArgument.path)
  var to: String

  @Option(
    name: .customLong("table"), help: ArgumentHelp("Compare this table, with its indexes and triggers. Repeatable.", valueName: "table"),
    completion: .tables)
  var tables: [String] = []

  @Flag(name: .customLong("schema"), help: "Compare only the schemas.")
  var isSchemaOnly = false

  @Flag(name: .customLong("data"), help: "Compare only the rows.")
  var isDataOnly = false

  @Option(help: ArgumentHelp("Match rows by these columns instead of the primary key.", valueName: "a,b"), completion: .columnList)
  var key: ColumnList?

  @Option(
    name: .customLong("ignore"), help: ArgumentHelp("Ignore this column. Repeatable.", valueName: "column"),
    completion: .columns)
  var ignored: [String] = []

  @Flag(name: .customLong("summary"), help: "Print only the changes of the schema, and the number of different rows in each table.")
  var isSummary = false

  @OptionGroup var format: FormatOptions

  func validate() throws {
    if isSchemaOnly && isDataOnly { throw ValidationError("--schema and --data exclude each other: omit both to compare everything") }
    if isSummary, format.chosen == .sql { throw ValidationError("--summary counts rows, and sql changes them: omit one of them") }
  }

  func run() throws {
    Interrupts.watch()
    let hosts = HostFiles()
    let sides = (try side(from, hosts), try side(to, hosts))
    if opensScreen { return try showScreen(sides, hosts) }
    let diff = subject.diff(sides.0, sides.1)
    let output = try format.output.open(databases: [from, to])
    let printing = DiffPrinting(subject: subject, format: format.chosen, isSummary: isSummary)
    let outcome = try compare(printing, diff, to: output)
    tell(outcome.result)
    for table in outcome.notWritten {
      StandardError.write("quarry: the SQL does not change the rows of \(table.table): \(table.reason)\n")
    }
    if outcome.isDifferent { throw Failure(status: .refused, message: nil) }
  }

  private var subject: DiffSubject {
    var subject = DiffSubject(
      DiffSubject.Place(name: FullScreen.title(from), path: from), DiffSubject.Place(name: FullScreen.title(to), path: to))
    if subject.old.name == subject.new.name { (subject.old.name, subject.new.name) = (PathText.shown(from), PathText.shown(to)) }
    if !tables.isEmpty { subject.tables = tables }
    (subject.key, subject.ignored) = (key?.names, ignored)
    (subject.comparesSchema, subject.comparesRows) = (!isDataOnly, !isSchemaOnly)
    return subject
  }

  /// Whether the differences are shown on the full screen.
  var opensScreen: Bool {
    format.isUnspecified && !isSummary && FullScreen.isAvailable
  }

  /// Shows the differences on the full screen.
  private func showScreen(_ sides: (any DiffSide, any DiffSide), _ hosts: HostFiles) throws {
    Interrupts.forget()
    Interrupts.giveBack()
    hosts.enterScreen()
    let opened = OpenedDiffSides([(from, sides.0), (to, sides.1)])
    let outcome = try DiffFullScreen(subject: subject, opened: opened, hosts: hosts).run()
    if case .failure(let error) = outcome { try DatabaseFiles.findingDamage { throw Self.failure(error) } }
    if case .success(false) = outcome { throw Failure(status: .refused, message: nil) }
  }

  private static func failure(_ error: any Error) -> any Error {
    switch error {
    case let error as UnknownDiffTable: Failure.usage(error.description)
    case let error as UnknownDiffKey: Failure.usage(error.description)
    case let error as UnknownIgnoredColumn: Failure.usage(error.description)
    case let problem as Problem: Failure(status: .cannotOpen, message: problem.text)
    default: error
    }
  }

  private func compare(_ printing: DiffPrinting, _ diff: DatabaseDiff, to output: VerbOutput) throws -> DiffPrinting.Outcome {
    do {
      return try DatabaseFiles.findingDamage { try InsightOptions.waiting { try await printing.print(diff, to: output) } }
    } catch let error where StandardOutput.isClosed(error) {
      // The reader of the output has ended, and status 0 would mean equal databases.
      throw Failure(status: .refused, message: nil)
    } catch {
      throw Self.failure(error)
    }
  }

  private func side(_ place: String, _ hosts: HostFiles) throws -> any DiffSide {
    // `git difftool` names this for a file that one side does not have.
    if place == "/dev/null" { return try FileDiffSide(DatabaseQueue(), name: place) }
    if let remote = try RemoteOpening.source(place, refusal: RemoteOpening.refusalOfVerbs, changes: nil) { return remote.diffSide }
    if let side = try hosts.side(place, isWatched: false) { return side }
    if let path = try SourceFiles([place], options: nil).dataPaths.first {
      throw Failure(status: .cannotOpen, message: "“\(PathText.shown(path))” is not a database: import it into one first")
    }
    let queue = try DatabaseFiles(paths: [place], isReadOnly: true, recovery: .reported).open()
    return try FileDiffSide(queue, name: PathText.shown(place))
  }

  /// Reports on standard error the number of differences, and the tables that could not be compared.
  private func tell(_ result: DatabaseDiff.Result) {
    for table in result.tables where table.added + table.removed + table.changed > 0 {
      StandardError.write("quarry: \(table.table): +\(table.added) -\(table.removed) ~\(table.changed)\n")
    }
    for table in result.notCompared {
      StandardError.write("quarry: the rows of \(table.table) were not compared: \(table.reason)\n")
    }
    if result.isTorn {
      StandardError.write("quarry: another program wrote while rows were compared, so the result may be inconsistent: compare again\n")
    } else if result.isOfUnknownMoment {
      StandardError.write(
        "quarry: the leader was lost while rows were compared, so the result may be inconsistent: compare again\n")
    }
  }
}
