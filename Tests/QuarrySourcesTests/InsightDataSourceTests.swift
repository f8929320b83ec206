import Foundation
import QuarryEngine
import QuarryRows
import QuarrySources
import TestSupport
import Testing

@Suite("What a data source knows of its data", .gated) struct InsightDataSourceTests {
  private static let set = RowSet(.table(TableReference(name: "t")))

  @Test("is that of the open transaction, of queries and of what a statement has returned")
  func sources() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE t(a)", "INSERT INTO t VALUES (1), (1), (2)")
      let source = try SQLiteDataSource(path: path)
      #expect(source.insight != nil)
      func counts(_ set: RowSet) async throws -> [Int] {
        let counts = try await source.counts(CountRequest(InsightColumn("a"), in: set)) { _ in }
        return counts.list(.ascending, 0..<counts.lines).map(\.count)
      }
      #expect(try await counts(Self.set) == [2, 1])
      let returned = try await source.run("INSERT INTO t VALUES (2), (3) RETURNING a", [:], unkeptRows: nil)
      #expect(try await counts(Self.set) == [2, 2, 1])
      guard case .rows(let rows) = returned else {
        Issue.record("\(returned)")
        return
      }
      #expect(try await counts(RowSet(rows)) == [1, 1])
      #expect(try await counts(RowSet(.query(sql: "SELECT a FROM t WHERE a > ?", arguments: [.integer(1)]))) == [2, 1])
      #expect(try await source.profile(ProfileRequest(Self.set)) { _ in }.columns[0].distinct == .exact(3))
      #expect(try await source.facets(FacetRequest(Self.set, columns: [InsightColumn("a")])) { _ in }[0].rows == 5)
      try await source.endTransaction(isCommitted: false)
      #expect(try await counts(Self.set) == [2, 1])
    }
  }

  @Test("is searched on connections of its own, and where there are none beside what is on the screen")
  func searchedConnections() async throws {
    let files = try (
      rows: makeDatabase("CREATE TABLE t(a)"), search: makeDatabase("CREATE TABLE t(a)", "INSERT INTO t VALUES ('sought')"),
      background: makeDatabase("CREATE TABLE t(a)", "INSERT INTO t VALUES ('sought'), ('sought')")
    )
    func hits(_ insight: (@Sendable (String) throws -> ReadConnections)?) async throws -> [Int] {
      let source = SQLiteDataSource(
        rows: ReadConnections(files.rows), background: files.background, insight: insight,
        script: ScriptConnection(refusal: nil) { files.rows })
      return try await source.search(EverywhereSearch("sought")) { _ in }.map(\.hitCount)
    }
    #expect(try await hits { _ in ReadConnections(files.search) } == [1])
    #expect(try await hits(nil) == [2])
  }

  @Test("is searched while counts are under way")
  func searchWhileCounting() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE t(a)", "INSERT INTO t VALUES ('sought')",
        "CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n")
      let source = try SQLiteDataSource(path: path)
      let (reports, continuation) = AsyncStream.makeStream(of: Void.self)
      let counting = Task {
        try await source.counts(CountRequest(InsightColumn("i"), in: RowSet(.table(TableReference(name: "endless"))))) { _ in
          continuation.yield()
        }
      }
      for await _ in reports { break }
      #expect(try await source.search(EverywhereSearch("sought")) { _ in }.map(\.hitCount) == [1])
      counting.cancel()
      await #expect(throws: CancellationError.self) { try await counting.value }
    }
  }

  @Test("is told beside all else that is being told, of a view and of a query", arguments: [true, false])
  func nothingWaits(isView: Bool) async throws {
    try await withTemporaryFolder { folder in
      let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, '{\"a\": ' || i || '}' AS j FROM n"
      let path = try makeDatabaseFile(in: folder, "CREATE VIEW endless AS \(endless)")
      let source = try SQLiteDataSource(path: path)
      let set = RowSet(isView ? .table(TableReference(name: "endless")) : .query(sql: endless, arguments: []))
      // Each goes on while those after it begin.
      let running = [
        try await begun { report in _ = try await source.counts(CountRequest(InsightColumn("i"), in: set)) { _ in report() } },
        try await begun { report in _ = try await source.facets(FacetRequest(set, columns: [InsightColumn("i")])) { _ in report() } },
        try await begun { report in _ = try await source.profile(ProfileRequest(set)) { _ in report() } },
        try await begun { report in _ = try await source.jsonPaths(of: "j", in: set) { _ in report() } },
      ]
      #expect(try await source.reader(of: set).page(PageRequest(.first, limit: 3)).rows.count == 3)
      for task in running {
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
      }
    }
  }

  /// Begins something, and returns once it has reported.
  private func begun(
    _ look: @escaping @Sendable (_ report: @escaping @Sendable () -> Void) async throws -> Void
  ) async throws -> Task<Void, any Error> {
    let (reports, continuation) = AsyncStream.makeStream(of: Void.self)
    let task = Task { try await look { continuation.yield() } }
    for await _ in reports { break }
    return task
  }

  @Test("of a query that reads what only its own connection has is read there")
  func ownState() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE t(a)", "INSERT INTO t VALUES (1), (1), (2)")
      let source = try SQLiteDataSource(path: path)
      func counts(_ sql: String) async throws -> [ValueCount] {
        let counts = try await source.counts(CountRequest(InsightColumn("a"), in: RowSet(.query(sql: sql, arguments: [])))) { _ in }
        return counts.list(.ascending, 0..<counts.lines)
      }
      _ = try await source.run("INSERT INTO t VALUES (7)", [:], unkeptRows: nil)
      try await source.endTransaction(isCommitted: true)
      #expect(try await counts("SELECT last_insert_rowid() AS a") == [ValueCount(.value(4), 1)])
      #expect(try await counts("SELECT a FROM t WHERE a = 7") == [ValueCount(.value(7), 1)])
      // A temporary table hides the other of its name.
      _ = try await source.run("CREATE TEMP TABLE t(a)", [:], unkeptRows: nil)
      try await source.endTransaction(isCommitted: true)
      #expect(try await counts("SELECT a FROM t").isEmpty)
    }
  }

  @Test("of a query with two columns of one name, or an expression, is told by column")
  func names() async throws {
    let queue = try makeDatabase("CREATE TABLE t(a)", "INSERT INTO t VALUES (1), (2)")
    let connections = ReadConnections(foreground: queue, background: queue)
    let profile = try await connections.profile(
      ProfileRequest(RowSet(.query(sql: "SELECT a, a * 10 AS a, a + :x FROM t -- all", arguments: [5]))))
    #expect(profile.columns.map(\.name) == ["a", "a:1", "a + :x"])
    #expect(profile.columns.map(\.max) == [2, 20, 7])
    let column = InsightColumn("half", expression: "a / \(2.0)")
    let counts = try await connections.counts(CountRequest(column, in: Self.set))
    #expect(counts.list(.ascending, 0..<2) == [ValueCount(.value(.real(0.5)), 1), ValueCount(.value(.real(1)), 1)])
  }
}
