/// A bug of some versions of SQLite that can damage a database, as SQLite's release history describes it.
package struct SQLiteBug: Hashable, Sendable {
  package let name: String
  /// The consequence for the user.
  package let effect: String
  package let fix: String
  private let first: SQLiteRelease
  private let fixed: SQLiteRelease
  /// The releases of older branches that contain the fix.
  private var backports: [SQLiteRelease] = []

  /// Returns the bugs of a version, such as `3.40.1`.
  package static func of(version: String) -> [SQLiteBug] {
    guard let version = SQLiteRelease(version) else { return [] }
    return all.filter { $0.affects(version) }
  }

  private func affects(_ version: SQLiteRelease) -> Bool {
    version >= first && version < fixed && !backports.contains { $0.isSameBranch(as: version) && version >= $0 }
  }

  private static let all = [
    SQLiteBug(
      name: "WAL-reset bug",
      effect: """
        a database in WAL mode can be damaged if two connections write or checkpoint it at the same moment. This is very rare; \
        databases in other journal modes are not affected
        """,
      fix: "use SQLite 3.51.3 or later (or 3.50.7, 3.44.6, or a package with the fix): https://sqlite.org/wal.html#walresetbug",
      first: SQLiteRelease(3, 7, 0), fixed: SQLiteRelease(3, 51, 3), backports: [SQLiteRelease(3, 44, 6), SQLiteRelease(3, 50, 7)]),
    SQLiteBug(
      name: "UPSERT bug", effect: "an INSERT with ON CONFLICT DO UPDATE can, rarely, leave an index that does not match its table",
      fix: "use SQLite 3.45.2 or later (or a package with the fix). `PRAGMA integrity_check` finds such an index, REINDEX rebuilds it",
      first: SQLiteRelease(3, 35, 0), fixed: SQLiteRelease(3, 45, 2)),
    SQLiteBug(
      name: "withdrawn", effect: "SQLite's authors withdrew this release because of problems that they found after it",
      fix: "use SQLite 3.51.3, or 3.53.0 or later", first: SQLiteRelease(3, 52, 0), fixed: SQLiteRelease(3, 52, 1)),
  ]
}

/// The number of a version of SQLite.
private struct SQLiteRelease: Hashable, Comparable, Sendable {
  private let major: Int
  private let minor: Int
  private let patch: Int

  init(_ major: Int, _ minor: Int, _ patch: Int) {
    (self.major, self.minor, self.patch) = (major, minor, patch)
  }

  /// Parses a version of two or more numbers, such as `3.8`, `3.40.1` or `3.7.17.1`.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    let numbers = parts.compactMap(\.self)
    guard numbers.count == parts.count, numbers.count > 1 else { return nil }
    self.init(numbers[0], numbers[1], numbers.count > 2 ? numbers[2] : 0)
  }

  func isSameBranch(as other: SQLiteRelease) -> Bool { (major, minor) == (other.major, other.minor) }

  static func < (left: SQLiteRelease, right: SQLiteRelease) -> Bool {
    (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
  }
}
