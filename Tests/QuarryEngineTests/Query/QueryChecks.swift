import Foundation
import QuarryEngine
import TestSupport
import Testing

/// What tests of typed queries check of each: its SQL, and its rows with the tests' tables.
enum QueryChecks {
  /// Checks the SQL and the rows of a query; the sqlite3 shell gives the same rows for the SQL.
  static func expect<Output, Sources>(
    _ query: Select<Output, Sources>, _ sql: String, _ rows: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(query.queryString == sql, sourceLocation: sourceLocation)
    try ReminderFixture.read { (db: Database) throws -> Void in
      #expect(try query.fetchAll(db).map { "\($0)" } == rows, sourceLocation: sourceLocation)
      let shown = try Row.fetchAll(db, query).map { try $0.databaseValues.map(Self.shown).joined(separator: "|") }
      let lines = shown.joined(separator: "\n").trimmingCharacters(in: .newlines)
      #expect(try shell(script(of: db) + sql + ";\n") == lines, sourceLocation: sourceLocation)
    }
  }

  /// Checks the SQL of a predicate, and the ids of the rows for which it holds.
  static func expect(
    _ sql: String, _ ids: [Int], sourceLocation: SourceLocation = #_sourceLocation,
    _ predicate: (TableColumns<Reminder>) -> some QueryExpression<Bool>
  ) throws {
    let query = Reminder.where(predicate).order { $0.id }.select { $0.id }
    try expect(query, "SELECT id FROM reminders WHERE " + sql + " ORDER BY id", ids.map(String.init), sourceLocation: sourceLocation)
  }

  /// Checks that each snippet is refused by the compiler, with a message.
  static func expectRefused(_ snippets: [(code: String, message: String)], sourceLocation: SourceLocation = #_sourceLocation) throws {
    let diagnostics = try CompilationTests.typecheck(snippets.map(\.code))
    for (line, snippet) in snippets.enumerated() {
      let errors = diagnostics.filter { $0.hasPrefix("\(line + 2):") && $0.contains("error:") }
      #expect(errors.contains { $0.contains(snippet.message) }, "\(snippet.code): \(errors)", sourceLocation: sourceLocation)
    }
  }

  /// The statements that make the tables and rows of a database.
  private static func script(of db: Database) throws -> String {
    let schema = try String.fetchAll(db, sql: "SELECT sql FROM sqlite_schema WHERE sql LIKE 'CREATE TABLE%' AND name <> 'sqlite_sequence'")
    let inserts = try [ReminderList.tableName, Reminder.tableName].flatMap { table in
      try Row.fetchAll(db, literal: "SELECT * FROM \(identifier: table)").map { row in
        "INSERT INTO \"\(table)\" VALUES (" + (try row.databaseValues).map(\.sqlLiteral).joined(separator: ", ") + ")"
      }
    }
    return (schema + inserts).map { $0 + ";\n" }.joined()
  }

  static func shown(_ value: DatabaseValue) -> String {
    switch value {
    case .null: ""
    case .integer(let value): String(value)
    case .real(let value): String(value)
    case .text(let value): value
    case .blob(let bytes): String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Runs the sqlite3 shell.
  static func shell(_ script: String) throws -> String {
    let process = try ChildProcess(["/usr/bin/env", "sqlite3", "-batch", "-init", "/dev/null"], input: .pipe, output: .pipe)
    try process.input?.write(contentsOf: Data(script.utf8))
    try process.input?.close()
    let data = try process.output?.readToEnd() ?? Data()
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
  }
}
