internal import Libc
public import QuarryEngine

/// A copy of a live database in a file, which appears complete and checked, or not at all.
///
/// ```swift
/// let backup = try BackupFile(path: "copy.db", of: queue)
/// try await backup.write { print($0) }
/// ```
///
/// The copy is written under a hidden name in the same folder, checked by `PRAGMA quick_check`, and moved to its path once it is on the
/// disk. The next backup to the folder removes drafts of killed programs. A database that is replaced is locked during the whole backup.
public struct BackupFile: Sendable {
  /// The progress of a backup.
  public enum Progress: Hashable, Sendable {
    /// The number of copied bytes and the total number of bytes.
    case copying(Int, of: Int)
    /// The copy is complete and is being checked.
    case checking
  }

  /// The path of the copy.
  public let path: String
  private let source: DatabaseQueue
  private let isReplacing: Bool
  /// Whether the copy may replace its source.
  private let mayReplaceSource: Bool
  /// The times of the file when the source was opened.
  private let times: [Int64]
  private let target: OutputTarget

  /// Checks whether a copy may be written to a path.
  ///
  /// - Parameters:
  ///   - source: The database to copy, which is only read.
  ///   - isReplacing: Whether an existing file may be replaced.
  /// - Throws: ``OutputFileError``
  public init(path: String, of source: DatabaseQueue, isReplacing: Bool = false) throws {
    self.path = path
    self.source = source
    self.isReplacing = isReplacing
    (mayReplaceSource, times) = (false, [])
    target = try OutputTarget(path: path, databases: [source.path], mayBeDatabase: true)
    switch target.kind {
    case .nothing: break
    case .file: if !isReplacing { throw OutputFileError(path, .isThere) }
    case .device: throw OutputFileError(path, .isNoFile)
    }
  }

  /// Checks whether a changed copy may be written to a path, which may be that of the source.
  ///
  /// - Parameters:
  ///   - source: The database to copy. Its connection may have an open read transaction, whose state is copied.
  ///   - others: The paths of other databases, which must not be replaced.
  /// - Throws: ``OutputFileError``
  init(path: String, ofMerged source: DatabaseQueue, others: [String]) throws {
    (self.path, self.source, isReplacing, mayReplaceSource) = (path, source, true, true)
    target = try OutputTarget(path: path, databases: others, mayBeDatabase: true, replaceable: source.path)
    times = target.fileTimes
    if target.kind == .device { throw OutputFileError(path, .isNoFile) }
  }

  /// Copies one state of the database.
  ///
  /// - Parameter progress: Called several times a second, on any thread.
  /// - Returns: The size of the copy in bytes.
  /// - Throws: ``OutputFileError``, ``DatabaseError``, or `CancellationError`. An existing file is then unchanged.
  public func write(progress: @escaping @Sendable (Progress) -> Void = { _ in }) async throws -> Int {
    try await write(check: "PRAGMA quick_check(3)", progress: progress, closing: {}) { _ in }
  }

  /// Copies one state of the database, and changes the copy.
  ///
  /// - Parameters:
  ///   - check: The statement that checks the copy.
  ///   - progress: Called several times a second, on any thread.
  ///   - close: Closes the source if the copy replaces it.
  ///   - change: Changes the copy.
  /// - Returns: The size of the copy in bytes.
  func write(
    check: String, progress: @escaping @Sendable (Progress) -> Void, closing close: () throws -> Void,
    change: (DatabaseQueue) async throws -> Void
  ) async throws -> Int {
    let replacesSource = mayReplaceSource && target.isSame(as: source.path)
    let locked = target.kind == .file && !replacesSource ? try ReplacedDatabase(target) : nil
    let draft = try DatabaseDraft(for: target)
    defer { draft.discard() }
    do {
      try await copy(to: draft, progress, change)
      progress(.checking)
      try await self.check(draft, check)
    } catch var error as DatabaseError where error.origin?.path == draft.path {
      // Nobody knows the hidden name.
      error.origin?.path = path
      throw error
    }
    try Task.checkCancellation()
    var replaced = locked
    if replacesSource {
      try close()
      replaced = try ReplacedDatabase(target)
      // Another program has written since the source was read.
      if target.fileTimes != times { throw OutputFileError(path, .isInUse) }
    }
    guard let replaced else {
      // SQLite would use a remaining journal at the path as the journal of the copy.
      if target.hasLog { throw OutputFileError(path, .isInUse) }
      return try draft.finish(permissionsOf: source.path, isReplacing: false)
    }
    return try replaced.replace { try draft.finish(permissionsOf: target.path, isReplacing: isReplacing) }
  }

  private func copy(
    to draft: DatabaseDraft, _ progress: @escaping @Sendable (Progress) -> Void, _ change: (DatabaseQueue) async throws -> Void
  ) async throws {
    let copy = try DatabaseQueue(path: draft.path)
    // The draft is synced as a whole, and is not visible before.
    try await copy.withoutTransaction { db in
      try db.execute(sql: "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY")
    }
    let pageSize = try await source.withoutTransaction { db in try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 4096 }
    try await source.backup(to: copy) { pages in
      progress(.copying(pages.completedPages * pageSize, of: pages.totalPages * pageSize))
    }
    try await change(copy)
    // `close` would do this too, but reports no error.
    try await copy.withoutTransaction { db in try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    try copy.close()
    if draft.hasLog { throw OutputFileError(path, .failed(EBUSY)) }
  }

  /// Checks the copy as an immutable file, so that no journal is created beside it.
  private func check(_ draft: DatabaseDraft, _ statement: String) async throws {
    var configuration = Configuration()
    configuration.isImmutable = true
    let copy = try DatabaseQueue(path: draft.path, configuration: configuration)
    defer { try? copy.close() }
    let faults = try await copy.read { db in try String.fetchAll(db, sql: statement) }
    guard faults == ["ok"] else {
      throw DatabaseError(
        DatabaseError.SQLITE_CORRUPT, "the database is damaged, so its copy was removed: \(faults.joined(separator: "; "))")
    }
  }
}
