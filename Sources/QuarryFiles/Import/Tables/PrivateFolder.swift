internal import Essentials
internal import Libc
internal import QuarryChanges
internal import QuarryEngine
internal import QuarryRows

/// A folder for temporary files that is deleted with this object.
///
/// A folder whose program was killed is deleted when the next one is created.
///
/// The program holds a lock on a file in the folder, which the operating system releases when the program ends in any way.
package final class PrivateFolder: Sendable {
  package let path: String
  private let lock: FileLock

  private static let prefix = "quarry-files-"
  private static let lockName = "lock"
  /// The files that a program creates in the folder, and the files that editors create beside a text.
  private static let contents: Set = [
    lockName, "tables.db", "tables.db-wal", "tables.db-shm", "tables.db-journal", textName, "\(textName)~", ".\(textName).swp",
    ".\(textName).swo", "#\(textName)#", ".#\(textName)",
  ]
  private static let textName = "text.sql"

  /// The path of a text for an external editor.
  package var editedFile: String { "\(path)/\(Self.textName)" }

  /// Creates a folder in the folder for temporary files, which is set by `TMPDIR`.
  ///
  /// - Throws: ``PrivateFileError``
  package init(in parent: String? = nil) throws {
    let parent = parent ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    Self.removeAbandoned(in: parent)
    for _ in 0..<Self.attempts {
      let path = "\(parent)/\(Self.prefix)\(getpid())-\(UInt32.random(in: 0 ... .max))"
      guard let lock = try Self.make(path) else { continue }
      (self.path, self.lock) = (path, lock)
      return
    }
    throw PrivateFileError(path: parent, reason: "no folder can be made there and locked\(Self.advice)")
  }

  private static let attempts = 16
  private static let advice = ". Set TMPDIR to a writable folder, and check `umask`"

  /// Creates the folder and locks it.
  ///
  /// Returns nil if it already exists, or if another program removed it as abandoned before it was locked.
  private static func make(_ path: String) throws(PrivateFileError) -> FileLock? {
    guard mkdir(path, 0o700) == 0 else {
      if errno == EEXIST { return nil }
      throw PrivateFileError(path: path, reason: "\(SystemError.last)\(advice)")
    }
    do throws(PrivateFileError) {
      let lock = try FileLock(path: "\(path)/\(lockName)")
      return access("\(path)/\(lockName)", F_OK) == 0 ? lock : nil
    } catch {
      if access(path, F_OK) != 0 { return nil }
      rmdir(path)
      throw PrivateFileError(path: path, reason: error.reason + advice)
    }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Removes abandoned folders of the user's programs.
  ///
  /// A folder with other contents is not removed, regardless of its name.
  private static func removeAbandoned(in parent: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where isNamedAsOne(name) {
      let path = "\(parent)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == getuid(),
        let files = try? FileManager.default.contentsOfDirectory(atPath: path), contents.isSuperset(of: files),
        let lock = try? FileLock(path: "\(path)/\(lockName)")
      else { continue }
      withExtendedLifetime(lock) { _ = try? FileManager.default.removeItem(atPath: path) }
    }
  }

  /// Returns whether a name is that of a private folder: `quarry-files-4711-1234567890`.
  private static func isNamedAsOne(_ name: String) -> Bool {
    guard name.hasPrefix(prefix) else { return false }
    let numbers = name.dropFirst(prefix.count).split(separator: "-", omittingEmptySubsequences: false)
    return numbers.count == 2 && numbers.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
  }
}
