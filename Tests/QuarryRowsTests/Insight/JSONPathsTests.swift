import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// The paths that are found in a column of JSON.
@Suite(.gated) struct JSONPathsTests {
  /// Returns what is found in rows with these values.
  private func paths(_ values: [String], filter: String = "") async throws -> JSONPaths {
    let rows = values.enumerated().map { "(\($0.offset + 1), \($0.element))" }.joined(separator: ", ")
    let queue = try makeDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY, j)", "INSERT INTO t VALUES \(rows)")
    let table = TableReference(name: "t")
    let columns = try await queue.read { db in FilterColumns(of: try db.tableSchema(table), in: db) }
    let set = try RowView(filter: filter, sort: "-id").compiled(for: columns).applied(to: RowSet(.table(table)))
    return try await ReadConnections(queue).jsonPaths(of: "j", in: set) { _ in }
  }

  private func lines(_ paths: JSONPaths) -> [String] {
    paths.paths.map { found in
      "\(found.path.text) \(found.rows): " + found.counts.types.map { "\($0) \(found.counts[$0])" }.joined(separator: ", ")
    }
  }

  @Test("Paths are told by frequency with the types of their values, elements of arrays together")
  func types() async throws {
    let found = try await paths([
      #"'{"a": 1, "b": {"c": "x"}, "l": [1, 2.5, {"n": null}]}'"#, #"'{"a": 1.5, "b": {"c": true, "d": false}, "l": []}'"#,
      #"'{"a": "x"}'"#,
    ])
    #expect(
      lines(found) == [
        "$ 3: object 3", "$.a 3: text 1, integer 1, real 1", "$.b 2: object 2", "$.b.c 2: text 1, true 1", "$.l 2: array 2",
        "$.l[*] 1: object 1, integer 1, real 1", "$.l[*].n 1: null 1", "$.b.d 1: false 1",
      ])
    #expect(found.rows == 3 && found.isComplete && !found.isTruncated && found.nulls == 0 && found.others == 0)
  }

  @Test("Rows that are NULL or no JSON are counted by themselves, and leave no path behind")
  func others() async throws {
    let found = try await paths([
      "NULL", "'{\"a\": 1'", "'{\"x\": {\"y\": 1}, }'", "x'7b7d'", "'{\"b\": 2}'", "5", "2.5", "'plain'", "''", "9e999",
    ])
    #expect(lines(found) == ["$ 3: object 1, integer 1, real 1", "$.b 1: integer 1"])
    #expect(found.rows == 10 && found.nulls == 1 && found.others == 6)
  }

  @Test("Keys are taken as JSON means them: with points, quotes and escapes, twice in an object, and empty")
  func keys() async throws {
    let found = try await paths([
      #"'{"a.b": 1, "say \"so\"": 2, "caf\u00e9": 3, "café": 4, "k": 1, "k": "x", "": 5, "it''s": [[1]]}'"#
    ])
    #expect(
      lines(found) == [
        "$ 1: object 1", "$.\"a.b\" 1: integer 1", "$.say \\\"so\\\" 1: integer 1", "$.café 1: integer 2", "$.k 1: text 1, integer 1",
        "$.\"\" 1: integer 1", "$.\"it's\" 1: array 1", "$.\"it's\"[*] 1: array 1", "$.\"it's\"[*][*] 1: integer 1",
      ])
  }

  @Test("The filter in force decides which rows are read")
  func filter() async throws {
    let found = try await paths(["'{\"a\": 1}'", "'{\"b\": 1}'", "'{\"a\": 2}'"], filter: "j.a > 1")
    #expect(lines(found) == ["$ 1: object 1", "$.a 1: integer 1"])
  }

  @Test("There are no more than 2,000 paths, and it is said that there would be")
  func limit() async throws {
    let keys = (0..<3000).map { "\"k\($0)\": {\"x\": 1}" }.joined(separator: ", ")
    let found = try await paths(["'{\(keys)}'", "'{\"k0\": 3, \"z\": [1]}'"])
    #expect(found.isTruncated)
    #expect(found.paths.count == JSONPaths.mostPaths + 1)
    #expect(found.paths.prefix(2).map(\.rows) == [2, 2])
  }

  @Test("Deep nesting is read, and what SQLite takes for too deep is no JSON")
  func nesting() async throws {
    func nested(_ depth: Int) -> String { "'" + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "'" }
    let found = try await paths([nested(1500), nested(2001), nested(100_000)])
    #expect(found.others == 2)
    #expect(found.paths.count == 1500)
  }

  @Test("Random texts are JSON exactly where json_valid says so", arguments: 1...4 as ClosedRange<UInt64>)
  func validity(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let pieces = [
      "{", "}", "[", "]", ":", ",", "\"a\"", "\"\\n\"", "\"\\u00e9\"", "\"\\x\"", "1", "-0", "01", "1.", "2.5e-3", "1e", "true", "nul",
      "null", " ", "\"", "-",
    ]
    let texts = (0..<testRounds(3_000)).map { _ in
      (0..<1 + random.below(7)).map { _ in pieces[random.below(pieces.count)] }.joined()
    }
    let queue = try makeDatabase()
    try queue.read { db in
      for text in texts {
        let isValid = try Bool.fetchOne(db, sql: "SELECT json_valid(?)", arguments: [text]) == true
        var tree = JSONPathTree(mostPaths: 10)
        let isRead = tree.add(text)
        if isRead != isValid { Issue.record("\(text): json_valid \(isValid)") }
      }
    }
  }
}

extension JSONPathTree {
  fileprivate mutating func add(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
  }
}
