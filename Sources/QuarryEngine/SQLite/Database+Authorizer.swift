internal import CSQLite

extension Database {
  /// Asks `authorizer` about each thing that a statement would do, while SQLite compiles it; nil ends that.
  ///
  /// ```swift
  /// try db.setAuthorizer { $0.action == .dropTable ? .deny : .allow }
  /// try db.execute(sql: "DROP TABLE player")  // SQLite error 23: not authorized
  /// ```
  ///
  /// Statements that were compiled before are compiled anew when they run, and asked about then. What the connection itself refuses is
  /// refused without asking. What it does by itself, as to begin the transaction of a `read`, is asked about too. The authorizer must not
  /// use the database. It is released when another takes its place, or the connection closes. The corresponding C function is
  /// `sqlite3_set_authorizer`.
  ///
  /// - Throws: `SQLITE_MISUSE` outside of an access.
  public func setAuthorizer(_ authorizer: (@Sendable (AuthorizationRequest) -> Authorization)?) throws {
    try checkAccess()
    hooks.authorizer = authorizer
    expireStatements()
  }

  /// Makes every statement compile anew before its next run, as SQLite does where its authorizer is set.
  func expireStatements() {
    installAuthorizer()
  }

  /// Installs the one authorizer of the connection, which all ask who want to know what statements do: every change of it makes all
  /// statements compile anew.
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

  /// Answers one request of SQLite's: by the connection's own rules first, with ``refusal`` saying why, then by the caller's authorizer.
  private func authorize(_ request: AuthorizationRequest) -> Int32 {
    noteRead(request)
    if let reason = builtInRefusal(of: request) {
      refusal = reason
      return SQLITE_DENY
    }
    if let authorizer = hooks.authorizer {
      let answer = authorizer(request)
      // SQLite does not give this one the code of a refusal.
      if answer == .deny, let function = request.second, request.action == .function {
        refusal = "not authorized to use function: \(function)"
      }
      if answer != .allow { return answer == .deny ? SQLITE_DENY : SQLITE_IGNORE }
    }
    return deletesRowByRow(request) ? SQLITE_IGNORE : SQLITE_OK
  }

  /// Returns whether a DELETE must visit each row, where SQLite would empty the table at once and tell the update hook of none.
  ///
  /// That is what `SQLITE_IGNORE` means for a DELETE. For the DELETE that a DROP asks about it would mean that the table stays, and the
  /// schema's own tables cannot be changed so.
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

  /// Returns why a request is refused whoever uses the connection; nil where it is not.
  private func builtInRefusal(of request: AuthorizationRequest) -> String? {
    switch request.action {
    case .function: request.second.flatMap(Self.refusal(ofFunction:))
    case .attach: refusalToAttach
    case .pragma where request.second != nil: request.first.flatMap(Self.refusal(ofSetting:))
    default: nil
    }
  }

  /// Functions that reach outside of the database, with what they would do.
  ///
  /// Only the first two are in the library itself; the others come with extensions that some builds have linked in.
  private static let functionsReachingOutside = [
    "load_extension": "it would run code from outside of the database",
    "fts3_tokenizer": "it hands out and takes addresses of the program's memory",
    "readfile": "it would read files outside of the database",
    "writefile": "it would write files outside of the database",
    "lsdir": "it would list folders outside of the database",
    "edit": "it would start another program",
  ]

  private static func refusal(ofFunction name: String) -> String? {
    let function = name.asciiLowercased
    return functionsReachingOutside[function].map { "\(function)() is switched off: \($0)" }
  }

  /// What cannot be set by SQL, since it holds for all that the program has open, and SQLite sets it as soon as the statement is compiled.
  private static let settingsOfProgram: Set<String> = [
    "hard_heap_limit", "soft_heap_limit", "temp_store_directory", "data_store_directory",
  ]

  private static func refusal(ofSetting name: String) -> String? {
    let setting = name.asciiLowercased
    guard settingsOfProgram.contains(setting) else { return nil }
    return "PRAGMA \(setting) can only be read: what it sets holds for all that this program has open"
  }

  /// Why a database may not be attached now; nil where it may.
  ///
  /// VACUUM INTO attaches the file that it makes while it runs, and is the one way by which a connection that only reads could write one.
  private var refusalToAttach: String? {
    guard configuration.refusesWriting, ownStatements.contains(where: Self.isWriting) else { return nil }
    let reason = configuration.isImmutable ? "immutable" : "read-only"
    return "VACUUM would write a file, and the database is open as \(reason)"
  }

  private static func isWriting(_ statement: OpaquePointer) -> Bool {
    sqlite3_stmt_busy(statement) != 0 && sqlite3_stmt_readonly(statement) == 0
  }
}

extension Database {
  /// Runs `body`, and returns what is read by the statements that it compiles.
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

  /// Returns the table or view that a name means: without a database, of `temp` before `main`, and of attached ones in their order.
  private func locate(_ name: String, in database: String?) throws -> TableReference? {
    // The schema's own tables are not in the schema.
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

  /// Adds a column that a statement being compiled reads, where somebody collects the region.
  private func noteRead(_ request: AuthorizationRequest) {
    guard region != nil, request.action == .read, let table = request.first else { return }
    if let database = request.database, let column = request.second, !column.isEmpty {
      region?.insert(column: column, of: TableReference(database: database, name: table))
    } else {
      // A table of which no column is read is told by the names that the statement has for it, which need not name its database.
      unlocatedTables.append((request.database, table))
    }
  }
}
