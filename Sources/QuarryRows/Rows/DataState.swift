public import QuarryEngine

/// A version of a database's contents, as one connection sees it: equal as long as nothing is written.
///
/// Another connection has other values for the same version.
package struct DataState: Hashable, Sendable {
  /// Grows when another connection has written.
  package var version: Int64
  /// Grows when this connection has written.
  package var changes: Int64
  /// Grows when a table has been made, changed or dropped.
  package var schema: Int64

  package init(version: Int64, changes: Int64, schema: Int64) {
    (self.version, self.changes, self.schema) = (version, changes, schema)
  }

  /// A state that equals none that a connection reads.
  package static let unknown = DataState(version: -1, changes: -1, schema: -1)
}

extension DatabaseQueue {
  /// Returns the versions of all attached files, as this connection sees them: equal as long as nobody else writes to one of them.
  ///
  /// ```swift
  /// let before = try await queue.fileStates()
  /// // Another program commits a transaction.
  /// try await queue.fileStates() == before  // false
  /// ```
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_BUSY` at once where another connection holds the lock of a file.
  public func fileStates() async throws -> FileStates {
    try await fileStates(droppingCache: false)
  }

  /// Returns the versions of all attached files.
  ///
  /// - Parameter droppingCache: Whether to read the files even where SQLite finds them unchanged.
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

/// The versions of all files of a connection, to be compared with others of the same connection: see ``DatabaseQueue/fileStates()``.
public struct FileStates: Hashable, Sendable {
  fileprivate var states: [String: DataState]

  /// Whether a file that had a schema is an empty database now, which no statement makes of it.
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
  /// Reads the state that a connection sees of one of its databases.
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
