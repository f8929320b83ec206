import Foundation
import QuarryEngine
import QuarryRows
import Synchronization
import TestSupport
import Testing

/// Indexes that are proposed for statements: on the real file, each one leads to the plan that was announced.
@Suite(.gated) struct IndexAdviceTests {
  private static let script = """
    CREATE TABLE event(id INTEGER PRIMARY KEY, kind TEXT, ts INT, amount REAL, name TEXT COLLATE NOCASE, user INT REFERENCES user);
    CREATE TABLE user(id INTEGER PRIMARY KEY, name TEXT, city TEXT);
    CREATE TABLE pair(a TEXT, b INT, c INT, PRIMARY KEY (a, b)) WITHOUT ROWID;
    CREATE TABLE odd("order" INT, "two words" TEXT, rowid TEXT, made AS ("order" * 2));
    CREATE TABLE empty(a, b);
    CREATE VIEW big AS SELECT kind, amount, ts FROM event WHERE amount > 5;
    CREATE VIRTUAL TABLE texts USING fts5(body);
    CREATE TRIGGER stop BEFORE INSERT ON event WHEN new.id > 100000 BEGIN SELECT raise(ABORT, 'no'); END;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40) INSERT INTO user SELECT i, 'u' || i, 'c' || i % 5 FROM n;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
    INSERT INTO event SELECT i, CASE WHEN i % 50 THEN 'view' ELSE 'buy' END, i * 7919 % 3001, i % 97 / 2.0, 'Name ' || i % 300, i % 40 + 1 FROM n;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) INSERT INTO pair SELECT 'k' || i, i, i % 20 FROM n;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) INSERT INTO odd SELECT i % 30, 'w' || i, 'r' FROM n;
    INSERT INTO texts VALUES ('one'), ('two');
    """

  /// A clock that stands still, so that the order of the ways does not depend on the machine.
  private static let now: @Sendable () -> ContinuousClock.Instant = { [instant = ContinuousClock.now] in instant }

