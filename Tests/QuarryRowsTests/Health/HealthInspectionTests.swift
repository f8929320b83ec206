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
    var configuration = Configuration()
    configuration.isReadonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    defer { try? queue.close() }
    var results: [HealthResult] = []
    try await HealthInspection(isQuick: isQuick).run(on: queue) { results += $0 }
    return results
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

  @Test(arguments: sharedDatabases, [false, true])
  func `a sound database has no finding`(path: String, isQuick: Bool) async throws {
    let results = try await results(of: path, isQuick: isQuick)
    #expect(results.filter { $0.status > .note } == [])
  }

  @Test func `a sound database of many kinds of tables has no finding`() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeFile(
        in: folder,
        [
          "CREATE TABLE a(id INTEGER PRIMARY KEY, day DATE, at DATETIME, price NUMERIC, span INTERVAL, name TEXT UNIQUE, data BLOB, any)",
          "INSERT INTO a VALUES (1, '2024-01-01', 1700000000, 2.5, '1 day', 'x', 'text', x'00'), (2, 20240101, 1.5, 3, 4, NULL, x'', 1)",
          "CREATE TABLE b(a REFERENCES a, c TEXT REFERENCES a(name), PRIMARY KEY (a, c)) WITHOUT ROWID", "INSERT INTO b VALUES (1, 'x')",
          "CREATE UNIQUE INDEX one ON a(day)", "CREATE INDEX longer ON a(day, at)", "CREATE INDEX part ON a(at) WHERE at > 5",
          "CREATE INDEX whole ON a(at)", "CREATE INDEX upper ON a(upper(name))", "CREATE INDEX nocase ON a(name COLLATE NOCASE)",
          "CREATE TABLE s(a INT, b TEXT, PRIMARY KEY (a)) STRICT", "CREATE VIEW v AS SELECT * FROM a", "ANALYZE",
        ])
      let results = try await results(of: path)
      #expect(results.filter { $0.status > .note } == [])
    }
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

  @Test(arguments: sharedDatabases) func `the sizes of a shared database add up`(path: String) async throws {
    try await expectSizes(of: path)
  }

  private func expectSizes(of path: String) async throws {
    let lines = try await results(of: path).filter { $0.check == "size" }
    let sizes = lines.compactMap { Int($0.text.prefix { $0 != " " }.filter { $0 != "," }) }
    #expect(sizes.count == lines.count && !lines.isEmpty)
    #expect(sizes.reduce(0, +) == (try Data(contentsOf: URL(filePath: path)).count), "\(lines)")
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
      #expect(results.map(\.check) == ["wal"] && results.first?.remedy == "PRAGMA wal_checkpoint(TRUNCATE)", "\(results)")
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
}
