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
    for side in [mine, theirs] { found.formUnion(try await DanglingReference.all { try await side.rows($0, width: $1) }) }
    return found
  }
}

/// A row with a reference to a row that does not exist.
package struct DanglingReference: Hashable, Sendable {
  private let values: [StoredValue]

  /// Finds the dangling references of a database.
  ///
  /// SQLite cannot check foreign keys that refer to columns without a unique index. These are skipped.
  ///
  ///     SELECT "table", rowid, parent, fkid FROM pragma_foreign_key_check('t')
  ///
  /// - Parameter rows: Returns the rows of a SELECT with a number of columns.
  package static func all(rows: (SQLText, Int) async throws -> [[StoredValue]]) async throws -> [DanglingReference] {
    let tables: SQLText = """
      SELECT DISTINCT m.name FROM main.sqlite_schema AS m, pragma_foreign_key_list(m.name) WHERE m.type = 'table'
      """
    var found: [DanglingReference] = []
    for table in try await rows(tables, 1).compactMap(\.first) {
      do {
        let sql: SQLText = "SELECT \"table\", rowid, parent, fkid FROM pragma_foreign_key_check(\(table.sqlText))"
        found += try await rows(sql, 4).map(DanglingReference.init)
      } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_ERROR {
        continue
      }
    }
    return found
  }

  /// The reference as a conflict.
  package var conflict: MergeConflict {
    func text(_ value: StoredValue) -> String {
      if case .value(.text(let text)) = value { text } else { value.databaseValue.sqlLiteral }
    }
    let key = values[1] == .null ? [] : [(column: "rowid", value: values[1])]
    return MergeConflict(.reference, text(values[0]), key: key, theirs: .value(.text("refers to a missing row of \(text(values[2]))")))
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
