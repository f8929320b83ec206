internal import QuarryEngine

/// A bug of some versions of SQLite that can damage a database, as SQLite's release history describes it.
package struct SQLiteBug: Hashable, Sendable {
  package let name: String
  /// The consequence for the user.
  package let effect: String
  package let fix: String
  private let first: SQLiteVersion
  private let fixed: SQLiteVersion
  /// The releases of older branches that contain the fix.
  private var backports: [SQLiteVersion] = []

  /// Returns the bugs of a version, such as `3.40.1`.
  package static func of(version: String) -> [SQLiteBug] {
    guard let version = SQLiteVersion(text: version) else { return [] }
    return all.filter { $0.affects(version) }
  }

  private func affects(_ version: SQLiteVersion) -> Bool {
    version >= first && version < fixed && !backports.contains { $0.isSameBranch(as: version) && version >= $0 }
  }

  /// The name of the bug that only databases in WAL mode have.
  static let logName = "WAL-reset bug"

  private static let all = [
    SQLiteBug(
      name: logName,
      effect: """
        a database in WAL mode can be damaged if two connections write or checkpoint it at the same moment. This is very rare; \
        databases in other journal modes are not affected
        """,
      fix: "use SQLite 3.51.3 or later (or 3.50.7, 3.44.6, or a package with the fix): https://sqlite.org/wal.html#walresetbug",
      first: SQLiteVersion(3, 7, 0), fixed: SQLiteVersion(3, 51, 3), backports: [SQLiteVersion(3, 44, 6), SQLiteVersion(3, 50, 7)]),
    SQLiteBug(
      name: "UPSERT bug", effect: "an INSERT with ON CONFLICT DO UPDATE can, rarely, leave an index that does not match its table",
      fix: "use SQLite 3.45.2 or later (or a package with the fix). `PRAGMA integrity_check` finds such an index, REINDEX rebuilds it",
      first: SQLiteVersion(3, 35, 0), fixed: SQLiteVersion(3, 45, 2)),
    SQLiteBug(
      name: "withdrawn", effect: "SQLite's authors withdrew this release because of problems that they found after it",
      fix: "use SQLite 3.51.3, or 3.53.0 or later", first: SQLiteVersion(3, 52, 0), fixed: SQLiteVersion(3, 52, 1)),
  ]
}
