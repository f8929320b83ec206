import QuarryChanges
import QuarrySources

/// A request that reads the recorded commits of the program.
struct LoadCommits: Request {
  var slot: RequestSlot? { RequestSlot("commits") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> [RecordedCommit] {
    try await services.commits.recordedCommits()
  }
}

/// A request that reads the rows that a commit has changed.
struct LoadCommitRows: Request {
  let id: RecordedCommit.ID

  /// The largest number of rows to read.
  static let limit = 5_000

  var slot: RequestSlot? { RequestSlot("rows of a commit") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> [RecordedRow] {
    try await services.commits.rows(ofCommit: id, from: 0, limit: Self.limit)
  }
}

/// An action that undoes a commit.
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
