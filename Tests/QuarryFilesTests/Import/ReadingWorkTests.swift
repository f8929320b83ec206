import Foundation
import TestSupport
import Testing

@testable import QuarryEngine
@testable import QuarryFiles

/// How much is done to read files of unusual shapes: in proportion to their size.
@Suite struct ReadingWorkTests {
  @Test("The bytes that are moved between batches are few, however many tables there are")
  func manyTables() throws {
    let text = "{" + (0..<20_000).map { "\"t\($0)\":[{\"a\":1}]" }.joined(separator: ",") + "}"
    try withFile(text) { path in
      let window = TextWindow(try TextSource(ByteSource(path: path)))
      let sample = TextSample(window)
      try sample.readBeginning()
      let reader = try JSONReader(window, sample, isSequence: false)
      let batch = RecordBatch()
      var count = 0
      while try reader.read(into: batch) { count += batch.count }
      #expect(count == 20_000)
      // A piece of 1 KiB for each table of 20 bytes.
      #expect(window.movedCount < 20_000 * 2_000)
    }
  }

  @Test("The fields that are moved when columns come are few, even if each record has another one")
  func manyKeys() throws {
    let text = (0..<1900).map { "{\"k\($0)\":1}\n" }.joined()
    try withFile(text) { path in
      let reader = try RecordFile.open(path: path)
      let batch = RecordBatch()
      var (count, moved) = (0, 0)
      while try reader.read(into: batch) {
        count += batch.count
        moved += batch.movedFieldCount
        for record in 0..<batch.count {
          let values = (0..<batch.columnCount).filter { batch.field(record, $0).kind != .null }
          #expect(values == [count - batch.count + record])
        }
      }
      #expect(count == 1900)
      // All fields are rows by columns.
      #expect(moved < 2 * 1900 * 1900)
    }
  }

  @Test("Many new columns of a table with few rows take few statements, and keep the rows")
  func manyColumns() throws {
    let queue = try DatabaseQueue()
    try queue.withoutTransaction { db in
      var count = 0
      let columns = (0..<500).map { RecordTableWriter.Column(name: "c\($0)", type: .integer) }
      let table = TableReference(name: "t")
      let writer = try RecordTableWriter(table, columns: Array(columns[..<100]), places: Array(0..<100), in: db) {
        count += 1
        try db.execute(sql: $0)
      }
      try db.execute(sql: "INSERT INTO t(c0, c99) VALUES (1, 2)")
      try writer.adopt(columns, places: Array(0..<500))
      #expect(count < 6)
      #expect(try Row.fetchOne(db, sql: "SELECT c0, c99, c499 FROM t")?.databaseValues == [.integer(1), .integer(2), .null])
    }
  }

  @Test("A table is told of as often as rows come, however many others there are")
  func manyTold() throws {
    try withTemporaryFolder { folder in
      let path = folder.appendingPathComponent("x.json").path
      let text = "{" + (0..<500).map { "\"t\($0)\":[{\"a\":1}]" }.joined(separator: ",") + "}"
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      let tables = try FileTables([path])
      try tables.start()
      try tables.wait()
      #expect(tables.tables.count == 500 && tables.tables.allSatisfy { $0.rows == 1 && $0.isComplete })
      #expect(tables.changeCount < 500 * 8)
    }
  }
}
