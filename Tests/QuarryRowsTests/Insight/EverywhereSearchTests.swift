import Foundation
import QuarryEngine
import QuarryRows
import Synchronization
import TestSupport
import Testing

@Suite(.gated) struct EverywhereSearchTests {
  @Test("A text is found in every table, in the columns that a filter of words looks at")
  func tables() async throws {
    let found = try await outcome(
      "alp", "CREATE TABLE b(id INTEGER PRIMARY KEY, name TEXT, size INTEGER)", "CREATE TABLE a(v, w BLOB)",
      "INSERT INTO b VALUES (7, 'Alpha', 1), (9, NULL, 2), (11, 'an ALP', 3)",
      "INSERT INTO a VALUES ('beta', x'616c70'), ('s''alps', 'alp')")
    #expect(found.lines == ["a.2.v s'alps", "b.7.name Alpha", "b.11.name an ALP"])
    #expect(found.tables.map(\.hitCount) == [1, 2])
    #expect(found.tables.map(\.rowCount) == [2, 3])
    #expect(found.tables.allSatisfy { $0.state == .done })
  }

  @Test("A text that is a number or a date is found as a value too")
  func values() async throws {
    let found = try await outcome(
      "10.0", "CREATE TABLE t(i INTEGER, r REAL, x, s TEXT)",
      "INSERT INTO t VALUES (10, 10.5, 10, '10'), (110, 10, 210.05, 'at 10.01'), (0, 1, 10.0, x'31302e30')")
    #expect(found.lines == ["t.1.i 10", "t.2.x 210.05", "t.2.s at 10.01", "t.2.r 10.0", "t.3.x 10.0"])
    let dates = try await outcome(
      "2021-01-01", "CREATE TABLE e(at DATETIME, note TEXT)",
      "INSERT INTO e VALUES (1609459200, 'on 2021-01-01'), (1609545599, NULL), (1609545600, NULL)")
    #expect(dates.lines == ["e.1.note on 2021-01-01", "e.1.at 1609459200", "e.2.at 1609545599"])
  }

  @Test("Wildcards stand for themselves, and blanks around the text are ignored", arguments: ["%", "_", "\\", "a%b", " a_b ", "'"])
  func wildcards(text: String) async throws {
    let found = try await outcome(text, "CREATE TABLE t(v)", "INSERT INTO t VALUES ('a%b'), ('axb'), ('a_b'), ('\\'), (''''), ('')")
    let part = text.trimmingCharacters(in: .whitespaces)
    #expect(found.hits.count == 1 || part == "a%b" || part == "a_b")
    #expect(!found.hits.isEmpty)
    #expect(found.hits.allSatisfy { if case .text(let value) = $0.value { value.contains(part) } else { false } })
  }

  @Test("Bytes after a NUL and bytes that are no UTF-8 are searched; other letters than ASCII's match as they are")
  func bytes() async throws {
    let found = try await outcome(
      "größe", "CREATE TABLE t(v TEXT)", "INSERT INTO t VALUES ('x' || char(0) || 'GRößE')",
      "INSERT INTO t VALUES (CAST(x'ff67' AS TEXT) || 'röße' || CAST(x'fe' AS TEXT))",
      "INSERT INTO t VALUES ('GRÖSSE'), (NULL), (CAST('größe' AS BLOB))")
    #expect(found.hits.map(\.key) == [.rowID(1), .rowID(2)])
    #expect(try await outcome("\0", "CREATE TABLE t(v)", "INSERT INTO t VALUES ('a' || char(0)), ('b')").hits.map(\.key) == [.rowID(1)])
    #expect(try await outcome("  ", "CREATE TABLE t(v)", "INSERT INTO t VALUES ('  ')").tables.isEmpty)
  }

