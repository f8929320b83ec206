internal import Libc
internal import QuarryEngine

/// Drafts of files under hidden names beside their places, each of which is locked by the program that writes it.
///
/// The lock goes with the program, however that ends, and so tells what nobody will finish.
enum AbandonedDrafts {
  /// Locks a draft that has just been made; its descriptor keeps the lock.
  ///
  /// The corresponding C function is `flock`.
  static func lock(_ descriptor: Int32) {
    flock(descriptor, LOCK_EX | LOCK_NB)
  }

  /// Returns a hidden name that nothing has.
  ///
  /// - Parameter prefix: Tells the drafts of a kind, such as `.quarry-backup-`.
  static func freeName(in folder: String, prefix: String) -> String {
    "\(folder)/\(prefix)\(getpid())-\(UInt64.random(in: 0 ... .max))"
  }

  /// Removes the drafts of a kind whose programs have ended without it.
  ///
  /// - Parameter suffixes: What the names of files end with that lie beside a draft and go with it.
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
