extension Database {
  /// Runs a statement and calls `body` with it on each row, until it returns false.
  func scan(_ sql: String, _ arguments: [DatabaseValue], _ body: (Statement) throws -> Bool) throws {
    let statement = try cachedStatement(sql: sql)
    try statement.reset()
    // A statement left on a row could not be used again.
    defer { statement.rewind() }
    for (index, argument) in arguments.enumerated() {
      try statement.bind(argument, at: index + 1)
    }
    while try statement.step() {
      guard try body(statement) else { return }
    }
  }
}
