internal import Libc
internal import QuarryEngine

/// The database that a copy is to replace, locked so that no other program reads or writes it until the copy is in its place.
///
/// A program that opens it meanwhile waits for the lock. One that had it open before, and holds no lock, keeps the old file: SQLite refuses
/// its writes with `SQLITE_READONLY_DBMOVED`.
final class ReplacedDatabase: Sendable {
  private let target: OutputTarget
  /// Holds the lock; nil where the file is no database.
  private let queue: DatabaseQueue?

  /// Locks the file of a target, which is not changed by that.
  ///
  ///     PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT
  ///
  /// - Throws: ``OutputFileError`` where another program uses it.
  init(_ target: OutputTarget) throws {
    self.target = target
    guard target.mayBeOpenedAsDatabase else {
      queue = nil
      return
    }
    do {
      queue = try Self.locked(target.path)
    } catch let error as DatabaseOpenError where error.kind != .isLocked {
      // A file that SQLite does not open as a database is not in use, but its log might get into the copy.
      if target.hasLog { throw OutputFileError(target.givenPath, .isInUse) }
      queue = nil
    } catch is DatabaseOpenError {
      throw OutputFileError(target.givenPath, .isInUse)
    } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_BUSY {
      throw OutputFileError(target.givenPath, .isInUse)
    }
  }

  private static func locked(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyTimeout = .zero
    configuration.locksExclusively = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    // In this mode the connection keeps the lock when a transaction ends.
    try queue.withoutTransaction { db in try db.execute(sql: "BEGIN EXCLUSIVE; COMMIT") }
    return queue
  }

  /// Puts a file in the place of the database by what `rename` does, and lets go of the lock.
  ///
  /// The old file has no log by then, of which SQLite would take it to be the new file's. A connection that still has the old file open
  /// finds no WAL mode in it, and so does not write to the log of the new one.
  ///
  ///     PRAGMA journal_mode = TRUNCATE
  ///
  /// - Throws: ``OutputFileError`` where a log is there that SQLite does not remove; what `rename` throws.
  func replace(by rename: () throws -> Int) throws -> Int {
    defer { try? queue?.close() }
    guard let queue else {
      if target.hasLog { throw OutputFileError(target.givenPath, .isInUse) }
      return try rename()
    }
    let mode = try queue.withoutTransaction { db in
      let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode")
      guard try String.fetchOne(db, sql: "PRAGMA journal_mode = TRUNCATE") == "truncate" else {
        throw OutputFileError(target.givenPath, .isInUse)
      }
      return mode
    }
    do {
      // Whoever would use them waits for the lock.
      for log in target.logs { PathText.withPath(log) { _ = unlink($0) } }
      if target.hasLog { throw OutputFileError(target.givenPath, .isInUse) }
      return try rename()
    } catch {
      // The file stays, and so does its mode.
      if mode == "wal" { try? queue.withoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = WAL") } }
      throw error
    }
  }
}
