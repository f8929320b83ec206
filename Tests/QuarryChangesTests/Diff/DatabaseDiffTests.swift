import Foundation
import QuarryChanges
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// Two databases are compared by their schemas and by their rows.
@Suite(.gated) struct DatabaseDiffTests {
  private func lines(_ diff: DatabaseDiff) async throws -> [String] { try await diff.lines() }

  private func pair(_ first: String, _ second: String) throws -> DatabaseDiff {
    let sides = try [first, second].map { sql in
      let queue = try DatabaseQueue()
      try queue.withoutTransaction { try $0.execute(sql: sql) }
      return try FileDiffSide(queue, name: sql)
    }
    return DatabaseDiff(sides[0], sides[1])
  }

  @Test func `a schema that is laid out anew is the same, and columns, indexes and views are told apart`() async throws {
    let same = try pair("CREATE TABLE t(a INTEGER, \"b c\" TEXT)", "create table \"t\" ( a integer, [b c] text ) -- anew")
    #expect(try await same.schema().isEmpty)
    let diff = try pair(
      "CREATE TABLE t(a INTEGER, b TEXT); CREATE INDEX i ON t(a); CREATE VIEW v AS SELECT 'A'",
      "CREATE TABLE t(a TEXT NOT NULL, c); CREATE VIEW v AS SELECT 'a'; CREATE TABLE u(x CHECK (x > 1))")
    let found = try await diff.schema().map { "\($0.kind) \($0.name) \($0.change.rawValue)" }
    #expect(
      found == ["index i removed", "column t.a changed", "column t.b removed", "column t.c added", "view v changed", "table u added"])
    let check = try pair("CREATE TABLE u(x CHECK (x > 1))", "CREATE TABLE u(x CHECK (x > 2))")
    #expect(try await check.schema().map(\.kind) == ["table"])
  }

  @Test func `storage classes count, and keys that are equal but written otherwise`() async throws {
    let diff = try pair(
      "CREATE TABLE t(k TEXT COLLATE NOCASE PRIMARY KEY, v); INSERT INTO t VALUES ('abc', 1), ('b', 2)",
      "CREATE TABLE t(k TEXT COLLATE NOCASE PRIMARY KEY, v); INSERT INTO t VALUES ('ABC', 1.0), ('b', 2)")
    #expect(try await lines(diff).map { $0.contains("k: ") && $0.contains("v: ") } == [true])
  }

  @Test func `rows go by rowid where a key holds NULLs, and by the columns that are named`() async throws {
    let nulls = try pair(
      "CREATE TABLE t(k PRIMARY KEY, v); INSERT INTO t VALUES (NULL, 1), (NULL, 2)",
      "CREATE TABLE t(k PRIMARY KEY, v); INSERT INTO t VALUES (NULL, 1), (NULL, 3)")
    #expect(try await lines(nulls).count == 1)
    var named = try pair(
      "CREATE TABLE t(k, v); INSERT INTO t VALUES (1, 'a'), (2, 'b')", "CREATE TABLE t(k, v); INSERT INTO t VALUES (2, 'b')")
    named.key = ["k"]
    #expect(try await lines(named).map { $0.contains("removed") } == [true])
    named.key = ["v"]
    named.ignored = ["k"]
    #expect(try await lines(named).count == 1)
    var missing = try pair("CREATE TABLE t(k)", "CREATE TABLE t(k)")
    missing.tables = ["x"]
    await #expect(throws: UnknownDiffTable.self) { try await lines(missing) }
  }

  @Test func `a table of as many columns as SQLite has is compared by its rowid`() async throws {
    let names = (0..<2000).map { "c\($0)" }.joined(separator: ", ")
    let table = "CREATE TABLE t(\(names)); INSERT INTO t(c0, c1998, c1999)"
    let diff = try pair("\(table) VALUES (1, 2, 3), (4, 5, 6)", "\(table) VALUES (1, 2, 7), (0, 5, 6)")
    let found = try await lines(diff)
    #expect(found.map { $0.contains("changed") && !$0.contains("c1998") } == [true, true], "\(found)")
    #expect(found.first?.contains("c1999: ") == true && found.last?.contains("c0: ") == true, "\(found)")
  }

  @Test func `databases of different encodings are compared by the text of their keys`() async throws {
    let rows =
      "CREATE TABLE t(k TEXT PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO t VALUES ('a', 1), ('\u{100}', 2), ('\u{FF5E}', 3), ('\u{1F600}', 4)"
    for encoding in ["UTF-16le", "UTF-16be"] {
      #expect(try await lines(pair("PRAGMA encoding = '\(encoding)'; \(rows)", rows)).isEmpty)
      #expect(try await lines(pair("PRAGMA encoding = '\(encoding)'; \(rows)", "PRAGMA encoding = '\(encoding)'; \(rows)")).isEmpty)
      let changed = try pair("PRAGMA encoding = '\(encoding)'; \(rows)", "\(rows); UPDATE t SET v = 9 WHERE k = '\u{100}'")
      #expect(try await lines(changed).count == 1)
    }
  }

  @Test func `rows of tables that hide the rowid are matched whole, equal ones by their number`() async throws {
    let table = "CREATE TABLE t(rowid, _rowid_, oid); INSERT INTO t VALUES (1, NULL, 'a'), (1, NULL, 'a'), (1.0, NULL, 'a')"
    #expect(try await lines(pair(table, table)).isEmpty)
    let found = try await lines(pair(table, "\(table); DELETE FROM t WHERE typeof(rowid) = 'integer'; INSERT INTO t VALUES (2, x'', '')"))
    #expect(found.map { $0.contains("removed") } == [true, true, false], "\(found)")
    #expect(found.last?.contains("t [] added rowid: - value") == true, "\(found)")
  }

  @Test func `rows are matched by rowid where the primary keys differ`() async throws {
    let diff = try pair(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a'), (2, 'b')",
      "CREATE TABLE t(id, v PRIMARY KEY); INSERT INTO t VALUES (1, 'a'), (2, 'c')")
    let found = try await lines(diff)
    #expect(found.count == 1 && found[0].contains("changed v: "), "\(found)")
    // The rowid of the first table has the name of a column of the second.
    let named = try pair(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a')",
      "CREATE TABLE t(id NUMERIC PRIMARY KEY, v); INSERT INTO t VALUES (NULL, 'a')")
    #expect(try await lines(named) == ["t [value(1)] changed id: value(1) value(NULL)"])
    let back = try pair(
      "CREATE TABLE t(id NUMERIC PRIMARY KEY, v); INSERT INTO t VALUES (NULL, 'a')",
      "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a')")
    #expect(try await lines(back) == ["t [value(1)] changed id: value(NULL) value(1)"])
  }

  @Test func `tables that cannot be compared are listed with the reason, and the others are compared`() async throws {
    var named = try pair(
      "CREATE TABLE t(k, v); CREATE TABLE u(x); INSERT INTO t VALUES (1, 1)", "CREATE TABLE t(k, v); CREATE TABLE u(x)")
    named.key = ["k"]
    var result = try await named.rows { _ in }
    #expect(result.notCompared.map(\.table) == ["u"] && result.tables.map(\.removed) == [1])
    #expect(result.notCompared.first?.reason.contains("“k”") == true)
    named.key = ["nosuch"]
    await #expect(throws: UnknownDiffKey.self) { _ = try await named.rows { _ in } }
    var twice = try pair(
      "CREATE TABLE t(k, v); INSERT INTO t VALUES (1, 'a'), (1, 'b'); CREATE TABLE u(k)", "CREATE TABLE t(k, v); CREATE TABLE u(k)")
    twice.key = ["k"]
    result = try await twice.rows { _ in }
    #expect(result.notCompared.map(\.table) == ["t"] && result.tables.map(\.table) == ["u"])
  }

  @Test func `keys that are not UTF-8, and NOCASE keys with NUL, are compared past the first step`() async throws {
    let raw = """
      CREATE TABLE t(k TEXT PRIMARY KEY) WITHOUT ROWID;
      INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
      SELECT CAST(x'ff' || CAST(i AS TEXT) AS TEXT) FROM n;
      CREATE TABLE n(k TEXT COLLATE NOCASE PRIMARY KEY) WITHOUT ROWID;
      INSERT INTO n WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
      SELECT 'k' || char(0) || substr('yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy', 1, i) || 'Z' FROM n;
      """
    #expect(try await lines(pair(raw, raw)).isEmpty)
    #expect(
      try await lines(pair(raw, "\(raw) DELETE FROM t WHERE k = CAST(x'ff37' AS TEXT); DELETE FROM n WHERE length(CAST(k AS BLOB)) = 7"))
        .count == 2)
  }

  @Test func `every rule of a table is compared, also where a column differs`() async throws {
    func kinds(_ first: String, _ second: String) async throws -> [String] {
      try await pair(first, second).schema().map { "\($0.kind) \($0.name)" }
    }
    let base = "CREATE TABLE p(id INTEGER PRIMARY KEY); CREATE TABLE t(a INTEGER, b TEXT"
    #expect(try await kinds("\(base))", "\(base), c)") == ["column t.c"])
    for rule in [
      ", c, CHECK (a > 1))", ", c TEXT) STRICT", ", c, UNIQUE (a))", ", c, FOREIGN KEY (a) REFERENCES p ON DELETE CASCADE)",
      ", c CHECK (c), PRIMARY KEY (a))",
    ] {
      #expect(try await kinds("\(base))", base + rule).contains("table t"), "\(rule)")
    }
    #expect(
      try await kinds(
        "CREATE TABLE t(a REFERENCES p ON DELETE CASCADE, b)", "CREATE TABLE t(a REFERENCES p ON DELETE SET NULL, b TEXT)")
        == ["column t.b", "table t"])
    #expect(try await kinds("CREATE TABLE t(a DEFAULT \"Yes\")", "CREATE TABLE t(a DEFAULT \"yes\")") == ["column t.a"])
    #expect(try await kinds("CREATE VIEW v AS SELECT \"Yes\"", "CREATE VIEW v AS SELECT \"yes\"") == ["view v"])
    #expect(try await kinds("PRAGMA user_version = 3", "PRAGMA user_version = 4") == ["pragma user_version"])
  }
}

