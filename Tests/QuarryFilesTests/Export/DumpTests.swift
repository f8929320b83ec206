import Foundation
import QuarryEngine
import QuarryFiles
import QuarryRows
import Synchronization
import TestSupport
import Testing

@Suite(.gated) struct DumpTests {
  /// Returns the SQL of a database.
  private func dump(_ path: String, tables: [String]? = nil, isShared: Bool = true) async throws -> [UInt8] {
    var configuration = Configuration()
    configuration.isReadonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    let connections = ReadConnections(
      foreground: queue, background: queue,
      secondReader: { [configuration] in isShared ? try DatabaseQueue(path: path, configuration: configuration) : nil })
    let bytes = Mutex<[UInt8]>([])
    try await connections.dump(tables: tables) { chunk in bytes.withLock { $0 += chunk } }
    return bytes.withLock(\.self)
  }

  /// Makes a database that schemas may write to as the sqlite3 shell lets them, and returns its path.
  private func make(_ sql: String, named name: String, in folder: URL) throws -> String {
    let path = folder.appendingPathComponent(name).path
    var configuration = Configuration()
    configuration.isDefensive = false
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.withoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
    return path
  }

  /// Makes a database, dumps it and loads the dump; returns the SQL, and what differs.
  @discardableResult
  private func roundTrip(
    _ sql: String, tables: [String]? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> String {
    try await withTemporaryFolder { folder in
      let path = try make(sql, named: "a.db", in: folder)
      let text = try String(decoding: await dump(path, tables: tables), as: UTF8.self)
      if tables == nil {
        let copy = try make(text, named: "b.db", in: folder)
        #expect(try DatabaseContents(path: copy) == DatabaseContents(path: path), sourceLocation: sourceLocation)
      }
      return text
    }
  }

  @Test("Rows that a damaged tree hides are reported, not left out")
  func keysOutOfOrder() async throws {
    try await KeysOutOfOrder.with { path in
      await KeysOutOfOrder.expectError { _ = try await dump(path) }
    }
  }

  @Test func `a dump begins and ends as the shell's does`() async throws {
    #expect(
      try await roundTrip("CREATE TABLE t(id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 'it''s'), (2, NULL); CREATE INDEX i ON t(a)")
        == """
        PRAGMA foreign_keys=OFF;
        BEGIN TRANSACTION;
        CREATE TABLE t(id INTEGER PRIMARY KEY, a);
        INSERT INTO t VALUES(1,'it''s');
        INSERT INTO t VALUES(2,NULL);
        CREATE INDEX i ON t(a);
        COMMIT;

        """)
  }

