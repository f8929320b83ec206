import Foundation
import QuarryEngine
import QuarryRows
import Synchronization
import TestSupport
import Testing

/// What others write while rows are read.
@Suite(.gated) struct RowReaderChangesTests {
  private let table = RowSet(.table(TableReference(name: "t")))

  /// Makes a file with 2,500 rows, read by two connections and written by a third.
  private func withFile(_ body: (RowReader, DatabaseQueue) async throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE t(id INTEGER PRIMARY KEY, x)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500) INSERT INTO t SELECT i * 2, 'row ' || i FROM n")
      var configuration = Configuration()
      configuration.isReadonly = true
      let foreground = try DatabaseQueue(path: path, configuration: configuration)
      let background = try DatabaseQueue(path: path, configuration: configuration)
      try await body(RowReader(table, on: ReadConnections(foreground: foreground, background: background)), DatabaseQueue(path: path))
    }
  }

  private func keys(_ page: RowPage) -> [RowKey] { page.rows.map(\.key) }

  @Test("Pages go on from a row that is gone, in both directions")
  func vanishedRow() async throws {
    try await withFile { reader, writer in
      _ = try await reader.page(PageRequest(.first, limit: 3))
      try await writer.write { try $0.execute(sql: "DELETE FROM t WHERE id IN (6, 8)") }
      #expect(keys(try await reader.page(PageRequest(.after(.rowID(6)), limit: 2))) == [.rowID(10), .rowID(12)])
      #expect(keys(try await reader.page(PageRequest(.from(.rowID(6)), limit: 2))) == [.rowID(10), .rowID(12)])
      #expect(keys(try await reader.page(PageRequest(.before(.rowID(8)), limit: 2))) == [.rowID(2), .rowID(4)])
      #expect(try await reader.record(.rowID(6), limit: 10) == nil)
      #expect(try await reader.value(.rowID(6), column: 1) == nil)
      try await writer.write { try $0.execute(sql: "INSERT INTO t VALUES (7, 'new')") }
      #expect(keys(try await reader.page(PageRequest(.from(.rowID(6)), limit: 2))) == [.rowID(7), .rowID(10)])
    }
  }

  @Test("Numbers are exact for the state of the file that was counted, and estimates after a change")
  func numbersAfterChange() async throws {
    try await withFile { reader, writer in
      #expect(try await reader.count() == .exact(2500))
      await reader.numbersAreKnown()
      #expect(try await reader.number(of: .rowID(3002)) == .exact(1500))
      try await writer.write { try $0.execute(sql: "DELETE FROM t WHERE id <= 1000") }
      #expect(try await reader.number(of: .rowID(3002))?.isExact == false)
      #expect(try await reader.page(PageRequest(.last, limit: 10)).firstNumber?.isExact == false)
      #expect(try await reader.count() == .exact(2000))
      await reader.numbersAreKnown()
      #expect(try await reader.number(of: .rowID(3002)) == .exact(1000))
      #expect(keys(try await reader.page(PageRequest(.number(1000), limit: 1))) == [.rowID(3002)])
    }
  }

  @Test("A file that has not changed is counted once")
  func countedOnce() async throws {
    let queue = try DatabaseQueue()
    try await queue.write { try $0.execute(sql: "CREATE TABLE t(id INTEGER PRIMARY KEY, x); INSERT INTO t VALUES (1, 'a'), (2, 'b')") }
    let reader = RowReader(table, on: ReadConnections(foreground: queue, background: queue))
    #expect(try await reader.count() == .exact(2))
    await reader.numbersAreKnown()
    try await queue.withoutTransaction { db in try db.setAuthorizer { $0.action == .select ? .deny : .allow } }
    #expect(try await reader.count() == .exact(2))
    await reader.numbersAreKnown()
    try await queue.withoutTransaction { db in try db.setAuthorizer(nil) }
    try await queue.write { try $0.execute(sql: "INSERT INTO t VALUES (NULL, 'one more')") }
    #expect(try await reader.count() == .exact(3))
  }

  @Test("Another table that is made changes nothing for a reader")
  func otherTable() async throws {
    try await withFile { reader, writer in
      _ = try await reader.page(PageRequest(.first, limit: 1))
      try await writer.write { try $0.execute(sql: "CREATE TABLE other(x)") }
      #expect(keys(try await reader.page(PageRequest(.first, limit: 1))) == [.rowID(2)])
    }
  }

  @Test("A table that is changed or dropped is an error that says so")
  func changedTable() async throws {
    try await withFile { reader, writer in
      _ = try await reader.page(PageRequest(.first, limit: 1))
      try await writer.write { try $0.execute(sql: "ALTER TABLE t ADD COLUMN y") }
      let changed = await #expect(throws: DatabaseError.self) { try await reader.page(PageRequest(.first, limit: 1)) }
      #expect(changed?.resultCode == DatabaseError.SQLITE_SCHEMA)
      #expect(changed?.message == "t has been changed since it was opened: open it again")
      try await writer.write { try $0.execute(sql: "DROP TABLE t") }
      let dropped = await #expect(throws: DatabaseError.self) { try await reader.page(PageRequest(.first, limit: 1)) }
      #expect(dropped?.message == "no such table: t")
    }
  }

  @Test("Random pages between random writes equal what plain SQL says")
  func randomWrites() async throws {
    try await withFile { reader, writer in
      var random = SplitMix(seed: 7)
      let oracle = RowOracle(table, writer, sql: "SELECT * FROM t ORDER BY id")
      for _ in 0..<60 {
        let id = Int.random(in: 0...5000, using: &random)
        try await writer.write { db in
          try db.execute(sql: "DELETE FROM t WHERE id BETWEEN ? AND ?", arguments: [id, id + 5])
          try db.execute(sql: "INSERT OR IGNORE INTO t VALUES (?, 'again')", arguments: [5000 - id])
        }
        let key = Int64.random(in: 0...5001, using: &random)
        let place = try await writer.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t WHERE id < ?", arguments: [key]) ?? 0 }
        let page = try await reader.page(PageRequest(.from(.rowID(key)), limit: 20))
        #expect(try page.rows.map(\.cells) == oracle.rows(place, 20))
        let before = try await reader.page(PageRequest(.before(.rowID(key)), limit: 20))
        #expect(try before.rows.map(\.cells) == oracle.rows(max(0, place - 20), min(20, place)))
      }
    }
  }

  @Test("The states of a connection's files tell whether others have written, and to which does not matter")
  func fileStates() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE t(a)")
      let other = "\(path)-other"
      let (reader, writer) = try (DatabaseQueue(path: path), DatabaseQueue(path: path))
      for queue in [reader, writer] {
        try await queue.withoutTransaction { try $0.attach(path: other, as: "other") }
      }
      for sql in ["INSERT INTO t VALUES (1)", "CREATE TABLE other.u(a)", "INSERT INTO other.u VALUES (1)"] {
        let before = try await reader.fileStates()
        #expect(try await reader.fileStates() == before)
        try await writer.write { try $0.execute(sql: sql) }
        #expect(try await reader.fileStates() != before, "\(sql)")
      }
    }
  }
}
