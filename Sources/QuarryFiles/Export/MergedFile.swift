package import QuarryChanges
internal import QuarryEngine

/// The result of a merge in a file, which appears complete and checked, or not at all.
///
/// MINE is copied to a hidden file in the same folder, and changed there.
package struct MergedFile: Sendable {
  /// The outcome of a merge.
  package struct Outcome: Sendable {
    /// The conflicts, which prevent that the file is written.
    package var conflicts: [MergeConflict] = []
    /// Sentences about what shows that BASE is not the common ancestor.
    package var doubts: [String] = []
    /// The numbers of changed rows of MINE.
    package var tables: [TableDifference] = []

    /// Creates the outcome of a merge without changes.
    package init() {}
  }

  /// The progress of a merge.
  package enum Progress: Sendable {
    case comparing(String, Int)
    case file(BackupFile.Progress)
  }

  private let merge: DatabaseMerge
  private let mine: FileDiffSide
  private let file: BackupFile

  /// Checks whether the result may be written to a path.
  ///
  /// - Parameters:
  ///   - path: The path, which may be that of MINE.
  ///   - mine: The database that is changed, and the connection that reads it.
  ///   - others: The paths of BASE and THEIRS.
  /// - Throws: ``OutputFileError``
  package init(_ merge: DatabaseMerge, to path: String, mine: FileDiffSide, others: [String]) throws {
    (self.merge, self.mine) = (merge, mine)
    file = try BackupFile(path: path, ofMerged: mine.queue, others: others)
  }

  /// Merges the databases, and writes the file if there is no open conflict.
  ///
  /// Conflicts of the result itself are settled by the decisions of the merge, which is then planned again.
  ///
  /// - Throws: ``OutputFileError``, ``DatabaseError``, ``DataSourceError``, or `CancellationError`. An existing file is then unchanged.
  package func write(progress: @escaping @Sendable (Progress) -> Void = { _ in }) async throws -> Outcome {
    var (merge, outcome) = (merge, Outcome())
    while true {
      let plan = try await merge.plan { progress(.comparing($0, $1)) }
      (outcome.conflicts, outcome.doubts, outcome.tables) = (plan.conflicts, plan.doubts, plan.tables)
      if !outcome.conflicts.isEmpty { return outcome }
      let found = try await write(plan, progress)
      if found.isEmpty { return outcome }
      outcome.conflicts = merge.settle(found).map { Self.explained($0.conflict, $0.reason) }
      if !outcome.conflicts.isEmpty { return outcome }
    }
  }

  /// Returns an open conflict with the reason why it cannot be settled.
  private static func explained(_ conflict: MergeConflict, _ reason: DatabaseMerge.Unsettled) -> MergeConflict {
    var conflict = conflict
    let subject = conflict.reason ?? conflict.kind.rawValue
    switch reason {
    case .undecided: break
    case .impossible(let side): conflict.reason = "\(subject): the rows of \(side.rawValue) violate this too, so it cannot be settled"
    case .unknownRows: conflict.reason = "\(subject): Quarry cannot determine the rows that cause this, so it cannot be settled"
    }
    return conflict
  }

  /// The conflicts that the result itself has.
  private struct Conflicts: Error {
    var list: [MergeConflict]
  }

  /// Writes the file, or returns the conflicts of the result.
  private func write(_ plan: DatabaseMerge.Plan, _ progress: @escaping @Sendable (Progress) -> Void) async throws -> [MergeConflict] {
    do {
      _ = try await file.write(check: "PRAGMA integrity_check(3)", progress: { progress(.file($0)) }, closing: { try mine.queue.close() }) {
        copy in
        let conflicts = try await apply(plan, to: copy)
        if !conflicts.isEmpty { throw Conflicts(list: conflicts) }
      }
      return []
    } catch let error as Conflicts {
      return error.list
    }
  }

  /// Runs the statements on a copy of MINE in one transaction, and checks the foreign keys.
  private func apply(_ plan: DatabaseMerge.Plan, to copy: DatabaseQueue) async throws -> [MergeConflict] {
    if plan.isEmpty { return [] }
    try await copy.withoutTransaction { try $0.execute(sql: "PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE") }
    var conflicts: [MergeConflict] = []
    let result = plan.result
    try await plan.statements { statements in
      conflicts += try await copy.withoutTransaction { db in try result.run(statements, in: db) }
    }
    // Without the rows that violate a constraint, others may refer to missing rows.
    if !conflicts.isEmpty { return conflicts }
    try await copy.withoutTransaction { try $0.execute(sql: "COMMIT") }
    return try await result.brokenReferences(in: copy)
  }
}
