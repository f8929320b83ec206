package import QuarryChanges
internal import QuarryEngine
internal import Synchronization

/// A merge with conflicts that the user settles.
///
/// The databases are opened only while they are read, so that no lock remains in the meantime. If they have changed since, their new
/// conflicts are open.
package final class PendingMerge: Sendable, Hashable {
  /// The names of the databases in titles and messages.
  package struct Names: Hashable, Sendable {
    package var base: String
    package var mine: String
    package var theirs: String
    package var result: String
    /// Whether the file of the result exists.
    package var isReplacing: Bool

    /// Creates the names.
    package init(base: String, mine: String, theirs: String, result: String, isReplacing: Bool) {
      (self.base, self.mine, self.theirs, self.result, self.isReplacing) = (base, mine, theirs, result, isReplacing)
    }
  }

  /// The opened databases.
  package struct Sides: Sendable {
    let merge: DatabaseMerge
    package let file: MergedFile
    let queues: [DatabaseQueue]

    /// Opens a merge.
    package init(_ merge: DatabaseMerge, _ file: MergedFile, _ sides: [FileDiffSide]) {
      (self.merge, self.file, queues) = (merge, file, sides.map(\.queue))
    }
  }

  package let names: Names
  /// The outcome of the first attempt, with its conflicts.
  package let outcome: MergedFile.Outcome
  private let open: @Sendable ([MergeConflict.ID: MergeDecision]) throws -> Sides
  private let result = Mutex<MergedFile.Outcome?>(nil)

  /// Creates a merge whose first attempt had conflicts.
  ///
  /// - Parameter open: Opens the databases for a merge with decisions.
  package init(
    _ outcome: MergedFile.Outcome, _ names: Names, open: @escaping @Sendable ([MergeConflict.ID: MergeDecision]) throws -> Sides
  ) {
    (self.outcome, self.names, self.open) = (outcome, names, open)
  }

  /// The outcome that was written, or nil if the file was not written.
  package var written: MergedFile.Outcome? { result.withLock(\.self) }

  /// Merges the databases with decisions, and writes the file if there is no open conflict.
  ///
  /// - Throws: The errors of ``MergedFile/write(progress:)``. An existing file is then unchanged.
  package func write(
    _ decisions: [MergeConflict.ID: MergeDecision], progress: @escaping @Sendable (MergedFile.Progress) -> Void
  ) async throws -> MergedFile.Outcome {
    try await reading(decisions) { sides in
      let outcome = try await sides.file.write(progress: progress)
      if outcome.conflicts.isEmpty { result.withLock { $0 = outcome } }
      return outcome
    }
  }

  /// Reads the row of a conflict in the three databases.
  package func record(of conflict: MergeConflict) async throws -> MergeRecord {
    try await reading([:]) { try await $0.merge.record(of: conflict) }
  }

  private func reading<Value>(
    _ decisions: [MergeConflict.ID: MergeDecision], _ body: (Sides) async throws -> Value
  ) async throws -> Value {
    let sides = try open(decisions)
    defer { for queue in sides.queues { try? queue.close() } }
    return try await body(sides)
  }

  package static func == (left: PendingMerge, right: PendingMerge) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
