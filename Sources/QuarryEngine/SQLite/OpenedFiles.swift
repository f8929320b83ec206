internal import CSQLite
internal import Libc
internal import Synchronization

/// What tells a file from another one that has been put in its place.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  package let inode: UInt64

  /// Reads the identity of the file that a path leads to now; nil where there is none.
  package init?(path: String) {
    var status = stat()
    guard PathText.withPath(path, { stat($0, &status) }) == 0 else { return nil }
    self.init(status)
  }

  /// Reads the identity of a plain file that is open; nil for anything else.
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
  /// Reads when the file at a path was made, in nanoseconds since 1970; nil where its file system does not keep that.
  ///
  /// The corresponding C function is `statx`.
  package static func birthTime(ofFileAt path: String) -> Int64? {
    let time = PathText.withPath(path) { quarry_birth_time($0) }
    return time < 0 ? nil : time
  }
}

/// A database file that is no longer where it was opened: the connection goes on with the file that it has.
public struct MovedFile: Hashable, Sendable {
  /// The path that it was opened by.
  public var path: String
  /// Whether the path leads to another file now; false where it leads to none.
  public var isReplaced: Bool
}

/// The files that a connection has opened, by the names of their databases; any thread may ask for them.
final class OpenedFiles: Sendable {
  private let files = Mutex<[String: (path: String, identity: FileIdentity)]>([:])

  /// Takes note of the file that has just been opened.
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
