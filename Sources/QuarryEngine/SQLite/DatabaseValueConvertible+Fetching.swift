extension DatabaseValueConvertible {
  /// The values of a statement's first column, one at a time.
  ///
  /// - Throws: ``DatabaseError``.
  public static func fetchCursor(_ statement: Statement, arguments: StatementArguments? = nil) throws -> ValueCursor<Self> {
    ValueCursor(try Row.fetchCursor(statement, arguments: arguments))
  }

  /// The values of a statement's first column.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` where one does not fit the type.
  public static func fetchAll(_ statement: Statement, arguments: StatementArguments? = nil) throws -> [Self] {
    let cursor = try fetchCursor(statement, arguments: arguments)
    var values: [Self] = []
    while let value = try cursor.next() { values.append(value) }
    return values
  }

  /// The value in the first row and column of a statement; nil where there is no row, or the value is NULL.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` where it does not fit the type.
  public static func fetchOne(_ statement: Statement, arguments: StatementArguments? = nil) throws -> Self? {
    try Optional<Self>.fetchCursor(statement, arguments: arguments).next() ?? nil
  }

  /// The values of a query's first column, one at a time.
  ///
  /// - Throws: ``DatabaseError``.
  public static func fetchCursor(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> ValueCursor<Self> {
    try fetchCursor(db.makeStatement(sql: sql), arguments: arguments)
  }

  /// The values of a query's first column.
  ///
  /// ```swift
  /// let names = try String.fetchAll(db, sql: "SELECT name FROM player")
  /// ```
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` where one does not fit the type.
  public static func fetchAll(_ db: Database, sql: String, arguments: StatementArguments = StatementArguments()) throws -> [Self] {
    try fetchAll(db.makeStatement(sql: sql), arguments: arguments)
  }

  /// The value in the first row and column of a query; nil where there is no row, or the value is NULL.
  ///
  /// ```swift
  /// let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM player")
  /// ```
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` where it does not fit the type.
  public static func fetchOne(_ db: Database, sql: String, arguments: StatementArguments = StatementArguments()) throws -> Self? {
    try fetchOne(db.makeStatement(sql: sql), arguments: arguments)
  }
}
