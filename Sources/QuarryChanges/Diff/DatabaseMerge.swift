internal import QuarryEngine

/// A merge of two databases that have changed since a common ancestor.
///
/// The changes from BASE to THEIRS are applied to MINE. The result has both sides' changes of cells, rows and schema objects.
///
/// ```swift
/// let plan = try await DatabaseMerge(base: base, mine: mine, theirs: theirs).plan()
/// if plan.conflicts.isEmpty { try await plan.statements { statements in … } }
/// ```
package struct DatabaseMerge: Sendable {
  let base: any DiffSide
  let mine: any DiffSide
  let theirs: any DiffSide
  /// The decisions of conflicts.
  package var decisions: [MergeConflict.ID: MergeDecision] = [:]
  /// The rows that are those of one side, because the merged ones would violate a constraint.
  private(set) var settlements: [MergedRowID: MergeSide] = [:]
  /// The side that wins all other conflicts, or nil to report them.
  package var preferred: MergeSide?
  /// Whether new rows of THEIRS get other keys where MINE has given theirs to other rows.
  ///
  /// Only in tables with an integer primary key. New rows that refer to them by a foreign key follow.
  package var renumbers = false
  /// The number of rows of a table that are read at a time.
  package var step = 500

  /// Creates a merge.
  package init(base: any DiffSide, mine: any DiffSide, theirs: any DiffSide) {
    (self.base, self.mine, self.theirs) = (base, mine, theirs)
  }

  /// Returns the decision of a conflict, or nil if the conflict is open.
  func decision(of conflict: MergeConflict) -> MergeDecision? {
    decisions[conflict.id] ?? preferred.map(MergeDecision.side)
  }

  /// Settles conflicts of the result, which must then be planned again.
  ///
  /// - Returns: The conflicts that are still open, with the reason.
  package mutating func settle(_ conflicts: [MergeConflict]) -> [(conflict: MergeConflict, reason: Unsettled)] {
    // A row that is settled for one of these conflicts is settled for all of them.
    let before = settlements
    var open: [(conflict: MergeConflict, reason: Unsettled)] = []
    for conflict in conflicts {
      guard case .side(let side)? = decision(of: conflict) else {
        open.append((conflict, .undecided))
        continue
      }
      let known = conflict.rows[side] ?? []
      let rows = known.filter { before[$0] == nil }
      if rows.isEmpty { open.append((conflict, known.isEmpty ? .unknownRows : .impossible(side))) }
      for row in conflict.needsAllRows ? rows : Array(rows.prefix(1)) where settlements[row] == nil { settlements[row] = side }
    }
    return open
  }

  /// The reason why a conflict is open.
  package enum Unsettled: Hashable, Sendable {
    case undecided
    /// The rows of this side are in conflict too.
    case impossible(MergeSide)
    /// The rows that cause it are not known.
    case unknownRows
  }

  /// The statements that change MINE, and the conflicts that prevent them.
  package struct Plan {
    package let conflicts: [MergeConflict]
    /// Sentences about what shows that BASE is not the common ancestor.
    package let doubts: [String]
    /// The numbers of changed rows of MINE.
    package let tables: [TableDifference]
    /// Whether MINE does not change.
    package var isEmpty: Bool { patch.isEmpty }
    /// The checks of the result.
    package let result: MergedResult
    let patch: DatabasePatch
    let rows: MergedRows

    init(_ patch: DatabasePatch, _ rows: MergedRows, _ conflicts: [MergeConflict], doubts: [String], result: MergedResult) {
      (self.patch, self.rows, self.conflicts, self.doubts, self.result) = (patch, rows, conflicts, doubts, result)
      tables = patch.tables.map(\.counts).filter { !$0.isSame }
    }

    /// Reports the statements in order, several at a time.
    package func statements(_ report: ([PatchStatement]) async throws -> Void) async throws {
      if !patch.isEmpty { try await patch.statements(of: rows, report) }
    }
  }

  /// Compares the databases.
  ///
  /// - Parameter progress: Called with a table and the number of its rows that have been compared.
  /// - Throws: ``DatabaseError``, or ``DataSourceError`` if BASE cannot be an ancestor.
  package func plan(progress: @escaping (_ table: String, _ rows: Int) -> Void = { _, _ in }) async throws -> Plan {
    var planner = try await MergePlanner(self, progress)
    try await planner.plan()
    return try await planner.finish()
  }
}
