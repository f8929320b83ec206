internal import ArgumentParser
internal import Browser
internal import QuarryChanges
internal import QuarryEngine
internal import QuarryFiles
internal import Synchronization

struct MergeVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Merge the changes of two copies of a database into a new file.",
    discussion: """
      Quarry compares BASE, the common ancestor, with both copies, and applies both sides' changes: cells, rows, and objects of the schema. \
      A conflict is a cell that both sides changed differently, a row that one side deleted and the other changed, a key that both gave \
      to new rows, or an object of the schema that both changed. Conflicts are printed, and RESULT is then not written, unless --prefer \
      settles them. Before the file appears, Quarry checks it with PRAGMA integrity_check, and for references to missing rows. Exit \
      status: 0 merged, 1 conflicts, 3 a file cannot be opened or is damaged.
      """)

  @Argument(help: "The common ancestor. An empty file is an empty database.", completion: .file(), transform: FileArgument.path)
  var base: String

  @Argument(help: "The database whose copy is changed.", completion: .file(), transform: FileArgument.path)
  var mine: String

  @Argument(help: "The database with the other changes.", completion: .file(), transform: FileArgument.path)
  var theirs: String

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Write the result to this file, which may be <mine>.", valueName: "result"), completion: .file())
  var result: String

  @Option(name: .customLong("prefer"), help: ArgumentHelp("Settle conflicts in favor of one side.", valueName: "mine|theirs"))
  var preferred: MergeSide?

  @Flag(
    name: .customLong("renumber"),
    help: "Give new rows of <theirs> other integer keys where <mine> used theirs. New rows that refer to them follow.")
  var renumbers = false

  @Option(help: ArgumentHelp("Print conflicts in this format. Default: table on a terminal, csv elsewhere.", valueName: "format"))
  var format: OutputFormat?

  func run() throws {
    Interrupts.watch()
    try OutputOptions.requireHere(result)
    if result == StandardInput.name { throw Failure.usage("the result is a file: give its path") }
    let sides = try [base, mine, theirs].map(side)
    var merge = DatabaseMerge(base: sides[0], mine: sides[1], theirs: sides[2])
    (merge.preferred, merge.renumbers) = (preferred, renumbers)
    let file = try MergedFile(merge, to: result, mine: sides[1], others: [base, theirs])
    let line = Mutex(ProgressLine())
    let outcome = try DatabaseFiles.findingDamage {
      try InsightOptions.waiting {
        defer { line.withLock { $0.end() } }
        return try await file.write { progress in line.withLock { $0.show(progress.text) } }
      }
    }
    try report(outcome)
  }

  private func side(_ path: String) throws -> FileDiffSide {
    if try RemoteOpening.source(path, refusal: RemoteOpening.refusalOfVerbs, changes: nil) != nil {
      throw Failure.usage("merge reads files: copy the cluster with `quarry backup` first")
    }
    if let path = try SourceFiles([path], options: nil).dataPaths.first {
      throw Failure(status: .cannotOpen, message: "“\(PathText.shown(path))” is not a database: import it into one first")
    }
    let queue = try DatabaseFiles(paths: [path], isReadOnly: true, recovery: .reported).open()
    Interrupts.stop(queue)
    return try FileDiffSide(queue, name: PathText.shown(path), holdsState: true)
  }

  private func report(_ outcome: MergedFile.Outcome) throws {
    let format = format ?? (StandardOutput.isTerminal ? .table : .csv)
    if !outcome.conflicts.isEmpty || format == .json {
      let printer = format.makePrinter(columns: Self.columns, table: "conflict", to: .standard)
      for conflict in outcome.conflicts { try printer.write(conflict.row) }
      try printer.finish()
    }
    guard outcome.conflicts.isEmpty else {
      let count = Plural.of(outcome.conflicts.count, "conflict")
      let advice = Self.advice(Set(outcome.conflicts.map(\.kind)))
      throw Failure.refused("\(count): “\(PathText.shown(result))” was not written. \(advice)")
    }
    for table in outcome.tables {
      StandardError.write("quarry: \(table.table): +\(table.added) -\(table.removed) ~\(table.changed)\n")
    }
  }

  /// The ways to settle conflicts of these kinds.
  private static func advice(_ kinds: Set<MergeConflict.Kind>) -> String {
    var ways: [String] = []
    if !kinds.isSubset(of: [.constraint, .reference]) { ways.append("settle them with --prefer mine or --prefer theirs") }
    if kinds.contains(.key) { ways.append("give new rows of theirs other keys with --renumber") }
    ways.append("change one of the files")
    let text = ways.joined(separator: ", or ")
    return "\(text.prefix(1).uppercased())\(text.dropFirst())."
  }

  private static let columns = ["conflict", "object", "key", "column", "base", "mine", "theirs"]
}

extension MergeConflict {
  fileprivate var row: [DatabaseValue] {
    let values = key.map(\.value.databaseValue)
    let key: DatabaseValue =
      switch values.count {
      case 0: .null
      case 1: values[0]
      default: .text(values.map(\.sqlLiteral).joined(separator: ", "))
      }
    return [.text(kind.rawValue), .text(object), key, column.map { .text($0) } ?? .null]
      + [base, mine, theirs].map { $0?.databaseValue ?? .null }
  }
}

extension MergeSide: ExpressibleByArgument {}

extension MergedFile.Progress {
  fileprivate var text: String {
    switch self {
    case .comparing(let table, let rows): "comparing \(table): \(Plural.of(rows, "row")) (^C stops that)"
    case .file(.copying(let bytes, let total)): "copying: \(ByteSize.text(bytes)) of \(ByteSize.text(total)) (^C stops that)"
    case .file(.checking): "checking the result (^C stops that)"
    }
  }
}
