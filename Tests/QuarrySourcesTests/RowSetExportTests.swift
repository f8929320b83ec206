import Foundation
import QuarryEngine
import QuarryFiles
import QuarryRows
import QuarrySources
import TestSupport
import Testing

@Suite(.gated) struct RowSetExportTests {
  private let tracks = TableReference(name: "t")

  /// Exports rows of a set of a small table, and returns what was written.
  private func export(
    _ set: RowSet, columns: [Int], rows: ClosedRange<Int>? = nil, format: ExportFormat = .csv
  ) async throws -> (text: String, summary: ExportSummary) {
    try await withTemporaryFolder { folder in
      let database = try makeDatabaseFile(
        in: folder, named: "a.db", "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b AS (a * 2))",
        "INSERT INTO t(id, a) VALUES (1, 30), (2, 10), (3, CAST(x'61ff' AS TEXT)), (4, 20)",
        "CREATE VIEW v AS SELECT a, id FROM t ORDER BY id DESC")
      let source = try SQLiteDataSource(path: database)
      let reader = try source.reader(of: set)
      let keys = try await reader.page(PageRequest(.first, limit: 10)).rows.map(\.key)
      let range = rows.map { RowRange(from: keys[$0.lowerBound], through: keys[$0.upperBound]) }
      let path = folder.appendingPathComponent("out").path
      let export = RowSetExport(columns: columns, range: range, format: format, table: "t", path: path)
      let summary = try await source.export(export, of: reader) { _ in }
      let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
      #expect(summary.bytes == bytes.count)
      return (String(decoding: bytes, as: UTF8.self), summary)
    }
  }

  @Test func `all rows are written in their order, with the columns that are asked for`() async throws {
    let (text, summary) = try await export(RowSet(.table(tracks)), columns: [1, 0], format: .ndjson)
    #expect(text == "{\"a\":30,\"id\":1}\n{\"a\":10,\"id\":2}\n{\"a\":{\"text\":\"Yf8=\"},\"id\":3}\n{\"a\":20,\"id\":4}\n")
    #expect(summary.rows == 4)
  }

  @Test func `filter and order are kept`() async throws {
    let set = RowSet(
      .table(tracks), filter: RowFilter(Column<Int>("a") < 25), order: RowOrder([Column<Int>("a").desc()]))
    #expect(try await export(set, columns: [0, 1]).text == "id,a\n4,20\n2,10\n")
    #expect(try await export(set, columns: [0, 1], rows: 1...1).text == "id,a\n2,10\n")
  }

  @Test func `a selection of rows is written whole, texts that are no UTF-8 too`() async throws {
    let (text, summary) = try await export(RowSet(.table(tracks)), columns: [0, 1], rows: 1...2, format: .ndjson)
    #expect(text == "{\"id\":2,\"a\":10}\n{\"id\":3,\"a\":{\"text\":\"Yf8=\"}}\n")
    #expect(summary.rows == 2)
  }

  @Test func `views and queries are written as they were read`() async throws {
    let view = RowSet(.table(TableReference(name: "v")))
    #expect(try await export(view, columns: [1], rows: 0...1).text == "id\n4\n3\n")
    #expect(try await export(view, columns: [1]).text == "id\n4\n3\n2\n1\n")
    let query = RowSet(.query(sql: "SELECT id AS x, id AS x FROM t WHERE id > ?", arguments: [.integer(2)]))
    #expect(try await export(query, columns: [0, 1]).text == "x,x\n3,3\n4,4\n")
  }

  @Test func `INSERT statements leave out what the table computes`() async throws {
    let set = RowSet(.table(tracks), filter: RowFilter(Column<Int>("id") == 1))
    #expect(try await export(set, columns: [0, 1, 2], format: .sql).text == "INSERT INTO t(id,a) VALUES(1,30);\n")
    #expect(try await export(set, columns: [0, 1, 2]).text == "id,a,b\n1,30,60\n")
  }

  @Test func `a file is written to its end while the reader's other work is cancelled and its rows are counted`() async throws {
    try await withTemporaryFolder { folder in
      let database = try makeDatabaseFile(
        in: folder, named: "a.db", "CREATE TABLE t(id INTEGER PRIMARY KEY, a)",
        "INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000) SELECT i, 'sometext' FROM n")
      let open = { @Sendable in try DatabaseQueue(path: database) }
      let connections = ReadConnections(foreground: try open(), background: try open(), exports: open)
      let reader = RowReader(RowSet(.table(tracks)), on: connections)
      // The pipe takes less than what is written, so that the writing waits for who reads it.
      let path = folder.appendingPathComponent("pipe").path
      #expect(mkfifo(path, 0o600) == 0)
      let pipe = try #require(FileHandle(forUpdatingAtPath: path))
      async let summary = reader.export(RowSetExport(columns: [0, 1], format: .csv, path: path)) { _ in }
      var text = try #require(try pipe.read(upToCount: 1))
      reader.cancelBackgroundWork()
      #expect(try await reader.count() == .exact(50_000))
      let size = "id,a\n".utf8.count + (1...50_000).reduce(0) { $0 + "\($1),sometext\n".utf8.count }
      while text.count < size, let more = try pipe.read(upToCount: min(1 << 16, size - text.count)) { text += more }
      #expect(try await summary.rows == 50_000)
      #expect(String(decoding: text, as: UTF8.self).hasSuffix("50000,sometext\n"))
    }
  }

  @Test func `the database itself is not written over, and a file that is there only where it may be`() async throws {
    try await withTemporaryFolder { folder in
      let database = try makeDatabaseFile(in: folder, named: "a.db", "CREATE TABLE t(a)")
      let source = try SQLiteDataSource(path: database)
      let reader = try source.reader(of: RowSet(.table(tracks)))
      let over = RowSetExport(columns: [0], format: .csv, path: database, isReplacing: true)
      await #expect(throws: OutputFileError.self) { try await source.export(over, of: reader) { _ in } }
      var export = RowSetExport(columns: [0], format: .csv, path: folder.appendingPathComponent("out.csv").path)
      _ = try await source.export(export, of: reader) { _ in }
      await #expect(throws: OutputFileError.self) { try await source.export(export, of: reader) { _ in } }
      export.isReplacing = true
      _ = try await source.export(export, of: reader) { _ in }
    }
  }
}
