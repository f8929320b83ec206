public import QuarryEngine

/// A version of a database's contents as seen by one connection: equal as long as nothing is written.
///
/// Another connection has different values for the same version.
package struct DataState: Hashable, Codable, Sendable {
  /// Increases when another connection has written.
  package var version: Int64
  /// Increases when this connection has written.
  package var changes: Int64
  /// Increases when a table has been created, changed or dropped.
  package var schema: Int64

  package init(version: Int64, changes: Int64, schema: Int64) {
    (self.version, self.changes, self.schema) = (version, changes, schema)
  }

  /// A state that equals no state read by a connection.
  package static let unknown = DataState(version: -1, changes: -1, schema: -1)
}

extension DatabaseQueue {
  /// Returns the versions of all attached files as seen by this connection, which are equal until another connection writes to one of them.
  ///
  /// ```swift
  /// let before = try await queue.fileStates()
  /// // Another program commits a transaction.
  /// try await queue.fileStates() == before  // false
  /// ```
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_BUSY` immediately if another connection holds the lock of a file.
  public func fileStates() async throws -> FileStates {
    try await fileStates(droppingCache: false)
  }

  /// Returns the versions of all attached files.
  ///
  /// - Parameter droppingCache: Whether to read the files even if SQLite considers them unchanged.
  package func fileStates(droppingCache: Bool) async throws -> FileStates {
    try await read { db in
      if droppingCache { db.dropCachedPages() }
      return try db.withoutWaiting { try FileStates(of: db) }
    }
  }

  /// Returns the versions of all attached files, blocking the caller's thread.
  ///
  /// - Throws: ``DatabaseError``
  public func fileStates() throws -> FileStates {
    try read { db in try db.withoutWaiting { try FileStates(of: db) } }
  }
}

/// The versions of all files of a connection, comparable with other versions of the same connection: see ``DatabaseQueue/fileStates()``.
public struct FileStates: Hashable, Sendable {
  fileprivate var states: [String: DataState]

  /// Returns whether a file that had a schema is now an empty database, which no statement can cause.
  package func lostSchemas(since earlier: FileStates) -> Bool {
    states.contains { name, state in state.schema == 0 && earlier.states[name].map { $0.schema != 0 } == true }
  }
}

extension FileStates {
  /// Reads the versions of all attached files.
  init(of database: Database) throws {
    var names: [String] = []
    try database.scan("PRAGMA database_list") { statement in
      try names.append(statement.columnText(at: 1))
      return true
    }
    states = [:]
    for name in names where name != "temp" { states[name] = try DataState(of: name, in: database) }
  }
}

extension DataState {
  /// Reads the state of one of a connection's databases.
  ///
  ///     PRAGMA main.data_version; PRAGMA main.schema_version
  package init(of name: String, in database: Database) throws {
    version = try Self.integer("PRAGMA \(identifier: name).data_version", in: database)
    try database.noteVersion(version, of: name)
    changes = Int64(database.totalChangesCount)
    schema = try Self.integer("PRAGMA \(identifier: name).schema_version", in: database)
  }

  private static func integer(_ sql: SQLText, in database: Database) throws -> Int64 {
    var result: Int64 = 0
    try database.scan(sql) { statement in
      result = try statement.columnInteger(at: 0)
      return false
    }
    return result
  }
}
