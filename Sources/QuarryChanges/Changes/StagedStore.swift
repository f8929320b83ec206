public import Essentials
package import QuarryRows

/// The file that keeps what one session has staged of a database, and those that sessions before it have left behind.
///
/// ```swift
/// let store = try StagedStore(state: "/home/me/.local/state/quarry", database: "/home/me/app.db")
/// for left in store.abandoned().changes { … }  // offers them, and takes or discards each
/// try store.save(changes)                      // whenever they have changed
/// ```
///
/// A session locks its file as long as it runs; whoever gets the lock of another knows that its session is dead.
public final class StagedStore: Sendable {
  /// What a dead session has left behind; two are equal where they are of the same session.
  public struct OrphanedSession: Hashable, Sendable {
    /// What it had staged.
    public private(set) var changes: StagedChanges
    /// What a commit was writing when the session ended; nil for none.
    public private(set) var sent: StagedChanges?
    /// When it was last written.
    public let date: Date
    fileprivate let file: String
    /// Held, so that no other session is offered the same.
    fileprivate let lock: FileLock

    public static func == (first: OrphanedSession, second: OrphanedSession) -> Bool { first.file == second.file }

    public func hash(into hasher: inout Hasher) { hasher.combine(file) }

    /// Takes out changes that are known to have been committed.
    ///
    /// - Parameter keys: The keys of rows whose key the commit has changed.
    package mutating func takeOut(_ written: StagedChanges, keys: [RowAddress: RowKey]) {
      var session = EditSession(changes, sending: written)
      session.endCommit(written: written, keys: keys)
      (changes, sent) = (session.staged, nil)
    }
  }

  /// What sessions before this one have left behind.
  public struct OrphanedEdits: Sendable {
    /// What they had staged, the oldest first.
    public var changes: [OrphanedSession] = []
    /// The paths of files that cannot be read; damaged ones have been renamed.
    public var damaged: [String] = []
  }

  private let folder: String
  private let database: String
  /// The paths of the session's files, without what tells them apart.
  private let stem: String
  private let lock: FileLock

  /// Begins a session's file, which is written once there is something to keep.
  ///
  /// - Parameters:
  ///   - state: The folder of the program's state.
  ///   - database: The database's absolute path.
  /// - Throws: ``PrivateFileError`` where the folder cannot be written.
  public init(state: String, database: String) throws {
    folder = state + "/staged"
    self.database = database
    stem = "\(folder)/\(Self.prefix(of: database))\(UInt64.random(in: 0 ... .max))"
    try PrivateFile.makeFolder(folder)
    guard let lock = try FileLock(path: stem + Self.lockSuffix) else { throw PrivateFileError(path: stem) }
    self.lock = lock
  }

  deinit {
    // What is staged stays: without the lock it is left behind, and else there is nothing to be locked.
    if !FileManager.default.fileExists(atPath: stem + Self.suffix) { try? FileManager.default.removeItem(atPath: stem + Self.lockSuffix) }
  }

  private static let suffix = ".changes"
  private static let lockSuffix = ".lock"

  /// Returns what the files of a database's sessions begin with.
  private static func prefix(of database: String) -> String {
    String(Checksum.of(database.utf8), radix: 16) + "-"
  }

  /// Writes what is staged, whole or not at all, and readable by the owner only; where nothing is, the file goes.
  ///
  /// - Parameter sent: What a commit is writing meanwhile; nil for none. A session that finds both offers the rest where it was written.
  /// - Throws: ``PrivateFileError``.
  public func save(_ changes: StagedChanges, sent: StagedChanges? = nil) throws {
    guard !changes.isEmpty || sent != nil else { return Self.remove(stem + Self.suffix) }
    let bytes = StagedChangesFormat.bytes(of: StagedChangesFormat.Content(database: database, changes: changes, sent: sent))
    // It is written while somebody types, and must not wait for a slow disk.
    _ = try PrivateFile.save(bytes, to: stem + Self.suffix, replacing: true, isSynced: false)
  }

  /// Reads what dead sessions have left behind; a damaged file is renamed, and told.
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
      // Another session may have taken it before the lock was had.
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

  /// Removes what a dead session has left behind, once it was taken over and saved, or is not wanted.
  public func discard(_ abandoned: OrphanedSession) {
    Self.remove(abandoned.file + Self.suffix)
    Self.remove(abandoned.file + Self.lockSuffix)
  }

  private static func remove(_ path: String) {
    try? FileManager.default.removeItem(atPath: path)
  }
}
