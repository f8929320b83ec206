internal import Libc
internal import QuarryEngine

/// A database under a hidden name beside its final path, because SQLite opens files by name.
///
/// A lock distinguishes it from a draft whose program was killed.
final class DatabaseDraft: Sendable {
  let path: String
  private let target: OutputTarget
  private let file: OpenFile

  private static let prefix = ".quarry-backup-"
  /// The suffixes of the files that SQLite creates beside a database.
  private static let suffixes = ["-journal", "-wal", "-shm"]

  /// Creates an empty draft, and removes drafts of programs that are no longer running.
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

  /// Whether changes of the draft are in a journal or log beside it, which does not move with it.
  var hasLog: Bool {
    Self.suffixes.dropLast().contains { suffix in
      var status = stat()
      return PathText.withPath(path + suffix) { stat($0, &status) == 0 && status.st_size > 0 }
    }
  }

  /// Moves the draft to its path, once it is on the disk.
  ///
  /// No connection may have it open.
  ///
  /// The corresponding C functions are `rename` or, if no file may be replaced, `link`.
  ///
  /// - Parameter model: The path of the file whose permissions it gets.
  /// - Returns: The size of the draft in bytes.
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

  /// Removes the draft's own name, and the files that SQLite may have created beside it.
  func discard() {
    Self.remove(path)
    flock(file.descriptor, LOCK_UN)
  }

  private static func remove(_ path: String) {
    for suffix in [""] + suffixes { PathText.withPath(path + suffix) { _ = unlink($0) } }
  }
}
