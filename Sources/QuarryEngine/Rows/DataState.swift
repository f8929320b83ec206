/// A version of a database's contents, as one connection sees it: equal as long as nothing is written.
///
/// Another connection has other values for the same version.
struct DataState: Hashable, Sendable {
  /// Grows when another connection has written.
  var version: Int64
  /// Grows when this connection has written.
  var changes: Int64
  /// Grows when a table has been made, changed or dropped.
  var schema: Int64

  /// A state that equals none that a connection reads.
  static let unknown = DataState(version: -1, changes: -1, schema: -1)
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
    try await read { db in try db.withoutWaiting { try db.fileStates() } }
  }

  /// Returns the versions of all attached files, blocking the caller's thread.
  ///
  /// - Throws: ``DatabaseError``
  public func fileStates() throws -> FileStates {
    try read { db in try db.withoutWaiting { try db.fileStates() } }
  }
}

/// The versions of all files of a connection, to be compared with others of the same connection: see ``DatabaseQueue/fileStates()``.
public struct FileStates: Hashable, Sendable {
  fileprivate var states: [String: DataState]
}

extension Database {
  func fileStates() throws -> FileStates {
    var names: [String] = []
    try scan("PRAGMA database_list") { statement in
      try names.append(statement.columnText(at: 1))
      return true
    }
    var states: [String: DataState] = [:]
    for name in names where name != "temp" { states[name] = try dataState(of: name) }
    return FileStates(states: states)
  }

  /// Returns the state that this connection reads.
  ///
  ///     PRAGMA main.data_version; PRAGMA main.schema_version
  func dataState(of database: String) throws -> DataState {
    try DataState(
      version: integer("PRAGMA \(identifier: database).data_version"),
      changes: Int64(totalChangesCount),
      schema: integer("PRAGMA \(identifier: database).schema_version"))
  }

  private func integer(_ sql: SQLText) throws -> Int64 {
    var result: Int64 = 0
    try scan(sql) { statement in
      result = try statement.columnInteger(at: 0)
      return false
    }
    return result
  }
}
