internal import Libc
internal import QuarryEngine

/// A database under a hidden name beside its place, for SQLite, which opens files by their names.
///
/// A lock tells it from one whose program was killed.
final class DatabaseDraft: Sendable {
  let path: String
  private let target: OutputTarget
  private let file: OpenFile

  private static let prefix = ".quarry-backup-"
  /// What the names of files end with that SQLite makes beside a database.
  private static let suffixes = ["-journal", "-wal", "-shm"]

  /// Makes an empty draft, and removes those that programs have left which are there no more.
  ///
  /// - Throws: ``OutputFileError``
  init(for target: OutputTarget) throws(OutputFileError) {
    self.target = target
    AbandonedDrafts.remove(in: target.folder, prefix: Self.prefix, with: Self.suffixes)
    path = AbandonedDrafts.freeName(in: target.folder, prefix: Self.prefix)
    do throws(SystemError) {
      file = try OpenFile(path, .new(permissions: 0o600))
    } catch {
      throw OutputFileError(target.givenPath, .failed(error.code))
    }
    AbandonedDrafts.lock(file.descriptor)
  }

  /// Puts the draft in its place, once it is on the disk; no connection may have it open.
  ///
  /// The corresponding C functions are `rename` and, where nothing is to be replaced, `link`.
  ///
  /// - Parameter model: The path of the file whose permissions it gets.
  /// - Returns: Its size in bytes.
  func finish(permissionsOf model: String, isReplacing: Bool) throws(OutputFileError) -> Int {
    var status = stat()
    if PathText.withPath(model, { stat($0, &status) }) == 0 {
      _ = fchown(file.descriptor, status.st_uid, status.st_gid)
      fchmod(file.descriptor, status.st_mode & 0o7777)
    }
    guard fsync(file.descriptor) == 0, fstat(file.descriptor, &status) == 0 else { throw OutputFileError(target.givenPath, .failed(errno)) }
    let isMoved = PathText.withPath(path) { draft in
      PathText.withPath(target.path) { (isReplacing ? rename(draft, $0) : link(draft, $0)) == 0 }
    }
    guard isMoved else { throw OutputFileError(target.givenPath, errno == EEXIST ? .isThere : .failed(errno)) }
    FileDraft.syncFolder(target.folder)
    return Int(status.st_size)
  }

  /// Removes the draft's own name, and what SQLite may have made beside it.
  func discard() {
    Self.remove(path)
    flock(file.descriptor, LOCK_UN)
  }

  private static func remove(_ path: String) {
    for suffix in [""] + suffixes { PathText.withPath(path + suffix) { _ = unlink($0) } }
  }
}
