extension Database {
  /// Compiles one statement, with the values of the SQL as its arguments.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(literal: "SELECT * FROM player WHERE id IN \([1, 2])")
  /// // SELECT * FROM player WHERE id IN (?, ?)
  /// ```
  ///
  /// Placeholders may be left open beside the values, which then stay with the statement; arguments are for the open ones:
  ///
  /// ```swift
  /// let statement = try db.makeStatement(literal: "SELECT * FROM player WHERE team = \(team) AND score > ?")
  /// let players = try Row.fetchAll(statement, arguments: [100])
  /// ```
  ///
  /// - Throws: As ``makeStatement(sql:options:)``, also where SQLite cannot store one of the values.
  public func makeStatement(literal: SQLText, options: Statement.Options = []) throws -> Statement {
    try literal.checkStorable()
    let statement = try makeStatement(sql: literal.sql, options: options)
    try statement.setValues(literal.placedValues, in: literal.sql)
    return statement
  }

  /// The cached statement of that text, or a new one, with the values of the SQL as its arguments.
  ///
  /// ```swift
  /// let statement = try db.cachedStatement(literal: "UPDATE player SET score = \(score) WHERE id = \(id)")
  /// // UPDATE player SET score = ? WHERE id = ?
  /// ```
  ///
  /// Placeholders may be left open, as in ``makeStatement(literal:options:)``.
  ///
  /// - Throws: As ``makeStatement(literal:options:)``.
  public func cachedStatement(literal: SQLText) throws -> Statement {
    try literal.checkStorable()
    let statement = try cachedStatement(sql: literal.sql)
    try statement.setValues(literal.placedValues, in: literal.sql)
    return statement
  }

  /// The statements of a text with values, compiled one after the other.
  ///
  /// ```swift
  /// let statements = try db.allStatements(
  ///   literal: """
  ///     INSERT INTO player (name, score) VALUES (\("Arthur"), \(100));
  ///     INSERT INTO player (name, score) VALUES (\("O'Brien"), \(1000));
  ///     """)
  /// try statements.forEach { try $0.execute() }
  /// // INSERT INTO player (name, score) VALUES ('Arthur', 100)
  /// // INSERT INTO player (name, score) VALUES ('O''Brien', 1000)
  /// ```
  ///
  /// Placeholders may be left open. Arguments go to them as ``allStatements(sql:arguments:)`` deals them out; without any, each statement
  /// waits for its own.
  ///
  /// - Throws: `SQLITE_MISUSE` outside of an access, or the error of a value that SQLite cannot store.
  public func allStatements(literal: SQLText, arguments: StatementArguments? = nil) throws -> SQLStatementCursor {
    try checkAccess()
    try literal.checkStorable()
    return SQLStatementCursor(literal, arguments: arguments, database: self)
  }

  /// Compiles and runs statements with values.
  ///
  /// ```swift
  /// try db.execute(literal: "INSERT INTO player (name) VALUES (\(name))")
  /// // INSERT INTO player (name) VALUES (?)
  /// ```
  ///
  /// Arguments go to placeholders that are left open, as ``allStatements(literal:arguments:)`` deals them out.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISUSE` where the text holds no statement, or the arguments do not fit.
  public func execute(literal: SQLText, arguments: StatementArguments = StatementArguments()) throws {
    let statements = try allStatements(literal: literal, arguments: arguments)
    guard let first = try statements.next() else { throw DatabaseError.misuse("the SQL holds no statement", sql: literal.sql) }
    try first.execute()
    while let statement = try statements.next() { try statement.execute() }
  }
}
