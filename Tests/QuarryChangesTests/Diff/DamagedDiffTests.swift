import Foundation
import QuarryChanges
import QuarryEngine
import TestSupport
import Testing

/// A comparison with a table whose tree is damaged where a search by key does not come to.
@Suite struct DamagedDiffTests {
  private static let pageSize = 512

  @Test func `rows that cannot be reached are not taken for removed`() async throws {
    try await withTemporaryFolder { folder in
      let sound = try makeDatabaseFile(
        in: folder, named: "sound.db", "PRAGMA page_size = \(Self.pageSize)", "CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT)",
        "WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO t SELECT i, 'value ' || i FROM n")
      let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: sound)))
      let root = try await DatabaseQueue(path: sound).read { try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_schema") }
      let start = (try #require(root) - 1) * Self.pageSize
      try #require(bytes[start] == 5, "the root has other pages under it")
      for index in 0..<Int(bytes[start + 3]) << 8 + Int(bytes[start + 4]) {
        var damaged = bytes
        // The place of a cell lies beyond the end of its page.
        (damaged[start + 12 + 2 * index], damaged[start + 13 + 2 * index]) = (0x7A, 0x06)
        let path = folder.appendingPathComponent("damaged.db").path
        try Data(damaged).write(to: URL(fileURLWithPath: path))
        let sides = try [sound, path].map { try FileDiffSide(DatabaseQueue(path: $0), name: $0) }
        for step in [100, 500] {
          var comparison = DatabaseDiff(sides[0], sides[1])
          comparison.step = step
          var error: DatabaseError?
          do { _ = try await comparison.rows { _ in } } catch let thrown as DatabaseError { error = thrown }
          #expect(error?.resultCode == DatabaseError.SQLITE_CORRUPT, "cell \(index), \(step) rows at a time")
        }
      }
    }
  }
}
