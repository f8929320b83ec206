import QuarryEngine
import Testing

@Suite struct SQLTextTests {
  @Test("SQL is shown with its arguments in their places")
  func queryString() {
    var inner: SQLText = "a = "
    inner.append(argument: .text("what?"))
    var sql: SQLText = "SELECT '?', "
    sql.append(argument: .integer(1))
    sql.append(" WHERE ")
    sql.append(inner)
    sql.append(" ORDER BY ")
    sql.append(identifier: "group")
    #expect(sql.sql == "SELECT '?', ? WHERE a = ? ORDER BY \"group\"")
    #expect(sql.values == [.integer(1), .text("what?")])
    #expect(sql.queryString == "SELECT '?', 1 WHERE a = 'what?' ORDER BY \"group\"")
  }

  @Test(
    "Each value has a literal that yields it",
    arguments: [
      (DatabaseValue.null, "NULL"), (.integer(.min), "-9223372036854775808"), (.real(3), "3.0"), (.real(-0.5), "-0.5"),
      (.real(.infinity), "9e999"), (.real(-.infinity), "-9e999"), (.real(.nan), "NULL"), (.text(""), "''"), (.text("it's"), "'it''s'"),
      (.text("'\u{308}"), "'''\u{308}'"), (.text("a\nb\t"), "'a\nb\t'"), (.text("\0"), "char(0)"),
      (.text("a\0\r\nb"), "('a' || char(0, 13) || '\nb')"), (.blob([]), "X''"), (.blob([0, 0xAB, 255]), "X'00ABFF'"),
    ])
  func literals(value: DatabaseValue, literal: String) {
    #expect(value.sqlLiteral == literal)
  }
}
