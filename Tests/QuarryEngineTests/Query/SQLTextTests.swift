import QuarryEngine
import TestSupport
import Testing

@Suite(.gated) struct SQLTextTests {
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

  @Test("is told with the beginnings of values that are long, so that it can be read")
  func shortQueryString() {
    let text = String(repeating: "a", count: 59)
    let blob = [UInt8](repeating: 0, count: 3_000_000)
    let sql: SQLText = "UPDATE t SET a = \(text + "b'"), b = \(text + "b"), c = \(blob), d = \(7)"
    let zeros = String(repeating: "00", count: 30)
    #expect(sql.shortQueryString == "UPDATE t SET a = '\(text)b…', b = '\(text)b', c = X'\(zeros)…', d = 7")
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

@Suite(.gated) struct SQLIdentifierTests {
  @Test(
    "A name is quoted exactly when SQL needs it",
    arguments: [
      ("title", "title"), ("_x1", "_x1"), ("a$b", "a$b"), ("naïve", "naïve"), ("Order Details", "\"Order Details\""),
      ("1st", "\"1st\""), ("$a", "\"$a\""), ("", "\"\""), ("6\" nail", "\"6\"\" nail\""), ("\"", "\"\"\"\""), ("a.b", "\"a.b\""),
      ("\u{FEFF}a", "\"\u{FEFF}a\""), ("it's", "\"it's\""), ("\"\u{308}", "\"\"\"\u{308}\""), ("group", "\"group\""),
      ("Index", "\"Index\""),
      ("CURRENT_TIMESTAMP", "\"CURRENT_TIMESTAMP\""), ("true", "\"true\""), ("grouping", "grouping"),
    ])
  func quoting(name: String, expected: String) {
    #expect(SQLIdentifier.quoted(name) == expected)
  }
}
