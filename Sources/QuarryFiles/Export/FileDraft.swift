internal import Libc
internal import QuarryEngine

/// A draft without a name, or with a hidden one, until it is moved to its path.
///
/// If the system supports unnamed files, nothing remains when the program is killed. Otherwise, and for the moment in which it replaces
/// another file, the draft has a hidden name in the same folder. The next draft in the folder removes abandoned drafts.
final class FileDraft {
  private let file: OpenFile
  private let target: OutputTarget
  private let isReplacing: Bool
  /// The draft's own path, or nil while it has none.
  private var name: String?

  private static let prefix = ".quarry-draft-"

  /// Creates an empty draft in the folder of its target.
  ///
  /// - Throws: ``OutputFileError``
  init(for target: OutputTarget, isReplacing: Bool) throws(OutputFileError) {
    self.target = target
    self.isReplacing = isReplacing
    AbandonedDrafts.remove(in: target.folder, prefix: Self.prefix)
    if let unnamed = Self.openUnnamed(in: target.folder) {
      file = unnamed
    } else {
      let name = AbandonedDrafts.freeName(in: target.folder, prefix: Self.prefix)
      do throws(SystemError) {
        file = try OpenFile(name, .new(permissions: 0o666))
      } catch {
        throw OutputFileError(target.givenPath, .failed(error.code))
      }
      self.name = name
    }
    AbandonedDrafts.lock(descriptor)
    keepPermissions()
  }

  deinit {
    discard()
  }

  var descriptor: Int32 { file.descriptor }

  /// Ensures that the draft is on the disk, and moves it to its path.
  func finish() throws(OutputFileError) {
    defer { discard() }
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw OutputFileError(target.givenPath, .failed(errno)) }
    if try !isLinkedWithoutReplacing() { try replace() }
    Self.syncFolder(target.folder)
  }

  /// Removes the draft, unless it has been moved to its path.
  func discard() {
    if let name { PathText.withPath(name) { _ = unlink($0) } }
    name = nil
  }

  /// Links the draft to the target's path if no file exists there.
  ///
  /// Returns whether the draft was linked.
  private func isLinkedWithoutReplacing() throws(OutputFileError) -> Bool {
    guard target.kind == .nothing else { return false }
    if link(to: target.path) { return true }
    guard errno == EEXIST else { throw OutputFileError(target.givenPath, .failed(errno)) }
    // Another process has created a file meanwhile.
    guard isReplacing else { throw OutputFileError(target.givenPath, .isThere) }
    return false
  }

  private func replace() throws(OutputFileError) {
    if name == nil {
      let free = AbandonedDrafts.freeName(in: target.folder, prefix: Self.prefix)
      guard link(to: free) else { throw OutputFileError(target.givenPath, .failed(errno)) }
      name = free
    }
    guard let name else { return }
    let isRenamed = PathText.withPath(name) { draft in PathText.withPath(target.path) { rename(draft, $0) == 0 } }
    guard isRenamed else { throw OutputFileError(target.givenPath, .failed(errno)) }
    self.name = nil
  }

  /// Creates a link to the draft at a free path.
  private func link(to path: String) -> Bool {
    let source = name ?? "/proc/self/fd/\(descriptor)"
    return PathText.withPath(source) { source in
      PathText.withPath(path) { linkat(AT_FDCWD, source, AT_FDCWD, $0, AT_SYMLINK_FOLLOW) == 0 }
    }
  }

  /// Sets the permissions of the draft, and if permitted the owner, to those of the file that it replaces.
  private func keepPermissions() {
    var status = stat()
    guard target.kind == .file, PathText.withPath(target.path, { stat($0, &status) }) == 0 else { return }
    // Only the superuser can change the owner. For other users, the owner is already right or cannot be preserved.
    _ = fchown(descriptor, status.st_uid, status.st_gid)
    fchmod(descriptor, status.st_mode & 0o7777)
  }

  /// Ensures that the new name is on the disk too.
  ///
  /// Ignores failures of file systems that do not support this.
  static func syncFolder(_ path: String) {
    if let folder = try? OpenFile(path, .folder) { fsync(folder.descriptor) }
  }

  /// Opens a file without a name, or returns nil if the system or the file system does not support it.
  private static func openUnnamed(in folder: String) -> OpenFile? {
    #if os(Linux)
      // Such a file gets its name through /proc.
      guard access("/proc/self/fd", X_OK) == 0 else { return nil }
      return try? OpenFile(folder, .unnamed(permissions: 0o666))
    #else
      return nil
    #endif
  }
}