  @Test("Rows are known by rowids, by the keys of WITHOUT ROWID tables, and by positions in views, which are searched where they are named")
  func keys() async throws {
    let script = [
      #"CREATE TABLE "my ""table"""("select" TEXT, "b b" INTEGER, PRIMARY KEY ("b b", "select")) WITHOUT ROWID"#,
      #"INSERT INTO "my ""table""" VALUES ('wanted', 2), ('wanted', 1), ('other', 3)"#,
      "CREATE TABLE t(rowid TEXT, oid TEXT, v TEXT)", "INSERT INTO t VALUES ('a', 'b', 'x'), ('c', 'd', 'wanted')",
      "CREATE INDEX i ON t(v)", "CREATE VIEW w AS SELECT v, oid FROM t",
    ]
    let found = try await outcome("wanted", script)
    #expect(found.hits.map(\.key) == [.values([.integer(1), .text("wanted")]), .values([.integer(2), .text("wanted")]), .rowID(2)])
    #expect(found.tables.map(\.table.name) == [#"my "table""#, "t"])
    let view = try await outcome(EverywhereSearch("wanted", tables: [TableReference(name: "W")]), script)
    #expect(view.hits.map(\.key) == [.position(1)])
    await #expect(throws: DatabaseError.self) {
      _ = try await outcome(EverywhereSearch("x", tables: [TableReference(name: "no")]), script)
    }
  }

  @Test("More hits than wanted are counted and not reported")
  func limit() async throws {
    let found = try await outcome(
      EverywhereSearch("x", limit: 3),
      [
        "CREATE TABLE t(v)",
        "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 50) INSERT INTO t SELECT 'x' || i FROM n",
      ])
    #expect(found.hits.map(\.key) == [.rowID(1), .rowID(2), .rowID(3)])
    #expect(found.tables.first?.hitCount == 50)
  }

  @Test("Long texts are cut around the match")
  func excerpts() async throws {
    let found = try await outcome(
      "needle", "CREATE TABLE t(v)",
      "INSERT INTO t VALUES (printf('%.*c', 900, 'ä') || ' a NEEDLE in it ' || printf('%.*c', 900, 'ö'))")
    guard case .text(let text)? = found.hits.first?.value, let match = found.hits.first?.matches.first else {
      return #expect(Bool(false), "no text was found")
    }
    #expect(String(Array(text)[match]) == "NEEDLE")
    #expect(text.hasPrefix("…ää") && text.hasSuffix("öö…"))
    #expect(!text.contains("\u{FFFD}"))
  }

  @Test("A table that cannot be read says why, and the others are searched")
  func failures() async throws {
    let script = [
      "CREATE TABLE a(v)", "CREATE TABLE b(v)", "CREATE TABLE c(v)", "INSERT INTO a VALUES ('x')", "INSERT INTO c VALUES ('x')",
      "PRAGMA writable_schema = ON",
      "INSERT INTO sqlite_schema VALUES ('table', 'ghost', 'ghost', 0, 'CREATE VIRTUAL TABLE ghost USING nowhere(v)')",
      "PRAGMA writable_schema = RESET",
    ]
    var configuration = Configuration()
    configuration.isDefensive = false
    let queue = try DatabaseQueue(configuration: configuration)
    try await queue.withoutTransaction { db in for sql in script { try db.execute(sql: sql) } }
    let found = try await outcome(EverywhereSearch("x"), in: ReadConnections(foreground: queue, background: queue))
    #expect(found.lines == ["a.1.v x", "c.1.v x"])
    guard case .failed(let reason)? = found.tables.first(where: { $0.table.name == "ghost" })?.state else {
      return #expect(Bool(false), "the table without a module was searched")
    }
    #expect(reason.hasPrefix("no such module: nowhere"))
  }

  @Test("A large table is searched on two connections, and its hits are in the order of the rows all the same")
  func twoConnections() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT)",
        """
        WITH RECURSIVE n(i) AS (VALUES (-50000) UNION ALL SELECT i + 1 FROM n LIMIT 100000)
        INSERT INTO t SELECT i * 3, CASE WHEN i % 97 THEN 'row ' || i ELSE 'the wanted row ' || i END FROM n
        """)
      let connections = ReadConnections(
        foreground: try DatabaseQueue(path: path), background: try DatabaseQueue(path: path),
        secondReader: { try DatabaseQueue(path: path) })
      let found = try await outcome(EverywhereSearch("WANTED", limit: 700), in: connections)
      let expected = try await connections.foreground.read { db in
        try Int64.fetchAll(db, sql: "SELECT id FROM t WHERE v LIKE '%wanted%' ORDER BY id")
      }
      #expect(expected.count > 1_000)
      #expect(found.hits.map(\.key) == expected.prefix(700).map { .rowID($0) })
      #expect(found.tables.map(\.hitCount) == [expected.count] && found.tables.map(\.rowCount) == [100_000])
    }
  }

  @Test("A search that is cancelled ends")
  func cancellation() async throws {
    let queue = try makeDatabase(
      "CREATE TABLE t(v)",
      "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 100000) INSERT INTO t SELECT 'x' || i FROM n")
    let connections = ReadConnections(foreground: queue, background: queue)
    let (hits, finder) = AsyncStream.makeStream(of: Void.self)
    let search = Task {
      try await connections.search(EverywhereSearch("x", limit: 10)) { report in
        if case .progress(let progress) = report, !progress.hits.isEmpty { finder.yield() }
      }
    }
    for await _ in hits { break }
    search.cancel()
    // Either it was stopped, or it had ended before.
    do { _ = try await search.value } catch is CancellationError {}
    #expect(try await connections.search(EverywhereSearch("x99999")) { _ in }.map(\.hitCount) == [1])
  }
}

