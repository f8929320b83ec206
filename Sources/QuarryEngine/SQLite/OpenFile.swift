internal import Libc

/// An error of the operating system, identified by its C error number.
package struct SystemError: Error, Hashable, CustomStringConvertible {
  /// The number, such as `ENOENT`.
  package let code: Int32

  package init(code: Int32) {
    self.code = code
  }

  /// The error in `errno`.
  package static var last: SystemError { SystemError(code: errno) }

  /// The system's description: `No such file or directory`.
  package var description: String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }

  /// Advice as a sentence; nil if it depends on the file.
  package var advice: String? {
    switch code {
    case EMFILE: "Raise the limit of open files, for example with `ulimit -n 1024`."
    case ENFILE: "The whole system has too many open files: close other programs."
    case ENOSPC, EDQUOT: "Free space on that disk; `df` and `df -i` show the usage."
    case EFBIG: "Raise the limit, for example with `ulimit -f unlimited`, or use a disk that allows larger files."
    case EIO, ENXIO: "Check that the disk is connected and works."
    case ENOMEM: "Close other programs, or raise the limit of `ulimit -v`."
    default: nil
    }
  }
}

/// A file that the program opens itself.
///
/// Nothing else opens files by their paths, except SQLite.
///
/// When it is released, its descriptor is closed, unless SQLite has the same file open: closing it would release SQLite's locks. See
/// ``SQLiteFiles``.
package final class OpenFile: Sendable {
  /// The ways to open a file; programs started by this one never inherit the descriptor.
  package enum Access: Sendable {
    case reading
    /// Reading, without waiting for a writer of a pipe.
    case readingAtOnce
    /// Reading the file at the path itself, unless it is a symbolic link.
    case readingNoLink
    case folder
    /// Writing to an existing pipe or device.
    case writing
    /// Reading and writing a terminal.
    case device
    /// Writing at the end of a file, which is created if it is missing.
    case appending
    /// Reading a file and writing at its end; it is created if it is missing.
    case readingAndAppending
    /// Locking a file, which is created if it is missing.
    case locking
    /// Writing a new file; fails if the path exists.
    case new(permissions: Int)
    /// Writing and reading a file without a name in the folder that the path names.
    case unnamed(permissions: Int)
  }

  package let descriptor: Int32

  /// Opens a file.
  ///
  /// The corresponding C function is `open`.
  package init(_ path: String, _ access: Access) throws(SystemError) {
    if access.isReading, let identity = FileIdentity(path: path), let kept = SQLiteFiles.takeReadable(identity) {
      descriptor = kept
      return
    }
    let new = PathText.withPath(path) { open($0, access.flags | O_CLOEXEC, access.mode) }
    guard new >= 0 else { throw SystemError.last }
    descriptor = new
  }

  /// Takes ownership of an open descriptor.
  package init(owning descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    SQLiteFiles.release(descriptor)
  }

  /// Creates a file without a name in a folder, which is deleted when it is closed.
  ///
  /// The corresponding C functions are `mkstemp` and `unlink`.
  package static func temporary(in folder: String) throws(SystemError) -> OpenFile {
    var path = PathText.bytes(folder + "/quarry-XXXXXX").map { CChar(bitPattern: $0) } + [0]
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else { throw SystemError.last }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(path)
    return OpenFile(owning: descriptor)
  }

  /// Reads a file, a pipe or a device to its end.
  ///
  /// - Parameter limit: The maximum number of bytes to read.
  package static func contents(of path: String, limit: Int = .max) throws(SystemError) -> [UInt8] {
    try OpenFile(path, .reading).readToEnd(limit: limit)
  }

  /// Reads to the end.
  package func readToEnd(limit: Int = .max) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG { bytes.reserveCapacity(min(limit, Int(status.st_size))) }
    try Self.read(descriptor) { piece in
      bytes += piece.prefix(limit - bytes.count)
      return bytes.count < limit
    }
    return bytes
  }

  /// Reads the last bytes of a plain file.
  ///
  /// - Parameter limit: The maximum number of bytes to read.
  package func readEnd(limit: Int) throws(SystemError) -> [UInt8] {
    let size = lseek(descriptor, 0, SEEK_END)
    guard size >= 0, lseek(descriptor, max(0, size - off_t(limit)), SEEK_SET) >= 0 else { throw SystemError.last }
    return try readToEnd(limit: limit)
  }

  /// Reads a descriptor piece by piece until `body` returns false.
  private static func read(_ descriptor: Int32, _ body: (UnsafeRawBufferPointer) -> Bool) throws(SystemError) {
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
    defer { room.deallocate() }
    while true {
      let count = Libc.read(descriptor, room.baseAddress, room.count)
      if count == 0 { return }
      if count < 0 {
        guard errno == EINTR else { throw SystemError.last }
      } else if !body(UnsafeRawBufferPointer(rebasing: room[..<count])) {
        return
      }
    }
  }
}

extension OpenFile.Access {
  fileprivate var isReading: Bool {
    switch self {
    case .reading, .readingAtOnce: true
    default: false
    }
  }

  fileprivate var flags: Int32 {
    switch self {
    case .reading: O_RDONLY
    case .readingAtOnce: O_RDONLY | O_NONBLOCK
    case .readingNoLink: O_RDONLY | O_NOFOLLOW
    case .folder: O_RDONLY | O_DIRECTORY
    case .writing: O_WRONLY
    case .device: O_RDWR
    case .appending: O_WRONLY | O_APPEND | O_CREAT
    case .readingAndAppending: O_RDWR | O_APPEND | O_CREAT
    case .locking: O_RDWR | O_CREAT
    case .new: O_RDWR | O_CREAT | O_EXCL
    // Swift does not import O_TMPFILE, which consists of these two.
    case .unnamed: O_RDWR | O_DIRECTORY | 0o20000000
    }
  }

  /// The permissions of a created file.
  fileprivate var mode: mode_t {
    switch self {
    case .new(let permissions), .unnamed(let permissions): mode_t(truncatingIfNeeded: permissions)
    default: 0o600
    }
  }
}
