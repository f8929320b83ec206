internal import CSQLite

extension Database {
  /// Calls `authorizer` for each action of a statement while SQLite compiles it; nil removes the authorizer.
  ///
  /// ```swift
  /// try db.setAuthorizer { $0.action == .dropTable ? .deny : .allow }
  /// try db.execute(sql: "DROP TABLE player")  // SQLite error 23: not authorized
  /// ```
  ///
  /// Statements compiled earlier are recompiled and authorized when they run. Actions that the connection itself rejects are rejected
  /// without calling the authorizer. It is also called for the connection's own statements, such as beginning the transaction of a `read`.
  /// The authorizer must not use the database. It is released when it is replaced or the connection closes. The corresponding C function is
  /// `sqlite3_set_authorizer`.
  ///
  /// - Throws: `SQLITE_MISUSE` outside an access.
  public func setAuthorizer(_ authorizer: (@Sendable (AuthorizationRequest) -> Authorization)?) throws {
    try checkAccess()
    hooks.authorizer = authorizer
    expireStatements()
  }

  /// Makes SQLite recompile every statement before its next run, as it does when an authorizer is set.
  func expireStatements() {
    installAuthorizer()
  }

  /// Installs the single authorizer of the connection, which serves all purposes, because each change of it makes SQLite recompile all
  /// statements.
  ///
  /// The corresponding C function is `sqlite3_set_authorizer`.
  func installAuthorizer() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_set_authorizer(
      connection,
      { context, action, first, second, database, accessor in
        guard let context else { return SQLITE_OK }
        let text = { (name: UnsafePointer<CChar>?) in name.map { String(cString: $0) } }
        let request = AuthorizationRequest(
          action: AuthorizationRequest.Action(rawValue: action), first: text(first), second: text(second), database: text(database),
          source: text(accessor))
        return Unmanaged<Database>.fromOpaque(context).takeUnretainedValue().authorize(request)
      }, context)
  }

  /// Answers a request of SQLite: first by the connection's own rules, recording the reason in ``refusal``, then by the caller's
  /// authorizer.
  private func authorize(_ request: AuthorizationRequest) -> Int32 {
    noteRead(request)
    if let reason = builtInRefusal(of: request) {
      refusal = reason
      return SQLITE_DENY
    }
    if let authorizer = hooks.authorizer {
      let answer = authorizer(request)
      // SQLite does not report a denied function with the code of an authorization error.
      if answer == .deny, let function = request.second, request.action == .function {
        refusal = "not authorized to use function: \(function)"
      }
      if answer != .allow { return answer == .deny ? SQLITE_DENY : SQLITE_IGNORE }
    }
    return deletesRowByRow(request) ? SQLITE_IGNORE : SQLITE_OK
  }

  /// Returns whether a DELETE must visit each row, because SQLite would otherwise empty the table without calling the update hook.
  ///
  /// For a DELETE, `SQLITE_IGNORE` disables that optimization. For the DELETE of a DROP it would retain the table, and the schema tables
  /// cannot be changed this way.
  private func deletesRowByRow(_ request: AuthorizationRequest) -> Bool {
    switch request.action {
    case .dropTable, .dropTemporaryTable, .dropVirtualTable, .dropView, .dropTemporaryView:
      hooks.isDropping = true
      return false
    case .delete:
      defer { hooks.isDropping = false }
      guard hooks.update != nil, !hooks.isDropping, let table = request.first else { return false }
      return !table.asciiLowercased.hasPrefix("sqlite_")
    default: return false
    }
  }

  /// Returns the reason why a request is always rejected; nil if it is not.
  private func builtInRefusal(of request: AuthorizationRequest) -> String? {
    switch request.action {
    case .function: request.second.flatMap(Self.refusal(ofFunction:))
    case .attach: refusalToAttach
    case .pragma where request.second != nil: request.first.flatMap(Self.refusal(ofSetting:))
    default: nil
    }
  }

  /// Functions with effects outside the database, with those effects.
  ///
  /// Only the first two belong to the library itself; the remaining ones come with extensions linked into some builds.
  private static let functionsReachingOutside = [
    "load_extension": "it would run code from outside the database",
    "fts3_tokenizer": "it exposes and accepts memory addresses of the program",
    "readfile": "it would read files outside the database",
    "writefile": "it would write files outside the database",
    "lsdir": "it would list folders outside the database",
    "edit": "it would start another program",
  ]

  private static func refusal(ofFunction name: String) -> String? {
    let function = name.asciiLowercased
    return functionsReachingOutside[function].map { "\(function)() is disabled: \($0)" }
  }

  /// Settings that SQL may not change, because they apply to the whole program, and SQLite sets them when the statement is compiled.
  private static let settingsOfProgram: Set<String> = [
    "hard_heap_limit", "soft_heap_limit", "temp_store_directory", "data_store_directory",
  ]

  private static func refusal(ofSetting name: String) -> String? {
    let setting = name.asciiLowercased
    guard settingsOfProgram.contains(setting) else { return nil }
    return "PRAGMA \(setting) can only be read: its value applies to every database that this program has open"
  }

  /// The reason why a database may not be attached now; nil if it may.
  ///
  /// A running VACUUM INTO attaches the file that it creates, which is the only way for a read-only connection to write a file.
  private var refusalToAttach: String? {
    guard configuration.refusesWriting, ownStatements.contains(where: Self.isWriting) else { return nil }
    let reason = configuration.isImmutable ? "immutable" : "read-only"
    return "VACUUM would write a file, but the database is open as \(reason)"
  }

  private static func isWriting(_ statement: OpaquePointer) -> Bool {
    sqlite3_stmt_busy(statement) != 0 && sqlite3_stmt_readonly(statement) == 0
  }
}

extension Database {
  /// Runs `body` and returns the region read by the statements that it compiles.
  func collectingRegion(_ body: () throws -> Void) throws -> DatabaseRegion {
    region = DatabaseRegion()
    unlocatedTables = []
    defer { region = nil }
    try body()
    var collected = region ?? DatabaseRegion()
    region = nil
    for (database, name) in unlocatedTables {
      if let table = try locate(name, in: database) { collected.insert(column: "", of: table) }
    }
    return collected
  }

  /// Returns the table or view to which a name refers: without a database name, first in `temp`, then in `main`, then in the attached
  /// databases in order.
  private func locate(_ name: String, in database: String?) throws -> TableReference? {
    // The schema tables are not listed in the schema.
    if ["sqlite_master", "sqlite_schema"].contains(name.asciiLowercased) {
      return TableReference(database: database ?? "main", name: name)
    }
    let databases = try String.fetchAll(self, sql: "SELECT name FROM pragma_database_list ORDER BY name <> 'temp', seq")
    for candidate in databases where database?.isSameIdentifier(as: candidate) != false {
      let sql = """
        SELECT name FROM \(SQLIdentifier.quoted(candidate)).sqlite_schema
        WHERE type IN ('table', 'view') AND name = ? COLLATE NOCASE
        """
      if let found = try String.fetchOne(self, sql: sql, arguments: [name]) { return TableReference(database: candidate, name: found) }
    }
    return nil
  }

  /// Adds a column read by a statement being compiled, if a region is being recorded.
  private func noteRead(_ request: AuthorizationRequest) {
    guard region != nil, request.action == .read, let table = request.first else { return }
    if let database = request.database, let column = request.second, !column.isEmpty {
      region?.insert(column: column, of: TableReference(database: database, name: table))
    } else {
      // A table of which no column is read is reported by the name used in the statement, which may lack its database.
      unlocatedTables.append((request.database, table))
    }
  }
}
