internal import CSQLite

/// Cached values derived from the schemas of a connection's databases, each until its schema changes.
struct SchemaCache {
  /// The state of a database's schema, which is equal until the schema changes.
  fileprivate struct Version: Hashable {
    var number: Int64
    /// The file, because another one may be attached under the same name.
    var path: [UInt8]
  }

  private struct Key: Hashable {
    var database: String
    var type: ObjectIdentifier
  }

  private var values: [Key: (version: Version, value: any Sendable)] = [:]

  fileprivate func value<Value>(of database: String, _ version: Version) -> Value? {
    guard let kept = values[Key(database: database, type: ObjectIdentifier(Value.self))], kept.version == version else { return nil }
    return kept.value as? Value
  }

  fileprivate mutating func keep<Value: Sendable>(_ value: Value, of database: String, _ version: Version) {
    values[Key(database: database, type: ObjectIdentifier(Value.self))] = (version, value)
  }

  /// Removes all values, because adding or removing functions and collations may affect whether SQL compiles.
  mutating func removeAll() {
    values = [:]
  }
}

extension Database {
  /// Returns a value derived from a database's schema, cached until the schema changes.
  ///
  ///     PRAGMA main.schema_version
  ///
  /// - Returns: Nil if the schema version does not identify the schema: in a write transaction, which may be rolled back to an earlier
  ///   version; for temporary tables; and for an attached database in memory.
  func keptUntilSchemaChanges<Value: Sendable>(of database: String, _ make: () throws -> Value) throws -> Value? {
    let name = database.asciiLowercased
    guard name != "temp", sqlite3_txn_state(connection, name) != SQLITE_TXN_WRITE else { return nil }
    let path = sqlite3_db_filename(connection, name).map { Array(String(cString: $0).utf8) } ?? []
    guard !path.isEmpty || name == "main" else { return nil }
    var version = SchemaCache.Version(number: 0, path: path)
    try scan("PRAGMA \(identifier: database).schema_version") { statement in
      version.number = try statement.columnInteger(at: 0)
      return false
    }
    if let kept: Value = schemaCache.value(of: name, version) { return kept }
    let value = try make()
    schemaCache.keep(value, of: name, version)
    return value
  }
}
