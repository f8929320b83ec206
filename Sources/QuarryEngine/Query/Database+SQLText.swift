extension Database {
  /// Compiles a statement and gives it its arguments.
  ///
  /// - Throws: ``DatabaseError``, also where SQLite cannot store one of the values.
  public func makeStatement(_ text: SQLText) throws -> Statement {
    if let refusal = text.refusal { throw refusal }
    let statement = try makeStatement(sql: text.sql)
    try statement.setArguments(StatementArguments(text.arguments))
    return statement
  }

  /// Runs a statement to its end.
  ///
  /// - Throws: As ``makeStatement(_:)``, and what running it throws.
  public func execute(_ text: SQLText) throws {
    try makeStatement(text).execute()
  }
}
