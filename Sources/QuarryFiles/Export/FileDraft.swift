internal import Libc
internal import QuarryEngine

/// A file that has no name yet, or one of its own, until it is put in its place.
///
/// Where the system has files without a name, nothing is left of one when the program is killed. Elsewhere, and for the moment in which it
/// replaces another file, it has a hidden name beside its place; what is left under such a name is removed by the next draft there.
final class FileDraft {
  private let file: OpenFile
  private let target: OutputTarget
  private let isReplacing: Bool
  /// The draft's own path; nil while it has none.
  private var name: String?

  private static let prefix = ".quarry-draft-"

  /// Makes an empty draft in the folder of its target.
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

  /// Makes sure that the draft is on the disk, and puts it in its place.
  func finish() throws(OutputFileError) {
    defer { discard() }
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw OutputFileError(target.givenPath, .failed(errno)) }
    if try !isLinkedWithoutReplacing() { try replace() }
    Self.syncFolder(target.folder)
  }

  /// Removes the draft, unless it is in its place.
  func discard() {
    if let name { PathText.withPath(name) { _ = unlink($0) } }
    name = nil
  }

  /// Gives the draft the target's name if nothing has it; returns whether that was so.
  private func isLinkedWithoutReplacing() throws(OutputFileError) -> Bool {
    guard target.kind == .nothing else { return false }
    if link(to: target.path) { return true }
    guard errno == EEXIST else { throw OutputFileError(target.givenPath, .failed(errno)) }
    // Somebody else has made one meanwhile.
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

  /// Gives the draft a further name, which nothing has yet.
  private func link(to path: String) -> Bool {
    let source = name ?? "/proc/self/fd/\(descriptor)"
    return PathText.withPath(source) { source in
      PathText.withPath(path) { linkat(AT_FDCWD, source, AT_FDCWD, $0, AT_SYMLINK_FOLLOW) == 0 }
    }
  }

  /// Gives the draft the permissions, and where that may be the owner, of the file that it is to replace.
  private func keepPermissions() {
    var status = stat()
    guard target.kind == .file, PathText.withPath(target.path, { stat($0, &status) }) == 0 else { return }
    // Only the superuser gives files away: for others the owner is already the right one, or cannot be kept.
    _ = fchown(descriptor, status.st_uid, status.st_gid)
    fchmod(descriptor, status.st_mode & 0o7777)
  }

  /// Makes sure that the new name is on the disk too; where a file system does not do that, nothing can be done about it.
  static func syncFolder(_ path: String) {
    if let folder = try? OpenFile(path, .folder) { fsync(folder.descriptor) }
  }

  /// Opens a file without a name; nil where the system or the file system has none.
  private static func openUnnamed(in folder: String) -> OpenFile? {
    #if os(Linux)
      // Such a file gets its name by way of /proc.
      guard access("/proc/self/fd", X_OK) == 0 else { return nil }
      return try? OpenFile(folder, .unnamed(permissions: 0o666))
    #else
      return nil
    #endif
  }
}
