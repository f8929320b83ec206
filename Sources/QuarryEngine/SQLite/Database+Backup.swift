internal import CSQLite

/// The progress of a backup, in pages of the database.
public struct BackupProgress: Hashable, Sendable {
  /// The number of pages still to copy.
  public let remainingPages: Int
  /// The number of pages of the database.
  public let totalPages: Int

  /// The number of copied pages.
  public var completedPages: Int { totalPages - remainingPages }
}

extension Database {
  /// Copies this database to another one and replaces its content.
  ///
  /// ```swift
  /// try source.withoutTransaction { db in
  ///   try copy.withoutTransaction { copy in
  ///     try db.backup(to: copy, pagesPerStep: 100) { print($0.completedPages, "of", $0.totalPages) }
  ///   }
  /// }
  /// ```
  ///
  /// Inside a transaction, one state of this database is copied, regardless of external changes. Outside a transaction, other connections
  /// may write between two steps, which restarts the backup. The other database must not be in a transaction. It is unchanged if the backup
  /// does not finish: because of an error, an error of `progress`, ``DatabaseQueue/interrupt()``, or the cancellation of the task. The
  /// backup waits for the locks of other connections as a statement does. The corresponding C functions are `sqlite3_backup_init`,
  /// `sqlite3_backup_step` and `sqlite3_backup_finish`.
  ///
  /// - Parameters:
  ///   - pagesPerStep: The number of pages copied between two calls of `progress`.
  ///   - progress: Called after each step; it must not use either database.
  /// - Throws: ``DatabaseError``, and any error of `progress`.
  public func backup(
    to destination: Database, pagesPerStep: Int = 256, progress: (BackupProgress) throws -> Void = { _ in }
  ) throws {
    try checkAccess()
    try destination.checkAccess()
    if destination.refusesWriting {
      throw DatabaseError(DatabaseError.SQLITE_READONLY, "attempt to write a backup in a read-only access")
    }
    // A transaction that has not read anything has no fixed state, and each step would read its own.
    if isInsideTransaction { try execute(sql: "SELECT 1 FROM main.sqlite_schema LIMIT 1") }
    guard let backup = sqlite3_backup_init(destination.connection, "main", connection, "main") else {
      throw destination.error(sqlite3_errcode(destination.connection))
    }
    let code: Int32
    do {
      code = try run(backup, Int32(clamping: max(1, pagesPerStep)), progress)
    } catch {
      sqlite3_backup_finish(backup)
      throw error
    }
    let end = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE else { throw busyWait.wasStopped ? error(code) : destination.error(code) }
    try destination.check(end)
  }

  /// Runs all steps of a backup and returns the final code.
  private func run(_ backup: OpaquePointer, _ pages: Int32, _ progress: (BackupProgress) throws -> Void) throws -> Int32 {
    let interruptions = interruption.count
    while true {
      guard cancellation?.isCancelled != true, interruption.count == interruptions else {
        throw DatabaseError(DatabaseError.SQLITE_INTERRUPT)
      }
      let code = sqlite3_backup_step(backup, pages)
      guard code == SQLITE_OK || code == SQLITE_DONE else { return code }
      try progress(
        BackupProgress(
          remainingPages: Int(sqlite3_backup_remaining(backup)), totalPages: Int(sqlite3_backup_pagecount(backup))))
      if code == SQLITE_DONE { return code }
    }
  }
}

extension DatabaseQueue {
  /// Copies one state of this database to another one and replaces its content.
  ///
  /// ```swift
  /// try source.backup(to: DatabaseQueue(path: "copy.db"))
  /// ```
  ///
  /// See ``Database/backup(to:pagesPerStep:progress:)``.
  ///
  /// - Throws: ``DatabaseError``, and any error of `progress`.
  public func backup(
    to destination: DatabaseQueue, pagesPerStep: Int = 256, progress: (BackupProgress) throws -> Void = { _ in }
  ) throws {
    try copy(to: destination, nil, pagesPerStep, progress)
  }

  /// Copies one state of this database to another one on this queue's own thread, and replaces its content.
  ///
  /// ```swift
  /// try await source.backup(to: copy) { progress in
  ///   print(progress.completedPages, "of", progress.totalPages)
  /// }
  /// ```
  ///
  /// See ``Database/backup(to:pagesPerStep:progress:)``.
  ///
  /// - Throws: ``DatabaseError``, any error of `progress`, or `CancellationError` if the task is cancelled, in which case the other
  ///   database is unchanged.
  public func backup(
    to destination: DatabaseQueue, pagesPerStep: Int = 256,
    progress: @escaping @Sendable (BackupProgress) throws -> Void = { _ in }
  ) async throws {
    try await performWork { try self.copy(to: destination, $0, pagesPerStep, progress) }
  }

  /// Copies one state of this database in an access of both queues.
  ///
  /// The accesses begin in a fixed order of the two queues, so that two backups in opposite directions do not wait for each other.
  private func copy(
    to destination: DatabaseQueue, _ cancellation: Cancellation?, _ pagesPerStep: Int, _ progress: (BackupProgress) throws -> Void
  ) throws {
    func run(_ source: Database, _ destination: Database) throws {
      try source.reading { try $0.backup(to: destination, pagesPerStep: pagesPerStep, progress: progress) }
    }
    if ObjectIdentifier(self) < ObjectIdentifier(destination) {
      try access(cancellation) { source in try destination.access(cancellation) { try run(source, $0) } }
    } else {
      try destination.access(cancellation) { destination in try access(cancellation) { try run($0, destination) } }
    }
  }
}

extension Database {
  /// Returns the bytes of the database named `name`, as a file would contain them.
  ///
  /// The corresponding C function is `sqlite3_serialize`.
  package func serialized(_ name: String = "main") throws -> [UInt8] {
    try checkAccess()
    var count: sqlite3_int64 = 0
    guard let bytes = sqlite3_serialize(connection, name, &count, 0) else { throw error(SQLITE_NOMEM) }
    defer { sqlite3_free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
  }
}
