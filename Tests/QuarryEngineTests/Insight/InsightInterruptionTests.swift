import TestSupport
import Testing

@testable import QuarryEngine

@Suite("Counts that do not come to their end") struct InsightInterruptionTests {
  private static let endless = """
    CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i % 7 AS a, i AS b FROM n
    """
  private static let set = RowSet(.table(TableReference(name: "v")))

  /// Cancels a task once it has reported something, and expects it to say so.
  private static func expectCancellation<Report: Sendable>(
    _ look: @escaping @Sendable (ReadConnections, @escaping @Sendable (Report) -> Void) async throws -> Void
  ) async throws {
    let queue = try makeDatabase(endless)
    let connections = ReadConnections(foreground: queue, background: queue)
    let (reports, continuation) = AsyncStream.makeStream(of: Report.self)
    let task = Task { try await look(connections) { continuation.yield($0) } }
    for await _ in reports { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("report while they run, and end when they are cancelled", .timeLimit(.minutes(1)))
  func cancellation() async throws {
    try await Self.expectCancellation { (connections, report: @escaping @Sendable (ValueCounts) -> Void) in
      _ = try await connections.counts(CountRequest(InsightColumn("a"), in: Self.set), progress: report)
    }
    try await Self.expectCancellation { (connections, report: @escaping @Sendable (TableProfile) -> Void) in
      _ = try await connections.profile(ProfileRequest(Self.set), progress: report)
    }
    try await Self.expectCancellation { (connections, report: @escaping @Sendable ([Facet]) -> Void) in
      _ = try await connections.facets(FacetRequest(Self.set, columns: [InsightColumn("a")]), progress: report)
    }
  }

  @Test("of a view that fails report the rows before the failure, and throw it")
  func failure() async throws {
    let queue = try makeDatabase(
      "CREATE TABLE t(a)",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO t SELECT i % 10 FROM n",
      "CREATE VIEW v AS SELECT a, CASE WHEN rowid > 10000 THEN json('{') END AS b FROM t")
    let connections = ReadConnections(foreground: queue, background: queue)
    let (counts, profiles, facets) = (Seen<ValueCounts>(), Seen<TableProfile>(), Seen<[Facet]>())
    let errors = [
      await #expect(throws: DatabaseError.self) {
        try await connections.counts(CountRequest(InsightColumn("b"), in: Self.set)) { counts.add($0) }
      },
      await #expect(throws: DatabaseError.self) { try await connections.profile(ProfileRequest(Self.set)) { profiles.add($0) } },
      await #expect(throws: DatabaseError.self) {
        try await connections.facets(FacetRequest(Self.set, columns: ["a", "b"].map { InsightColumn($0) })) { facets.add($0) }
      },
      await #expect(throws: DatabaseError.self) {
        try await connections.counts(CountRequest(InsightColumn("b"), in: RowSet(.query(sql: "SELECT * FROM v"))))
      },
    ]
    #expect(
      errors.map { $0?.sentence } == [
        "malformed JSON, in column b of v after 10,000 rows", "malformed JSON, in v after 10,000 rows",
        "malformed JSON, in v after 10,000 rows",
        "malformed JSON, in column b of the query after 10,000 rows",
      ])
    #expect(counts.all.last?.rows == 10_000 && counts.all.last?.isComplete == false)
    #expect(profiles.all.last?.rows == 10_000 && profiles.all.last?.isComplete == false)
    #expect(facets.all.last?.map(\.rows) == [10_000, 10_000] && facets.all.last?[0].isComplete == false)
  }

  @Test("say what is wrong before they begin")
  func refusals() async throws {
    let queue = try makeDatabase("CREATE TABLE t(a)", "CREATE VIEW v AS SELECT * FROM gone")
    let connections = ReadConnections(foreground: queue, background: queue)
    await #expect(throws: DatabaseError.self) { try await connections.counts(CountRequest(InsightColumn("a"), in: Self.set)) }
    let set = RowSet(.table(TableReference(name: "t")))
    await #expect(throws: DatabaseError.self) { try await connections.profile(ProfileRequest(set, columns: ["b"])) }
    let writing = RowSet(.query(sql: "DELETE FROM t RETURNING a"))
    await #expect(throws: DatabaseError.self) { try await connections.counts(CountRequest(InsightColumn("a"), in: writing)) }
  }
}
