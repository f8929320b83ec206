internal import Libc
internal import QuarryEngine

/// The database to be replaced by a copy, locked so that no other program reads or writes it before the replacement.
///
/// A program that opens it meanwhile waits for the lock. A program that had it open before without a lock keeps the old file. SQLite
/// rejects its writes with `SQLITE_READONLY_DBMOVED`.
final class ReplacedDatabase: Sendable {
  private let target: OutputTarget
  /// The connection that holds the lock, or nil if the file is not a database.
  private let queue: DatabaseQueue?

  /// Locks the file of a target without changing it.
  ///
  ///     PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT
  ///
  /// - Throws: ``OutputFileError`` if another program uses it.
  init(_ target: OutputTarget) throws {
    self.target = target
    guard target.mayBeOpenedAsDatabase else {
      queue = nil
      return
    }
    do {
      queue = try Self.locked(target.path)
    } catch let error as DatabaseOpenError where error.kind != .isLocked {
      // A file that SQLite does not open as a database is not in use, but its journal might be applied to the copy.
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

  /// Replaces the database by calling `rename`, and releases the lock.
  ///
  /// The journals of the old file are removed before, because SQLite would use them for the new file. A connection that still has the old
  /// file open finds no WAL mode in it, and therefore does not write to the new file's log.
  ///
  ///     PRAGMA journal_mode = TRUNCATE
  ///
  /// - Throws: ``OutputFileError`` if SQLite does not remove a journal, and any error thrown by `rename`.
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
      // Programs that would use them wait for the lock.
      for log in target.logs { PathText.withPath(log) { _ = unlink($0) } }
      if target.hasLog { throw OutputFileError(target.givenPath, .isInUse) }
      return try rename()
    } catch {
      // The file and its journal mode are preserved.
      if mode == "wal" { try? queue.withoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = WAL") } }
      throw error
    }
  }
}
