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
    /// The numbers of changed rows of MINE.
    package var tables: [TableDifference] = []
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

  /// Merges the databases, and writes the file if there is no conflict.
  ///
  /// - Throws: ``OutputFileError``, ``DatabaseError``, ``DataSourceError``, or `CancellationError`. An existing file is then unchanged.
  package func write(progress: @escaping @Sendable (Progress) -> Void = { _ in }) async throws -> Outcome {
    let plan = try await merge.plan { progress(.comparing($0, $1)) }
    var outcome = Outcome(conflicts: plan.conflicts, tables: plan.tables)
    if !outcome.conflicts.isEmpty { return outcome }
    do {
      _ = try await file.write(check: "PRAGMA integrity_check(3)", progress: { progress(.file($0)) }, closing: { try mine.queue.close() }) {
        copy in
        let conflicts = try await apply(plan, to: copy)
        if !conflicts.isEmpty { throw Conflicts(list: conflicts) }
      }
    } catch let error as Conflicts {
      outcome.conflicts = error.list
    }
    return outcome
  }

  /// The conflicts that the result itself has.
  private struct Conflicts: Error {
    var list: [MergeConflict]
  }

  /// Runs the statements on a copy of MINE in one transaction, and checks the foreign keys.
  private func apply(_ plan: DatabaseMerge.Plan, to copy: DatabaseQueue) async throws -> [MergeConflict] {
    if plan.isEmpty { return [] }
    try await copy.withoutTransaction { try $0.execute(sql: "PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE") }
    var conflicts: [MergeConflict] = []
    try await plan.statements { statements in
      conflicts += try await copy.withoutTransaction { db in try statements.compactMap { try db.conflict(of: $0) } }
    }
    let known = try await merge.danglingReferences()
    let dangling = try await copy.withoutTransaction { db in
      try db.execute(sql: "COMMIT")
      return try DanglingReference.all(in: db)
    }
    return conflicts + dangling.filter { !known.contains($0) }.map(\.conflict)
  }
}

extension Database {
  /// Runs a statement of a merge, and returns a conflict if it violates a constraint.
  fileprivate func conflict(of statement: PatchStatement) throws -> MergeConflict? {
    do {
      switch statement {
      case .object(let sql): try execute(sql: sql)
      case .sql(let sql) where sql.values.isEmpty: try execute(literal: sql)
      case .sql(let sql): try scan(sql) { _ in true }
      }
      return nil
    } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_CONSTRAINT {
      return MergeConflict(error, of: statement)
    }
  }
}
