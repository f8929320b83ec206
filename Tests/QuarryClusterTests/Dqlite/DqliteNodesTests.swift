import QuarryCluster
import QuarryEngine
import Synchronization
import TestSupport
import Testing

extension RemoteSession {
  /// Returns all rows of a statement, each value as a text.
  func rows(_ sql: String, _ values: [DatabaseValue] = []) async throws -> [[String]] {
    let rows = Mutex<[[String]]>([])
    try await forEachBatch(sql, values) { batch in
      let texts = batch.values.map(\.shown)
      rows.withLock { rows in
        for row in 0..<batch.count { rows.append(Array(texts[row * batch.columns.count..<(row + 1) * batch.columns.count])) }
      }
    }
    return rows.withLock { $0 }
  }
}

extension RemoteValue {
  fileprivate var shown: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let bytes): String(decoding: bytes, as: UTF8.self)
    case .blob(let bytes): "x'" + bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "'"
    }
  }
}

/// Statements on real nodes.
@Suite(.gated, .enabled(if: DqliteNodes.areInstalled, Comment(rawValue: DqliteNodes.missing)))
struct DqliteNodesTests {
  /// Runs a test with a cluster of one node.
  private func withCluster(
    limits: DqliteLimits = .patient, _ body: (DqliteCluster, any RemoteSession) async throws -> Void
  ) async throws {
    let nodes = try DqliteNodes(count: 1)
    defer { nodes.end() }
    let cluster = try DqliteCluster(DqliteAddress(nodes.url()), limits: limits)
    defer { cluster.close() }
    try await body(cluster, cluster.session(for: "test", isReadOnly: false))
  }

