internal import QuarryEngine
internal import QuarryFiles

#if os(Linux)
  import Foundation
  import QuarryEngine
  import TestSupport
  import Testing

  /// Files that the program reads while SQLite has them open: closing a descriptor would release SQLite's locks.
  @Suite struct OpenFileTests {
    /// How the database came to be open.
    enum Opening: CaseIterable {
      case queue, attachedBySQL, attached
    }

    /// What reads a file by its path.
    private static let readings: [@Sendable (String, DatabaseQueue) -> Void] = [
      { path, _ in _ = try? FileKind(path: path) },
      { path, _ in _ = try? OpenFile.contents(of: path) },
      { path, _ in _ = try? OpenFile(path, .locking) },
      { path, _ in _ = try? FileTables([path]) },
      { path, _ in _ = try? OutputFile(path: path) },
      { path, other in _ = try? BackupFile(path: path, of: other, isReplacing: true) },
      { path, other in
        let plan = ImportPlan(path: path, into: .existing(TableReference(name: "t")))
        _ = try? other.write { db in _ = try Importer(plan, in: db).preview }
      },
      { path, _ in _ = try? DatabaseQueue(path: path) },
    ]

    private func withOpenDatabase(
      _ mode: String, _ opening: Opening, _ body: (Database, [String], DatabaseQueue) throws -> Void
    ) throws {
      try withTemporaryFolder { folder in
        let path = try makeDatabaseFile(
          in: folder, "PRAGMA journal_mode = \(mode)", "CREATE TABLE t(a)", "INSERT INTO t VALUES (1)")
        let (link, twin) = (folder.path + "/link.db", folder.path + "/twin.db")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        try FileManager.default.linkItem(atPath: path, toPath: twin)
        let other = try makeDatabase("CREATE TABLE t(a)")
        let queue = try DatabaseQueue(path: opening == .queue ? path : ":memory:")
        try queue.withoutTransaction { db in
          switch opening {
          case .queue: break
          case .attachedBySQL: try db.execute(sql: "ATTACH '\(path)' AS other")
          case .attached: try db.attach(path: path, as: "other")
          }
          try body(db, [path, link, twin], other)
        }
        try queue.close()
        // A thread that has read the file may close it a moment after its reader was told the end.
        var looks = 0
        while try descriptorCount(ofFile: path) > 0, looks < 10_000 {
          looks += 1
          usleep(1_000)
        }
        #expect(try descriptorCount(ofFile: path) == 0, "the descriptors that were kept are closed with the connection")
      }
    }

    @Test(arguments: ["DELETE", "WAL"], Opening.allCases)
    func `no reading of a file by the program releases the locks of a connection`(_ mode: String, _ opening: Opening) throws {
      try withOpenDatabase(mode, opening) { db, paths, other in
        try db.execute(sql: "BEGIN; SELECT * FROM t")
        let before = heldLocks(onDatabase: paths[0])
        #expect(!before.isEmpty)
        for path in paths {
          for (number, read) in Self.readings.enumerated() {
            read(path, other)
            #expect(heldLocks(onDatabase: paths[0]) == before, "reading \(number) of \(path)")
          }
        }
        try db.execute(sql: "COMMIT")
      }
    }

    @Test func `a file that is read again and again while it is open keeps one descriptor`() throws {
      try withOpenDatabase("WAL", .queue) { db, paths, _ in
        try db.execute(sql: "BEGIN; SELECT * FROM t")
        let before = try descriptorCount(ofFile: paths[0])
        for _ in 0..<20 { #expect(try OpenFile.contents(of: paths[0]).starts(with: "SQLite format 3".utf8)) }
        #expect(try descriptorCount(ofFile: paths[0]) <= before + 1)
        try db.execute(sql: "COMMIT")
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
