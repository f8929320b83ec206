internal import CSQLite

/// A version of SQLite, such as 3.44.0, for what only newer libraries understand.
package struct SQLiteVersion: Comparable, Sendable, CustomStringConvertible {
  /// The version as `sqlite3_libversion_number` returns it: 3_044_000 for 3.44.0.
  private let number: Int

  package init(_ number: Int) {
    self.number = number
  }

  /// The version of the library with which the program runs.
  package static var linked: SQLiteVersion { SQLiteVersion(Int(sqlite3_libversion_number())) }
  /// ORDER BY among the arguments of an aggregate.
  package static let aggregateOrder = SQLiteVersion(3_044_000)
  /// RIGHT JOIN and FULL JOIN.
  package static let outerJoins = SQLiteVersion(3_039_000)

  package static func < (lhs: SQLiteVersion, rhs: SQLiteVersion) -> Bool { lhs.number < rhs.number }

  package var description: String { "\(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)" }
}
