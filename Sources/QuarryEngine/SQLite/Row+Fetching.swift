extension Row {
  /// The rows of a statement, one at a time.
  ///
  /// - Throws: ``DatabaseError``.
  public static func fetchCursor(_ statement: Statement, arguments: StatementArguments? = nil) throws -> RowCursor {
    try RowCursor(statement, arguments: arguments)
  }

  /// All rows of a statement.
  ///
  /// - Throws: ``DatabaseError``.
  public static func fetchAll(_ statement: Statement, arguments: StatementArguments? = nil) throws -> [Row] {
    let cursor = try fetchCursor(statement, arguments: arguments)
    var rows: [Row] = []
    while let row = try cursor.next() { rows.append(try row.copy()) }
    return rows
  }

  /// The first row of a statement; nil where it yields none.
  ///
  /// - Throws: ``DatabaseError``.
  public static func fetchOne(_ statement: Statement, arguments: StatementArguments? = nil) throws -> Row? {
    try fetchCursor(statement, arguments: arguments).next()?.copy()
  }

  /// The rows of a query, one at a time.
  ///
  /// ```swift
  /// let rows = try Row.fetchCursor(db, sql: "SELECT * FROM player WHERE score > ?", arguments: [100])
  /// ```
  ///
  /// - Throws: ``DatabaseError``.
  public static func fetchCursor(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> RowCursor {
    try fetchCursor(db.makeStatement(sql: sql), arguments: arguments)
  }

  /// All rows of a query.
  ///
  /// - Throws: ``DatabaseError``.
  public static func fetchAll(_ db: Database, sql: String, arguments: StatementArguments = StatementArguments()) throws -> [Row] {
    try fetchAll(db.makeStatement(sql: sql), arguments: arguments)
  }

  /// The first row of a query; nil where it yields none.
  ///
  /// - Throws: ``DatabaseError``.
  public static func fetchOne(_ db: Database, sql: String, arguments: StatementArguments = StatementArguments()) throws -> Row? {
    try fetchOne(db.makeStatement(sql: sql), arguments: arguments)
  }
}
