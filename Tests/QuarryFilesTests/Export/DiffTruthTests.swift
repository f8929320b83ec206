import Foundation
import QuarryChanges
import QuarryEngine
import TestSupport
import Testing

/// What a comparison reports is true: its SQL makes one random database the other, and sqldiff counts the same rows.
@Suite(.gated) struct DiffTruthTests {
  /// Returns the exact values of all rows of all tables.
  private func contents(_ path: String) throws -> [String: [[String]]] {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.withoutTransaction { db in
      var contents: [String: [[String]]] = [:]
      let names = try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      for name in names {
        let columns = try String.fetchAll(db, sql: "SELECT name FROM pragma_table_xinfo(?) ORDER BY name COLLATE NOCASE", arguments: [name])
        contents[name.lowercased()] = try StoredValues.rows(columns, of: SQLIdentifier.quoted(name), in: db)
      }
      return contents
    }
  }

  @Test(arguments: 0..<testRounds(16)) func `the SQL makes a copy of each of two random databases the other`(_ seed: Int) async throws {
    try await withTemporaryFolder { folder in
      var random = SplitMix(seed: UInt64(seed))
      let pair = RandomPair(&random)
      let paths = [try makeDatabaseFile(in: folder, named: "a", pair.first), try makeDatabaseFile(in: folder, named: "b", pair.second)]
      for (from, to) in [(paths[0], paths[1]), (paths[1], paths[0])] {
        let found = try await PatchTrial.remainders(from, to, in: folder) { copy in
          // The bytes of texts depend on the encoding.
          let encodings = try [copy, to].map { try DatabaseQueue(path: $0).read { try String.fetchOne($0, sql: "PRAGMA encoding") } }
          guard encodings[0] == encodings[1] else { return [] }
          let (made, wanted) = (try contents(copy), try contents(to))
          return made.keys.sorted().compactMap { made[$0] == wanted[$0] ? nil : "the rows of \($0) are not those of the other database" }
        }
        #expect(found == [], "seed \(seed): \(from.suffix(1)) to \(to.suffix(1))")
      }
    }
  }

  // MARK: sqldiff

  private static let program = ["/usr/bin/sqldiff", "/usr/local/bin/sqldiff"].first { FileManager.default.isExecutableFile(atPath: $0) }

  /// Counts the changed, inserted and deleted rows of a table, or returns nil if the program cannot.
  private func counts(_ program: String, _ table: String, _ paths: [String]) throws -> [Int]? {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["--summary", "--primarykey", "--table", table] + paths
    (process.standardOutput, process.standardError) = (pipe, FileHandle.nullDevice)
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0, let colon = text.range(of: ": ", options: .backwards) else { return nil }
    let numbers = text[colon.upperBound...].split { !$0.isNumber }.compactMap { Int($0) }
    return numbers.count == 4 ? Array(numbers.prefix(3)) : nil
  }

  private func change(_ path: String, _ random: inout SplitMix) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.withoutTransaction { try RandomChanges.make(12, in: $0, changesSchema: false, &random) }
    try queue.close()
  }

  @Test(.enabled(if: program != nil), arguments: 0..<testRounds(8)) func `sqldiff counts the same rows`(_ seed: Int) async throws {
    let program = try #require(Self.program)
    try await withTemporaryFolder { folder in
      var random = SplitMix(seed: UInt64(seed))
      let sql = RandomSchema.database(&random)
      let paths = try ["a", "b"].map { try makeDatabaseFile(in: folder, named: $0, sql) }
      try change(paths[1], &random)
      let result = try await DatabaseDiff(try PatchTrial.side(paths[0]), try PatchTrial.side(paths[1])).rows { _ in }
      for table in result.tables where try isKnownToBoth(table.table, paths[0]) {
        guard let counts = try counts(program, table.table, paths) else { continue }
        #expect(counts == [table.changed, table.added, table.removed], "seed \(seed): \(table.table)")
      }
    }
  }

  /// Returns whether sqldiff compares the rows of a table as stored: no virtual table, no collation, and a rowid with its own name.
  private func isKnownToBoth(_ table: String, _ path: String) throws -> Bool {
    try DatabaseQueue(path: path).read { db in
      let schema = try db.tableSchema(TableReference(name: table))
      let hidesRowID = schema.columns.contains { ["rowid", "_rowid_", "oid"].contains($0.name.lowercased()) }
      return schema.entry.kind == .table && !hidesRowID && schema.columns.allSatisfy { $0.collation == "BINARY" && $0.generation == nil }
    }
  }

  // MARK: Renamed columns

  @Test func `a renamed column is reported as renamed where all values match, and as another one otherwise`() async throws {
    try await withTemporaryFolder { folder in
      let table = "CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, b); INSERT INTO t VALUES (1, 'x', 1), (2, NULL, 1), (3, 'z', 1.0);"
      let first = try makeDatabaseFile(in: folder, named: "a", table)
      for (change, expected) in [
        ("ALTER TABLE t RENAME COLUMN a TO c", ["t.c renamed"]), ("ALTER TABLE t RENAME COLUMN id TO key", ["t.key renamed"]),
        ("ALTER TABLE t RENAME COLUMN a TO c; UPDATE t SET c = 'Z' WHERE id = 3", ["t.a removed", "t.c added"]),
        ("ALTER TABLE t RENAME COLUMN a TO c; ALTER TABLE t RENAME COLUMN b TO d", ["t.c renamed", "t.d renamed"]),
        ("ALTER TABLE t RENAME COLUMN a TO c; DELETE FROM t WHERE id = 1; INSERT INTO t VALUES (9, 'new', 2)", ["t.c renamed"]),
      ] {
        let second = try makeDatabaseFile(in: folder, named: UUID().uuidString, table, change)
        let diff = DatabaseDiff(try PatchTrial.side(first), try PatchTrial.side(second))
        #expect(try await diff.schema().map { "\($0.name) \($0.change)" }.sorted() == expected, "\(change)")
        #expect(try await PatchTrial.remainders(first, second, in: folder) == [], "\(change)")
      }
    }
  }
}