  private func withFile(_ more: String..., body: (DatabaseQueue, _ path: String) async throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appending(path: "test.db").path
      try await DatabaseQueue(path: path).withoutTransaction { db in
        for sql in more.filter({ $0.hasPrefix("PRAGMA") }) + [Self.script] + more.filter({ !$0.hasPrefix("PRAGMA") }) {
          try db.execute(sql: sql)
        }
      }
      var configuration = Configuration()
      configuration.isReadonly = true
      try await body(DatabaseQueue(path: path, configuration: configuration), path)
    }
  }

  private func plan(_ sql: String, _ db: Database) throws -> [String] { try PlanStep.plan(of: sql, in: db).map(\.detail) }

  /// Expects that each way leads to its plan on a copy of the file, and that an index has its size, unless only a sample was copied.
  private func expectTruth(_ advice: IndexAdvice, _ sql: String, _ path: String) async throws {
    for way in advice.ways {
      let copy = path + ".copy"
      try FileManager.default.copyItem(atPath: path, toPath: copy)
      defer { try? FileManager.default.removeItem(atPath: copy) }
      let (plan, growth) = try await DatabaseQueue(path: copy).withoutTransaction { db in
        let before = try self.usedBytes(db)
        try db.execute(sql: way.sql)
        return (try self.plan(sql, db), try self.usedBytes(db) - before)
      }
      #expect(plan == way.plan, "\(way.sql) for \(sql)")
      guard let size = way.byteCount, advice.sampling == 1, advice.cutTables.isEmpty else { continue }
      #expect(abs(size - growth) <= 4096, "\(way.sql): \(size), in fact \(growth)")
    }
  }

  private func usedBytes(_ db: Database) throws -> Int {
    let sql = "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size"
    return try Int.fetchOne(db, sql: sql) ?? 0
  }

  @Test(
    arguments: [
      ("SELECT * FROM event WHERE kind = 'buy'", "CREATE INDEX event_kind ON event(kind)"),
      ("SELECT * FROM event WHERE ts BETWEEN 5 AND 9", "CREATE INDEX event_ts ON event(ts)"),
      ("SELECT * FROM event ORDER BY ts", "CREATE INDEX event_ts ON event(ts)"),
      ("SELECT * FROM event ORDER BY ts DESC, amount", "CREATE INDEX event_ts_amount ON event(ts DESC, amount)"),
      ("SELECT * FROM event WHERE kind = 'buy' ORDER BY ts", "CREATE INDEX event_kind_ts ON event(kind, ts)"),
      ("SELECT * FROM event WHERE kind = 'buy' AND ts > 9 ORDER BY ts", "CREATE INDEX event_kind_ts ON event(kind, ts)"),
      ("SELECT id FROM main.event AS e WHERE (e.name = 'NAME 5')", "CREATE INDEX event_name ON event(name)"),
      ("SELECT * FROM event WHERE kind = 'BUY' COLLATE NOCASE", nil),
      ("SELECT * FROM event WHERE kind COLLATE NOCASE = 'BUY'", "CREATE INDEX event_kind ON event(kind COLLATE NOCASE)"),
      ("SELECT * FROM event WHERE name LIKE 'name 5%'", nil),
      ("SELECT kind, count(*) FROM event GROUP BY kind", "CREATE INDEX event_kind ON event(kind)"),
      ("SELECT user.name, sum(amount) FROM user JOIN event ON event.user = user.id WHERE city = 'c1' GROUP BY user.id", nil),
      ("SELECT * FROM big WHERE kind = 'buy' ORDER BY ts", nil),
      ("SELECT * FROM pair WHERE c = 7", "CREATE INDEX pair_c ON pair(c)"),
      (#"SELECT * FROM odd WHERE "order" = 3 AND "two words" = 'w3'"#, nil),
      ("WITH x AS (SELECT * FROM event WHERE amount = 3) SELECT count(*) FROM x", nil),
    ] as [(String, String?)])
  func `each way leads to the plan that it announces`(sql: String, index: String?) async throws {
    try await withFile { source, path in
      let before = try Data(contentsOf: URL(filePath: path))
      let advice = try await source.indexAdvice(AdviceRequest(sql: sql), now: Self.now) { _ in }
      #expect(!advice.ways.isEmpty && advice.ways.count <= 3 && advice.stage == .done && advice.sampling == 1)
      if let index { #expect(advice.ways.contains { $0.sql == index }, "\(advice.ways.map(\.sql))") }
      #expect(advice.time != nil && advice.rowCount > 0)
      #expect(advice.ways.allSatisfy { $0.byteCount ?? 4096 >= 4096 })
      try await expectTruth(advice, sql, path)
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }
  }

  @Test func `a small statement gets a covering and a partial index too`() async throws {
    try await withFile { source, path in
      let sql = "SELECT ts, amount FROM event WHERE kind = 'buy' ORDER BY ts"
      let advice = try await source.indexAdvice(AdviceRequest(sql: sql, rows: 10), now: Self.now) { _ in }
      #expect(
        Set(advice.ways.map(\.summary)) == [
          "CREATE INDEX ON event(kind, ts)", "CREATE INDEX ON event(kind, ts, amount)",
          "CREATE INDEX ON event(ts) WHERE kind = 'buy'",
        ])
      try await expectTruth(advice, sql, path)
    }
  }

  @Test func `UTF-16, results of ANALYZE and taken names lead to the same plans`() async throws {
    try await withFile(
      "PRAGMA encoding = 'UTF-16le'", "CREATE INDEX event_kind ON event(amount, kind)",
      "INSERT INTO event(id, name) VALUES (-5, 'ä\u{1F600}')",
      "ANALYZE"
    ) { source, path in
      for sql in ["SELECT * FROM event WHERE kind = 'buy'", "SELECT * FROM event WHERE name > 'ä' ORDER BY user"] {
        let advice = try await source.indexAdvice(AdviceRequest(sql: sql), now: Self.now) { _ in }
        #expect(!advice.ways.isEmpty && !advice.ways.contains { $0.sql.hasPrefix("CREATE INDEX event_kind ") })
        try await expectTruth(advice, sql, path)
      }
    }
  }

  @Test func `ANALYZE is tried where it was never run`() async throws {
    try await withFile("CREATE INDEX by_kind ON event(kind)", "CREATE INDEX by_user ON event(user)") { source, path in
      let sql = "SELECT * FROM event WHERE kind = 'view' AND user = 3 ORDER BY ts"
      let advice = try await source.indexAdvice(AdviceRequest(sql: sql), now: Self.now) { _ in }
      try await expectTruth(advice, sql, path)
    }
  }

  @Test(
    arguments: [
      ("SELECT * FROM event WHERE id = 5", "SQLite reads only the rows that it needs"),
      ("SELECT * FROM event WHERE length(name) > 7", "no index on columns avoids this"),
      ("SELECT * FROM event", "no index on columns avoids this"),
      ("SELECT * FROM empty WHERE a = 1", "the tables have no rows"),
      ("SELECT * FROM event WHERE kind = :k", "the statement has parameters"),
      ("SELECT * FROM texts WHERE body = 'x'", "the statement reads a virtual table"),
      ("DELETE FROM event WHERE kind = 'buy'", "only for statements that read rows"),
      ("PRAGMA table_list", "only for statements that read rows"),
    ])
  func `a sentence says why nothing is tried`(sql: String, reason: String) async throws {
    try await withFile { source, _ in
      let error = await #expect(throws: AdviceObstacle.self) {
        try await source.indexAdvice(AdviceRequest(sql: sql), now: Self.now) { _ in }
      }
      #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }
  }

  @Test func `of large tables a sample is copied, and a full temporary disk is explained`() async throws {
    try await withFile { source, path in
      var request = AdviceRequest(sql: "SELECT * FROM event WHERE kind = 'buy'")
      request.copiedBytes = 20_000
      let advice = try await source.indexAdvice(request, now: Self.now) { _ in }
      #expect(advice.sampling > 3 && advice.rowCount > 0 && advice.rowCount < 1000, "\(advice.sampling) \(advice.rowCount)")
      try await expectTruth(advice, request.sql, path)
      request.copiedBytes = .max / 2
      request.temporaryBytes = 100_000
      let large = request
      let full = await #expect(throws: AdviceObstacle.self) { try await source.indexAdvice(large, now: Self.now) { _ in } }
      #expect(full?.description.contains("does not fit on the disk") == true, "\(full?.description ?? "")")
    }
  }

  /// Creates tables of 50,000 rows without rowids.
  private static func withoutRowIDs(_ key: String) -> String {
    """
    CREATE TABLE wide(a TEXT, b INT, c INT, PRIMARY KEY (\(key))) WITHOUT ROWID;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
    INSERT INTO wide SELECT CASE WHEN i % 2 THEN 'k' ELSE 'K' END || i / 7, i, i % 500 FROM n
    """
  }

  @Test(arguments: ["a, b", "a DESC, b DESC", "a COLLATE NOCASE, b", "b"])
  func `tables without rowids are copied in the order of their keys`(key: String) async throws {
    try await withFile(Self.withoutRowIDs(key)) { source, path in
      var request = AdviceRequest(sql: "SELECT * FROM wide WHERE c = 7")
      let advice = try await source.indexAdvice(request, now: Self.now) { _ in }
      #expect(advice.rowCount == 50_000 && advice.sampling == 1 && advice.cutTables.isEmpty, "\(advice.rowCount)")
      try await expectTruth(advice, request.sql, path)
      request.copiedBytes = 200_000
      let sampled = try await source.indexAdvice(request, now: Self.now) { _ in }
      #expect(sampled.sampling > 3 && sampled.cutTables.isEmpty)
      #expect(sampled.rowCount == 50_000 / sampled.sampling, "\(sampled.rowCount) of \(sampled.sampling)")
    }
  }

  /// 120 documents with long texts and BLOBs after the columns that a statement needs.
  private static let documents = """
    CREATE TABLE document(id INTEGER PRIMARY KEY, author TEXT, year INT, body TEXT, scan BLOB, note TEXT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120)
    INSERT INTO document
    SELECT i, 'a' || i % 9, i, hex(randomblob(i * 191)), CASE WHEN i % 3 THEN randomblob(i * 307) END, hex(randomblob(i)) FROM n
    """

  @Test(arguments: ["UTF-8", "UTF-16le"]) func `long values that are not needed are shortened`(encoding: String) async throws {
    try await withFile("PRAGMA encoding = '\(encoding)'", Self.documents) { source, path in
      var request = AdviceRequest(sql: "SELECT id, year FROM document WHERE author = 'a3' ORDER BY year")
      request.copiedBytes = 2 << 20
      let advice = try await source.indexAdvice(request, now: Self.now) { _ in }
      #expect(advice.sampling == 1 && advice.rowCount == 120, "\(advice.sampling)")
      try await expectTruth(advice, request.sql, path)
      request.sql = "SELECT * FROM document WHERE author = 'a3' ORDER BY year"
      #expect(try await source.indexAdvice(request, now: Self.now) { _ in }.sampling > 1)
    }
  }

  /// The copy has as many pages of the table as the file, with rows of the same length in each.
  @Test(arguments: ["UTF-8", "UTF-16le"]) func `shortened rows keep their width on the pages of the table`(encoding: String) async throws {
    try await withFile("PRAGMA encoding = '\(encoding)'", Self.documents) { _, path in
      try await DatabaseQueue(path: path).withoutTransaction { db in
        let schema = try db.tableSchema(TableReference(name: "document"))
        let table = CopiedTable(schema, needed: ["author", "year"], pageSize: 4096, encoding: encoding)
        try db.execute(sql: "CREATE TABLE narrow AS SELECT * FROM document WHERE 0")
        let values = schema.columns.map { table.expression(for: $0.name) }.joined(separator: ", ")
        try db.execute(sql: "INSERT INTO narrow SELECT \(values) FROM document")
        try db.execute(sql: "CREATE TABLE wide AS SELECT * FROM document")
        func pages(_ table: String, _ kind: String, _ sum: String) throws -> Int {
          try Int.fetchOne(db, sql: "SELECT \(sum) FROM dbstat WHERE name = ? AND pagetype = ?", arguments: [table, kind]) ?? 0
        }
        #expect(try pages("narrow", "leaf", "count(*)") == pages("wide", "leaf", "count(*)"))
        let widths = (try pages("narrow", "leaf", "sum(payload)"), try pages("wide", "leaf", "sum(payload)"))
        #expect(abs(widths.0 - widths.1) <= 2 * 120, "\(widths)")
        #expect(try 3 * pages("narrow", "overflow", "count(*)") < pages("wide", "overflow", "count(*)"))
      }
    }
  }

  @Test func `of a key in mixed order, only the first rows are copied, and the result says so`() async throws {
    try await withFile(Self.withoutRowIDs("a, b DESC")) { source, _ in
      let advice = try await source.indexAdvice(AdviceRequest(sql: "SELECT * FROM wide WHERE c = 7"), now: Self.now) { _ in }
      #expect(advice.rowCount == 20_000 && advice.cutTables == ["wide"], "\(advice.rowCount)")
    }
  }

  @Test(arguments: ["2 * i", "i << 20", "i * 1000000007"]) func `rowids with gaps are sampled evenly`(rowID: String) async throws {
    let sql = """
      CREATE TABLE gaps(id INTEGER PRIMARY KEY, c INT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO gaps SELECT \(rowID), i % 50 FROM n
      """
    try await withFile(sql) { source, _ in
      var request = AdviceRequest(sql: "SELECT * FROM gaps WHERE c = 7")
      request.copiedBytes = 100_000
      let advice = try await source.indexAdvice(request, now: Self.now) { _ in }
      let expected = 20_000 / advice.sampling
      #expect(advice.sampling > 1 && (expected / 2...expected * 2).contains(advice.rowCount), "\(advice.rowCount) of \(advice.sampling)")
    }
  }

  /// A clock that ticks whenever it is read.
  private static func ticking() -> @Sendable () -> ContinuousClock.Instant {
    let clock = Counter()
    return { clock.next() }
  }

  private final class Counter: Sendable {
    private let instant = Mutex(ContinuousClock.now)
    func next() -> ContinuousClock.Instant {
      instant.withLock { instant in
        instant += .milliseconds(1)
        return instant
      }
    }
  }

  @Test func `small tables are copied whole beside a sample, and the file itself is measured`() async throws {
    try await withFile { source, path in
      let sql = "SELECT event.id, user.name FROM event JOIN user ON user.id = event.user WHERE kind = 'buy'"
      var request = AdviceRequest(sql: sql, rows: 10)
      request.copiedBytes = 20_000
      let advice = try await source.indexAdvice(request, now: Self.ticking()) { _ in }
      #expect(advice.sampling > 3 && advice.rowCount >= 40 + 3000 / advice.sampling / 2, "\(advice.rowCount) of \(advice.sampling)")
      // The clock ticks once while the statement is compiled, once until the first row, and once until the last.
      #expect(advice.time == .milliseconds(3) && !advice.isTimeEstimated)
    }
  }

  /// A statement whose rows an index finds, and what of its time is multiplied for the rows that are not in the sample.
  struct Sampled: Sendable {
    var sql: String
    var rows: Int?
    /// The ticks of the clock that are counted once, and those that are multiplied.
    var once: Int, multiplied: Int

    static let all = [
      Sampled(sql: "SELECT * FROM event WHERE kind = 'view'", once: 2, multiplied: 1),
      Sampled(sql: "SELECT * FROM event WHERE kind = 'view'", rows: 20, once: 3, multiplied: 0),
      Sampled(sql: "SELECT count(*) FROM event WHERE kind = 'view'", once: 1, multiplied: 2),
      Sampled(sql: "SELECT * FROM event WHERE kind = 'view' LIMIT 20", once: 1, multiplied: 2),
      Sampled(sql: "SELECT * FROM event WHERE kind = 'view' ORDER BY length(name)", rows: 20, once: 1, multiplied: 2),
    ]
  }

  /// In a sample, an index finds the first row as fast as in the table; the time of all else is multiplied.
  @Test(arguments: Sampled.all) func `times of a sample are those of all rows`(sampled: Sampled) async throws {
    try await withFile { source, path in
      var request = AdviceRequest(sql: sampled.sql, rows: sampled.rows)
      request.copiedBytes = 20_000
      let advice = try await source.indexAdvice(request, now: Self.ticking()) { _ in }
      let way = try #require(advice.ways.first { $0.sql == "CREATE INDEX event_kind ON event(kind)" })
      let ticks = sampled.once + sampled.multiplied * advice.sampling
      #expect(advice.sampling > 3 && way.time == .milliseconds(ticks), "\(way.time) of \(advice.sampling)")
    }
  }

  @Test func `it can be canceled, and reports what it does`() async throws {
    try await withFile { source, _ in
      let stages = Stages()
      let request = AdviceRequest(sql: "SELECT * FROM event WHERE kind = 'buy' ORDER BY ts")
      _ = try await source.indexAdvice(request, now: Self.now) { stages.add($0.stage) }
      #expect(stages.all.contains(.trying(nil)) && stages.all.contains(.trying("CREATE INDEX ON event(kind, ts)")))
      #expect(stages.all.contains { if case .copying("event", _) = $0 { true } else { false } })
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await source.indexAdvice(request, now: Self.now) { _ in }
      }
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  private final class Stages: Sendable {
    private let stages = Mutex<[IndexAdvice.Stage]>([])
    var all: [IndexAdvice.Stage] { stages.withLock(\.self) }
    func add(_ stage: IndexAdvice.Stage) { stages.withLock { $0.append(stage) } }
  }
}
