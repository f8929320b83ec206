import Foundation
import QuarryEngine
import QuarryFiles
import TestSupport
import Testing

/// Numbers of JSON in columns of all types: each is stored as the number that is written, or as its text, or the change is reported.
@Suite struct JSONNumberTests {
  private let table = TableReference(name: "t")

  private func importing(_ text: String, named name: String, into queue: DatabaseQueue, isNew: Bool) throws -> ImportResult {
    try withTemporaryFolder { folder in
      let path = folder.appendingPathComponent(name).path
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      let plan = ImportPlan(path: path, into: isNew ? .new(table) : .existing(table))
      return try queue.withoutTransaction { db in try Importer(plan, in: db).run(in: db) }
    }
  }

  private func stored(_ queue: DatabaseQueue, _ column: String = "a") throws -> [DatabaseValue] {
    try queue.read { db in try Row.fetchAll(db, sql: "SELECT \(column) FROM t").map { try $0.databaseValues[0] } }
  }

  @Test(
    arguments: [
      (["1.10", "2"], "NUMERIC", [.real(1.1), .integer(2)]), (["1.10", "0.5"], "REAL", [.real(1.1), .real(0.5)]),
      (["10.50", "99999999999999999.99"], "TEXT", [.text("10.5"), .text("99999999999999999.99")]),
      (["99999999999999999.99", "7"], "TEXT", [.text("99999999999999999.99"), .text("7")]), (["1e400"], "TEXT", [.text("1e400")]),
      (["1E-400", "1.5"], "TEXT", [.text("1E-400"), .text("1.5")]), (["9e999", "1.5"], "REAL", [.real(.infinity), .real(1.5)]),
      (["18446744073709551615", "1"], "TEXT", [.text("18446744073709551615"), .text("1")]),
      (["18446744073709551615", "\"x\""], "TEXT", [.text("18446744073709551615"), .text("x")]),
      (["1e400", "\"x\"", "7"], "", [.text("1e400"), .text("x"), .integer(7)]),
      (["{\"k\":9007199254740993,\"r\":1.10}"], "TEXT", [.text("{\"k\":9007199254740993,\"r\":1.10}")]),
    ] as [([String], String, [DatabaseValue])])
  func `a new column is one of numbers where each reads back as the number that is written`(
    values: [String], type: String, expected: [DatabaseValue]
  ) throws {
    for order in [values.indices.map { $0 }, values.indices.reversed()] {
      let queue = try DatabaseQueue()
      let result = try importing(order.map { "{\"a\":\(values[$0])}\n" }.joined(), named: "x.ndjson", into: queue, isNew: true)
      #expect(result.columns.map(\.declaredType) == [type])
      #expect(try stored(queue) == order.map { expected[$0] })
    }
  }

  @Test func `a number that comes late makes the column one of texts`() throws {
    let queue = try DatabaseQueue()
    let many = String(repeating: "{\"a\":1.25,\"b\":\"\(String(repeating: "x", count: 1000))\"}\n", count: 1500)
    let result = try importing(many + "{\"a\":1e400}\n{\"a\":2}\n", named: "x.ndjson", into: queue, isNew: true)
    #expect(result.columns.map(\.declaredType) == ["TEXT", "TEXT"])
    #expect(try stored(queue).suffix(3) == [.text("1.25"), .text("1e400"), .text("2")])
  }

  @Test func `texts get what is written`() throws {
    let queue = try makeDatabase("CREATE TABLE t(a TEXT)")
    let values = ["1.10", "1e2", "99999999999999999.99", "1e400", "-0", "6.02214076E23", "9007199254740993", "18446744073709551615"]
    let result = try importing(
      "[" + values.map { "{\"a\":\($0)}" }.joined(separator: ",") + "]", named: "x.json", into: queue, isNew: false)
    #expect(try stored(queue) == values.map { .text($0) })
    #expect(result.notes.isEmpty)
  }

