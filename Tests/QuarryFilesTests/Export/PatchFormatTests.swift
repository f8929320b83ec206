import Foundation
import QuarryChanges
import QuarryEngine
import QuarryFiles
import TestSupport
import Testing

/// The script that turns one database into another.
@Suite(.gated) struct PatchFormatTests {
  private func check(_ first: String, _ second: String) async throws {
    try await withTemporaryFolder { folder in
      let paths = [try makeDatabaseFile(in: folder, named: "a", first), try makeDatabaseFile(in: folder, named: "b", second)]
      #expect(try await PatchTrial.remainders(paths[0], paths[1], in: folder) == [])
      #expect(try await PatchTrial.remainders(paths[1], paths[0], in: folder) == [])
    }
  }

  private func change(_ path: String, _ random: inout SplitMix) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.withoutTransaction { try RandomChanges.make(12, in: $0, &random) }
    try queue.close()
  }

  @Test(arguments: 0..<testRounds(12)) func `the script turns one random database into the other, both ways`(_ seed: Int) async throws {
    try await withTemporaryFolder { folder in
      var random = SplitMix(seed: UInt64(seed))
      let sql = RandomSchema.database(&random)
      let first = try makeDatabaseFile(in: folder, named: "a", sql)
      let second = try makeDatabaseFile(in: folder, named: "b", seed % 4 == 3 ? RandomSchema.database(&random) : sql)
      try change(second, &random)
      #expect(try await PatchTrial.remainders(first, second, in: folder) == [], "seed \(seed)")
      #expect(try await PatchTrial.remainders(second, first, in: folder) == [], "seed \(seed), back")
    }
  }

  @Test func `unique values change places, and rows that refer to each other change together`() async throws {
    try await check(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, u UNIQUE, v); INSERT INTO t VALUES (1, 'a', 0), (2, 'b', 0), (3, 'c', 0)",
      "CREATE TABLE t(id INTEGER PRIMARY KEY, u UNIQUE, v); INSERT INTO t VALUES (1, 'b', 0), (2, 'a', 1), (4, 'c', 0)")
    let tables = """
      PRAGMA foreign_keys = OFF; CREATE TABLE p(id INTEGER PRIMARY KEY, c REFERENCES c);
      CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p ON DELETE CASCADE);
      CREATE TRIGGER g AFTER DELETE ON p BEGIN DELETE FROM c; END;
      """
    try await check(
      tables + "INSERT INTO p VALUES (1, 1), (2, 2); INSERT INTO c VALUES (1, 1), (2, 2)",
      tables + "INSERT INTO p VALUES (2, 2), (3, 3); INSERT INTO c VALUES (1, 3), (2, 2), (3, 3)")
  }

  @Test func `equal rows are deleted and inserted by their number`() async throws {
    let table = "CREATE TABLE t(rowid, _rowid_, oid);"
    try await check(
      table + "INSERT INTO t VALUES (1, 2, 'a'), (1, 2, 'a'), (1, 2, 'a'), (1.0, 2, 'a'), (NULL, x'00', '')",
      table + "INSERT INTO t VALUES (1, 2, 'a'), (1.0, 2, 'a'), (1.0, 2, 'a'), (NULL, x'00', ''), (NULL, NULL, 'A')")
  }

  @Test func `a table that gets another definition keeps its rows, and a renamed column its values`() async throws {
    let first = "CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, b); INSERT INTO t VALUES (1, 'x', 1), (2, 'y', 2), (3, 'z', 3);"
    let second = "CREATE TABLE t(id INTEGER PRIMARY KEY, c TEXT NOT NULL, b CHECK (b > 1)); INSERT INTO t VALUES (2, 'y', 2), (3, 'z', 4);"
    try await check(first, second)
    try await withTemporaryFolder { folder in
      let paths = [try makeDatabaseFile(in: folder, named: "a", first), try makeDatabaseFile(in: folder, named: "b", second)]
      let text = try await PatchTrial.script(paths[0], paths[1])
      let rows = text.split(separator: "\n").filter { $0.contains("temp.quarry_t WHERE") || $0.contains("temp.quarry_t SET") }
      #expect(rows == ["DELETE FROM temp.quarry_t WHERE c0 IS 1;", "UPDATE temp.quarry_t SET c2 = 4 WHERE c0 IS 3;"], "\(text)")
    }
    try await check(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, a)", "CREATE TABLE t(a TEXT PRIMARY KEY) WITHOUT ROWID; INSERT INTO t VALUES ('x')")
    try await check(
      "CREATE TABLE t(k INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 'x'), (7, 'y')",
      "CREATE TABLE t(k NUMERIC PRIMARY KEY, a); INSERT INTO t VALUES (NULL, 'x'), (5, 'y')")
    try await check(
      "CREATE TABLE t(a INT); INSERT INTO t VALUES (1), ('1'), (1.5)", "CREATE TABLE t(a TEXT); INSERT INTO t VALUES (1), ('x')")
    try await check(
      "CREATE TABLE v(a); INSERT INTO v VALUES (1)", "CREATE TABLE t(a); CREATE VIEW v AS SELECT a FROM t; PRAGMA user_version = 7")
  }

  @Test func `parts are written alone, and rows without a table are reported`() async throws {
    try await withTemporaryFolder { folder in
      let first = try makeDatabaseFile(in: folder, named: "a", "CREATE TABLE t(id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 1)")
      let second = try makeDatabaseFile(
        in: folder, named: "b", "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b); INSERT INTO t VALUES (1, 2, 3); CREATE TABLE u(x)")
      #expect(try await PatchTrial.script(first, second, parts: .rows) == "UPDATE main.t SET a = 2 WHERE id IS 1;\n")
      let schema = try await PatchTrial.script(first, second, parts: .schema)
      #expect(schema.contains("CREATE TABLE u(x)") && !schema.contains("UPDATE"), "\(schema)")
    }
  }

  @Test func `a full-text table follows the table with its texts`() async throws {
    let sql = """
      CREATE TABLE docs(id INTEGER PRIMARY KEY, body); CREATE VIRTUAL TABLE texts USING fts5(body, content='docs', content_rowid='id');
      CREATE TRIGGER added AFTER INSERT ON docs BEGIN INSERT INTO texts(rowid, body) VALUES (new.id, new.body); END;
      INSERT INTO docs VALUES (1, 'one'), (2, 'two');
      """
    try await check(sql, sql + "INSERT INTO docs VALUES (3, 'three')")
  }
}
