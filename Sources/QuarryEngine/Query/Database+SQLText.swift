extension Database {
  /// Compiles one statement, with the values of the SQL as its arguments.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(literal: "SELECT * FROM player WHERE id IN \([1, 2])")
  /// // SELECT * FROM player WHERE id IN (?, ?)
  /// ```
  ///
  /// - Throws: As ``makeStatement(sql:options:)``, also where SQLite cannot store one of the values.
  public func makeStatement(literal: SQLText, options: Statement.Options = []) throws -> Statement {
    let arguments = try literal.storableArguments
    let statement = try makeStatement(sql: literal.sql, options: options)
    if !arguments.isEmpty { try statement.setArguments(arguments) }
    return statement
  }

  /// The cached statement of that text, or a new one, with the values of the SQL as its arguments.
  ///
  /// ```swift
  /// let statement = try db.cachedStatement(literal: "UPDATE player SET score = \(score) WHERE id = \(id)")
  /// // UPDATE player SET score = ? WHERE id = ?
  /// ```
  ///
  /// - Throws: As ``makeStatement(literal:options:)``.
  public func cachedStatement(literal: SQLText) throws -> Statement {
    let arguments = try literal.storableArguments
    let statement = try cachedStatement(sql: literal.sql)
    try statement.setArguments(arguments)
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
  /// - Throws: `SQLITE_MISUSE` outside of an access, or the error of a value that SQLite cannot store.
  public func allStatements(literal: SQLText) throws -> SQLStatementCursor {
    try allStatements(sql: literal.sql, arguments: literal.storableArguments)
  }

  /// Compiles and runs statements with values.
  ///
  /// ```swift
  /// try db.execute(literal: "INSERT INTO player (name) VALUES (\(name))")
  /// // INSERT INTO player (name) VALUES (?)
  /// ```
  ///
  /// - Throws: ``DatabaseError``.
  public func execute(literal: SQLText) throws {
    try execute(sql: literal.sql, arguments: literal.storableArguments)
  }
}

extension SQLText {
  /// The arguments, or the error of the first that cannot be one.
  fileprivate var storableArguments: StatementArguments {
    get throws {
      if let refusal { throw refusal }
      return arguments
    }
  }
}
