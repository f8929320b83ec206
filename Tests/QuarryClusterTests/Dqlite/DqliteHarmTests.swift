import QuarryCluster
import QuarryEngine
import QuarryRows
import QuarrySources
import Synchronization
import TestSupport
import Testing

/// What a person may type harms no cluster, whichever way it goes to the server.
@Suite(.gated, .enabled(if: DqliteNodes.areInstalled, Comment(rawValue: DqliteNodes.missing)), .serialized)
struct DqliteHarmTests {
  /// Statements that end a node, or break the connection to it or its guards, where they are compiled.
  private static let hostile: [String] = {
    let pragmas = [
      "PRAGMA page_size = 8192", "PRAGMA page_size(512)", "PRAGMA main.\"Page_Size\" = 1024", "PRAGMA journal_mode = DELETE",
      "PRAGMA journal_mode('memory')", "PRAGMA query_only = 0", "PRAGMA writable_schema = 1", "PRAGMA delete_database",
      "PRAGMA wal_checkpoint", "PRAGMA hard_heap_limit = 1", "PRAGMA [locking_mode] = EXCLUSIVE",
    ]
    let prefixes = [
      "", "EXPLAIN ", "EXPLAIN QUERY PLAN ", "explain/* c */query -- d\n plan ", "-- c\nEXPLAIN ", "/* c */", ";; EXPLAIN ",
      "\u{FEFF}EXPLAIN ",
      "SELECT 1; ", "EXPLAIN EXPLAIN QUERY PLAN ",
    ]
    let others = [
      "EXPLAIN ATTACH 'x' AS y", "EXPLAIN VACUUM INTO 'x'", "EXPLAIN CREATE TEMP TABLE x(a)", "EXPLAIN PRAGMA foreign_keys = 0",
      "SELECT * FROM pragma_optimize", "SELECT * FROM pragma_journal_mode('delete')", "SELECT * FROM t JOIN pragma_page_size(512)",
      "WITH c AS (SELECT * FROM pragma_optimize(1)) SELECT * FROM c", "EXPLAIN SELECT * FROM \"pragma_optimize\"",
    ]
    return pragmas.flatMap { pragma in prefixes.map { $0 + pragma } } + others
  }()

  /// Every way on which a text goes to a server.
  private static let ways: [(name: String, go: @Sendable (RemoteDataSource, String) async throws -> Void)] = [
    ("prepare", { _ = try await $0.prepare([$1]) }),
    ("run", { _ = try await $0.run($1, [:], unkeptRows: nil) }),
    ("plan", { _ = try await $0.plan(of: $1) }),
    ("describe", { _ = try await $0.editability(ofQuery: $1) }),
    ("page", { _ = try await $0.reader(of: RowSet(.query(sql: $1))).page(PageRequest(.first, limit: 5)) }),
    ("count", { _ = try await $0.reader(of: RowSet(.query(sql: $1))).count() }),
    ("counts", { source, sql in _ = try await source.counts(CountRequest(InsightColumn("a"), in: RowSet(.query(sql: sql)))) { _ in } }),
    ("choices", { _ = try await $0.values(of: .query($1), limit: 5) }),
    ("length", { try await $0.checkLongRead($1) }),
    ("rows", { try await $0.forEachRow(of: $1, []) { _, _ in } }),
  ]

  @Test func `no statement that does harm by being compiled reaches a node`() async throws {
    let nodes = try DqliteNodes(count: 3)
    defer { nodes.end() }
    let cluster = try DqliteCluster(DqliteAddress(nodes.url()))
    defer { cluster.close() }
    let session = try await cluster.session(for: "test", isReadOnly: false)
    _ = try await session.execute("CREATE TABLE t(a)", [])
    _ = try await session.execute("INSERT INTO t VALUES (1)", [])
    let leader = try nodes.leader()
    let sources = [nil, "only read"].map { RemoteDataSource(cluster, refusal: $0, watchInterval: nil) }
    for sql in Self.hostile {
      for (name, go) in Self.ways {
        for source in sources { await #expect(throws: (any Error).self, "\(name): \(sql)") { try await go(source, sql) } }
      }
      await #expect(throws: (any Error).self, "\(sql)") { try await session.rows(sql) }
    }
    #expect(try nodes.leader() == leader)
    #expect(nodes.runningCount == 3)
    #expect(try await session.rows("SELECT a FROM t") == [["1"]])
    #expect(try await sources[1].reader(of: RowSet(.table(TableReference(name: "t")))).count() == .exact(1))
  }

  @Test func `what may be explained harms no node either`() async throws {
    let nodes = try DqliteNodes(count: 3)
    defer { nodes.end() }
    let cluster = try DqliteCluster(DqliteAddress(nodes.url()))
    defer { cluster.close() }
    let source = RemoteDataSource(cluster, refusal: nil, watchInterval: nil)
    _ = try await source.run("CREATE TABLE t(a INTEGER PRIMARY KEY, b)", [:], unkeptRows: nil)
    try await source.endTransaction(isCommitted: true)
    for sql in [
      "DELETE FROM t", "INSERT INTO t VALUES (1, 2)", "UPDATE t SET b = 1", "CREATE TABLE u(a)", "DROP TABLE t", "SELECT * FROM t",
      "PRAGMA table_info(t)", "PRAGMA journal_mode", "CREATE INDEX i ON t(b)", "ANALYZE", "VACUUM", "REINDEX", "BEGIN",
      "ALTER TABLE t ADD COLUMN c",
    ] {
      _ = try await source.plan(of: sql)
      for prefix in ["EXPLAIN ", "EXPLAIN QUERY PLAN "] {
        guard case .rows(let rows) = try await source.run(prefix + sql, [:], unkeptRows: nil) else {
          Issue.record("\(prefix)\(sql) yields no rows")
          continue
        }
        _ = try await source.wholeRows(of: rows)
      }
    }
    #expect(nodes.runningCount == 3)
    let tables = try await source.catalog().databases.flatMap(\.entries).map(\.reference.name)
    #expect(tables.contains("t") && !tables.contains("u"))
  }
}
