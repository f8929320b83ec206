#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A copy of a live database in a file, which appears whole and checked, or not at all.
///
/// ```swift
/// let backup = try BackupFile(path: "copy.db", of: queue)
/// try await backup.write { print($0) }
/// ```
///
/// The copy is made beside its place under a hidden name, looked through by `PRAGMA quick_check`, and put in its place once it is on the
/// disk. What a program left there that was killed is removed by the next backup into the folder.
public struct BackupFile: Sendable {
  /// How far a backup is.
  public enum Progress: Hashable, Sendable {
    /// So many bytes of so many are copied.
    case copying(Int, of: Int)
    /// All is copied, and looked through.
    case checking
  }

  /// The path of the copy.
  public let path: String
  private let source: DatabaseQueue
  private let isReplacing: Bool
  private let target: OutputTarget

  /// Looks whether a copy may be written to a path.
  ///
  /// - Parameters:
  ///   - source: The database that is copied; it is read only.
  ///   - isReplacing: Whether a file that is there may be replaced.
  /// - Throws: ``OutputFileError``
  public init(path: String, of source: DatabaseQueue, isReplacing: Bool = false) throws {
    self.path = path
    self.source = source
    self.isReplacing = isReplacing
    target = try OutputTarget(path: path, databases: [source.path], mayBeDatabase: true)
    switch target.kind {
    case .nothing: break
    case .file: if !isReplacing { throw OutputFileError(path, .isThere) }
    case .device: throw OutputFileError(path, .isNoFile)
    }
  }

  /// Copies one state of the database.
  ///
  /// - Parameter progress: Is called several times a second, on any thread.
  /// - Returns: The size of the copy in bytes.
  /// - Throws: ``OutputFileError``, ``DatabaseError``, or `CancellationError`; then the place is as it was.
  public func write(progress: @escaping @Sendable (Progress) -> Void = { _ in }) async throws -> Int {
    if target.kind == .file { try releaseReplaced() }
    let draft = try DatabaseDraft(for: target)
    defer { draft.discard() }
    try await copy(to: draft, progress)
    progress(.checking)
    try await check(draft)
    try Task.checkCancellation()
    return try draft.finish(permissionsOf: target.kind == .file ? target.path : source.path, isReplacing: isReplacing)
  }

  private func copy(to draft: DatabaseDraft, _ progress: @escaping @Sendable (Progress) -> Void) async throws {
    let copy = try DatabaseQueue(path: draft.path)
    // The draft is put on the disk as a whole, and nobody sees it before.
    try await copy.withoutTransaction { db in
      try db.execute(sql: "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY")
    }
    let pageSize = try await source.read { db in try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 4096 }
    try await source.backup(to: copy) { pages in
      progress(.copying(pages.completedPages * pageSize, of: pages.totalPages * pageSize))
    }
    try copy.close()
  }

  /// Looks through the copy, as a file that nobody changes: no log is made beside it.
  ///
  ///     PRAGMA quick_check(3)
  private func check(_ draft: DatabaseDraft) async throws {
    var configuration = Configuration()
    configuration.isImmutable = true
    let copy = try DatabaseQueue(path: draft.path, configuration: configuration)
    defer { try? copy.close() }
    let faults = try await copy.read { db in try String.fetchAll(db, sql: "PRAGMA quick_check(3)") }
    guard faults == ["ok"] else {
      throw DatabaseError(
        DatabaseError.SQLITE_CORRUPT, "the copy is damaged as the database is, and was not kept: \(faults.joined(separator: "; "))")
    }
  }

  /// Brings the database that is to be replaced to rest, so that no log of its own lies beside the copy, of which SQLite would take it to
  /// be a part.
  ///
  ///     PRAGMA wal_checkpoint(TRUNCATE)
  private func releaseReplaced() throws {
    guard target.isDatabase || target.logs.contains(where: { PathText.exists(Array($0.utf8)) }) else { return }
    do {
      var configuration = Configuration()
      configuration.busyTimeout = .zero
      let replaced = try DatabaseQueue(path: target.path, configuration: configuration)
      // Nobody reads or writes it while this lasts.
      try replaced.withoutTransaction { db in
        try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE); BEGIN EXCLUSIVE; COMMIT")
      }
      // The last connection to a database removes its log.
      try replaced.close()
    } catch let error as DatabaseOpenError where error.kind != .isLocked {
      // What cannot be opened is not in use.
    } catch is DatabaseOpenError {
      throw OutputFileError(path, .isInUse)
    } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_BUSY {
      throw OutputFileError(path, .isInUse)
    }
    if target.logs.contains(where: { PathText.exists(Array($0.utf8)) }) { throw OutputFileError(path, .isInUse) }
  }
}
