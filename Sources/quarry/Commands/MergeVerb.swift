internal import ArgumentParser
internal import Browser
internal import Essentials
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
      to new rows, or an object of the schema that both changed. On a terminal, conflicts open in a screen, where you take a side or enter \
      a value. Elsewhere, and with --format, they are printed, and RESULT is then not written, unless --prefer settles them. Before the \
      file appears, Quarry checks it with PRAGMA foreign_key_check and PRAGMA integrity_check. Exit status: 0 merged, 1 conflicts, 3 a file \
      cannot be opened or is damaged.
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

  @Option(
    name: .customLong("git-path"),
    help: ArgumentHelp("Name the result by this path in titles and messages. Git passes it as %P.", valueName: "path"))
  var gitPath: String?

  @Option(help: ArgumentHelp("Print conflicts in this format. Default: table on a terminal, csv elsewhere.", valueName: "format"))
  var format: OutputFormat?

  func run() throws {
    Interrupts.watch()
    try OutputOptions.requireHere(result)
    if result == StandardInput.name { throw Failure.usage("the result is a file: give its path") }
    var outcome = try merge()
    if !outcome.conflicts.isEmpty, preferred == nil, format == nil, FullScreen.hasTerminal { outcome = try settle(outcome) }
    try report(outcome)
  }

  /// The names of the databases in titles and messages: git gives its files names that mean nothing.
  private var names: [String] { gitPath == nil ? [base, mine, theirs].map(PathText.shown) : ["ancestor", "HEAD", "other"] }

  private var shownResult: String { PathText.shown(gitPath ?? result) }

  private func merge() throws -> MergedFile.Outcome {
    let sides = try zip([base, mine, theirs], names).map(side)
    defer { for side in sides { try? side.queue.close() } }
    let file = try opened(sides, deciding: [:]).file
    let line = Mutex(ProgressLine())
    let outcome = try DatabaseFiles.findingDamage {
      try InsightOptions.writing(result) {
        defer { line.withLock { $0.end() } }
        return try await file.write { progress in line.withLock { $0.show(progress.text) } }
      }
    }
    // With conflicts, nothing has been written.
    if !outcome.conflicts.isEmpty { try Interrupts.check() }
    return outcome
  }

  private func opened(_ sides: [FileDiffSide], deciding decisions: [MergeConflict.ID: MergeDecision]) throws -> PendingMerge.Sides {
    var merge = DatabaseMerge(base: sides[0], mine: sides[1], theirs: sides[2])
    (merge.preferred, merge.renumbers, merge.decisions) = (preferred, renumbers, decisions)
    return PendingMerge.Sides(merge, try MergedFile(merge, to: result, mine: sides[1], others: [base, theirs]), sides)
  }

  // MARK: The screen

  /// Opens the conflicts in a screen, and returns the outcome once the file is written.
  private func settle(_ outcome: MergedFile.Outcome) throws -> MergedFile.Outcome {
    let names = names
    let shown = PendingMerge.Names(
      base: names[0], mine: names[1], theirs: names[2], result: gitPath ?? result,
      isReplacing: FileManager.default.fileExists(atPath: result))
    let paths = [base, mine, theirs]
    let pending = PendingMerge(outcome, shown) { decisions in
      try opened(
        zip(paths, names).map { path, name in
          // Once the screen is visible, the program cannot report a wait on the terminal.
          let queue = try DatabaseFiles(paths: [path], isReadOnly: true).open(label: "merge", isLater: true, watchedBy: LockWaits())
          return try FileDiffSide(queue, name: name, holdsState: true)
        }, deciding: decisions)
    }
    Interrupts.giveBack()
    if case .ended(let ending?) = try FullScreen(Browse.parse([]), merging: pending).run() { FullScreen.passOn(ending) }
    if let written = pending.written { return written }
    let count = Plural.of(outcome.conflicts.count, "conflict")
    throw Failure.refused("\(count): “\(shownResult)” was not written\(gitAdvice.map { ". \($0)" } ?? "")")
  }

  private func side(_ path: String, _ name: String) throws -> FileDiffSide {
    if try RemoteOpening.source(path, refusal: RemoteOpening.refusalOfVerbs, changes: nil) != nil {
      throw Failure.usage("merge reads files: copy the cluster with `quarry backup` first")
    }
    if let path = try SourceFiles([path], options: nil).dataPaths.first {
      throw Failure(status: .cannotOpen, message: "“\(PathText.shown(path))” is not a database: import it into one first")
    }
    let queue = try DatabaseFiles(paths: [path], isReadOnly: true, recovery: .reported).open()
    Interrupts.stop(queue)
    return try FileDiffSide(queue, name: name, holdsState: true)
  }

  private func report(_ outcome: MergedFile.Outcome) throws {
    for doubt in outcome.doubts { StandardError.write("quarry: \(doubt)\n") }
    let format = format ?? (StandardOutput.isTerminal ? .table : .csv)
    if !outcome.conflicts.isEmpty || format == .json {
      let printer = format.makePrinter(columns: Self.columns, table: "conflict", to: .standard)
      for conflict in outcome.conflicts { try printer.write(conflict.row) }
      try printer.finish()
    }
    guard outcome.conflicts.isEmpty else {
      let count = Plural.of(outcome.conflicts.count, "conflict")
      let reasons = outcome.conflicts.compactMap(\.reason)
      for reason in reasons.prefix(Self.shownReasons) { StandardError.write("quarry: \(reason)\n") }
      if reasons.count > Self.shownReasons { StandardError.write("quarry: and \(reasons.count - Self.shownReasons) more\n") }
      let advice = gitAdvice ?? advice(Set(outcome.conflicts.map(\.kind)))
      throw Failure.refused("\(count): “\(shownResult)” was not written. \(advice)")
    }
    for table in outcome.tables {
      StandardError.write("quarry: \(table.table): +\(table.added) -\(table.removed) ~\(table.changed)\n")
    }
  }

  /// The number of reasons on standard error.
  private static let shownReasons = 20

  /// The ways to settle conflicts in git, or nil if git has not started the program.
  private var gitAdvice: String? {
    gitPath.map { path in
      let path = ShellWord.quoted(path: path)
      return """
        It is still the version of HEAD. Settle the conflicts with `git mergetool --tool quarry \(path)`, \
        or take one side with `git checkout --ours \(path)` or `git checkout --theirs \(path)`, and then run `git add \(path)`.
        """
    }
  }

  /// Returns the ways to settle conflicts of these kinds.
  private func advice(_ kinds: Set<MergeConflict.Kind>) -> String {
    var ways: [String] = []
    switch preferred {
    case nil: ways.append("settle them with --prefer mine or --prefer theirs")
    case .mine: ways.append("try --prefer theirs")
    case .theirs: ways.append("try --prefer mine")
    }
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
