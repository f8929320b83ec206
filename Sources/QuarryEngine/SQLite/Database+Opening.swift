internal import CSQLite

extension Database {
  /// Opens the C connection with all its options, before anything is read from the file.
  static func open(path: String, configuration: Configuration) throws -> OpaquePointer {
    let file = DatabaseFile(path: path, configuration: configuration)
    try file.check()
    var flags = configuration.refusesWriting ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    // A connection has one user at a time, so that SQLite need not lock a mutex in each call.
    flags |= SQLITE_OPEN_NOMUTEX
    if file.isURI { flags |= SQLITE_OPEN_URI }
    _ = SQLiteFiles.isWatching
    var connection: OpaquePointer?
    let code = sqlite3_open_v2(file.name, &connection, flags, nil)
    guard code == SQLITE_OK, let connection else {
      let message = connection.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) }
      let extended = connection.map { sqlite3_extended_errcode($0) } ?? code
      var error = DatabaseError(ResultCode(rawValue: extended), message)
      error.systemError = connection.map { sqlite3_system_errno($0) } ?? 0
      sqlite3_close_v2(connection)
      throw file.failure(error)
    }
    sqlite3_extended_result_codes(connection, 1)
    _ = quarry_db_config_switch(connection, SQLITE_DBCONFIG_ENABLE_FKEY, configuration.foreignKeysEnabled ? 1 : 0)
    _ = quarry_db_config_switch(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, configuration.triggersEnabled ? 1 : 0)
    _ = quarry_db_config_switch(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, configuration.trustsSchema ? 1 : 0)
    _ = quarry_db_config_switch(connection, SQLITE_DBCONFIG_DEFENSIVE, configuration.isDefensive ? 1 : 0)
    // Debian's library enables both by default.
    _ = quarry_db_config_switch(connection, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0)
    _ = quarry_db_config_switch(connection, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0)
    let results = [RegularExpressionFunction.install(on: connection), LikeFunction.install(on: connection)]
    if let installed = results.first(where: { $0 != SQLITE_OK }) {
      sqlite3_close_v2(connection)
      throw file.failure(DatabaseError(ResultCode(rawValue: installed)))
    }
    return connection
  }

  /// Reads the schema of `database`, which makes SQLite examine the file.
  func prepareForUse(database name: String = "main", file: DatabaseFile? = nil) throws {
    do {
      try execute(sql: "SELECT 1 FROM \(SQLIdentifier.quoted(name)).sqlite_schema LIMIT 1")
    } catch let error as DatabaseError {
      let file = file ?? DatabaseFile(path: path, configuration: configuration)
      throw file.failure(error.withoutSQL)
    }
  }

  /// Attaches the database at `path` under a name; SQLite allows this only outside a transaction.
  ///
  /// ```swift
  /// try queue.withoutTransaction { db in
  ///   try db.attach(path: "archive.db", as: "archive")
  /// }
  /// // ATTACH DATABASE 'archive.db' AS archive
  /// ```
  ///
  /// It is opened with the options of the connection, for example read-only, and checked like a file that is opened.
  ///
  /// - Throws: ``DatabaseOpenError`` if the file cannot be opened, ``DatabaseError`` if SQLite rejects the name or an additional database.
  public func attach(path: String, as name: String) throws {
    let file = DatabaseFile(path: path, configuration: configuration)
    try file.check()
    do {
      try execute(sql: "ATTACH DATABASE ? AS \(SQLIdentifier.quoted(name))", arguments: [file.name])
    } catch let error as DatabaseError where error.resultCode != DatabaseError.SQLITE_ERROR {
      throw file.failure(error.withoutSQL)
    }
    do {
      try prepareForUse(database: name, file: file)
      if !file.isPrivate { openedFiles.add(path, as: name) }
    } catch {
      try? detach(name)
      throw error
    }
  }

  /// Detaches the database with this name.
  ///
  /// ```swift
  /// try db.detach("archive")  // DETACH DATABASE archive
  /// ```
  ///
  /// - Throws: ``DatabaseError`` if no attached database has this name, or if it is in use.
  public func detach(_ name: String) throws {
    try execute(sql: "DETACH DATABASE \(SQLIdentifier.quoted(name))")
    openedFiles.remove(name)
  }
}
