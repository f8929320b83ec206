/// One state of a database as one connection tells it from others: equal where nothing was written between.
///
/// Two connections give one state different names.
struct DataState: Hashable, Sendable {
  /// Grows when another connection has written.
  var version: Int64
  /// Grows when this connection has written.
  var changes: Int64
  /// Grows when a table has been made, changed or dropped.
  var schema: Int64

  /// A state of which no connection knows.
  static let unknown = DataState(version: -1, changes: -1, schema: -1)
}

extension DatabaseQueue {
  /// What tells one state of all attached files from another, for this connection: equal as long as nobody else has written to one of them.
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

  /// The same, on the caller's thread.
  ///
  /// - Throws: ``DatabaseError``
  public func fileStates() throws -> FileStates {
    try read { db in try db.withoutWaiting { try db.fileStates() } }
  }
}

/// The states of all files of a connection, as that connection tells them from others: see ``DatabaseQueue/fileStates()``.
public struct FileStates: Hashable, Sendable {
  fileprivate var states: [String: DataState]
}

extension Database {
  func fileStates() throws -> FileStates {
    var names: [String] = []
    try scan("PRAGMA database_list", []) { statement in
      try names.append(statement.columnText(at: 1))
      return true
    }
    var states: [String: DataState] = [:]
    for name in names where name != "temp" { states[name] = try dataState(of: name) }
    return FileStates(states: states)
  }

  /// The state that this connection reads.
  ///
  ///     PRAGMA main.data_version; PRAGMA main.schema_version
  func dataState(of database: String) throws -> DataState {
    let name = SQLIdentifier.quoted(database)
    return try DataState(
      version: integer("PRAGMA \(name).data_version"),
      changes: Int64(totalChangesCount),
      schema: integer("PRAGMA \(name).schema_version"))
  }

  private func integer(_ sql: String) throws -> Int64 {
    var result: Int64 = 0
    try scan(sql, []) { statement in
      result = try statement.columnInteger(at: 0)
      return false
    }
    return result
  }
}
