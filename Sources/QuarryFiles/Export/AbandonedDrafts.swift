internal import Libc
internal import QuarryEngine

/// Drafts of files under hidden names, each locked by the program that writes it.
///
/// The lock is released when the program ends in any way. An unlocked draft is therefore abandoned.
enum AbandonedDrafts {
  /// Locks a new draft.
  ///
  /// Its descriptor holds the lock.
  ///
  /// The corresponding C function is `flock`.
  static func lock(_ descriptor: Int32) {
    flock(descriptor, LOCK_EX | LOCK_NB)
  }

  /// Returns an unused hidden name.
  ///
  /// - Parameter prefix: The prefix of the kind of draft, such as `.quarry-backup-`.
  static func freeName(in folder: String, prefix: String) -> String {
    "\(folder)/\(prefix)\(getpid())-\(UInt64.random(in: 0 ... .max))"
  }

  /// Removes abandoned drafts of a kind.
  ///
  /// - Parameter suffixes: The suffixes of files beside a draft that are removed with it.
  static func remove(in folder: String, prefix: String, with suffixes: [String] = []) {
    guard let entries = PathText.withPath(folder, { opendir($0) }) else { return }
    defer { closedir(entries) }
    while let entry = readdir(entries) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { PathText.text($0.prefix { $0 != 0 }) }
      guard name.hasPrefix(prefix), !suffixes.contains(where: { name.hasSuffix($0) }) else { continue }
      removeIfAbandoned("\(folder)/\(name)", suffixes)
    }
  }

  private static func removeIfAbandoned(_ path: String, _ suffixes: [String]) {
    guard let file = try? OpenFile(path, .readingNoLink), flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 else { return }
    withExtendedLifetime(file) {
      for suffix in [""] + suffixes { PathText.withPath(path + suffix) { _ = unlink($0) } }
    }
  }
}
