import Foundation
public import QuarryEngine
import Testing

/// A database file that this process has open while a test reads the file by its paths: closing a descriptor could release SQLite's locks.
public struct OpenDatabase {
  /// How the database came to be open.
  public enum Opening: CaseIterable, Sendable {
    case queue, attachedBySQL, attached
  }

  /// The open connection.
  public let connection: Database
  /// The path of the file, that of a symbolic link to it, and that of a hard link.
  public let paths: [String]

  /// Runs `body` with a file of a table `t` that is open, and expects that none of its descriptors is left afterwards.
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
      // A thread that has read the file may close it a moment after its reader was told the end.
      var looks = 0
      while try descriptorCount(ofFile: path) > 0, looks < 10_000 {
        looks += 1
        usleep(1_000)
      }
      #expect(try descriptorCount(ofFile: path) == 0, "the descriptors that were kept are closed with the connection")
    }
  }

  /// Expects that a connection that reads keeps its locks, whatever reads the file by any of its paths.
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
