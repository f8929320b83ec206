internal import Libc
package import QuarryEngine

/// The folder with the logs of all databases, one file per database.
package struct ChangeLogFolder: Hashable, Sendable {
  /// The path of the folder, which may not exist yet.
  package let path: String
  /// The maximum size of the log of one database, in bytes.
  package let limit: Int

  /// The default limit of 256 MiB.
  package static let standardLimit = 256 << 20

  /// Creates a reference to the folder.
  package init(path: String, limit: Int = ChangeLogFolder.standardLimit) {
    self.path = path
    self.limit = limit
  }

  /// Opens the log of a connection's database, and creates it if needed.
  ///
  /// Returns nil for a database without a file.
  package func log(ofDatabase name: String, in db: Database) throws -> ChangeLog? {
    guard let identity = identity(ofDatabase: name, in: db) else { return nil }
    return try ChangeLog(self, identity, path: filePath(of: identity))
  }

  /// Opens the log of a connection's database, or returns nil if no log exists.
  package func existingLog(ofDatabase name: String, in db: Database) throws -> ChangeLog? {
    guard let identity = identity(ofDatabase: name, in: db), access(filePath(of: identity), F_OK) == 0 else { return nil }
    return try ChangeLog(self, identity, path: filePath(of: identity))
  }

  private func identity(ofDatabase name: String, in db: Database) -> DatabaseIdentity? {
    db.path(ofDatabase: name).flatMap(DatabaseIdentity.init)
  }

  private func filePath(of identity: DatabaseIdentity) -> String { "\(path)/\(identity.fileName).db" }
}

extension ChangeLogFolder {
  /// Opens the log of a connection's database after settling its pending commits.
  ///
  /// Returns nil if no log exists.
  package func settledLog(ofDatabase name: String, in db: Database) throws -> ChangeLog? {
    let log = try existingLog(ofDatabase: name, in: db)
    try log?.settlePending(of: name, in: db)
    return log
  }
}
