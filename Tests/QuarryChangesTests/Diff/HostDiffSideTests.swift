import Foundation
import QuarryChanges
import QuarryEngine
import QuarryRows
import Synchronization
import TestSupport
import Testing

/// A link to a service of the same process, through which messages pass as bytes, in two pieces.
private final class LocalLink: DiffLink {
  private typealias Sent = (bytes: [UInt8], receive: @Sendable (Result<DiffMessage, any Error>) -> Void)

  private let questions: AsyncStream<Sent>.Continuation

  /// - Parameter beforeAnswer: Called with the number of each question.
  init(_ service: DiffService, beforeAnswer: @escaping @Sendable (Int) throws -> Void = { _ in }) {
    let (stream, questions) = AsyncStream<Sent>.makeStream()
    self.questions = questions
    Task.detached {
      var number = 0
      for await sent in stream {
        number += 1
        do {
          try beforeAnswer(number)
          guard let question = try Self.message(sent.bytes) else { throw CancellationError() }
          guard let answer = try Self.message(try await service.answer(question).bytes) else { throw CancellationError() }
          sent.receive(.success(answer))
        } catch {
          sent.receive(.failure(error))
        }
      }
    }
  }

  deinit { questions.finish() }

  private static func message(_ bytes: [UInt8]) throws -> DiffMessage? {
    var received = bytes.dropLast()
    try #require(DiffMessage.take(from: &received) == nil)
    received = bytes[...]
    defer { #expect(received.isEmpty) }
    return DiffMessage.take(from: &received)
  }

  func send(_ question: DiffMessage, _ receive: @escaping @Sendable (Result<DiffMessage, any Error>) -> Void) {
    do { questions.yield((try question.bytes, receive)) } catch { receive(.failure(error)) }
  }
}

/// A side of a comparison that another program reads gives the same differences as a file.
@Suite(.gated) struct HostDiffSideTests {
  private static let series = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 40)"

  private static func queue(_ sql: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.isDefensive = false
    let queue = try DatabaseQueue(configuration: configuration)
    try queue.withoutTransaction { try $0.execute(sql: sql) }
    return queue
  }

  private func local(_ sql: String) throws -> FileDiffSide { try FileDiffSide(Self.queue(sql), name: "side") }

  private func remote(_ sql: String) throws -> HostDiffSide {
    let queue = try Self.queue(sql)
    return try HostDiffSide(LocalLink(DiffService { _ in try FileDiffSide(queue, name: "side") }), name: "side")
  }

  private func found(_ from: any DiffSide, _ to: any DiffSide) async throws -> [String] {
    var diff = DatabaseDiff(from, to)
    diff.step = 7
    var lines = try await diff.schema().map { "\($0.kind) \($0.name) \($0.change) \($0.from ?? "-") \($0.to ?? "-")" }
    let result = try await diff.rows { lines.append("\($0)") }
    lines += result.notCompared.map { "\($0.table): \($0.reason)" }
    return lines
  }

  @Test(arguments: [
    (
      "CREATE TABLE t(a)",
      "CREATE TABLE t(a INTEGER, b); CREATE INDEX i ON t(a); CREATE VIEW v AS SELECT a FROM t; PRAGMA user_version = 3"
    ),
    (
      "CREATE TABLE t(id INTEGER PRIMARY KEY, v, w); INSERT INTO t \(series) SELECT i, i / 3.0, NULL FROM n",
      "CREATE TABLE t(id INTEGER PRIMARY KEY, v, x); INSERT INTO t \(series) SELECT i * 2, i / 3.0, x'00ff' FROM n WHERE i % 5"
    ),
    (
      "CREATE TABLE t(k TEXT PRIMARY KEY) WITHOUT ROWID; INSERT INTO t \(series) SELECT CAST(x'ff' || CAST(i AS TEXT) AS TEXT) FROM n",
      "CREATE TABLE t(k TEXT PRIMARY KEY) WITHOUT ROWID; INSERT INTO t \(series) SELECT CAST(x'ff' || CAST(i AS TEXT) AS TEXT) FROM n WHERE i <> 37"
    ),
    (
      "PRAGMA encoding = 'UTF-16le'; CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES ('a', 1), ('\u{FF5E}', 3), ('\u{1F600}', 4)",
      "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES ('a', 1), ('\u{FF5E}', 2), ('\u{1F600}', 4)"
    ),
    (
      "CREATE TABLE t(rowid, _rowid_, oid); INSERT INTO t VALUES (1, NULL, 'a'), (1, NULL, 'a'), (1.0, NULL, 'a')",
      "CREATE TABLE t(rowid, _rowid_, oid); INSERT INTO t VALUES (1, NULL, 'a'), (1.0, NULL, 'b')"
    ),
    (
      "CREATE VIRTUAL TABLE texts USING fts5(body); INSERT INTO texts VALUES ('one')",
      "CREATE VIRTUAL TABLE texts USING fts5(body); INSERT INTO texts VALUES ('two')"
    ),
    (
      "CREATE TABLE t(a, UNIQUE (a)); CREATE TABLE s(a ANY) STRICT; PRAGMA user_version = 1",
      "CREATE TABLE t(a, UNIQUE (a)); CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; END"
    ),
  ])
  func `the differences are those of two files, whichever side is remote`(_ first: String, _ second: String) async throws {
    let expected = try await found(local(first), local(second))
    #expect(!expected.isEmpty)
    #expect(try await found(remote(first), local(second)) == expected)
    #expect(try await found(local(first), remote(second)) == expected)
    #expect(try await found(remote(first), remote(second)) == expected)
    #expect(try await found(remote(first), local(first)) == [])
  }

