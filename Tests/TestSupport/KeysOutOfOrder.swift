import Foundation
import QuarryEngine
import Testing

/// A table with a rowid out of order.
///
/// A scan by ranges of rowids stops before it in each range, and SQLite reports no error.
public enum KeysOutOfOrder {
  /// Runs `body` with the path of a database in which a rowid in the middle of a page of `t` was made greater than all others.
  public static func with(_ body: (String) async throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "PRAGMA page_size = 4096", "CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT)",
        "WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO t SELECT i, 'value ' || i FROM n")
      var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
      let page = try #require((1..<bytes.count / 4096).first { bytes[$0 * 4096] == 13 && rowID(16, $0, bytes) > 128 })
      let cell = cell(16, page, bytes)
      // The rowid has two bytes. This is their greatest value.
      (bytes[cell + 1], bytes[cell + 2]) = (0xFF, 0x7F)
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      try await body(path)
    }
  }

  /// Expects that the damage is reported as an error.
  public static func expectError(_ body: () async throws -> Void) async {
    let error = await #expect(throws: DatabaseError.self) { try await body() }
    #expect(error?.resultCode == DatabaseError.SQLITE_CORRUPT)
  }

  private static func cell(_ index: Int, _ page: Int, _ bytes: [UInt8]) -> Int {
    let place = page * 4096 + 8 + 2 * index
    return page * 4096 + Int(bytes[place]) << 8 + Int(bytes[place + 1])
  }

  private static func rowID(_ index: Int, _ page: Int, _ bytes: [UInt8]) -> Int {
    let cell = cell(index, page, bytes)
    return bytes[cell + 1] < 0x80 ? Int(bytes[cell + 1]) : Int(bytes[cell + 1] & 0x7F) << 7 | Int(bytes[cell + 2])
  }
}
