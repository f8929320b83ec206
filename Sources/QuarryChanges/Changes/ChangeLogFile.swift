internal import Libc
package import QuarryEngine

/// The folder in which the records of all databases are kept, a file a database.
package struct ChangeLogFolder: Hashable, Sendable {
  /// The path of the folder, which need not exist yet.
  package let path: String
  /// How many bytes the records of one database may have.
  package let limit: Int

  /// The limit where no other is chosen: 256 MiB.
  package static let standardLimit = 256 << 20

  /// Names the folder.
  package init(path: String, limit: Int = ChangeLogFolder.standardLimit) {
    self.path = path
    self.limit = limit
  }

  /// Opens the record of a database of a connection, made where there is none yet; nil for a database without a file.
  package func log(ofDatabase name: String, in db: Database) throws -> ChangeLog? {
    guard let identity = identity(ofDatabase: name, in: db) else { return nil }
    return try ChangeLog(self, identity, path: filePath(of: identity))
  }

  /// Opens the record of a database of a connection; nil where there is none.
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
  /// Opens the record of a database of a connection, once it is known of each of its commits whether it was committed; nil where there is
  /// none.
  package func settledLog(ofDatabase name: String, in db: Database) throws -> ChangeLog? {
    let log = try existingLog(ofDatabase: name, in: db)
    try log?.settlePending(of: name, in: db)
    return log
  }
}
