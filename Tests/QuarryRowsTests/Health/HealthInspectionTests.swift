import Foundation
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite(.gated) struct HealthInspectionTests {
  /// Creates a file in which the schema can be written.
  private func makeFile(in folder: URL, _ statements: [String]) throws -> String {
    let path = folder.appending(path: "test.db").path
    var configuration = Configuration()
    configuration.isDefensive = false
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.withoutTransaction { db in for sql in statements { try db.execute(sql: sql) } }
    try queue.close()
    return path
  }

  private func results(of path: String, isQuick: Bool = false) async throws -> [HealthResult] {
    var readonly = Configuration()
    readonly.isReadonly = true
    let configuration = readonly
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    defer { try? queue.close() }
    return try await ReadConnections(queue, secondReader: { try DatabaseQueue(path: path, configuration: configuration) })
      .health(HealthRequest(isQuick: isQuick)).results
  }

  @Test(arguments: SeededDefect.all)
  func `a defect is found, and nothing else, and the file stays as it was`(defect: SeededDefect) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeFile(in: folder, defect.sql)
      let before = try Data(contentsOf: URL(filePath: path))
      let results = try await results(of: path)
      #expect(
        results.contains {
          $0.check == defect.check && $0.object == defect.object && $0.status == defect.status && $0.detail.contains(defect.text)
        }, "\(results.filter { $0.status != .ok })")
      #expect(results.filter { $0.status > .note && $0.check != defect.check } == [])
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }
  }

  @Test(arguments: SoundDatabase.all, [false, true])
  func `a sound database has no finding`(database: SoundDatabase, isQuick: Bool) async throws {
    try await withTemporaryFolder { folder in
      let results = try await results(of: makeFile(in: folder, database.sql), isQuick: isQuick)
      #expect(results.filter { $0.status > .note } == [])
      #expect(results.first { $0.status != .info }.map { "\($0.check) \($0.text)" } == "\(isQuick ? "quick" : "integrity")_check ok")
    }
  }

  @Test func `at least twenty defects and ten sound databases are tried`() {
    #expect(SeededDefect.all.count >= 20 && SoundDatabase.all.count >= 10)
  }

  @Test(arguments: ["none", "full", "incremental"])
  func `the sizes add up to the size of the file`(vacuum: String) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeFile(
        in: folder,
        [
          "PRAGMA auto_vacuum = \(vacuum)", "CREATE TABLE t(a INTEGER PRIMARY KEY, b)", "CREATE INDEX i ON t(b)",
          "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5000) INSERT INTO t SELECT x, hex(zeroblob(100)) FROM n",
          "DELETE FROM t WHERE a > 3000",
        ])
      try await expectSizes(of: path)
    }
  }

  @Test(arguments: SoundDatabase.all) func `the sizes of a sound database add up`(database: SoundDatabase) async throws {
    try await withTemporaryFolder { folder in try await expectSizes(of: makeFile(in: folder, database.sql)) }
  }

  private func expectSizes(of path: String) async throws {
    let lines = try await results(of: path).filter { $0.check == "size" }
    let sizes = lines.compactMap { Int($0.text.prefix { $0 != " " }.filter { $0 != "," }) }
    let size = try Data(contentsOf: URL(filePath: path)).count
    if size == 0 { return #expect(lines.map(\.status) == [.ok]) }
    #expect(sizes.count == lines.count && sizes.reduce(0, +) == size, "\(lines)")
  }

  @Test func `a quick check says that it read a sample`() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeFile(
        in: folder,
        [
          "CREATE TABLE t(n INT, a INTEGER PRIMARY KEY)", "INSERT INTO t(n) VALUES ('x')",
          "INSERT INTO t(n) WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 30000) SELECT x FROM n",
        ])
      let results = try await results(of: path, isQuick: true).filter { $0.status > .note }
      #expect(results.map(\.text) == ["1 text in a column of type INT, in a sample of the first 20,000 rows"])
    }
  }

  @Test func `a long write-ahead log is found`() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeFile(in: folder, ["PRAGMA journal_mode = wal", "CREATE TABLE t(a INTEGER PRIMARY KEY, b)"])
      let writer = try DatabaseQueue(path: path)
      try await writer.withoutTransaction { try $0.execute(sql: "INSERT INTO t VALUES (1, zeroblob(17000000))") }
      let results = try await results(of: path).filter { $0.status > .note }
      #expect(results.map(\.check) == ["wal"] && results.first?.remedy == .maintenance(.checkpoint), "\(results)")
      try writer.close()
    }
  }

  @Test func `damage is reported where it is, and the other checks go on`() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeFile(
        in: folder,
        [
          "CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT)", "CREATE TABLE u(a INTEGER PRIMARY KEY, n INT)", "INSERT INTO u VALUES (1, 'x')",
          "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5000) INSERT INTO t SELECT x, hex(zeroblob(50)) FROM n",
        ])
      var bytes = try Data(contentsOf: URL(filePath: path))
      bytes.replaceSubrange(bytes.count / 2..<bytes.count / 2 + 8192, with: Data(repeating: 0xff, count: 8192))
      try bytes.write(to: URL(filePath: path))
      let results = try await results(of: path)
      #expect(results.contains { $0.check == "integrity_check" && $0.status == .damaged })
      #expect(results.contains { $0.check == "types" && $0.object == "t" && $0.status == .damaged })
      #expect(results.contains { $0.check == "types" && $0.object == "u.n" && $0.status == .finding })
    }
  }

  @Test func `unused pages are mended by VACUUM only if the rest is whole`() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeFile(
        in: folder, ["CREATE TABLE t(a INTEGER PRIMARY KEY, b)", "INSERT INTO t VALUES (1, zeroblob(9000))", "DELETE FROM t"])
      var bytes = try Data(contentsOf: URL(filePath: path))
      // Forget the list of free pages.
      bytes.replaceSubrange(32..<40, with: Data(count: 8))
      try bytes.write(to: URL(filePath: path))
      let results = try await results(of: path).filter { $0.status > .note }
      #expect(results.map(\.remedy) == [.maintenance(.vacuum)] && results.first?.status == .damaged, "\(results)")
      try await DatabaseQueue(path: path).withoutTransaction { try $0.execute(sql: Maintenance.vacuum.sql) }
      #expect(try await self.results(of: path).filter { $0.status > .note } == [])
    }
  }

  @Test func `indexes that no statement of the history uses are noted`() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeFile(
        in: folder,
        [
          "CREATE TABLE p(id INTEGER PRIMARY KEY)", "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b, c REFERENCES p, d)",
          "CREATE TABLE other(a PRIMARY KEY, b)", "CREATE INDEX used ON t(a)", "CREATE INDEX unused ON t(b)", "CREATE INDEX key ON t(c)",
          "CREATE UNIQUE INDEX one ON t(d)", "CREATE INDEX unread ON other(b)",
        ])
      let statements = ["SELECT * FROM t WHERE a = ?", "SELECT * FROM gone", "no SQL", "UPDATE t SET b = 1 WHERE a = 2"]
      let report = try await ReadConnections(DatabaseQueue(path: path)).health(HealthRequest(statements: statements))
      let lines = report.results.filter { $0.check == "unused_indexes" }
      #expect(lines.map(\.object) == ["unused"] && lines.map(\.status) == [.note])
      #expect(lines.first?.text == "none of the 2 statements in Quarry's history that read t uses it; other programs may")
    }
  }
}