  @Test(arguments: ["x.csv", "x.json"])
  func `each value that a column of numbers changes is reported, of JSON and CSV alike`(name: String) throws {
    let values = ["7", "9007199254740993", "0.5", "99999999999999999.99", "9007199254740992", "1e400", "1E-400"]
    let json = "[" + values.map { "{\"a\":\($0)}" }.joined(separator: ",\n") + "]"
    let text = name == "x.csv" ? "a\n" + values.joined(separator: "\n") : json
    let first = name == "x.csv" ? 2 : 1
    for (type, count, line, value) in [("REAL", 4, first + 1, "9007199254740993"), ("INTEGER", 3, first + 3, "99999999999999999.99")] {
      let queue = try makeDatabase("CREATE TABLE t(a \(type))")
      let result = try importing(text, named: name, into: queue, isNew: false)
      let note = "\(count) values are stored differently, the first “\(value)” on line \(line)"
      #expect(result.notes.contains { $0.hasSuffix(note) }, "\(type): \(result.notes)")
    }
  }

  @Test(arguments: [
    ("INTEGER", ["1.0", "-3.0", "-0", "-0.0"], ["-0", "-0.0"]), ("NUMERIC", ["1.0", "2.5", "-0"], ["-0"]),
    ("REAL", ["1.0", "-0.0", "3"], ["-0.0"]),
  ])
  func `a number that loses its point or the sign of zero is reported as it is written`(type: String, values: [String], changed: [String])
    throws
  {
    func expectNote(_ text: String, named name: String, of changed: [String]) throws {
      let notes = try importing(text, named: name, into: makeDatabase("CREATE TABLE t(a \(type))"), isNew: false).notes
      let note = "\(changed.count) \(changed.count == 1 ? "value is" : "values are") stored differently, the first “\(changed[0])”"
      #expect(notes.count == 1 && notes[0].contains(note), "\(name): \(notes)")
    }
    // To JSON, 1.0 and 1 are the same number.
    try expectNote(values.map { "{\"a\":\($0)}\n" }.joined(), named: "x.ndjson", of: changed)
    let changedOfText = values.filter { changed.contains($0) || type != "REAL" && $0.hasSuffix(".0") }
    try expectNote("a\n" + values.joined(separator: "\n"), named: "x.csv", of: changedOfText)
  }

  @Test func `numbers that stay the same number are not reported, and a column without a type keeps them`() throws {
    let text = #"[{"a":1.10},{"a":1.0},{"a":1e2},{"a":-0.5},{"a":3}]"#
    for type in ["REAL", "NUMERIC", "INTEGER"] {
      let queue = try makeDatabase("CREATE TABLE t(a \(type))")
      #expect(try importing(text, named: "x.json", into: queue, isNew: false).notes.isEmpty)
      #expect(try stored(queue, "a = 1.1").first == .integer(1))
    }
    let queue = try makeDatabase("CREATE TABLE t(a)")
    _ = try importing(#"[{"a":1.5},{"a":1e400},{"a":3}]"#, named: "x.json", into: queue, isNew: false)
    #expect(try stored(queue) == [.real(1.5), .text("1e400"), .integer(3)])
    let blobs = try makeDatabase("CREATE TABLE t(a BLOB)")
    _ = try importing(#"[{"a":1.5},{"a":1e400},{"a":"x'00ff'"},{"a":{"blob":"AP8="}}]"#, named: "x.json", into: blobs, isNew: false)
    #expect(try stored(blobs) == [.real(1.5), .text("1e400"), .text("x'00ff'"), .blob([0, 255])])
  }

  @Test func `a rejected number is written as it was`() throws {
    try withTemporaryFolder { folder in
      let (path, rejects) = (folder.appendingPathComponent("x.json").path, folder.appendingPathComponent("r.csv").path)
      try Data(#"[{"a":1e400,"b":1.10}]"#.utf8).write(to: URL(fileURLWithPath: path))
      let queue = try makeDatabase("CREATE TABLE t(a TEXT CHECK (a <> '1e400'), b TEXT)")
      var plan = ImportPlan(path: path, into: .existing(table))
      plan.rejectsPath = rejects
      _ = try queue.withoutTransaction { db in try Importer(plan, in: db).run(in: db) }
      #expect(try String(contentsOfFile: rejects, encoding: .utf8).contains(#""{""a"":1e400,""b"":1.10}""#))
    }
  }
}
