package import QuarryEngine

/// A row that differs between two databases.
package struct RowDifference: Sendable {
  /// The table.
  package var table: String
  /// The key columns with their values, or empty if whole rows are matched.
  package var key: [(column: String, value: StoredValue)]
  package var change: DiffChange
  /// The different values, or all values of a row that only one database has.
  package var cells: [Cell]

  /// A value in both databases, or nil if the row does not exist.
  package struct Cell: Sendable {
    package var column: String
    package var from: StoredValue?
    package var to: StoredValue?
  }
}

/// The numbers of different rows of a table.
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
  /// The reason, with a suggested solution if there is one.
  package var reason: String
}

/// An error for key columns that no compared table has.
package struct UnknownDiffKey: Error, CustomStringConvertible {
  var columns: [String]

  package var description: String {
    "--key: no compared table has the columns \(columns.joined(separator: ", ")) on both sides"
  }
}
