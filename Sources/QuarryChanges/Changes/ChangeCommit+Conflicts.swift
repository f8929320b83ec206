public import QuarryEngine
internal import QuarryRows

extension ChangeCommit {
  /// Reads every row that is to be changed or deleted, before anything is written.
  ///
  /// - Throws: ``CommitFailure/conflicts(_:)`` with all columns that have other values than they are expected to have, and all rows that
  ///   are gone; ``CommitFailure/constraints(_:)`` with rows of a view that nothing tells from others.
  func checkExpectations() throws {
    let rows = work(.updated, .deleted)
    let found = try rows.flatMap { try conflicts(of: $0) }
    if !found.isEmpty { throw CommitFailure.conflicts(found) }
    let ambiguous = try rows.filter { try isAmbiguous($0) }
    guard !ambiguous.isEmpty else { return }
    throw CommitFailure.constraints(
      ambiguous.map { work in
        let table = work.writer.table
        let reason = "several rows of \(table.name) have the same values, and nothing tells them apart"
        return ConstraintFailure(table: table, row: .stored(work.row), reason: reason)
      })
  }

  /// Returns whether a row of a view has the same values as another, which would be written with it.
  private func isAmbiguous(_ work: Work) throws -> Bool {
    guard work.writer.schema.entry.kind == .view else { return false }
    let count = try database.firstRow(work.writer.statements.select("count(*)", work.key), count: 1)
    return count != [1]
  }

  private func conflicts(of work: Work) throws -> [Conflict] {
    let expected = work.writer.expected(of: work.change)
    let table = work.writer.table
    // A row is read even where no value is expected of it, to find out whether it is there.
    let columns = expected.isEmpty ? [work.key.first?.column ?? "rowid"] : expected.map(\.column)
    guard let theirs = try work.writer.read(columns, of: work.key) else {
      return [Conflict(table: table, key: work.row)]
    }
    return zip(expected, theirs).compactMap { item, theirs in
      let mine = work.change.value(of: item.column)
      // What others have changed to the same is what is wanted.
      if theirs == item.value || theirs == mine?.stored { return nil }
      return Conflict(table: table, key: work.row, column: item.column, base: item.value, theirs: theirs, mine: mine)
    }
  }
}

extension Database {
  /// Writes what is staged in one transaction: all of it, or nothing.
  ///
  ///     BEGIN IMMEDIATE; PRAGMA defer_foreign_keys = ON; DELETE …; UPDATE …; INSERT …; COMMIT
  ///
  /// Each row is written only where it still has the values that the changes expect, compared to the bit.
  ///
  /// - Throws: ``CommitFailure`` where rows or the schema stand against it, ``DatabaseError`` for all else; then nothing was written.
  public func commit(_ changes: StagedChanges) throws -> CommitSummary {
    try ChangeCommit.run(changes, in: self) { body in try inTransaction(.immediate) { _ in try body() } }
  }
}
