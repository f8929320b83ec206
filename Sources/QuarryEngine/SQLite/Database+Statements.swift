extension Database {
  /// Compiles one statement.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT * FROM player WHERE name = ?")
  /// ```
  ///
  /// The corresponding C function is `sqlite3_prepare_v3`.
  ///
  /// - Throws: ``DatabaseError``: SQLite's own with the ``DatabaseError/offset`` of a mistake, `SQLITE_MISUSE` where the text holds more
  ///   than one statement, or none.
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
  /// A connection keeps 64 at most, and drops the one whose last use is the oldest. A statement that is being stepped, as by a
  /// live cursor, is not given out again: the caller gets another one. A statement that threw leaves the cache: ask for it anew.
  ///
  /// - Throws: As ``makeStatement(sql:options:)``.
  public func cachedStatement(sql: String) throws -> Statement {
    try checkAccess()
    if let statement = statementCache.statement(sql) {
      try statement.giveValues([:])
      return statement
    }
    let statement = try Statement(sql: sql, options: .persistent, database: self)
    statementCache.insert(statement, for: sql)
    return statement
  }

  /// Compiles and runs each statement of a text to its end; rows that they yield are passed over.
  ///
  /// ```swift
  /// try db.execute(sql: "INSERT INTO player (name, score) VALUES (?, ?)", arguments: ["Arthur", 41])
  /// // INSERT INTO player (name, score) VALUES ('Arthur', 41)
  /// ```
  ///
  /// Arguments go to several statements as ``allStatements(sql:arguments:)`` deals them out. Statements before one that fails stay done,
  /// but for what the transaction that they are in makes of them.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISUSE` where the text holds no statement, or the arguments do not fit.
  public func execute(sql: String, arguments: StatementArguments = StatementArguments()) throws {
    var text = SQLText()
    text.raw(sql)
    try execute(literal: text, arguments: arguments)
  }
}
