public import QuarryEngine
internal import QuarryRows

extension ChangeCommit {
  /// Reads every row to be changed or deleted before anything is written.
  ///
  /// - Throws: ``CommitFailure/conflicts(_:)`` with all columns with unexpected values and all rows that no longer exist.
  ///   ``CommitFailure/constraints(_:)`` with rows of a view that cannot be identified.
  func checkExpectations() throws {
    let rows = Array(work(.updated, .deleted))
    let found = try rows.flatMap { try conflicts(of: $0) }
    if !found.isEmpty { throw CommitFailure.conflicts(found) }
    let ambiguous = try rows.filter { try isAmbiguous($0) }
    guard !ambiguous.isEmpty else { return }
    throw CommitFailure.constraints(
      ambiguous.map { work in
        let table = work.writer.table
        let reason = "several rows of \(table.name) have the same values, so they cannot be distinguished"
        return ConstraintFailure(table: table, row: .stored(work.row), reason: reason)
      })
  }

  /// Returns whether a row of a view has the same values as another row, which would also be written.
  private func isAmbiguous(_ work: Work) throws -> Bool {
    guard work.writer.schema.entry.kind == .view else { return false }
    let count = try database.firstRow(work.writer.statements.select("count(*)", work.key), count: 1)
    return count != [1]
  }

  private func conflicts(of work: Work) throws -> [Conflict] {
    let expected = work.writer.expected(of: work.change)
    let table = work.writer.table
    // A row without expected values is also read, to check that it exists.
    let columns = expected.isEmpty ? [work.key.first?.column ?? "rowid"] : expected.map(\.column)
    guard let theirs = try work.writer.read(columns, of: work.key) else {
      return [Conflict(table: table, key: work.row)]
    }
    return zip(expected, theirs).compactMap { item, theirs in
      let mine = work.change.value(of: item.column)
      // An external change to the same value is not a conflict.
      if theirs == item.value || theirs == mine?.stored { return nil }
      return Conflict(table: table, key: work.row, column: item.column, base: item.value, theirs: theirs, mine: mine)
    }
  }
}

extension Database {
  /// Writes staged changes in one transaction, completely or not at all.
  ///
  ///     BEGIN IMMEDIATE; PRAGMA defer_foreign_keys = ON; DELETE …; UPDATE …; INSERT …; COMMIT
  ///
  /// Each row is written only if it still has exactly the expected values.
  ///
  /// - Throws: ``CommitFailure`` if rows or the schema prevent the commit, or ``DatabaseError`` for other errors. No changes are written in
  ///   that case.
  public func commit(_ changes: StagedChanges) throws -> CommitSummary {
    try ChangeCommit.run(changes, in: self) { body in try inTransaction(.immediate) { _ in try body() } }
  }
}
