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
  /// The values of the key and of all compared columns in the first database, or nil if it does not have the row.
  var old: [StoredValue]?
  /// The values in the second database, or nil if it does not have the row.
  var new: [StoredValue]?
  /// The numbers of equal rows in both databases if whole rows are matched.
  var counts = (old: 1, new: 1)

  /// Whether the row gets another rowid, because its own is taken.
  var isRenumbered = false

  /// A value in both databases, or nil if the row does not exist.
  package struct Cell: Sendable {
    package var column: String
    package var from: StoredValue?
    package var to: StoredValue?
  }
}

/// The numbers of different rows of a table.
package struct TableDifference: Hashable, Sendable {
  package var table: String
  package var added = 0
  package var removed = 0
  package var changed = 0

  /// Whether the rows are the same.
  package var isSame: Bool { added + removed + changed == 0 }

  mutating func add(_ difference: RowDifference) {
    switch difference.change {
    case .added: added += difference.surplus
    case .removed: removed += difference.surplus
    case .changed, .renamed: changed += 1
    }
  }
}

extension RowDifference {
  /// The number of equal rows that only one database has.
  var surplus: Int { max(1, abs(counts.new - counts.old)) }
}

/// A table whose rows were not compared.
package struct UncomparedTable: Hashable, Sendable {
  package var table: String
  /// The reason, with a suggested solution if there is one.
  package var reason: String
}

/// An error for a table that neither of the compared databases has.
package struct UnknownDiffTable: Error, CustomStringConvertible {
  var table: String
  var places: [String]
  var advice: String

  package var description: String {
    "there is no table “\(table)” in \(places.map { "“\($0)”" }.joined(separator: " or ")): \(advice)"
  }
}

/// An error for key columns that no compared table has.
package struct UnknownDiffKey: Error, CustomStringConvertible {
  var columns: [String]

  package var description: String {
    "--key: no compared table has the columns \(columns.joined(separator: ", ")) on both sides"
  }
}

/// An error for an ignored column that no compared table has.
package struct UnknownIgnoredColumn: Error, CustomStringConvertible {
  var column: String

  package var description: String { "--ignore: no compared table has the column \(column)" }
}
