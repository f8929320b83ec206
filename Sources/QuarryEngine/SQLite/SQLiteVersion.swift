internal import CSQLite

/// A version of SQLite, such as 3.44.0, for what only newer libraries understand.
package struct SQLiteVersion: Comparable, Hashable, Sendable, CustomStringConvertible {
  /// The version as `sqlite3_libversion_number` returns it: 3_044_000 for 3.44.0.
  private let number: Int

  package init(_ number: Int) {
    self.number = number
  }

  package init(_ major: Int, _ minor: Int, _ patch: Int) {
    number = major * 1_000_000 + minor * 1000 + patch
  }

  /// Parses a version of two or more numbers, such as `3.8`, `3.40.1` or `3.7.17.1`; nil for another text.
  package init?(text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    let numbers = parts.compactMap(\.self)
    guard numbers.count == parts.count, numbers.count > 1, numbers.allSatisfy({ (0..<1000).contains($0) }) else { return nil }
    self.init(numbers[0], numbers[1], numbers.count > 2 ? numbers[2] : 0)
  }

  /// Returns whether both versions belong to one branch, such as 3.50.4 and 3.50.7.
  package func isSameBranch(as other: SQLiteVersion) -> Bool { number / 1000 == other.number / 1000 }

  /// The version of the library with which the program runs.
  package static var linked: SQLiteVersion { SQLiteVersion(Int(sqlite3_libversion_number())) }
  /// ORDER BY among the arguments of an aggregate.
  package static let aggregateOrder = SQLiteVersion(3_044_000)
  /// RIGHT JOIN and FULL JOIN.
  package static let outerJoins = SQLiteVersion(3_039_000)

  package static func < (lhs: SQLiteVersion, rhs: SQLiteVersion) -> Bool { lhs.number < rhs.number }

  package var description: String { "\(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)" }
}
