import QuarryChanges
import QuarrySources

/// Reads what was committed through the program.
struct LoadCommits: Request {
  var slot: RequestSlot? { RequestSlot("commits") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> [RecordedCommit] {
    try await services.commits.recordedCommits()
  }
}

/// Reads the rows that a commit has changed.
struct LoadCommitRows: Request {
  let id: RecordedCommit.ID

  /// The number of rows that are read at most.
  static let limit = 5_000

  var slot: RequestSlot? { RequestSlot("rows of a commit") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> [RecordedRow] {
    try await services.commits.rows(ofCommit: id, from: 0, limit: Self.limit)
  }
}

/// Takes a commit back.
struct UndoCommit: Action {
  let id: RecordedCommit.ID
  let choices: UndoChoices

  var queue: ActionQueue { .script }
  var activity: Activity? { Activity(name: "undoing commit \(id.number)", urgency: .change) }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> UndoResult {
    try await services.requireSameFiles()
    services.stopBackgroundReading()
    return try await services.commits.undo(id, choosing: choices)
  }
}