/// What a search has reported and returned.
struct SearchOutcome {
  var hits: [SearchHit]
  var tables: [SearchedTable]

  /// The hits in the order of their tables: `table.key.column value`.
  var lines: [String] {
    hits.map { hit in
      let key =
        switch hit.key {
        case .rowID(let id): "\(id)"
        case .values(let values): values.map(\.sqlLiteral).joined(separator: "/")
        case .position(let position): "#\(position)"
        }
      let value = if case .text(let text) = hit.value { text } else { hit.value.sqlLiteral }
      return "\(hit.table.name).\(key).\(hit.column ?? "?") \(value)"
    }
  }
}

func outcome(_ text: String, _ script: String...) async throws -> SearchOutcome {
  try await outcome(EverywhereSearch(text), script)
}

func outcome(_ text: String, _ script: [String]) async throws -> SearchOutcome {
  try await outcome(EverywhereSearch(text), script)
}

func outcome(_ search: EverywhereSearch, _ script: [String]) async throws -> SearchOutcome {
  let queue = try DatabaseQueue()
  try await queue.withoutTransaction { db in for sql in script { try db.execute(sql: sql) } }
  return try await outcome(search, in: ReadConnections(foreground: queue, background: queue))
}

/// Searches, and expects that what was reported is what is returned.
func outcome(_ search: EverywhereSearch, in connections: ReadConnections) async throws -> SearchOutcome {
  let reports = Mutex<[SearchReport]>([])
  let tables = try await connections.search(search) { report in reports.withLock { $0.append(report) } }
  var hits: [SearchHit] = []
  var last: [SearchedTable] = []
  for report in reports.withLock(\.self) {
    switch report {
    case .tables(let tables): last = tables
    case .progress(let progress):
      #expect(progress.hits.allSatisfy { $0.table == progress.table.table })
      #expect(last[progress.index].hitCount <= progress.table.hitCount && last[progress.index].rowCount <= progress.table.rowCount)
      last[progress.index] = progress.table
      hits += progress.hits
    }
  }
  #expect(last == tables)
  return SearchOutcome(hits: hits, tables: tables)
}
