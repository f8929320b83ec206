import QuarryEngine
import TestSupport
import Testing

@Suite("Errors of conversion", .gated)
struct ConversionErrorTests {
  private static let sql = "SELECT 'Arthur' AS name, ? AS score"

  /// Returns what reading the score throws, from the statement, from a view of its row and from a copy.
  private func errors<Value: DatabaseValueConvertible>(
    _ score: any DatabaseValueConvertible, _: Value.Type, _ configuration: Configuration = Configuration()
  ) throws -> [DatabaseError] {
    try DatabaseQueue(configuration: configuration).read { db throws in
      let statement = try db.makeStatement(sql: Self.sql)
      let row = try #require(try Row.fetchCursor(statement, arguments: [score]).next())
      let copy = try row.copy()
      return [
        expectError(DatabaseError.SQLITE_MISMATCH) { try statement.columnValue(at: 1) as Value },
        expectError(DatabaseError.SQLITE_MISMATCH) { try row["score"] as Value },
        expectError(DatabaseError.SQLITE_MISMATCH) { try copy["score"] as Value },
      ].compactMap(\.self)
    }
  }

  @Test("the column, the value and the row are named, and the SQL")
  func message() throws {
    for error in try errors("many", Int.self) {
      #expect(error.message == #"column 1 ("score"): TEXT "many" cannot be read as Int in the row [name:"Arthur" score:"many"]"#)
      #expect(error.sql == Self.sql)
    }
    for error in try errors(2.5, Int.self) {
      #expect(error.message == #"column 1 ("score"): REAL 2.5 cannot be read as Int in the row [name:"Arthur" score:2.5]"#)
    }
    for error in try errors(Int?.none, Int.self) {
      #expect(error.message == #"column 1 ("score"): NULL cannot be read as Int in the row [name:"Arthur" score:NULL]"#)
    }
  }

  @Test("of a long value and a long row, the beginning is shown")
  func long() throws {
    let text = String(repeating: "é", count: 10_000)
    let shown = "\"" + String(repeating: "é", count: 60) + "…\""
    for error in try errors(text, Int.self) {
      #expect(error.message == #"column 1 ("score"): TEXT \#(shown) cannot be read as Int in the row [name:"Arthur" score:\#(shown)]"#)
    }
    for error in try errors([UInt8](repeating: 1, count: 10_000), Int.self) {
      #expect(error.message.contains("BLOB X'0101010101010101010101010101010101010101…' cannot be read"))
    }
    let wide = "SELECT 'x' AS first" + (0..<1000).map { ", \($0) AS column_\($0)" }.joined()
    let error = try DatabaseQueue().read { db in expectError(DatabaseError.SQLITE_MISMATCH) { try Int.fetchAll(db, sql: wide) } }
    #expect(error?.message.hasSuffix(" …]") == true)
    #expect((error?.message.count ?? .max) < 500)
  }

  @Test("the arguments are in the expanded description, where the configuration lets them")
  func arguments() throws {
    for error in try errors("many", Int.self) {
      #expect(error.expandedDescription == error.description + #" with arguments ["many"]"#)
    }
    var configuration = Configuration()
    configuration.errorsKeepArguments = false
    for error in try errors("many", Int.self, configuration) {
      #expect(error.expandedDescription == error.description)
    }
    let queue = try DatabaseQueue(configuration: configuration)
    let error = try queue.write { db throws in
      try db.execute(sql: "CREATE TABLE player (name UNIQUE); INSERT INTO player VALUES ('secret')")
      return expectError(DatabaseError.SQLITE_CONSTRAINT) { try db.execute(sql: "INSERT INTO player VALUES (?)", arguments: ["secret"]) }
    }
    #expect(error?.expandedDescription == error?.description)
  }

  @Test("values that stand in a literal are among the arguments")
  func literalArguments() throws {
    try DatabaseQueue().read { db throws in
      let row = try #require(try Row.fetchOne(db, literal: "SELECT \("a") AS a, ? AS b", arguments: ["b"]))
      let error = expectError(DatabaseError.SQLITE_MISMATCH) { try row["b"] as Int }
      #expect(error?.expandedDescription.hasSuffix(#"with arguments ["a", "b"]"#) == true)
    }
  }

  @Test("a column that is not there is told with the SQL and the arguments")
  func missingColumn() throws {
    try DatabaseQueue().read { db throws in
      let rows = try Row.fetchCursor(db, sql: Self.sql, arguments: [41])
      let row = try #require(try rows.next())
      for row in [row, try row.copy()] {
        for error in [
          expectError(DatabaseError.SQLITE_RANGE) { try row["team"] as String },
          expectError(DatabaseError.SQLITE_RANGE) { try row[2] as String },
        ] {
          #expect(error?.sql == Self.sql)
          #expect(error?.expandedDescription.hasSuffix("with arguments [41]") == true)
        }
      }
    }
  }

  @Test("a copy tells of the arguments of its own run")
  func copies() throws {
    try DatabaseQueue().read { db throws in
      let statement = try db.makeStatement(sql: "SELECT ? AS x")
      let rows = try ["a", "b"].map { try #require(try Row.fetchOne(statement, arguments: [$0])) }
      for (row, argument) in zip(rows, ["a", "b"]) {
        let error = expectError(DatabaseError.SQLITE_MISMATCH) { try row[0] as Int }
        #expect(error?.expandedDescription.hasSuffix("with arguments [\"\(argument)\"]") == true)
      }
    }
  }
}
