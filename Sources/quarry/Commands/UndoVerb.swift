internal import ArgumentParser
internal import Browser
internal import QuarryChanges
internal import QuarryCluster
internal import QuarryEngine

struct UndoVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Undo a commit made with Quarry: the last one, or the one with a number.",
    discussion: """
      An undo restores the old values of each row that still has the values of the commit. If a row has changed since, nothing is written, \
      standard error lists each such row, and the exit status is 1. An undo is itself a commit: undo it by its number. Without a number, \
      Quarry undoes the latest commit that is neither undone nor an undo.
      """)

  @OptionGroup var database: DatabaseArgument

  @Argument(help: "Number of a commit, as listed by `quarry changes`.")
  var number: Int?

  @Option(
    help: ArgumentHelp("Handle rows that have changed since: refuse the undo, keep the rows, or overwrite them.", valueName: "choice"))
  var conflicts = ConflictChoice.refuse

  func run() throws {
    Interrupts.watch()
    try database.requireDatabase(because: "changes to a table made from a file are not saved")
    let folder = try ChangeLogFolder.ofThisPerson()
    if database.access.refusesWriting { throw Failure.refused("an undo writes: omit --read-only and --immutable") }
    switch try undo(in: folder) {
    case .done(let commit): StandardError.write("quarry: \(commit.summary)\n")
    case .conflicts(let found):
      if let sentence = found.sentence(onKeepingBy: UndoChoices(standard: conflicts.choice)) { throw Failure.refused(sentence) }
      for conflict in found { StandardError.write("quarry: \(conflict)\n") }
      throw Failure.refused("nothing was undone: \(Plural.of(found.count, "conflict")); \(Self.advice(on: found))")
    }
  }
}

extension UndoVerb {
  /// Returns a sentence about the choices that resolve all of the conflicts.
  private static func advice(on conflicts: [UndoConflict]) -> String {
    let helpful = ConflictChoice.allCases.filter { choice in conflicts.allSatisfy { $0.choices.contains(choice.choice) } }
    if helpful.isEmpty { return "neither `--conflicts keep` nor `overwrite` resolves \(conflicts.count == 1 ? "it" : "all of them")" }
    return "resolve with `--conflicts \(helpful.map(\.rawValue).joined(separator: "` or `"))`"
  }

  private func undo(in folder: ChangeLogFolder) throws -> UndoResult {
    let choices = UndoChoices(standard: conflicts.choice)
    if let remote = try database.remote(changes: folder) {
      return try InsightOptions.waiting { [number] in try await remote.undo(number, choosing: choices) }
    }
    // First open the file as for any verb, which reports errors and rolls back an unfinished transaction.
    try database.openForReading().close()
    let run = try UndoRun(path: database.file, folder: folder, busyTimeout: DatabaseFiles.patience)
    try DatabaseFiles.tellWaits(of: run.connection, for: database.file)
    Interrupts.stop(run.connection)
    return try run.undo(number, choosing: choices)
  }
}

/// The handling of rows that have changed since the commit.
enum ConflictChoice: String, CaseIterable, ExpressibleByArgument {
  case refuse, keep, overwrite

  var choice: UndoChoices.Choice {
    switch self {
    case .refuse: .refuse
    case .keep: .keep
    case .overwrite: .overwrite
    }
  }
}

extension RecordedCommit {
  /// A sentence about the undo: `undid commit 3, as commit 4: 2 rows changed, 1 new, 1 deleted`.
  fileprivate var summary: String {
    guard let undoneNumber else { return alreadyUndone }
    let counts = [
      (updated, Plural.of(updated, "row") + " changed"), (inserted, Plural.grouped(inserted) + " new"),
      (deleted, Plural.grouped(deleted) + " deleted"),
    ]
    let parts = counts.filter { $0.0 > 0 }.map(\.1)
    let objects = tables.compactMap { table in table.alteration.map { "\(table.name) (\($0))" } }
    let what = parts.isEmpty && objects.isEmpty ? "no row needed a change" : (parts + objects).joined(separator: ", ")
    return "undid commit \(undoneNumber), as commit \(id.number): \(what)"
  }
}
