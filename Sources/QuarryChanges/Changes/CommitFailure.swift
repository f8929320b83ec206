public import QuarryEngine

/// The reason why staged changes were not written, except for SQLite errors that no row has caused.
public enum CommitFailure: Error, Hashable, Sendable {
  /// Rows have been changed externally since they were staged.
  case conflicts([Conflict])
  /// Rows violate constraints.
  case constraints([ConstraintFailure])
  /// A table has changed, with a sentence: the table or a column no longer exists, or it cannot be edited any more.
  case outdated(TableReference, String)
}

/// A staged row that violates a constraint.
public struct ConstraintFailure: Hashable, Sendable {
  /// The table.
  public var table: TableReference
  /// The row, or nil if SQLite names none, for example a row of another table that refers to a deleted row.
  public var row: StagedRowID?
  /// The columns of the constraint, if SQLite names them.
  public var columns: [String]
  /// The violation as a sentence: `UNIQUE constraint failed: player.name`.
  public var reason: String

  /// Creates a failure.
  public init(table: TableReference, row: StagedRowID?, columns: [String] = [], reason: String) {
    self.table = table
    self.row = row
    self.columns = columns
    self.reason = reason
  }
}

extension CommitFailure: CustomStringConvertible {
  /// The failure as a sentence for the user.
  public var description: String {
    switch self {
    case .conflicts(let conflicts):
      let rows = Set(conflicts.map { RowAddress(table: $0.table, row: .stored($0.key)) }).count
      if conflicts.allSatisfy(\.isByCommit) {
        let those = rows == 1 ? "another change of it is staged" : "other changes of them are staged"
        return "this commit itself deletes \(Plural.of(rows, "row")), by foreign keys or triggers, and \(those); nothing was written"
      }
      let changed = rows == 1 ? "has changed since you edited it" : "have changed since you edited them"
      return "\(Plural.of(rows, "row")) \(changed); nothing was written"
    case .constraints(let failures):
      let more = failures.count > 1 ? ", and \(Plural.of(failures.count - 1, "more row"))" : ""
      return "\(failures.first?.reason ?? "a constraint failed")\(more); nothing was written"
    case .outdated(_, let reason): return "\(reason); nothing was written"
    }
  }
}
