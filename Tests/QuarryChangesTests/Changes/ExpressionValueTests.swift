import QuarryChanges
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite(.gated) struct ExpressionValueTests {
  @Test("An expression gives the values of a path for rows by their keys")
  func values() throws {
    let columns = FilterColumns([FilterColumn("data", type: .any, declaredType: "JSON")])
    let expression = try ColumnExpression.compile("data.user.name", columns: columns)
    let queue = try makeDatabase(
      "CREATE TABLE event (id INTEGER PRIMARY KEY, data JSON)",
      """
      INSERT INTO event VALUES (1, '{"user": {"name": "Ada"}}'), (2, '{"user": {"name": "Bob"}}'), (3, 'no JSON')
      """)
    let values = try queue.read { db in
      let table = try db.tableSchema(TableReference(name: "event"))
      return try db.values(of: expression, for: [.rowID(2), .rowID(3), .rowID(1), .rowID(99)], of: table)
    }
    #expect(values == [.value(.text("Bob")), .null, .value(.text("Ada")), nil])
  }
}