  @Test(arguments: [
    "CREATE TABLE t(a); INSERT INTO t(rowid, a) VALUES (-5, 1), (7, x''), (9223372036854775807, NULL)",
    "CREATE TABLE t(rowid TEXT, a); INSERT INTO t(oid, rowid, a) VALUES (50, 'r', 1)",
    "CREATE TABLE t(rowid, _rowid_, oid); INSERT INTO t VALUES (1, 2, 3)",
    "CREATE TABLE t(n); INSERT INTO t VALUES (-0.0), (9e999), (-9e999), (0.1), (5e-324), (1.7976931348623157e308), (-9223372036854775808)",
    "CREATE TABLE t(r REAL); INSERT INTO t VALUES (-0.0), (3), (0.30000000000000004), (8.91028461634026e-306)",
    "CREATE TABLE t(t); INSERT INTO t VALUES ('a' || char(0) || 'b\\0'), (char(13, 10) || '\\r'), (CAST(x'61ff' AS TEXT)), ('')",
    "PRAGMA encoding = 'UTF-16le'; CREATE TABLE t(t); INSERT INTO t VALUES ('é' || char(0)), (CAST(x'00d8' AS TEXT)), (char(65533))",
    "PRAGMA encoding = 'UTF-16be'; CREATE TABLE t(t); INSERT INTO t VALUES ('é'), (CAST(x'd800' AS TEXT)), ('😀')",
    "PRAGMA encoding = 'UTF-16le'; CREATE TABLE t(t); INSERT INTO t VALUES (CAST(x'feff6100' AS TEXT)), (CAST(x'6100ffff' AS TEXT))",
    "CREATE TABLE t(a, b AS (a * 2), c AS (a + 1) STORED); INSERT INTO t(a) VALUES (1), (2)",
    "CREATE TABLE t(a, b, PRIMARY KEY (b, a)) WITHOUT ROWID; INSERT INTO t VALUES ('z', 1), ('a', 2)",
    "CREATE TABLE t(a INTEGER, b ANY) STRICT; INSERT INTO t VALUES (1, x'00'), (2, 2.5)",
    "CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO t VALUES (5), (100); DELETE FROM t WHERE id = 100",
    "CREATE TABLE sequence(id INTEGER PRIMARY KEY AUTOINCREMENT); CREATE TABLE t(a); DROP TABLE sequence",
    "CREATE TABLE \"a \"\"b'\"(\"select\", \"x y\", \"é\"); INSERT INTO \"a \"\"b'\" VALUES (1, 2, 3)",
    "PRAGMA user_version = 42; PRAGMA application_id = -5; CREATE TABLE t(a)",
    "CREATE TABLE t(a); CREATE TABLE log(a); INSERT INTO t VALUES (1);"
      + "CREATE TRIGGER second AFTER INSERT ON t BEGIN INSERT INTO log VALUES (';--'); END;"
      + "CREATE TRIGGER first AFTER INSERT ON t BEGIN SELECT 1; END",
    "CREATE VIEW a AS SELECT * FROM b; CREATE VIEW b AS SELECT 1 AS x -- one\n; CREATE TRIGGER i INSTEAD OF INSERT ON a BEGIN SELECT 1; END",
    "CREATE TABLE p(id INTEGER PRIMARY KEY); CREATE TABLE t(p REFERENCES p); INSERT INTO t VALUES (99)",
    "CREATE TABLE t(a); CREATE INDEX i ON t(a DESC) WHERE a > 1; INSERT INTO t VALUES (1), (2); ANALYZE",
    "CREATE VIRTUAL TABLE f USING fts5(a, b); INSERT INTO f VALUES ('one', 'two'), ('it''s', 'three'); DELETE FROM f WHERE rowid = 1",
    "CREATE VIRTUAL TABLE f USING fts5(a, content=''); INSERT INTO f(rowid, a) VALUES (3, 'one')",
    "CREATE VIRTUAL TABLE r USING rtree(id, low, high, +note); INSERT INTO r VALUES (1, 0.1, 0.2, 'x')",
    "",
  ])
  func `a dump makes the same database`(sql: String) async throws {
    try await roundTrip(sql.isEmpty ? "PRAGMA user_version = 0" : sql)
  }

  @Test(arguments: SoundSchema.all)
  func `a dump makes the same database of sound schemas`(schema: SoundSchema) async throws {
    try await roundTrip(schema.setup)
  }

  @Test func `a table of more columns than a function has arguments is written`() async throws {
    let names = (0..<200).map { "c\($0)" }.joined(separator: ", ")
    let values = (0..<200).map { "'\($0)'" }.joined(separator: ", ")
    try await roundTrip("CREATE TABLE t(\(names)); INSERT INTO t VALUES (\(values))")
  }

  @Test func `a table of as many columns as SQLite has is written, without rowids, for which a row has no room`() async throws {
    try await withTemporaryFolder { folder in
      let names = (0..<2000).map { "c\($0)" }.joined(separator: ", ")
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE t(\(names))", "INSERT INTO t(rowid, c0, c1999) VALUES (9, 'last', 2), (3, 'first', 1)")
      let text = try String(decoding: await dump(path), as: UTF8.self)
      let queue = try DatabaseQueue()
      let rows = try await queue.withoutTransaction { db in
        try db.execute(sql: text)
        return try String.fetchAll(db, sql: "SELECT c0 || ' ' || c1999 || ' ' || (c5 IS NULL) FROM t ORDER BY rowid")
      }
      #expect(rows == ["first 1 1", "last 2 1"])
    }
  }

