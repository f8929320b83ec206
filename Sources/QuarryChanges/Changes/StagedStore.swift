public import Essentials
package import QuarryRows

/// The file with the staged changes of a session for one database, and the files left behind by earlier sessions.
///
/// ```swift
/// let store = try StagedStore(state: "/home/me/.local/state/quarry", database: "/home/me/app.db")
/// for left in store.abandoned().changes { … }  // offers them, and takes or discards each
/// try store.save(changes)                      // whenever they have changed
/// ```
///
/// A session locks its file while it runs. If another program can get the lock, the session has ended.
public final class StagedStore: Sendable {
  /// The changes left behind by an ended session.
  ///
  /// Two values are equal if they belong to the same session.
  public struct OrphanedSession: Hashable, Sendable {
    /// The staged changes.
    public private(set) var changes: StagedChanges
    /// The changes that a commit was writing when the session ended, or nil if none was running.
    public private(set) var sent: StagedChanges?
    /// The time of the last write.
    public let date: Date
    fileprivate let file: String
    /// Held so that the changes are not offered to another session.
    fileprivate let lock: FileLock

    public static func == (first: OrphanedSession, second: OrphanedSession) -> Bool { first.file == second.file }

    public func hash(into hasher: inout Hasher) { hasher.combine(file) }

    /// Removes changes that are known to be committed.
    ///
    /// - Parameter keys: The new keys of rows whose keys the commit has changed.
    package mutating func takeOut(_ written: StagedChanges, keys: [RowAddress: RowKey]) {
      var session = EditSession(changes, sending: written)
      session.endCommit(written: written, keys: keys)
      (changes, sent) = (session.staged, nil)
    }
  }

  /// The changes left behind by earlier sessions.
  public struct OrphanedEdits: Sendable {
    /// The staged changes of each session, the oldest first.
    public var changes: [OrphanedSession] = []
    /// The paths of unreadable files.
    ///
    /// Damaged files have been renamed.
    public var damaged: [String] = []
  }

  private let folder: String
  private let database: String
  /// The common part of the paths of the session's files, without the suffixes.
  private let stem: String
  private let lock: FileLock

  /// Reserves a session's file.
  ///
  /// It is written once there are changes.
  ///
  /// - Parameters:
  ///   - state: The folder of the program's state.
  ///   - database: The database's absolute path.
  /// - Throws: ``PrivateFileError`` if the folder is not writable.
  public init(state: String, database: String) throws {
    folder = state + "/staged"
    self.database = database
    stem = "\(folder)/\(Self.prefix(of: database))\(UInt64.random(in: 0 ... .max))"
    try PrivateFile.makeFolder(folder)
    guard let lock = try FileLock(path: stem + Self.lockSuffix) else { throw PrivateFileError(path: stem) }
    self.lock = lock
  }

  deinit {
    // Staged changes stay on the disk, and are orphaned without the lock. If there are none, the lock file is not needed.
    if !FileManager.default.fileExists(atPath: stem + Self.suffix) { try? FileManager.default.removeItem(atPath: stem + Self.lockSuffix) }
  }

  private static let suffix = ".changes"
  private static let lockSuffix = ".lock"

  /// Returns the prefix of the file names of a database's sessions.
  private static func prefix(of database: String) -> String {
    String(Checksum.of(database.utf8), radix: 16) + "-"
  }

  /// Writes the staged changes completely or not at all, readable only by the owner.
  ///
  /// Removes the file if there are none.
  ///
  /// - Parameter sent: The changes that a commit is writing, or nil for none. If a later session finds both, it offers only the changes
  ///   that the commit has not written.
  /// - Throws: ``PrivateFileError``.
  public func save(_ changes: StagedChanges, sent: StagedChanges? = nil) throws {
    guard !changes.isEmpty || sent != nil else { return Self.remove(stem + Self.suffix) }
    let bytes = StagedChangesFormat.bytes(of: StagedChangesFormat.Content(database: database, changes: changes, sent: sent))
    // The file is written while the user types, and must not wait for a slow disk.
    _ = try PrivateFile.save(bytes, to: stem + Self.suffix, replacing: true, isSynced: false)
  }

  /// Reads the changes left behind by ended sessions.
  ///
  /// Damaged files are renamed and reported.
  public func abandoned() -> OrphanedEdits {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    var leavings = OrphanedEdits()
    for name in names where name.hasPrefix(Self.prefix(of: database)) && name.hasSuffix(Self.suffix) {
      let stem = "\(folder)/\(name.dropLast(Self.suffix.count))"
      guard stem != self.stem, let lock = try? FileLock(path: stem + Self.lockSuffix) else { continue }
      read(stem, lock, into: &leavings)
    }
    leavings.changes.sort { $0.date < $1.date }
    return leavings
  }

  private func read(_ stem: String, _ lock: FileLock, into leavings: inout OrphanedEdits) {
    let file = stem + Self.suffix
    do throws(StateFileError) {
      let read = try StateFile(path: file, damagedPath: stem + ".damaged").read { StagedChangesFormat.content($0) }
      // Another session may have adopted the changes before the lock was acquired.
      guard let content = read, content.database == database else { return }
      let date = (try? FileManager.default.attributesOfItem(atPath: file))?[.modificationDate] as? Date
      leavings.changes.append(OrphanedSession(changes: content.changes, sent: content.sent, date: date ?? .now, file: stem, lock: lock))
    } catch {
      switch error {
      case .unreadable: leavings.damaged.append(file)
      case .damaged(_, let keptAs):
        if keptAs != nil { Self.remove(stem + Self.lockSuffix) }
        leavings.damaged.append(keptAs ?? file)
      }
    }
  }

  /// Removes the changes left behind by an ended session, after they were adopted and saved, or rejected.
  public func discard(_ abandoned: OrphanedSession) {
    Self.remove(abandoned.file + Self.suffix)
    Self.remove(abandoned.file + Self.lockSuffix)
  }

  private static func remove(_ path: String) {
    try? FileManager.default.removeItem(atPath: path)
  }
}
