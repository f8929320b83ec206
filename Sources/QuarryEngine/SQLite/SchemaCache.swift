internal import CSQLite

/// Values that were made of the schemas of a connection's databases, each kept until its schema changes.
struct SchemaCache {
  /// The state of a database's schema: equal as long as nobody changes it.
  fileprivate struct Version: Hashable {
    var number: Int64
    /// The file, since another one may be attached under the same name.
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

  /// Forgets all values: functions and collations that come or go change what compiles.
  mutating func removeAll() {
    values = [:]
  }
}

extension Database {
  /// Returns a value made of a database's schema: the one that was made before, as long as the schema is the same.
  ///
  ///     PRAGMA main.schema_version
  ///
  /// - Returns: Nil where the number of the version does not tell what the schema is: in a transaction that writes, which may be rolled
  ///   back to an earlier version; of temporary tables; and of an attached database in memory.
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
