import Foundation
import QuarryEngine
import QuarryRows
import Synchronization
import TestSupport
import Testing

@Suite("Reading all rows of a set, one after the other", .gated)
struct AllRowsTests {
  private static let script = [
    "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, size REAL)",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000) INSERT INTO t SELECT i, 'n' || (i % 7), i / 2.0 FROM n",
    "CREATE VIEW v AS SELECT name, size FROM t WHERE id % 2 = 0",
    "CREATE VIEW failing AS SELECT CASE WHEN id = 10001 THEN abs(-9223372036854775808) ELSE id END AS x FROM t",
    "CREATE TABLE k(a TEXT PRIMARY KEY, b) WITHOUT ROWID", "INSERT INTO k VALUES ('z', 1), ('y', 2)",
    "CREATE TABLE long(x TEXT)", "INSERT INTO long VALUES (printf('%.*c', 5000, 'x'))",
  ]

  private final class Rows: Sendable {
    let all = Mutex<[[CellValue]]>([])
  }

  /// Reads all rows; returns those that came, and the error that ended them.
  private func read(_ set: RowSet, columns: [Int], isOrdered: Bool = true) async throws -> (rows: [[CellValue]], error: (any Error)?) {
    try await withTemporaryFolder { folder in
      let path = folder.appending(path: "rows.db").path
      try await DatabaseQueue(path: path).write { db in for sql in Self.script { try db.execute(sql: sql) } }
      let connections = ReadConnections(foreground: try DatabaseQueue(path: path), background: try DatabaseQueue(path: path))
      let rows = Rows()
      do {
        try await RowReader(set, on: connections).forEachRow(columns: columns, isOrdered: isOrdered) { row in
          rows.all.withLock { $0.append(row) }
        }
        return (rows.all.withLock(\.self), nil)
      } catch {
        return (rows.all.withLock(\.self), error)
      }
    }
  }

  @Test("of a table by its key, in any order of columns")
  func table() async throws {
    let (rows, error) = try await read(RowSet(.table(TableReference(name: "t"))), columns: [2, 0])
    #expect(error == nil)
    #expect(rows.count == 12_000)
    #expect(rows.first == [.real(0.5), .integer(1)] && rows.last == [.real(6000), .integer(12_000)])
  }

  @Test("of a table without rowid")
  func withoutRowID() async throws {
    let rows = try await read(RowSet(.table(TableReference(name: "k"))), columns: [1]).rows
    #expect(rows == [[.integer(2)], [.integer(1)]])
  }

  @Test("that a filter keeps, sorted only where the order is wanted", arguments: [true, false])
  func narrowed(isOrdered: Bool) async throws {
    let set = RowSet(
      .table(TableReference(name: "t")), filter: RowFilter(Column<Int>("id") > 11_990), order: RowOrder([Column<Double>("size").desc()]))
    let rows = try await read(set, columns: [0], isOrdered: isOrdered).rows
    let ids = Array(11_991...12_000).map { [CellValue.integer($0)] }
    #expect(rows == (isOrdered ? ids.reversed() : ids))
  }

  @Test("of a view and of a query")
  func sequences() async throws {
    let view = try await read(RowSet(.table(TableReference(name: "v"))), columns: [1]).rows
    #expect(view.count == 6_000 && view.last == [.real(6000)])
    let query = try await read(RowSet(.query(sql: "SELECT 1 AS a, 2 AS a UNION ALL SELECT 3, 4")), columns: [1, 0]).rows
    #expect(query == [[.integer(2), .integer(1)], [.integer(4), .integer(3)]])
  }

  @Test("of a view that fails at a row: those before it come first")
  func failing() async throws {
    let (rows, error) = try await read(RowSet(.table(TableReference(name: "failing"))), columns: [0])
    #expect(rows.count == 10_000)
    #expect((error as? DatabaseError)?.message == "integer overflow")
  }

  @Test("without any column: they are only counted")
  func none() async throws {
    #expect(try await read(RowSet(.table(TableReference(name: "t"))), columns: []).rows.count == 12_000)
    #expect(try await read(RowSet(.table(TableReference(name: "v"))), columns: []).rows.count == 6_000)
  }

  @Test("with the beginnings of long texts")
  func long() async throws {
    let rows = try await read(RowSet(.table(TableReference(name: "long"))), columns: [0]).rows
    guard case .text(let text, 5000, true)? = rows.first?.first else { return #expect(Bool(false), "\(rows)") }
    #expect(text.utf8.count <= CellValue.prefixLimit)
  }
}
