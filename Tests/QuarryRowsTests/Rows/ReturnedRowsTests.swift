import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("Rows that a statement returns of what it wrote", .gated) struct ReturnedRowsTests {
  /// Writes 12,000 rows, and returns two columns of one name.
  private func returned(_ queue: DatabaseQueue) throws -> ReturnedRows {
    try queue.write { db in
      let sql = """
        WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 11999)
        INSERT INTO t SELECT CASE i % 3 WHEN 0 THEN NULL WHEN 1 THEN 'é' || i ELSE CAST(x'ff41' AS TEXT) END, i FROM n
        RETURNING a AS x, b AS x
        """
      return try ReturnedRows(of: db.makeStatement(sql: sql))
    }
  }

  private func makeQueue() throws -> DatabaseQueue {
    try makeDatabase("CREATE TABLE t(a, b)")
  }

  private func reader(_ set: RowSet, _ queue: DatabaseQueue) -> RowReader {
    RowReader(set, on: ReadConnections(foreground: queue, background: queue))
  }

  @Test("are all there, with an exact number, and stay when what was written is gone")
  func all() async throws {
    let queue = try makeQueue()
    let rows = try returned(queue)
    let expected = try await queue.read { db in
      let statement = try db.makeStatement(sql: "SELECT a, b FROM t WHERE b >= 11990 ORDER BY b")
      var rows: [[CellValue]] = []
      while try statement.step() { try rows.append(statement.cells(2, limit: CellValue.prefixLimit)) }
      return rows
    }
    try await queue.write { try $0.execute(sql: "DROP TABLE t") }
    let reader = reader(RowSet(.returned(rows)), queue)
    #expect(rows.count == 12_000)
    #expect(try await reader.columns().map(\.name) == ["x", "x"])
    let page = try await reader.page(PageRequest(.last, limit: 10))
    #expect(page.rows.map(\.cells) == expected)
    #expect(page.firstNumber == .exact(11_990))
    #expect(try await reader.count() == .exact(12_000))
    #expect(try await reader.isSnapshot())
  }

  @Test("are filtered, sorted and searched")
  func views() async throws {
    let queue = try makeQueue()
    let rows = try returned(queue)
    let few = RowSet(.returned(rows), filter: RowFilter(Column<Int>("x:1") >= 11_000), order: RowOrder([Column<Int>("x:1").desc()]))
    let page = try await reader(few, queue).page(PageRequest(.number(990), limit: 100))
    #expect(page.rows.map { $0.cells[1] } == (0..<10).map { .integer(11_009 - $0) })
    #expect(page.reachesEnd)
    let match = try await reader(RowSet(.returned(rows)), queue).find(.value(.integer(9_000)), columns: [1], from: nil, backwards: false)
    #expect(match?.key == .position(9_000))
    let values = try await reader(RowSet(.returned(rows)), queue).distinctValues(of: "x", prefix: "é400")
    #expect(values.values == [.text("é400"), .text("é4000"), .text("é4003"), .text("é4006"), .text("é4009")])
  }

  @Test("may be none")
  func none() async throws {
    let queue = try makeQueue()
    let rows = try await queue.write { try ReturnedRows(of: $0.makeStatement(sql: "DELETE FROM t RETURNING a, b")) }
    let page = try await reader(RowSet(.returned(rows)), queue).page(PageRequest(.first, limit: 10))
    #expect(page.rows.isEmpty && page.reachesStart && page.reachesEnd)
    #expect(rows.columnNames == ["a", "b"])
  }
}
