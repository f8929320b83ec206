extension Database {
  /// Compiles one statement.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT * FROM player WHERE name = ?")
  /// ```
  ///
  /// - Throws: ``DatabaseError``: SQLite's own with the ``DatabaseError/offset`` of a mistake, `SQLITE_MISUSE` where the text holds more than one
  ///   statement, or none.
  public func makeStatement(sql: String, options: Statement.Options = []) throws -> Statement {
    try checkAccess()
    return try Statement(sql: sql, options: options, database: self)
  }

  /// The statement of that SQL that was compiled before, or a new one that is kept for the next time.
  ///
  /// ```swift
  /// let statement = try db.cachedStatement(sql: "INSERT INTO player (name) VALUES (?)")
  /// ```
  ///
  /// A statement that is being stepped, as by a live cursor, is not given out again: the caller gets another one. A statement that threw leaves the
  /// cache: ask for it anew.
  ///
  /// - Throws: As ``makeStatement(sql:options:)``.
  public func cachedStatement(sql: String) throws -> Statement {
    try checkAccess()
    if let statement = statementCache.statement(sql) { return statement }
    let statement = try Statement(sql: sql, options: .persistent, database: self)
    statementCache.insert(statement, for: sql)
    return statement
  }

  /// Compiles and runs one statement to its end; rows that it yields are passed over.
  ///
  /// ```swift
  /// try db.execute(sql: "INSERT INTO player (name, score) VALUES (?, ?)", arguments: ["Arthur", 41])
  /// ```
  ///
  /// - Throws: ``DatabaseError``.
  public func execute(sql: String, arguments: StatementArguments = StatementArguments()) throws {
    try makeStatement(sql: sql).execute(arguments: arguments)
  }
}
