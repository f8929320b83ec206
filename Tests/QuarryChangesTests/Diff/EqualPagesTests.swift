import Foundation
import QuarryChanges
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// A comparison of two files that share pages finds what a comparison row by row finds.
@Suite(.gated) struct EqualPagesTests {
  /// A file whose pages are not read.
  private struct RowSide: DiffSide {
    let file: FileDiffSide

    var name: String { file.name }
    func schema<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
      try await file.schema(body)
    }
    func rows(_ sql: SQLText, width: Int) async throws -> [[StoredValue]] { try await file.rows(sql, width: width) }
    func state() async throws -> DiffState { try await file.state() }
    func checkReached(_ count: Int, of table: TableReference, since state: DiffState) async throws {
      try await file.checkReached(count, of: table, since: state)
    }
    func isUTF8() async throws -> Bool { try await file.isUTF8() }
    func copy(_ sql: SQLText, of table: String) async throws -> TableReference { try await file.copy(sql, of: table) }
    func drop(_ copy: TableReference) async throws { try await file.drop(copy) }
  }

  private func side(_ path: String) throws -> FileDiffSide {
    var configuration = Configuration()
    configuration.isReadonly = true
    return try FileDiffSide(DatabaseQueue(path: path, configuration: configuration), name: path)
  }

  /// Compares two files by their pages and by their rows.
  private func both(_ first: String, _ second: String) async throws -> (
    byPages: Result<[String], any Error>, byRows: Result<[String], any Error>
  ) {
    let (from, to) = (try side(first), try side(second))
    let diffs = [DatabaseDiff(from, to), DatabaseDiff(RowSide(file: from), RowSide(file: to))]
    var results: [Result<[String], any Error>] = []
    for diff in diffs {
      do { results.append(.success(try await diff.lines())) } catch { results.append(.failure(error)) }
    }
    return (results[0], results[1])
  }

  private static func tables(_ random: inout SplitMix) -> String {
    let order = ["", " DESC", " COLLATE NOCASE", " COLLATE RTRIM"].randomElement(using: &random) ?? ""
    return """
      CREATE TABLE numbered(id INTEGER PRIMARY KEY, a, b);
      CREATE TABLE plain(a, b);
      CREATE TABLE keyed(a TEXT NOT NULL, b, c, PRIMARY KEY(a\(order), b)) WITHOUT ROWID;
      CREATE TABLE named(a TEXT PRIMARY KEY, b);
      CREATE TABLE empty(a, b); CREATE TABLE small(id INTEGER PRIMARY KEY, a); INSERT INTO small VALUES (1, 'one'), (2, NULL);
      """
  }

  private static func fill(_ db: Database, _ random: inout SplitMix) throws {
    let sizes = [20, 20, 60, 3000]
    for number in 0..<600 {
      let size = sizes.randomElement(using: &random) ?? 20
      let text = "printf('%0\(random.below(size) + 1)d', \(number))"
      let value = ["1.5", "NULL", "x'00ff'", "-7", "char(0) || 'é'", "randomblob(1)"].randomElement(using: &random) ?? "1"
      let id = Int64(number) * 3 - 700 + (random.below(40) == 0 ? 1 << 40 : 0)
      try db.execute(
        sql: """
          INSERT INTO numbered VALUES (\(id), \(text), \(value)); INSERT INTO plain VALUES (\(value), \(text));
          INSERT OR IGNORE INTO keyed VALUES ('\(random.below(90))k' || substr(\(text), 1, 9), \(number), \(text));
          INSERT INTO named VALUES ('n' || \(number), \(value));
          """)
    }
  }

  private static func change(_ db: Database, _ random: inout SplitMix) throws {
    for _ in 0..<random.below(12) {
      let table = ["numbered", "plain", "keyed", "named"].randomElement(using: &random) ?? "plain"
      let row = "WHERE b IN (SELECT b FROM \(table) LIMIT 1 OFFSET \(random.below(600)))"
      let change = [
        "UPDATE \(table) SET a = a || 'x' \(row)", "DELETE FROM \(table) \(row)", "UPDATE \(table) SET b = b || 'y' \(row)",
        "INSERT OR IGNORE INTO \(table)(a, b) VALUES (\(random.below(900)), 'new')",
      ].randomElement(using: &random)
      try? db.execute(sql: change ?? "")
    }
  }

  /// Makes two files with a common past.
  private func makePair(in folder: URL, _ random: inout SplitMix) throws -> (String, String, [DatabaseQueue]) {
    let size = [512, 1024, 4096, 65536].randomElement(using: &random) ?? 4096
    let settings = ["", "PRAGMA auto_vacuum = 1; ", "PRAGMA encoding = 'UTF-16le'; "].randomElement(using: &random) ?? ""
    let first = try makeDatabaseFile(in: folder, named: "a.db", settings + "PRAGMA page_size = \(size); " + Self.tables(&random))
    let queue = try DatabaseQueue(path: first)
    try queue.withoutTransaction { db in
      try db.inTransaction { try Self.fill($0, &random) }
    }
    try queue.close()
    let second = folder.appendingPathComponent("b.db").path
    try FileManager.default.copyItem(atPath: first, toPath: second)
    let other = try DatabaseQueue(path: second)
    let isLogged = random.below(4) == 0
    try other.withoutTransaction { db in
      // Without a checkpoint, the log has frames.
      if isLogged { try db.execute(sql: "PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0") }
      try Self.change(db, &random)
      if random.below(3) == 0 { try db.execute(sql: "VACUUM") }
    }
    if isLogged { return (first, second, [other]) }
    try other.close()
    return (first, second, [])
  }

  @Test(arguments: 0..<testRounds(16)) func `random files with common pages differ in the same rows`(_ seed: Int) async throws {
    try await withTemporaryFolder { folder in
      var random = SplitMix(seed: UInt64(seed))
      let (first, second, open) = try makePair(in: folder, &random)
      for (from, to) in [(first, second), (second, first)] {
        let (byPages, byRows) = try await both(from, to)
        #expect(try byPages.get() == byRows.get(), "seed \(seed)")
      }
      withExtendedLifetime(open) {}
    }
  }

  @Test(arguments: 0..<testRounds(16)) func `a damaged file differs in the same rows, or is reported`(_ seed: Int) async throws {
    try await withTemporaryFolder { folder in
      var random = SplitMix(seed: UInt64(seed))
      let (first, second, open) = try makePair(in: folder, &random)
      guard open.isEmpty else { return }
      var bytes = try Data(contentsOf: URL(fileURLWithPath: second))
      for _ in 0...random.below(3) {
        let place = 100 + random.below(bytes.count - 101)
        for index in place..<min(bytes.count, place + 1 + random.below(8)) { bytes[index] = UInt8(random.below(256)) }
      }
      try bytes.write(to: URL(fileURLWithPath: second))
      guard let (byPages, byRows) = try? await both(first, second) else { return }
      switch (byPages, byRows) {
      case (.success(let lines), .success(let others)): #expect(lines == others, "seed \(seed)")
      case (.success, .failure(let error)): Issue.record("seed \(seed): only the rows show \(error)")
      case (.failure, _): break
      }
    }
  }

  @Test func `equal pages are passed without reading their rows, also values on other pages`() async throws {
    try await withTemporaryFolder { folder in
      for table in ["t(id INTEGER PRIMARY KEY, a)", "t(id PRIMARY KEY, a) WITHOUT ROWID", "t(id, a)"] {
        let name = UUID().uuidString
        let first = try makeDatabaseFile(
          in: folder, named: name, "CREATE TABLE \(table)",
          "WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO t SELECT i, printf('%0*d', i % 30 * 50, i) FROM n"
        )
        let second = first + "-copy"
        try FileManager.default.copyItem(atPath: first, toPath: second)
        let queue = try DatabaseQueue(path: second)
        try await queue.write { try $0.execute(sql: "UPDATE t SET a = a || 'x' WHERE id = 1500") }
        try queue.close()
        var diff = DatabaseDiff(try side(first), try side(second))
        diff.step = 10
        var (stepCount, found) = (0, 0)
        _ = try await diff.rows { _, _ in
          stepCount += 1
        } _: { _ in
          found += 1
        }
        #expect(found == 1 && stepCount < 60, "\(table): \(stepCount) steps")
      }
    }
  }

  @Test func `a writer meanwhile changes nothing in WAL mode, and is reported otherwise`() async throws {
    try await withTemporaryFolder { folder in
      for mode in ["wal", "delete"] {
        let first = try makeDatabaseFile(
          in: folder, named: "\(mode).db", "PRAGMA journal_mode = \(mode)", "CREATE TABLE t(id INTEGER PRIMARY KEY, a)",
          "WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 90000) INSERT INTO t SELECT i, printf('%0500d', i) FROM n")
        let second = first + "-copy"
        try FileManager.default.copyItem(atPath: first, toPath: second)
        let changes = try DatabaseQueue(path: second)
        try await changes.write { try $0.execute(sql: "UPDATE t SET a = 'old' WHERE id IN (5, 89000)") }
        try changes.close()
        let writer = try DatabaseQueue(path: second)
        let diff = DatabaseDiff(try side(first), try side(second))
        var found: [String] = []
        let result = try await diff.rows { difference in
          if found.isEmpty {
            try writer.write { try $0.execute(sql: "UPDATE t SET a = 'new' WHERE id % 7 = 0") }
            try writer.withoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
          }
          found.append("\(difference.key.map(\.value))")
        }
        #expect(result.isTorn == (mode == "delete"))
        if mode == "wal" { #expect(found.count == 2, "\(found.count)") }
      }
    }
  }

  @Test func `thousands of tables are compared with a few reads`() async throws {
    try await withTemporaryFolder { folder in
      let tables = (0..<300).map { "CREATE TABLE t\($0)(id INTEGER PRIMARY KEY, a); INSERT INTO t\($0) VALUES (1, \($0));" }.joined()
      let first = try makeDatabaseFile(in: folder, named: "a.db", tables)
      let second = try makeDatabaseFile(in: folder, named: "b.db", tables + "UPDATE t7 SET a = 'x'; INSERT INTO t9 VALUES (2, 2)")
      let (byPages, byRows) = try await both(first, second)
      #expect(try byPages.get() == byRows.get() && byPages.get().count == 2)
      let result = try await DatabaseDiff(try side(first), try side(second)).rows { _ in }
      #expect(result.tables.count == 300 && result.tables.filter { !$0.isSame }.map(\.table) == ["t7", "t9"])
    }
  }
}
