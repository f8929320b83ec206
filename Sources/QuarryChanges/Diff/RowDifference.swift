package import QuarryEngine

/// A row that two databases do not have alike.
package struct RowDifference: Sendable {
  /// The table.
  package var table: String
  /// The columns that match the row, with their values; empty where whole rows are matched.
  package var key: [(column: String, value: StoredValue)]
  package var change: DiffChange
  /// The values that differ; of a row that only one has, all of them.
  package var cells: [Cell]

  /// A value in both databases; nil where the row is not there.
  package struct Cell: Sendable {
    package var column: String
    package var from: StoredValue?
    package var to: StoredValue?
  }
}

/// The number of differing rows of a table.
package struct TableDifference: Sendable {
  package var table: String
  package var added = 0
  package var removed = 0
  package var changed = 0

  mutating func add(_ change: DiffChange) {
    switch change {
    case .added: added += 1
    case .removed: removed += 1
    case .changed: changed += 1
    }
  }
}

/// A table whose rows were not compared.
package struct UncomparedTable: Hashable, Sendable {
  package var table: String
  /// Why not, and the way out where there is one.
  package var reason: String
}

/// Columns named as key that no compared table has.
package struct UnknownDiffKey: Error, CustomStringConvertible {
  var columns: [String]

  package var description: String {
    "--key: no compared table has the columns \(columns.joined(separator: ", ")) on both sides"
  }
}
