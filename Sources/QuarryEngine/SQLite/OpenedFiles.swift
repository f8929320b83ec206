internal import CSQLite
internal import Libc
internal import Synchronization

/// The identity of a file, which distinguishes it from a file that replaces it.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  package let inode: UInt64

  /// Reads the identity of the file at a path; nil if the file does not exist or is not accessible.
  package init?(path: String) {
    var status = stat()
    guard PathText.withPath(path, { stat($0, &status) }) == 0 else { return nil }
    self.init(status)
  }

  /// Reads the identity of an open plain file; nil for anything else.
  init?(plainFile descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
  }
}

extension FileIdentity {
  /// Reads the creation time of the file at a path, in nanoseconds since 1970; nil if the file system does not record it.
  ///
  /// The corresponding C function is `statx`.
  package static func birthTime(ofFileAt path: String) -> Int64? {
    let time = PathText.withPath(path) { quarry_birth_time($0) }
    return time < 0 ? nil : time
  }
}

/// A database file that is no longer at its original path; the connection continues with the file that it has open.
public struct MovedFile: Hashable, Sendable {
  /// The path with which it was opened.
  public var path: String
  /// Whether another file is at the path; false if no file is there.
  public var isReplaced: Bool
}

/// The files that a connection has opened, by the names of their databases; accessible from any thread.
final class OpenedFiles: Sendable {
  private let files = Mutex<[String: (path: String, identity: FileIdentity)]>([:])

  /// Records the file that has just been opened.
  func add(_ path: String, as name: String) {
    guard let identity = FileIdentity(path: path) else { return }
    files.withLock { $0[name] = (path, identity) }
  }

  func remove(_ name: String) {
    files.withLock { _ = $0.removeValue(forKey: name) }
  }

  var moved: [MovedFile] {
    files.withLock(\.self).values.compactMap { file in
      let now = FileIdentity(path: file.path)
      return now == file.identity ? nil : MovedFile(path: file.path, isReplaced: now != nil)
    }.sorted { $0.path < $1.path }
  }
}
