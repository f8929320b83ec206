import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("Counts that do not come to their end", .gated) struct InsightInterruptionTests {
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

  @Test("report while they run, and end when they are cancelled")
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
        "malformed JSON, in column b of v after 10,000 rows", "malformed JSON, in column b of v after 10,000 rows",
        "malformed JSON, in column b of v after 10,000 rows",
        "malformed JSON, in column b of the query after 10,000 rows",
      ])
    #expect(counts.all.last?.rows == 10_000 && counts.all.last?.isComplete == false)
    #expect(profiles.all.last?.rows == 10_000 && profiles.all.last?.isComplete == false)
    #expect(facets.all.last?.map(\.rows) == [10_000, 10_000] && facets.all.last?[0].isComplete == false)
  }

  @Test("of a query take no more room than they may, and keep what was counted before")
  func room() async throws {
    let connections = ReadConnections(try makeDatabase())
    let set = RowSet(
      .query(
        sql: """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150000) SELECT i, 'text ' || i AS t, i * 0.5 AS r FROM n
          """, arguments: []))
    func counts(_ room: SpillBudget, _ report: (@Sendable (ValueCounts) -> Void)? = nil) async throws -> ValueCounts {
      var request = CountRequest(InsightColumn("t"), in: set)
      request.room = room
      return try await connections.counts(request, progress: report)
    }
    func profile(_ room: SpillBudget, _ report: (@Sendable (TableProfile) -> Void)? = nil) async throws -> TableProfile {
      var request = ProfileRequest(set, isExact: true)
      request.room = room
      return try await connections.profile(request, progress: report)
    }
    // What memory has no room for goes to a file, and nothing is lost.
    let small = SpillBudget(memory: 1 << 16)
    let counted = try await counts(small)
    #expect(counted.distinct == .exact(150_000) && counted.list(.ascending, 0..<1).map(\.count) == [1])
    #expect(try await profile(small).columns.map(\.distinct) == Array(repeating: .exact(150_000), count: 3))
    let tiny = SpillBudget(memory: 1 << 16, file: 1 << 20)
    let (reports, profiles) = (Seen<ValueCounts>(), Seen<TableProfile>())
    let errors = [
      await #expect(throws: DatabaseError.self) { try await counts(tiny) { reports.add($0) } },
      await #expect(throws: DatabaseError.self) { try await profile(tiny) { profiles.add($0) } },
    ]
    let sentence = "the values need more than the 1 MiB allowed for temporary files"
    #expect(errors.map { $0?.sentence } == [sentence, sentence])
    #expect(reports.all.last.map { !$0.isComplete && $0.rows < 150_000 && !$0.distinct.isExact } == true)
    #expect(profiles.all.last.map { !$0.isComplete && (1...150_000).contains($0.rows) } == true)
  }

  /// Returns what is said of a look at the rows of a set that fails.
  private static func sentence(_ look: () async throws -> Void) async -> String? {
    await #expect(throws: DatabaseError.self) { try await look() }?.sentence
  }

  @Test("name the column that failed among many, in a part of a table, and under conditions")
  func failingColumn() async throws {
    let names = (0..<230).map { "c\($0)" }
    let columns = names.map { name in
      "CASE WHEN id = 700 AND '\(name)' = 'c190' THEN abs(id - 1 - 9223372036854775807 - 700) ELSE id END AS \(name)"
    }
    let queue = try makeDatabase(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b)",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO t SELECT i, i % 3, i % 5 FROM n",
      // Computed as rows are inserted, it would fail then.
      "ALTER TABLE t ADD COLUMN d AS (CASE WHEN id = 301 THEN json('{') ELSE 1 END)",
      "CREATE VIEW wide AS SELECT \(columns.joined(separator: ", ")) FROM t",
      "CREATE VIEW filtered AS SELECT a, b FROM t WHERE d = 1", "CREATE VIEW sorted AS SELECT a, b, d FROM t ORDER BY a + b")
    let connections = ReadConnections(foreground: queue, background: queue)
    func set(_ name: String) -> RowSet { RowSet(.table(TableReference(name: name))) }
    let wide = await Self.sentence { _ = try await connections.profile(ProfileRequest(set("wide"))) }
    #expect(wide == "integer overflow, in column c190 of wide after 699 rows")
    let conditions = ["a", "b"].map { FacetCondition(RowFilter(Column<Int>($0) == 1), column: $0) }
    let facets = await Self.sentence {
      _ = try await connections.facets(
        FacetRequest(set("t"), conditions: conditions, columns: ["a", "b", "d"].map { InsightColumn($0) }))
    }
    #expect(facets == "malformed JSON, in column d of t after 300 rows")
    // A row that cannot be had at all names no column.
    let filtered = await Self.sentence { _ = try await connections.profile(ProfileRequest(set("filtered"))) }
    #expect(filtered == "malformed JSON, in filtered after 300 rows")
    // Rows that are sorted fail before the first of them comes, at whichever it is.
    let sorted = await Self.sentence { _ = try await connections.profile(ProfileRequest(set("sorted"))) }
    #expect(sorted == "malformed JSON, in column d of sorted before the first row")
    let paths = await Self.sentence { _ = try await connections.jsonPaths(of: "d", in: set("t")) { _ in } }
    #expect(paths == "malformed JSON, in column d of t after 300 rows")
  }

  @Test("and searches name the column too, and tell what was found before")
  func failingSearch() async throws {
    let queue = try makeDatabase(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT)",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO t SELECT i, 'sought' FROM n",
      // Computed as rows are inserted, it would fail then.
      "ALTER TABLE t ADD COLUMN b TEXT AS (CASE WHEN id = 301 THEN json('{') ELSE 'x' END)",
      "CREATE VIEW v AS SELECT a, b FROM t")
    let connections = ReadConnections(foreground: queue, background: queue)
    let tables = try await connections.search(EverywhereSearch("sought", tables: ["t", "v"].map { TableReference(name: $0) })) { _ in }
    #expect(tables.map(\.hitCount) == [300, 300])
    #expect(
      tables.map(\.failure)
        == ["t", "v"].map { "searched up to an error: malformed JSON, in column b of \($0) after 300 rows" })
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