  @Test func `a dump of random tables and values makes them again`() async throws {
    var random = SplitMix(seed: 24)
    for _ in 0..<testRounds(20) { try await roundTrip(RandomSchema.database(&random)) }
  }

  @Test func `rows stay in their order whichever connection has read them`() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE t(id INTEGER PRIMARY KEY, a)",
        """
        WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 200000) INSERT INTO t
        SELECT x, substr('abcdefghijklmnopqrstuvwxyz', x % 20) FROM n
        """, "CREATE TABLE u(id INTEGER PRIMARY KEY)", "INSERT INTO u SELECT id FROM t WHERE id <= 50000")
      #expect(try await dump(path) == dump(path, isShared: false))
    }
  }

  @Test func `what is asked for comes with its indexes, triggers and shadow tables, and with nothing else`() async throws {
    let text = try await roundTrip(
      """
      PRAGMA user_version = 7; CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, a); INSERT INTO t VALUES (3, 'x'); CREATE INDEX i ON t(a);
      CREATE TABLE u(id INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO u VALUES (9); CREATE INDEX j ON u(id);
      CREATE VIEW v AS SELECT 1; CREATE VIEW w AS SELECT 2
      """, tables: ["T", "w"])
    #expect(
      text == """
        PRAGMA foreign_keys=OFF;
        BEGIN TRANSACTION;
        CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, a);
        INSERT INTO t VALUES(3,'x');
        DELETE FROM sqlite_sequence WHERE name = 't';
        INSERT INTO sqlite_sequence VALUES('t',3);
        CREATE INDEX i ON t(a);
        CREATE VIEW w AS SELECT 2;
        COMMIT;

        """)
  }

  @Test func `an error of what takes the bytes ends the dump, and is told`() async throws {
    struct Full: Error {}
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE t(a)",
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 100000) INSERT INTO t SELECT hex(zeroblob(50)) FROM n")
      let connections = ReadConnections(
        foreground: try DatabaseQueue(path: path), background: try DatabaseQueue(path: path),
        secondReader: { try DatabaseQueue(path: path) })
      let count = Mutex(0)
      await #expect(throws: Full.self) {
        try await connections.dump { bytes in
          try count.withLock { count in
            count += bytes.count
            if count > 1_000_000 { throw Full() }
          }
        }
      }
    }
  }
}

@Suite(.gated) struct RealLiteralTests {
  /// Reads what an INSERT statement holds.
  private func read(_ values: [Double]) throws -> [Double] {
    let sql = ExportFormat.sql.text(columns: ["a"], rows: values.map { [.real($0)] })
    return try makeDatabase("CREATE TABLE result(a)").write { db in
      try db.execute(sql: sql)
      return try Double.fetchAll(db, sql: "SELECT a FROM result ORDER BY rowid")
    }
  }

  @Test func `every real is read by SQLite as what it was`() throws {
    let bits = (1...testRounds(2000)).map { UInt64($0) &* 0x9e37_79b9_7f4a_7c15 }
    let reals = bits.map { Double(bitPattern: $0) }.filter(\.isFinite)
    let fractions = bits.map { Double($0) / 1e15 }
    let prices = bits.map { Double($0 % 1_000_000_000) / 1000 }
    let special = [
      6020.505838011582, 8.91028461634026e-306, -1.3165815959854299e-291, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -0.0,
    ]
    let values = reals + fractions + prices + special
    #expect(try read(values).map(\.bitPattern) == values.map(\.bitPattern))
  }
}
