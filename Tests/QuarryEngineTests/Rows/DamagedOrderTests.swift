import Foundation
import TestSupport
import Testing

@testable import QuarryEngine

@Suite("A damaged table whose rowids are out of order") struct DamagedOrderTests {
  private static let name = Column<String>("name")

  /// A file whose last row, which had the rowid 20, says 5.
  private func damaged(in folder: URL) throws -> DatabaseQueue {
    let path = try makeDatabaseFile(
      in: folder, "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT)", "INSERT INTO t VALUES (10, 'aaaa'), (20, 'bbbb')")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    // The rowid, the size of the record's header, NULL for the column that is the rowid, and a text of four bytes.
    let range = try #require(bytes.range(of: Data([20, 3, 0, 21] + Array("bbbb".utf8))))
    bytes[range.lowerBound] = 5
    try bytes.write(to: URL(fileURLWithPath: path))
    return try DatabaseQueue(path: path)
  }

  @Test("is read, searched and sorted to its end", arguments: [nil, RowFilter(name.like("%"))], [.natural, RowOrder([name])])
  func rows(filter: RowFilter?, order: RowOrder) async throws {
    try await withTemporaryFolder { folder in
      let queue = try damaged(in: folder)
      let set = RowSet(.table(TableReference(name: "t")), filter: filter, order: order)
      let reader = RowReader(set, on: ReadConnections(foreground: queue, background: queue))
      // A row is found by its rowid only where that is in order.
      #expect(try await reader.page(PageRequest(.first, limit: 10)).rows.count <= 2)
      #expect(try await reader.count() == .exact(2))
      #expect(try await reader.find(.text("zz"), columns: [1], from: nil, backwards: false) == nil)
    }
  }
}
