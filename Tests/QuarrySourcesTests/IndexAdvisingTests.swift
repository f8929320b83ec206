import Foundation
import QuarryEngine
import QuarryRows
import QuarrySources
import TestSupport
import Testing

/// Indexes for the statements of a source.
@Suite(.gated) struct IndexAdvisingTests {
  @Test func `the file is only read, and uncommitted changes are not measured`() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE t(a, b)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) INSERT INTO t SELECT i % 9, i FROM n")
      let before = try Data(contentsOf: URL(filePath: path))
      let source = try SQLiteDataSource(path: path)
      let role = try #require(source.advice)
      let request = AdviceRequest(sql: "SELECT * FROM t WHERE a = 3")
      let advice = try await role.indexAdvice(request, now: { .now }) { _ in }
      #expect(advice.ways.map(\.sql).contains("CREATE INDEX t_a ON t(a)"))
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
      _ = try await source.run("DELETE FROM t WHERE b = 1", [:], unkeptRows: nil)
      await #expect(throws: DataSourceError.self) { try await role.indexAdvice(request, now: { .now }) { _ in } }
      try await source.endTransaction(isCommitted: false)
    }
  }
}
