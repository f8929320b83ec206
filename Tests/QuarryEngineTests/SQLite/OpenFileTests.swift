internal import QuarryEngine

#if os(Linux)
  import Foundation
  import QuarryEngine
  import TestSupport
  import Testing

  /// Files that the program reads while SQLite has them open: closing a descriptor would release SQLite's locks.
  @Suite struct OpenFileTests {
    /// What reads a file by its path.
    private static let readings: [@Sendable (String) -> Void] = [
      { path in _ = try? OpenFile.contents(of: path) },
      { path in _ = try? OpenFile(path, .locking) },
      { path in _ = try? DatabaseQueue(path: path) },
    ]

    @Test(arguments: ["DELETE", "WAL"], OpenDatabase.Opening.allCases)
    func `no reading of a file by the program releases the locks of a connection`(
      _ mode: String, _ opening: OpenDatabase.Opening
    ) throws {
      try OpenDatabase.with(mode, opening) { database in
        try database.expectLocksKept(by: Self.readings)
      }
    }

    @Test func `a file that is read again and again while it is open keeps one descriptor`() throws {
      try OpenDatabase.with("WAL", .queue) { database in
        let path = database.paths[0]
        try database.connection.execute(sql: "BEGIN; SELECT * FROM t")
        let before = try descriptorCount(ofFile: path)
        for _ in 0..<20 { #expect(try OpenFile.contents(of: path).starts(with: "SQLite format 3".utf8)) }
        #expect(try descriptorCount(ofFile: path) <= before + 1)
        try database.connection.execute(sql: "COMMIT")
      }
    }

    @Test func `a descriptor that was opened before the connection is kept as well`() throws {
      try withTemporaryFolder { folder in
        let path = try makeDatabaseFile(in: folder, "CREATE TABLE t(a)")
        var file: OpenFile? = try OpenFile(path, .reading)
        let queue = try DatabaseQueue(path: path)
        try queue.withoutTransaction { db in
          try db.execute(sql: "BEGIN IMMEDIATE; INSERT INTO t VALUES (1)")
          let before = heldLocks(onDatabase: path)
          withExtendedLifetime(file) {}
          file = nil
          #expect(heldLocks(onDatabase: path) == before && !before.isEmpty)
          try db.execute(sql: "COMMIT")
        }
      }
    }

    @Test func `a file that SQLite does not have open is closed at once`() throws {
      try withTemporaryFolder { folder in
        let path = try makeDatabaseFile(in: folder, "CREATE TABLE t(a)")
        _ = try OpenFile.contents(of: path)
        #expect(try descriptorCount(ofFile: path) == 0)
      }
    }
  }
#endif
