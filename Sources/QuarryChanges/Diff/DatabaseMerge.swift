package import QuarryEngine

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
  /// The side that wins conflicts, or nil to report them.
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

  /// The statements that change MINE, and the conflicts that prevent them.
  package struct Plan {
    package private(set) var conflicts: [MergeConflict]
    /// The numbers of changed rows of MINE.
    package let tables: [TableDifference]
    /// Whether MINE does not change.
    package var isEmpty: Bool { patch.isEmpty }
    let patch: DatabasePatch
    let rows: MergedRows

    init(_ patch: DatabasePatch, _ rows: MergedRows, _ conflicts: [MergeConflict]) {
      (self.patch, self.rows, self.conflicts) = (patch, rows, conflicts)
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

  /// Returns the dangling references of MINE and THEIRS, which the merge may keep.
  package func danglingReferences() async throws -> Set<DanglingReference> {
    var found: Set<DanglingReference> = []
    for side in [mine, theirs] { found.formUnion(try await side.schema { try DanglingReference.all(in: $0) }) }
    return found
  }
}

extension MergeConflict {
  /// Creates the conflict of a statement that violates a constraint.
  package init(_ error: DatabaseError, of statement: PatchStatement) {
    self.init(.constraint, error.message, theirs: .value(.text(statement.shortText)))
  }
}

extension PatchStatement {
  /// The SQL for display.
  fileprivate var shortText: String {
    switch self {
    case .object(let sql): sql
    case .sql(let sql): sql.shortQueryString
    }
  }
}
