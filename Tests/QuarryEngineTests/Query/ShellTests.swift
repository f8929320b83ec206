import Foundation
import QuarryEngine
import TestSupport
import Testing

/// The sqlite3 shell as a second opinion of what SQL means.
@Suite(.gated) struct ShellTests {
  private static let values: [DatabaseValue] = [
    .null, .integer(0), .integer(.min), .integer(.max), .integer(-5), .real(0.1), .real(-1.5e-300), .real(1e300), .real(3),
    .real(.infinity),
    .real(-.infinity), .real(.leastNonzeroMagnitude), .real(1.7976931348623157e308), .real(123456789.123456789), .text(""),
    .text("it's \"quoted\""),
    .text("a\0b"), .text("\0"), .text("line\nbreak\r\nreturn\ttab\u{1B}[0m"), .text("naïve 👩‍👩‍👧 ?1 :x"), .text("'\u{308}--/*"),
    .text(";\n.quit\n"),
    .text(String(repeating: "\u{1}x", count: 3000)), .text(String(repeating: "\0", count: 500)), .blob([]), .blob([0, 39, 255]),
  ]

  @Test("A query with literals in place gives the shell the rows that it gives here")
  func sameRows() throws {
    var sql: SQLText = "SELECT "
    for (index, value) in Self.values.enumerated() {
      if index > 0 { sql.append(", ") }
      sql.append("typeof(")
      sql.append(argument: value)
      sql.append("), hex(")
      sql.append(argument: value)
      sql.append("), ")
      sql.append(argument: value)
      sql.append(" IS ")
      sql.append(argument: value)
    }
    let bound = try DatabaseQueue().read { db in
      try #require(try Row.fetchOne(db.makeStatement(literal: sql))).databaseValues.map(QueryChecks.shown).joined(separator: "|")
    }
    #expect(try QueryChecks.shell(sql.queryString + ";\n") == bound)
  }

  @Test("A typed query gives the shell the rows that it gives here")
  func typedQuery() throws {
    let query = Reminder.where { $0.title.contains("5") || $0.title == "it's\0" || $0.weight < .infinity }.select { $0.id }.order { $0.id }
    let ids = try ReminderFixture.read { db in try query.fetchAll(db) }
    let rows = try ReminderFixture.read { db in
      try Row.fetchAll(db, sql: "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'").map {
        try $0[0] as String
      }
    }
    let inserts = try ReminderFixture.read { db in
      try Row.fetchAll(db, sql: "SELECT * FROM reminders").map { row in
        "INSERT INTO reminders VALUES (" + (try row.databaseValues).map(\.sqlLiteral).joined(separator: ", ") + ")"
      }
    }
    let script = (rows + inserts + [query.queryString]).joined(separator: ";\n") + ";\n"
    #expect(try QueryChecks.shell(script) == ids.map(String.init).joined(separator: "\n"))
  }
}