  @Test("Values are the same after they were written and read")
  func values() async throws {
    try await withCluster { _, session in
      _ = try await session.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, v)", [])
      let values: [DatabaseValue] = [
        .null, .integer(.min), .integer(.max), .real(-0.0), .real(.infinity), .real(.leastNonzeroMagnitude), "", "é𝄞", .blob([]),
        .blob([0, 255]),
        .text("a\0b"), .text(String(repeating: "x", count: 100_000)),
      ]
      for value in values {
        let change = try await session.execute("INSERT INTO t(v) VALUES (?)", [value])
        #expect(change.rows == 1)
      }
      let read = Mutex<[RemoteValue]>([])
      try await session.forEachBatch("SELECT v, typeof(v), CAST(v AS BLOB) FROM t ORDER BY id", []) { rows in
        read.withLock { $0 += rows.values }
      }
      let stored = read.withLock { $0 }
      #expect(stored.count == values.count * 3)
      for (index, value) in values.enumerated() {
        let expected: RemoteValue =
          switch value {
          case .null: .null
          case .integer(let value): .integer(value)
          case .real(let value): .real(value)
          case .text(let text): .text(Array(text.utf8)[...])
          case .blob(let bytes): .blob(bytes[...])
          }
        if case .text("a\0b") = value {
          // The node sends a text up to its NUL, and all of it as a blob.
          #expect(stored[index * 3 + 2] == .blob([97, 0, 98]))
        } else {
          #expect(stored[index * 3] == expected)
        }
        #expect(stored[index * 3 + 1] == .text(Array(value.storageClass.rawValue.lowercased().utf8)[...]))
      }
      #expect(try await session.rows("SELECT id FROM t WHERE v = ?1 OR v = ?2 ORDER BY id", ["a\0b", .integer(.max)]) == [["3"], ["11"]])
    }
  }

  @Test("A result of 500 columns, and one whose names are too long")
  func wideResults() async throws {
    try await withCluster { _, session in
      let columns = (1...500).map { "c\($0)" }
      _ = try await session.execute("CREATE TABLE wide(\(columns.joined(separator: ",")))", [])
      for _ in 0..<20 {
        _ = try await session.execute("INSERT INTO wide(c1, c33, c500) VALUES (1, 'middle', 'last')", [])
      }
      let rows = try await session.rows("SELECT * FROM wide")
      #expect(rows.count == 20 && rows.allSatisfy { $0.count == 500 && $0[32] == "middle" && $0[499] == "last" })
      let long = (1...60).map { "1 AS " + String(repeating: "n", count: 80) + "\($0)" }.joined(separator: ",")
      let error = await #expect(throws: RemoteError.self) { try await session.rows("SELECT \(long)") }
      #expect(error?.message.contains("AS") == true)
      #expect(try await session.rows("SELECT 1") == [["1"]])
    }
  }

  @Test("100,000 rows, all of them, in their order")
  func stream() async throws {
    try await withCluster { _, session in
      let sql = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 100000) SELECT x, 'row ' || x FROM n"
      let count = Mutex(0)
      let batches = Mutex(0)
      try await session.forEachBatch(sql, []) { rows in
        #expect(rows.columns.count == 2)
        batches.withLock { $0 += 1 }
        count.withLock { count in
          for row in 0..<rows.count {
            count += 1
            if rows.values[row * 2] != .integer(Int64(count)) { Issue.record("row \(count) is another") }
          }
        }
      }
      #expect(count.withLock { $0 } == 100_000)
      #expect(batches.withLock { $0 } > 10)
    }
  }

  @Test("A reading that its reader ends leaves the session as it was")
  func endedReading() async throws {
    struct Enough: Error {}
    try await withCluster { _, session in
      let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 100000) SELECT x FROM n"
      await #expect(throws: Enough.self) { try await session.forEachBatch(endless, []) { _ in throw Enough() } }
      #expect(try await session.rows("SELECT 1") == [["1"]])
      // Within a transaction, too: what it has done stays.
      _ = try await session.execute("CREATE TABLE t(a)", [])
      _ = try await session.execute("BEGIN", [])
      _ = try await session.execute("INSERT INTO t VALUES (1)", [])
      await #expect(throws: Enough.self) { try await session.forEachBatch(endless, []) { _ in throw Enough() } }
      #expect(session.isInsideTransaction)
      _ = try await session.execute("COMMIT", [])
      #expect(try await session.rows("SELECT * FROM t") == [["1"]])
    }
  }

  @Test("A reading is cancelled at once")
  func cancelledReading() async throws {
    try await withCluster { _, session in
      let started = AsyncStream.makeStream(of: Void.self)
      let reading = Task {
        try await session.forEachBatch(
          "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n", []
        ) { _ in started.continuation.yield() }
      }
      for await _ in started.stream { break }
      reading.cancel()
      await #expect(throws: CancellationError.self) { try await reading.value }
      let rows = try await session.rows("SELECT 1")
      #expect(rows == [["1"]])
    }
  }

  @Test("Errors say what they are, and whether the statement ran")
  func errors() async throws {
    try await withCluster { cluster, session in
      _ = try await session.execute("CREATE TABLE t(a UNIQUE)", [])
      _ = try await session.execute("INSERT INTO t VALUES (1)", [])
      func kind(_ body: () async throws -> Void) async -> RemoteError.Kind? {
        do {
          try await body()
          return nil
        } catch {
          return (error as? RemoteError)?.kind
        }
      }
      #expect(await kind { _ = try await session.rows("SELEC 1") } == .sql)
      #expect(await kind { _ = try await session.rows("SELECT abs(-9223372036854775808)") } == .sql)
      #expect(await kind { _ = try await session.execute("INSERT INTO t VALUES (1)", []) } == .constraint)
      #expect(await kind { _ = try await session.execute("INSERT INTO t VALUES (2); INSERT INTO t VALUES (3)", []) } == .refused)
      #expect(await kind { _ = try await session.execute("INSERT INTO t VALUES (2) RETURNING a", []) } == .refused)
      #expect(await kind { _ = try await session.rows("INSERT INTO t VALUES (2) RETURNING a") } == .refused)
      #expect(await kind { _ = try await session.rows("-- nothing") } == .refused)
      #expect(await kind { _ = try await session.rows("SELECT ?", []) } == .refused)
      #expect(await kind { _ = try await session.rows("SELECT ?", [1, 2]) } == .refused)
      #expect(try await session.rows("EXPLAIN QUERY PLAN SELECT ?").count == 1)
      let many = (0..<256).map { DatabaseValue.integer($0) }
      let list = many.map { _ in "?" }.joined(separator: ",")
      #expect(await kind { _ = try await session.rows("SELECT 1 WHERE 1 IN (\(list))", many) } == .refused)
      let reader = try await cluster.session(for: "rows", isReadOnly: true)
      #expect(await kind { _ = try await reader.execute("INSERT INTO t VALUES (2)", []) } == .readOnly)
      #expect(try await reader.rows("SELECT * FROM t") == [["1"]])
    }
  }

  @Test("A transaction is all or nothing, and names the statement that failed")
  func transact() async throws {
    try await withCluster { _, session in
      _ = try await session.execute("CREATE TABLE t(a UNIQUE)", [])
      let changes = try await session.transact([
        RemoteStatement("INSERT INTO t VALUES (?), (?)", [1, 2]),
        RemoteStatement("DELETE FROM t WHERE a = 1;", expectedRows: 1),
      ])
      #expect(changes.map(\.rows) == [2, 1])
      let error = await #expect(throws: RemoteBatchError.self) {
        try await session.transact([RemoteStatement("INSERT INTO t VALUES (3)"), RemoteStatement("INSERT INTO t VALUES (2)")])
      }
      #expect(error?.index == 1 && error?.error.kind == .constraint && error?.error.outcome == .didNotRun)
      #expect(!session.isInsideTransaction)
      let other = await #expect(throws: RemoteBatchError.self) {
        try await session.transact([
          RemoteStatement("INSERT INTO t VALUES (3)"), RemoteStatement("DELETE FROM t WHERE a = 1", expectedRows: 1),
        ])
      }
      #expect(other?.index == 1 && other?.error.kind == .unexpectedRows)
      #expect(try await session.rows("SELECT * FROM t") == [["2"]])
    }
  }

  @Test("Whether a transaction is open is known after whatever statement")
  func transactions() async throws {
    try await withCluster { _, session in
      _ = try await session.execute("CREATE TABLE t(a UNIQUE ON CONFLICT ROLLBACK)", [])
      for (sql, isInside) in [
        ("BEGIN", true), ("SAVEPOINT s", true), ("ROLLBACK TO s", true), ("RELEASE s", true), ("END", false), ("SAVEPOINT s", true),
        ("RELEASE s", false), ("BEGIN", true), ("INSERT INTO t VALUES (1)", true), ("ROLLBACK", false),
      ] {
        _ = try await session.rows(sql)
        #expect(session.isInsideTransaction == isInside, "\(sql)")
      }
      _ = try await session.execute("BEGIN", [])
      _ = try await session.execute("INSERT INTO t VALUES (1)", [])
      await #expect(throws: RemoteError.self) { try await session.rows("SELEC") }
      #expect(session.isInsideTransaction)
      // The conflict clause of the table rolls all of it back.
      await #expect(throws: RemoteError.self) { try await session.execute("INSERT INTO t VALUES (1)", []) }
      #expect(!session.isInsideTransaction)
      #expect(try await session.rows("SELECT * FROM t") == [])
    }
  }

  @Test("A write waits for another one's transaction, and says when it was too long")
  func busy() async throws {
    var limits = DqliteLimits.patient
    limits.busy = DqliteLimits().busy
    try await withCluster(limits: limits) { cluster, session in
      let other = try await cluster.session(for: "other", isReadOnly: false)
      _ = try await session.execute("CREATE TABLE t(a)", [])
      _ = try await session.execute("BEGIN IMMEDIATE", [])
      let error = await #expect(throws: RemoteError.self) { try await other.execute("INSERT INTO t VALUES (1)", []) }
      #expect(error?.kind == .busy && error?.outcome == .didNotRun)
      let patient = try DqliteCluster(cluster.address, limits: .patient)
      defer { patient.close() }
      let third = try await patient.session(for: "third", isReadOnly: false)
      async let waiting = third.execute("INSERT INTO t VALUES (2)", [])
      _ = try await session.execute("COMMIT", [])
      _ = try await waiting
      #expect(try await session.rows("SELECT * FROM t") == [["2"]])
    }
  }

  @Test("A closed session and a closed cluster say so")
  func closed() async throws {
    try await withCluster { cluster, session in
      let other = try await cluster.session(for: "other", isReadOnly: true)
      other.close()
      await #expect(throws: RemoteError.self) { try await other.rows("SELECT 1") }
      let endless = Task {
        try await session.forEachBatch("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n", []) { _ in }
      }
      cluster.close()
      await #expect(throws: RemoteError.self) { try await endless.value }
      await #expect(throws: RemoteError.self) { try await cluster.session(for: "new", isReadOnly: true) }
    }
  }
}
