internal import Libc
package import QuarryEngine

/// The error of writing a file.
package struct PrivateFileError: Error, CustomStringConvertible {
  package var path: String
  package var reason: String

  package var description: String { "\(path) cannot be written: \(reason)" }

  /// Creates an error with the reason from `errno`.
  package init(path: String) {
    self.init(path: path, SystemError.last)
  }

  package init(path: String, _ error: SystemError) {
    self.init(path: path, reason: error.description)
  }

  package init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }
}

/// Atomic writing of files that only their owner may read; a replaced file retains its permissions.
package enum PrivateFile {
  /// Creates a folder and its parents, if they do not exist.
  ///
  /// The corresponding C function is `mkdir`.
  package static func makeFolder(_ path: String) throws(PrivateFileError) {
    var status = stat()
    if stat(path, &status) == 0 { return }
    if let slash = path.lastIndex(of: "/"), slash > path.startIndex { try makeFolder(String(path[..<slash])) }
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw PrivateFileError(path: path) }
  }

  /// Writes a file; returns false if it exists and must not be replaced.
  ///
  /// The content is first written to another file in the same folder. The corresponding C functions are `rename` and, without replacement,
  /// `link`.
  ///
  /// - Parameter isSynced: Whether to wait until the file is on the disk, which may take time.
  package static func save(_ bytes: [UInt8], to path: String, replacing: Bool, isSynced: Bool = true) throws(PrivateFileError) -> Bool {
    let target = replacing ? resolved(path) : path
    let draft = try writeDraft(bytes, beside: target, isSynced: isSynced)
    defer { unlink(draft) }
    if (replacing ? rename(draft, target) : link(draft, target)) == 0 { return true }
    if !replacing, errno == EEXIST { return false }
    throw PrivateFileError(path: path)
  }

  /// Creates an empty file if it does not exist.
  package static func makeFile(_ path: String) throws(PrivateFileError) {
    do throws(SystemError) {
      _ = try OpenFile(path, .new(permissions: 0o600))
    } catch {
      if error.code != EEXIST { throw PrivateFileError(path: path, error) }
    }
  }

  /// Appends a line to a file atomically; an incomplete last line is ended first.
  ///
  /// - Parameter line: The line without its line feed.
  package static func append(_ line: [UInt8], to path: String) throws(PrivateFileError) {
    let file = try open(path, .readingAndAppending)
    defer { withExtendedLifetime(file) {} }
    let descriptor = file.descriptor
    lock(descriptor)
    let size = lseek(descriptor, 0, SEEK_END)
    var last = lineFeed
    if size > 0 { pread(descriptor, &last, 1, size - 1) }
    if writeAll((last == lineFeed ? [] : [lineFeed]) + line + [lineFeed], to: descriptor) { return }
    let error = PrivateFileError(path: path)
    if size >= 0 { ftruncate(descriptor, size) }
    throw error
  }

  /// Runs `body` while no other program does so for the same folder.
  package static func withLock<Value>(onFolder path: String, _ body: () throws -> Value) throws -> Value {
    let folder = try open(path, .folder)
    lock(folder.descriptor)
    // The lock ends with the descriptor.
    return try withExtendedLifetime(folder) { try body() }
  }

  private static func open(_ path: String, _ access: OpenFile.Access) throws(PrivateFileError) -> OpenFile {
    do throws(SystemError) {
      return try OpenFile(path, access)
    } catch {
      throw PrivateFileError(path: path, error)
    }
  }

  private static let lineFeed = UInt8(ascii: "\n")

  /// Acquires the lock on a file; if another program holds it for longer than writing takes, continues without it.
  ///
  /// The corresponding C function is `flock`.
  private static func lock(_ descriptor: Int32) {
    for _ in 0..<100 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK && errno != EINTR { return }
      usleep(2_000)
    }
  }

  /// Returns the target of a symbolic link, so that the link is retained.
  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private static func writeDraft(_ bytes: [UInt8], beside path: String, isSynced: Bool) throws(PrivateFileError) -> String {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    let draft = "\(folder).quarry-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    let file: OpenFile
    do throws(SystemError) {
      file = try OpenFile(draft, .new(permissions: 0o600))
    } catch {
      throw PrivateFileError(path: path, error)
    }
    keepPermissions(of: path, file.descriptor)
    if writeAll(bytes, to: file.descriptor) && (!isSynced || fsync(file.descriptor) == 0) { return draft }
    // Before any other call that changes `errno`.
    let error = PrivateFileError(path: path)
    unlink(draft)
    throw error
  }

  /// Copies the permissions of a file to its replacement.
  private static func keepPermissions(of path: String, _ descriptor: Int32) {
    var status = stat()
    if stat(path, &status) == 0 { fchmod(descriptor, status.st_mode & 0o7777) }
  }

  private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }
}
