extension Database {
  /// Runs a statement and calls `body` with it on each row, until it returns false.
  ///
  /// - Throws: `DatabaseError`, and what `body` throws.
  func scan(_ sql: SQLText, _ body: (Statement) throws -> Bool) throws {
    try sql.checkStorable()
    let statement = try cachedStatement(sql: sql.sql)
    try statement.reset()
    // A statement left on a row could not be used again.
    defer { statement.rewind() }
    for (index, value) in sql.values.enumerated() {
      try statement.bind(value, at: index + 1)
    }
    while try statement.step() {
      guard try body(statement) else { return }
    }
  }
}
