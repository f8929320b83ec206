public import QuarryChanges

/// Keeps a record of what this program commits to a source, and takes it back.
public protocol CommitRecording: Sendable {
  /// Whether what statements change is recorded too.
  var recordsStatements: Bool { get }
  /// Whether what triggers and the actions of foreign keys change is recorded too.
  var recordsTriggers: Bool { get }

  /// Reads what was committed through this program, the latest first.
  func recordedCommits() async throws -> [RecordedCommit]
  /// Returns whether staged changes were committed: those of a program that was killed before it could forget them.
  func hasCommitted(_ changes: StagedChanges) async throws -> Bool
  /// Reads rows that a commit has changed, table by table in the order of their keys.
  ///
  /// - Parameters:
  ///   - offset: How many of them are passed over.
  ///   - limit: How many are read at most.
  func rows(ofCommit id: RecordedCommit.ID, from offset: Int, limit: Int) async throws -> [RecordedRow]
  /// Takes a commit back in one transaction, each row only where it still has the values that the commit left.
  ///
  /// - Parameter choices: What is done about rows that have others.
  func undo(_ id: RecordedCommit.ID, choosing choices: UndoChoices) async throws -> UndoResult

  /// Records nothing of the transaction that is open, or else of the next one, because its changes are too large.
  func skipRecording() async
}
