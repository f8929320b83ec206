import Foundation
import QuarryEngine
import QuarryRows
import QuarrySources
import Synchronization
import TestSupport
import Testing

/// Statements that mend a database, and what disturbs them.
@Suite(.gated) struct HealthDataSourceTests {
  private func withSource(
    _ sql: String..., body: (SQLiteDataSource, String) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, sql.joined(separator: ";"))
      try await body(try SQLiteDataSource(path: path, changesFolder: folder.appendingPathComponent("changes").path), path)
    }
  }

  private static let fill =
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 20000) SELECT x, randomblob(100) FROM n"
  private static let emptied = "CREATE TABLE t(a INTEGER PRIMARY KEY, b); INSERT INTO t \(fill); DELETE FROM t WHERE a > 100"

  private func size(_ path: String) throws -> Int { try Data(contentsOf: URL(fileURLWithPath: path)).count }

  @Test(arguments: ["delete", "wal"]) func `VACUUM makes the file smaller by the reported number of bytes`(mode: String) async throws {
    try await withSource("PRAGMA journal_mode = \(mode)", Self.emptied) { source, path in
      let before = try size(path) + ((try? size("\(path)-wal")) ?? 0)
      let effect = try await source.maintain(.vacuum)
      let after = try size(path) + ((try? size("\(path)-wal")) ?? 0)
      #expect(effect == MaintenanceEffect(bytesBefore: before, bytesAfter: after) && after < before / 10, "\(effect)")
      let report = try await source.health(HealthRequest()) { _ in }
      #expect(report.worst == .info || report.worst == .note || report.worst == .ok)
    }
  }

  @Test func `VACUUM reports the part of the pages that it has read`() async throws {
    let filled = "CREATE TABLE t(a INTEGER PRIMARY KEY, b); INSERT INTO t \(Self.fill); DELETE FROM t WHERE a > 18000"
    try await withSource(filled) { source, _ in
      let parts = Mutex<[Double]>([])
      _ = try await source.maintain(.vacuum) { part in parts.withLock { $0.append(part) } }
      let noted = parts.withLock { $0 }
      #expect(noted == noted.sorted() && (noted.first ?? 1) < 0.2 && (noted.last ?? 0) > 0.9, "\(noted.first ?? 0) to \(noted.last ?? 0)")
    }
  }

  @Test func `incremental VACUUM returns all free pages`() async throws {
    try await withSource("PRAGMA auto_vacuum = incremental", Self.emptied) { source, path in
      let before = try size(path)
      let effect = try await source.maintain(.incrementalVacuum)
      let after = try size(path)
      #expect(effect == MaintenanceEffect(bytesBefore: before, bytesAfter: after) && after < before / 10)
      let free = try await DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: "PRAGMA freelist_count") }
      #expect(free == 0)
    }
  }

  @Test func `a checkpoint that a reader prevents says so, and a later one succeeds`() async throws {
    try await withSource("PRAGMA journal_mode = wal", "CREATE TABLE t(a INTEGER PRIMARY KEY, b)") { source, path in
      let (reader, writer) = try (DatabaseQueue(path: path), DatabaseQueue(path: path))
      try await writer.withoutTransaction { try $0.execute(sql: "INSERT INTO t VALUES (0, 1)") }
      try await reader.withoutTransaction { db in
        try db.execute(sql: "BEGIN")
        _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
      }
      try await writer.withoutTransaction { try $0.execute(sql: "INSERT INTO t VALUES (1, zeroblob(1000000))") }
      #expect(try await source.maintain(.checkpoint).isLogBusy)
      try await reader.withoutTransaction { try $0.execute(sql: "COMMIT") }
      let effect = try await source.maintain(.checkpoint)
      #expect(!effect.isLogBusy && effect.bytesAfter < effect.bytesBefore)
      #expect(try size("\(path)-wal") == 0)
    }
  }

  @Test func `an index is created, dropped and recorded`() async throws {
    try await withSource("CREATE TABLE t(a INTEGER PRIMARY KEY, b); INSERT INTO t VALUES (1, 1), (2, 1)") { source, path in
      _ = try await source.maintain(.createIndex(sql: "CREATE INDEX i ON t(b)"))
      #expect(await source.transaction() == nil)
      let created = try await source.schema(of: TableReference(name: "t")).indexes.map(\.name)
      #expect(created == ["i"])
      _ = try await source.maintain(.reindex("i"))
      _ = try await source.maintain(.analyze("t"))
      _ = try await source.maintain(.dropIndex("i"))
      let dropped = try await source.schema(of: TableReference(name: "t")).indexes
      #expect(dropped == [])
      await #expect(throws: DatabaseError.self) { try await source.maintain(.createIndex(sql: "CREATE UNIQUE INDEX u ON t(b)")) }
      let left = try await source.schema(of: TableReference(name: "t")).indexes
      #expect(left == [])
      #expect(await source.transaction() == nil)
    }
  }

  @Test(arguments: [Maintenance.vacuum, .reindex("i"), .analyze("t")])
  func `a stopped statement changes no byte`(maintenance: Maintenance) async throws {
    try await withSource("CREATE TABLE t(a INTEGER PRIMARY KEY, b); INSERT INTO t \(Self.fill); CREATE INDEX i ON t(b)") { source, path in
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      // Another program's lock keeps the statement waiting until it is stopped.
      let other = try DatabaseQueue(path: path)
      try await other.withoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
      let task = Task { try await source.maintain(maintenance) }
      task.cancel()
      await #expect(throws: (any Error).self) { try await task.value }
      try await other.withoutTransaction { try $0.execute(sql: "ROLLBACK") }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }
  }

  @Test func `nothing runs within an open transaction`() async throws {
    try await withSource(Self.emptied) { source, path in
      _ = try await source.run("INSERT INTO t VALUES (-1, 1)", [:], unkeptRows: nil)
      await #expect(throws: DataSourceError.self) { try await source.maintain(.vacuum) }
      #expect(await source.transaction()?.changes == 1)
      try await source.endTransaction(isCommitted: true)
    }
  }

  @Test func `cancelled checks end, and leave no lock`() async throws {
    try await withSource("CREATE TABLE t(a INTEGER PRIMARY KEY, b); INSERT INTO t \(Self.fill); CREATE INDEX i ON t(b)") { source, path in
      let task = Task { try await source.health(HealthRequest()) { _ in } }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      try await DatabaseQueue(path: path).withoutTransaction { try $0.execute(sql: "INSERT INTO t VALUES (-1, 1)") }
    }
  }
}
