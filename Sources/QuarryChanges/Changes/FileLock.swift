internal import Libc
internal import QuarryEngine
package import QuarryRows

/// A lock on a file that lives as long as the program that has it: the operating system releases it when that dies, however it does.
///
/// The corresponding C function is `flock`.
package final class FileLock: Sendable {
  private let file: OpenFile

  /// Takes the lock on a file, which is made where it is not there; nil where another has it and it is not waited for.
  ///
  /// - Throws: ``PrivateFileError`` where the file cannot be opened or locked.
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