  @Test func `a table whose module or collation is missing here is the same table, and is not compared`() async throws {
    let sql = """
      CREATE TABLE good(a); INSERT INTO good VALUES (1); CREATE TABLE odd(k TEXT COLLATE nocase PRIMARY KEY) WITHOUT ROWID;
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'nocase', 'nosuch');
      INSERT INTO sqlite_schema(type, name, tbl_name, rootpage, sql)
      VALUES ('table', 'gone', 'gone', 0, 'CREATE VIRTUAL TABLE gone USING nosuch(a, b)');
      PRAGMA writable_schema = RESET
      """
    let expected = try await found(local(sql), local(sql))
    #expect(expected.contains { $0.hasPrefix("gone: ") })
    #expect(try await found(remote(sql), local(sql)) == expected)
  }

  @Test func `large rows arrive in blocks of some megabytes, and wide ones in parts`() async throws {
    let blobs = "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t \(Self.series) SELECT i, zeroblob(500000 + i % 2) FROM n"
    var diff = DatabaseDiff(try remote(blobs), try local("\(blobs); UPDATE t SET v = 1 WHERE id = 40"))
    #expect(try await diff.lines().count == 1)
    let names = (0..<2000).map { "c\($0)" }.joined(separator: ", ")
    let wide = "CREATE TABLE t(\(names)); INSERT INTO t(c0, c1998, c1999) VALUES (1, 2, 3), (4, 5, 6)"
    diff = DatabaseDiff(try local(wide), try remote("\(wide); UPDATE t SET c1999 = 7 WHERE c0 = 4"))
    #expect(try await diff.lines().count == 1)
  }

  @Test func `writes during the comparison are noticed`() async throws {
    try await withTemporaryFolder { folder in
      let rows = "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t \(Self.series) SELECT i, i FROM n"
      let path = folder.appendingPathComponent("app.db").path
      let writer = try DatabaseQueue(path: path)
      try await writer.withoutTransaction { try $0.execute(sql: rows) }
      let read = try DatabaseQueue(path: path)
      let writes = Mutex(0)
      let service = DiffService { isWatched in
        isWatched ? FileDiffSide(watching: read, name: "side") : try FileDiffSide(read, name: "side")
      }
      let link = LocalLink(service) { _ in
        writes.withLock { $0 += 1 }
        try writer.withoutTransaction { try $0.execute(sql: "UPDATE t SET v = v + 1 WHERE id = 0") }
      }
      let diff = DatabaseDiff(try HostDiffSide(link, name: "side"), try local(rows))
      #expect(try await diff.rows { _ in }.isTorn)
      #expect(writes.withLock { $0 } > 3)
    }
  }

  @Test func `errors are those of a file, and a lost connection ends the comparison`() async throws {
    let link = LocalLink(DiffService { _ in throw DataSourceError("there is no file", isOfOpening: true) })
    #expect(throws: DataSourceError("there is no file", isOfOpening: true)) { try HostDiffSide(link, name: "side") }
    let sides: [any DiffSide] = [try remote("CREATE TABLE t(a)"), try local("CREATE TABLE t(a)")]
    var errors: [DatabaseError?] = []
    for side in sides {
      errors.append(await #expect(throws: DatabaseError.self) { try await side.rows("SELECT nothing FROM t", width: 1) })
    }
    #expect(errors[0]?.resultCode == DatabaseError.SQLITE_ERROR && errors[0]?.message == errors[1]?.message)
    #expect(errors[0]?.sql == errors[1]?.sql && errors[0]?.offset == errors[1]?.offset)
    let queue = try Self.queue("CREATE TABLE t(a)")
    let cut = LocalLink(DiffService { _ in try FileDiffSide(queue, name: "side") }) { number in
      if number > 3 { throw DataSourceError("lost") }
    }
    let diff = DatabaseDiff(try HostDiffSide(cut, name: "side"), try local("CREATE TABLE t(a)"))
    await #expect(throws: DataSourceError("lost")) { _ = try await diff.rows { _ in } }
  }

  @Test func `bytes that are no message of this version are an error`() async throws {
    let service = DiffService { _ in throw CancellationError() }
    for bytes: [UInt8] in [[0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 2, 0, 0, 0, 1, 0x7B, 0x7D, 9]] {
      var received = bytes[...]
      let message = try #require(DiffMessage.take(from: &received))
      let answer = try await service.answer(message).bytes
      #expect(String(decoding: answer, as: UTF8.self).contains("not an answer of this version"))
    }
  }
}
