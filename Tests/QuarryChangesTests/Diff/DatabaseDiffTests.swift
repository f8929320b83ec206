import Foundation
import TestSupport
import Testing

@testable import QuarryChanges
@testable import QuarryCluster
@testable import QuarryEngine
@testable import QuarryRows

/// Two databases are compared the same way whether they are files or what servers have.
@Suite(.gated) struct DatabaseDiffTests {
  private static let schema = """
    CREATE TABLE artist(name TEXT COLLATE NOCASE PRIMARY KEY, born INTEGER, note);
    CREATE TABLE tag(kind, number INTEGER, note TEXT, PRIMARY KEY(kind, number)) WITHOUT ROWID;
    CREATE TABLE loose(a, b);
    CREATE TABLE numbered(id INTEGER PRIMARY KEY, value, size INTEGER GENERATED ALWAYS AS (length(value)) VIRTUAL);
    CREATE VIEW seen AS SELECT name FROM artist;
    """

  /// Fills a database, the same for the same numbers.
  private static func fill(_ db: Database, _ random: inout SplitMix) throws {
    try db.execute(sql: schema)
    for number in 1...60 {
      try db.execute(
        sql: "INSERT INTO artist VALUES (?, ?, ?)", arguments: ["Name \(number)\(number % 3 == 0 ? " ü" : "")", number, value(&random)])
      try db.execute(sql: "INSERT OR IGNORE INTO tag VALUES (?, ?, 'x')", arguments: [value(&random, isNull: false), number / 4])
      try db.execute(sql: "INSERT INTO loose VALUES (?, ?)", arguments: [value(&random), value(&random)])
      try db.execute(sql: "INSERT INTO numbered(id, value) VALUES (?, ?)", arguments: [number * 3 - 90, value(&random)])
    }
  }

  private static func make(_ path: String, seed: UInt64, isChanged: Bool) throws {
    try DatabaseQueue(path: path).write { db in
      var random = SplitMix(seed: seed)
      try fill(db, &random)
      if isChanged { try change(db, &random) }
    }
  }

  private static func value(_ random: inout SplitMix, isNull: Bool = true) -> DatabaseValue {
    switch Int.random(in: isNull ? 0..<6 : 1..<6, using: &random) {
    case 0: .null
    case 1: .integer(Int64.random(in: -3...3, using: &random))
    case 2: .real(Double(Int.random(in: -6...6, using: &random)) / 2)
    case 3: .blob([UInt8](repeating: 7, count: Int.random(in: 0...3, using: &random)))
    case 4: .text("a\0b\(Int.random(in: 0..<3, using: &random))")
    default: .text(["", "x", "X", "ß", "\u{1F600}", "1"].randomElement(using: &random) ?? "")
    }
  }

  /// Changes some rows of each table.
  private static func change(_ db: Database, _ random: inout SplitMix) throws {
    for _ in 0..<8 {
      let number = Int.random(in: 1...60, using: &random)
      try db.execute(sql: "UPDATE artist SET note = ? WHERE born = ?", arguments: [value(&random), number])
      try db.execute(sql: "DELETE FROM tag WHERE number = ? AND kind = (SELECT max(kind) FROM tag)", arguments: [number / 4])
      try db.execute(sql: "INSERT OR REPLACE INTO tag VALUES (?, ?, 'new')", arguments: [value(&random, isNull: false), number / 4])
      try db.execute(sql: "DELETE FROM loose WHERE rowid = ?", arguments: [number])
      try db.execute(sql: "INSERT OR REPLACE INTO numbered(id, value) VALUES (?, ?)", arguments: [number - 40, value(&random)])
    }
  }

  /// A difference as text, in one order whatever the order of the rows.
  private static func text(_ difference: RowDifference) -> String {
    let key = difference.key.map { "\($0.value)" }.joined(separator: ",")
    let cells = difference.cells.map { "\($0.column): \($0.from.map { "\($0)" } ?? "-") \($0.to.map { "\($0)" } ?? "-")" }
    return "\(difference.table) [\(key)] \(difference.change.rawValue) \(cells.joined(separator: "; "))"
  }