/// Columns whose names differ, and objects that SQLite makes itself.
@Suite(.gated) struct DiffNamesTests {
  private func pair(_ first: String, _ second: String) throws -> DatabaseDiff {
    let sides = try [first, second].map { sql in
      let queue = try DatabaseQueue()
      try queue.withoutTransaction { try $0.execute(sql: sql) }
      return try FileDiffSide(queue, name: sql)
    }
    return DatabaseDiff(sides[0], sides[1])
  }

  private func found(_ first: String, _ second: String) async throws -> [String] {
    try await pair(first, second).schema().map { "\($0.kind) \($0.name) \($0.change.rawValue) \($0.from ?? "") \($0.to ?? "")" }
  }

  @Test func `a column is called renamed where all values match`() async throws {
    let rows = "INSERT INTO t VALUES (1, 'x', 2), (2, NULL, 3), (3, 'z', NULL)"
    let first = "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b); \(rows)"
    #expect(try await found(first, "CREATE TABLE t(id INTEGER PRIMARY KEY, b, c); INSERT INTO t SELECT 9, 2, 'x'").count == 2)
    #expect(
      try await found(first, "CREATE TABLE t(id INTEGER PRIMARY KEY, c, b); \(rows), (4, 'new', 4)") == ["column t.c renamed a c"])
    #expect(try await found(first, "CREATE TABLE t(no INTEGER PRIMARY KEY, a, b); \(rows)") == ["column t.no renamed id no"])
    let other = "CREATE TABLE t(id INTEGER PRIMARY KEY, c, b); \(rows); UPDATE t SET c = 'other' WHERE id = 3"
    #expect(try await found(first, other).map { $0.prefix(10) } == ["column t.a", "column t.c"])
    #expect(try await pair(first, "CREATE TABLE t(id INTEGER PRIMARY KEY, c, b); \(rows)").lines() == [])
  }

  @Test func `names that differ only in case are the same, and keys of another type are compared`() async throws {
    let first = "CREATE TABLE T(Id INTEGER PRIMARY KEY, A); INSERT INTO T VALUES (1, 2); CREATE INDEX I ON T(A)"
    let second = "CREATE TABLE t(id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 2); CREATE INDEX i ON t(a)"
    #expect(try await found(first, second) == [])
    #expect(try await pair(first, second).lines() == [])
    let lines = try await pair(
      "CREATE TABLE t(k INT PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a'), (2, 'b'), (10, 'c')",
      "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a'), (2, 'b'), (10, 'c')"
    ).lines()
    #expect(lines.count { $0.contains(" removed ") } == 3 && lines.count { $0.contains(" added ") } == 3, "\(lines)")
  }

  @Test func `shadow tables are not compared, as they belong to their virtual table`() async throws {
    let sql = "CREATE VIRTUAL TABLE texts USING fts5(body); INSERT INTO texts VALUES ('one')"
    #expect(try await found("CREATE TABLE t(a)", "CREATE TABLE t(a); \(sql)").map { $0.prefix(17) } == ["table texts added"])
    #expect(try await found(sql, sql) == [])
  }
}
