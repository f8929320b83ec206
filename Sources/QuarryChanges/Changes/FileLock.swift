internal import Libc
internal import QuarryEngine
package import QuarryRows

/// A lock on a file that is held as long as its program runs.
///
/// The operating system releases it when the program ends in any way.
///
/// The corresponding C function is `flock`.
package final class FileLock: Sendable {
  private let file: OpenFile

  /// Acquires the lock on a file, and creates the file if it does not exist.
  ///
  /// Returns nil if the lock is held elsewhere and `waits` is false.
  ///
  /// - Throws: ``PrivateFileError`` if the file cannot be opened or locked.
  package init?(path: String, waits: Bool = false) throws(PrivateFileError) {
    do throws(SystemError) {
      file = try OpenFile(path, .locking)
    } catch {
      throw PrivateFileError(path: path, error)
    }
    while flock(file.descriptor, waits ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
      let error = SystemError.last
      if error.code == EINTR { continue }
      guard error.code == EWOULDBLOCK else { throw PrivateFileError(path: path, error) }
      return nil
    }
  }
}
