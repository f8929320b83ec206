import Foundation
import Synchronization
import TestSupport
import Testing

@testable import QuarryEngine
@testable import QuarryRows

@Suite("A long read of a file with a rollback journal", .gated) struct ReadSlicesTests {
  /// Runs `body` with the path of a database of a table `t(id, v)` with so many rows.
  private func withFile(
    rows: Int = 1_000, journal: String = "DELETE", _ body: (String) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "PRAGMA journal_mode = \(journal)", "CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT)",
        "CREATE TABLE w(k TEXT PRIMARY KEY, v) WITHOUT ROWID",
        "WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(rows)) INSERT INTO t SELECT i, 'value ' || i FROM n",
        "INSERT INTO w SELECT printf('%08d', id), v FROM t")
      try await body(path)
    }
  }

  /// Opens a connection that waits for locks.
  private static func patient(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyTimeout = .seconds(60)
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  /// Reads from a connection, with a part after another for as long as the read goes on, while another connection writes once.
  ///
  /// - Returns: Whether the write came to an end while the read was under way.
  private func writesMeanwhile(_ slicing: ReadSlicing, _ path: String) async throws -> Bool {
    let (reader, writer) = (try DatabaseQueue(path: path), try Self.patient(path))
    return try await withThrowingTaskGroup(of: Bool.self) { group in
      let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
      group.addTask {
        try await reader.read { db in
          var sawChange = false
          try db.inSlices(slicing, of: "main") { slices in
            slices?.onChange = { sawChange = true }
            _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
            continuation.finish()
            while !sawChange, slices != nil { try db.giveWay() }
          }
          return sawChange
        }
      }
      for await _ in begun {}
      try await writer.write { try $0.execute(sql: "INSERT INTO t(v) VALUES ('new')") }
      return try await group.next() ?? false
    }
  }

  @Test("lets another program write between two slices, and goes on with what is there then")
  func anyState() async throws {
    try await withFile { path in
      let isWritten = try await writesMeanwhile(.ofAnyState, path)
      #expect(isWritten)
    }
  }

  @Test("that has to be of one state ends where another program has written")
  func oneState() async throws {
    try await withFile { path in
      await #expect(throws: DataChanged.self) { try await writesMeanwhile(.ofOneState, path) }
    }
  }

  @Test("has no slices where it keeps nobody out: beside a write-ahead log, in memory, and within a transaction")
  func noSlices() async throws {
    try await withFile { path in
      let queue = try DatabaseQueue(path: path)
      #expect(try await queue.read { try Self.hasSlices($0) })
      #expect(try await queue.read { db in try db.inSlices(.none, of: "main") { $0 == nil } })
      #expect(try await queue.write { try Self.hasSlices($0) } == false)
      #expect(try await queue.withoutTransaction { try Self.hasSlices($0) } == false)
    }
    try await withFile(journal: "WAL") { path in
      let queue = try DatabaseQueue(path: path)
      #expect(try await queue.read { try Self.hasSlices($0) } == false)
    }
    let queue = try makeDatabase("CREATE TABLE t(a)")
    #expect(try await queue.read { try Self.hasSlices($0) } == false)
  }

  private static func hasSlices(_ db: Database) throws -> Bool { try db.inSlices(.ofAnyState, of: "main") { $0 != nil } }

  @Test("by one statement is ended for a writer, and runs again")
  func undivided() async throws {
    try await withFile { path in
      let (reader, writer) = (try DatabaseQueue(path: path), try Self.patient(path))
      let tries = Mutex(0)
      let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
      async let count = reader.readUndivided(of: "main") { db -> Int? in
        let number = tries.withLock { tries in
          tries += 1
          return tries
        }
        guard number == 1 else { return try Int.fetchOne(db, sql: "SELECT count(*) FROM t") }
        _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
        continuation.finish()
        return try Int.fetchOne(
          db, sql: "WITH n(i) AS (SELECT id FROM t WHERE id = 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
      }
      for await _ in begun {}
      try await writer.write { try $0.execute(sql: "INSERT INTO t(v) VALUES ('new')") }
      // A writer that takes long to end is not waited for.
      let found = try await count
      #expect(found == 1_000 || found == 1_001)
      #expect(tries.withLock(\.self) == 2)
    }
  }

  @Test("by key goes on behind the row where it stopped", arguments: ["t", "w"])
  func byKey(table: String) async throws {
    try await withFile(rows: 5_000) { path in
      let queue = try DatabaseQueue(path: path)
      try await queue.read { db in
        let rows = try #require(KeysetRows(db.tableSchema(TableReference(name: table)), in: db))
        var values: [String] = []
        var turns = 0
        db.turns = ReadTurns(
          database: "main", endsStatements: false, isDue: { true },
          take: {
            turns += 1
            try db.restartReading {}
          })
        defer { db.turns = nil }
        try rows.scan(columns: [1], in: rows.order, db) { values.append(try $0.columnText(at: 0)) }
        #expect(values == (1...5_000).map { "value \($0)" })
        #expect(turns > 10)
        let found = try db.search(EverywhereSearch("value", tables: [TableReference(name: table)], limit: 0)) { _ in }
        #expect(found.map(\.hitCount) == [5_000] && found.map(\.rowCount) == [5_000])
      }
    }
  }

  @Test("counts, profiles and facets are exact beside a program that writes, or say that they are not")
  func besideWriter() async throws {
    try await withFile(rows: 30_000) { path in
      let writer = try Self.patient(path)
      let connections = try ReadConnections(Self.patient(path), secondReader: { try Self.patient(path) })
      let isOver = Monitor(false)
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          // A row comes and another goes: all have as many, whatever state they are of.
          while !isOver.read({ $0 }) {
            try await writer.write { try $0.execute(sql: "UPDATE t SET v = 'other' WHERE id = 1 + abs(random() % 30000)") }
          }
        }
        let set = RowSet(.table(TableReference(name: "t")))
        for _ in 0..<2 {
          let counts = try await connections.counts(CountRequest(InsightColumn("id"), in: set))
          #expect(counts.rows == 30_000 && counts.lines == 30_000)
          let profile = try await connections.profile(ProfileRequest(set, isExact: true))
          #expect(profile.rows == 30_000)
          #expect(try await connections.facets(FacetRequest(set, columns: [InsightColumn("id")]))[0].rows == 30_000)
        }
        isOver.change { $0 = true }
        try await group.waitForAll()
      }
    }
  }
}
