public import QuarryEngine

/// Why nothing of what is staged was written, besides an error of SQLite's that no row is to blame for.
public enum CommitFailure: Error, Hashable, Sendable {
  /// Others have changed rows since they were staged.
  case conflicts([Conflict])
  /// Rows break constraints.
  case constraints([ConstraintFailure])
  /// A table is no longer what it was, as a sentence: it or a column of it is gone, or it can no longer be edited.
  case outdated(TableReference, String)
}

/// A staged row that breaks a constraint.
public struct ConstraintFailure: Hashable, Sendable {
  /// The table.
  public var table: TableReference
  /// The row; nil where SQLite names none, as a row of another table that refers to one that would be gone.
  public var row: StagedRowID?
  /// The columns that the constraint is of, where SQLite names them.
  public var columns: [String]
  /// What is broken, as a sentence: `UNIQUE constraint failed: player.name`.
  public var reason: String

  /// Makes a failure.
  public init(table: TableReference, row: StagedRowID?, columns: [String] = [], reason: String) {
    self.table = table
    self.row = row
    self.columns = columns
    self.reason = reason
  }
}

extension CommitFailure: CustomStringConvertible {
  /// The failure as a sentence for a person.
  public var description: String {
    switch self {
    case .conflicts(let conflicts):
      let rows = Set(conflicts.map { RowAddress(table: $0.table, row: .stored($0.key)) }).count
      if conflicts.allSatisfy(\.isByCommit) {
        let those = rows == 1 ? "another change of it is staged" : "other changes of them are staged"
        return "this commit itself deletes \(Plural.of(rows, "row")), by foreign keys or triggers, and \(those); nothing was written"
      }
      return "\(Plural.of(rows, "row")) \(rows == 1 ? "was" : "were") changed by others meanwhile; nothing was written"
    case .constraints(let failures):
      let more = failures.count > 1 ? ", and \(Plural.of(failures.count - 1, "more row"))" : ""
      return "\(failures.first?.reason ?? "a constraint failed")\(more); nothing was written"
    case .outdated(_, let reason): return "\(reason); nothing was written"
    }
  }
}
