import Foundation
public import QuarryEngine
import Testing

/// A database file that this process has open while a test reads the file by its paths, because closing a descriptor could release SQLite's
/// locks.
public struct OpenDatabase {
  /// The way in which the database was opened.
  public enum Opening: CaseIterable, Sendable {
    case queue, attachedBySQL, attached
  }

  /// The open connection.
  public let connection: Database
  /// The paths of the file, of a symbolic link to it, and of a hard link.
  public let paths: [String]

  /// Runs `body` with an open file that contains a table `t`, and expects that none of its descriptors remains open afterwards.
  public static func with(_ mode: String, _ opening: Opening, _ body: (OpenDatabase) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "PRAGMA journal_mode = \(mode)", "CREATE TABLE t(a)", "INSERT INTO t VALUES (1)")
      let (link, twin) = (folder.path + "/link.db", folder.path + "/twin.db")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
      try FileManager.default.linkItem(atPath: path, toPath: twin)
      let queue = try DatabaseQueue(path: opening == .queue ? path : ":memory:")
      try queue.withoutTransaction { db in
        switch opening {
        case .queue: break
        case .attachedBySQL: try db.execute(sql: "ATTACH '\(path)' AS other")
        case .attached: try db.attach(path: path, as: "other")
        }
        try body(OpenDatabase(connection: db, paths: [path, link, twin]))
      }
      try queue.close()
      // A thread that has read the file may close it a moment after the end was reported.
      var looks = 0
      while try descriptorCount(ofFile: path) > 0, looks < 10_000 {
        looks += 1
        usleep(1_000)
      }
      #expect(try descriptorCount(ofFile: path) == 0, "the descriptors that were kept are closed with the connection")
    }
  }

  /// Expects that a reading connection keeps its locks while the file is read by any of its paths.
  public func expectLocksKept(by readings: [@Sendable (String) -> Void]) throws {
    try connection.execute(sql: "BEGIN; SELECT * FROM t")
    let before = heldLocks(onDatabase: paths[0])
    #expect(!before.isEmpty)
    for path in paths {
      for (number, read) in readings.enumerated() {
        read(path)
        #expect(heldLocks(onDatabase: paths[0]) == before, "reading \(number) of \(path)")
      }
    }
    try connection.execute(sql: "COMMIT")
  }
}
