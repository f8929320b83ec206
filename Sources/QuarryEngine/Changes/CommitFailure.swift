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
      return "\(Plural.of(rows, "row")) \(rows == 1 ? "was" : "were") changed by others meanwhile; nothing was written"
    case .constraints(let failures):
      let more = failures.count > 1 ? ", and \(Plural.of(failures.count - 1, "more row"))" : ""
      return "\(failures.first?.reason ?? "a constraint failed")\(more); nothing was written"
    case .outdated(_, let reason): return "\(reason); nothing was written"
    }
  }
}

/// What a commit has done.
public struct CommitSummary: Hashable, Sendable, CustomStringConvertible {
  /// The rows that got other values.
  public var changed: Int
  /// The rows that were inserted.
  public var inserted: Int
  /// The rows that were deleted.
  public var deleted: Int
  /// What the new rows are known by from now on, by their table and the number that they had; a row of a view is not among them.
  public var newKeys: [TableReference: [Int: RowKey]]
  /// What else a person should know of it, as a part of a sentence: that the answer to it was lost, say; nil for nothing.
  public var remark: String?

  /// Makes a summary.
  public init(changed: Int = 0, inserted: Int = 0, deleted: Int = 0, newKeys: [TableReference: [Int: RowKey]] = [:], remark: String? = nil)
  {
    self.changed = changed
    self.inserted = inserted
    self.deleted = deleted
    self.newKeys = newKeys
    self.remark = remark
  }

  /// What was done, in words: `3 rows changed, 1 new, 2 deleted`.
  public var description: String { [counts, remark].compactMap(\.self).joined(separator: "; ") }

  private var counts: String {
    var parts: [String] = []
    if changed > 0 { parts.append("\(Plural.of(changed, "row")) changed") }
    if inserted > 0 { parts.append(parts.isEmpty ? Plural.of(inserted, "new row") : "\(inserted) new") }
    if deleted > 0 { parts.append(parts.isEmpty ? "\(Plural.of(deleted, "row")) deleted" : "\(deleted) deleted") }
    return parts.isEmpty ? "nothing to write" : parts.joined(separator: ", ")
  }
}
