public import QuarryChanges

/// Records the commits of this program to a source, and undoes them.
public protocol CommitRecording: Sendable {
  /// Whether changes by statements are recorded too.
  var recordsStatements: Bool { get }
  /// Whether changes by triggers and foreign key actions are recorded too.
  var recordsTriggers: Bool { get }

  /// Reads the commits recorded by this program, the latest first.
  func recordedCommits() async throws -> [RecordedCommit]
  /// Returns whether staged changes have been committed, by a program that was killed before it could remove them.
  func hasCommitted(_ changes: StagedChanges) async throws -> Bool
  /// Reads rows that a commit has changed, table by table in the order of their keys.
  ///
  /// - Parameters:
  ///   - offset: The number of rows to skip.
  ///   - limit: The maximum number of rows to read.
  func rows(ofCommit id: RecordedCommit.ID, from offset: Int, limit: Int) async throws -> [RecordedRow]
  /// Undoes a commit in one transaction.
  ///
  /// Each row is restored only if it is unchanged since the commit.
  ///
  /// - Parameter choices: The handling of rows that have changed since.
  func undo(_ id: RecordedCommit.ID, choosing choices: UndoChoices) async throws -> UndoResult

  /// Skips recording the open transaction, or else the next one, because its changes are too large.
  func skipRecording() async
}
