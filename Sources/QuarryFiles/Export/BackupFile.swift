public import QuarryEngine

/// A copy of a live database in a file, which appears whole and checked, or not at all.
///
/// ```swift
/// let backup = try BackupFile(path: "copy.db", of: queue)
/// try await backup.write { print($0) }
/// ```
///
/// The copy is made beside its place under a hidden name, looked through by `PRAGMA quick_check`, and put in its place once it is on the
/// disk. What a program left there that was killed is removed by the next backup into the folder. A database that is replaced is locked from
/// the beginning to the end.
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
    let replaced = target.kind == .file ? try ReplacedDatabase(target) : nil
    let draft = try DatabaseDraft(for: target)
    defer { draft.discard() }
    try await copy(to: draft, progress)
    progress(.checking)
    try await check(draft)
    try Task.checkCancellation()
    guard let replaced else {
      // SQLite would take a log that is left there to be the copy's.
      if target.hasLog { throw OutputFileError(path, .isInUse) }
      return try draft.finish(permissionsOf: source.path, isReplacing: false)
    }
    return try replaced.replace { try draft.finish(permissionsOf: target.path, isReplacing: isReplacing) }
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
}