  private func lines(_ diff: DatabaseDiff) async throws -> [String] {
    var diff = diff
    diff.step = 7
    let lines = Monitor<[String]>([])
    _ = try await diff.rows { difference in lines.change { $0.append(Self.text(difference)) } }
    return lines.read { $0 }
  }

  /// What SQLite itself finds out: the rows of a table that are not in the other one.
  private func oracle(_ table: String, _ columns: String, _ first: String, _ second: String) throws -> Int {
    let queue = try DatabaseQueue(path: first)
    return try queue.withoutTransaction { db in
      try db.attach(path: second, as: "other")
      let cells = columns.split(separator: " ").map { "typeof(\($0)), hex(\($0)), \($0)" }.joined(separator: ", ")
      return try Int.fetchOne(
        db, sql: "SELECT count(*) FROM (SELECT \(cells) FROM main.\(table) EXCEPT SELECT \(cells) FROM other.\(table))") ?? 0
    }
  }

  private func withPair(
    seed: UInt64, _ body: (_ paths: [String], _ files: [any DiffSide], _ servers: [any DiffSide]) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let paths = ["a", "b"].map { folder.appendingPathComponent("\($0).db").path }
      for (index, path) in paths.enumerated() { try Self.make(path, seed: seed, isChanged: index == 1) }
      let files = try paths.map { try FileDiffSide(DatabaseQueue(path: $0), name: $0) }
      let servers = paths.map { RemoteDataSource(ServedDatabase(path: $0), refusal: "read-only").diffSide }
      try await body(paths, files, servers)
    }
  }

  @Test(arguments: 0..<testRounds(6)) func `random changes are found, alike in files and on servers`(_ seed: Int) async throws {
    try await withPair(seed: UInt64(seed)) { paths, files, servers in
      let found = try await lines(DatabaseDiff(files[0], files[1]))
      #expect(!found.isEmpty)
      #expect(try await lines(DatabaseDiff(servers[0], servers[1])) == found)
      #expect(try await lines(DatabaseDiff(files[0], servers[1])) == found)
      #expect(try await lines(DatabaseDiff(servers[0], files[0])).isEmpty)
      for (table, columns) in [("artist", "name born note"), ("tag", "kind number note"), ("loose", "rowid a b"), ("numbered", "id value")]
      {
        let own = found.filter { $0.hasPrefix("\(table) ") }
        let (gone, new) = (own.count { !$0.contains(" added ") }, own.count { !$0.contains(" removed ") })
        #expect(try oracle(table, columns, paths[0], paths[1]) == gone, "\(table)")
        #expect(try oracle(table, columns, paths[1], paths[0]) == new, "\(table)")
      }
    }
  }

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
    await #expect(throws: DataSourceError.self) { try await lines(missing) }
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

  @Test func `a leader that is lost in the midst leaves out no difference, and the moment is said to be unknown`() async throws {
    try await withTemporaryFolder { folder in
      let paths = ["a.db", "b.db"].map { folder.appendingPathComponent($0).path }
      try Self.make(paths[0], seed: 3, isChanged: false)
      try Self.make(paths[1], seed: 3, isChanged: true)
      let file = try FileDiffSide(DatabaseQueue(path: paths[1]), name: "b.db")
      var found: [[String]] = []
      for isLost in [false, true] {
        let server = ServedDatabase(path: paths[0])
        var diff = DatabaseDiff(RemoteDataSource(server, refusal: "read-only").diffSide, file)
        (diff.tables, diff.step) = (["numbered"], 20)
        if isLost { server.loseConnection(afterRows: 12) { try server.reconnect() } }
        var lines: [String] = []
        let result = try await diff.rows { lines.append("\($0)") }
        found.append(lines)
        #expect(!result.isTorn && result.isOfUnknownMoment == isLost && result.notCompared.isEmpty)
      }
      #expect(found[0] == found[1] && !found[0].isEmpty)
    }
  }
}
