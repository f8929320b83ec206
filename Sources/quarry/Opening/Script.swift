internal import QuarryEngine

/// An SQL text of any number of statements.
struct Script {
  private let sql: String

  init(_ sql: String) {
    self.sql = sql
  }

  /// Compiles each statement when it is its turn, and hands it over.
  func forEach(_ db: Database, _ body: (Statement) throws -> Void) throws {
    let statements = try db.allStatements(sql: sql)
    while let statement = try statements.next() {
      try body(statement)
    }
  }

  /// Whether one of the statements writes, as far as they compile before any of them has run.
  func writes(_ db: Database) throws -> Bool {
    let statements = try db.allStatements(sql: sql)
    // One that does not compile yet may be about what one before it makes, which then is one that writes.
    while let statement = try? statements.next() {
      if !statement.isReadonly { return true }
    }
    return false
  }
}
