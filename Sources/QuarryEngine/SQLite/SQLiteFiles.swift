internal import CSQLite
internal import Libc
internal import Synchronization

/// The files that SQLite has open in this process: databases, including attached ones, and their journal and WAL files.
///
/// When a process closes any descriptor of a file, POSIX releases all locks of the process on that file, including those of its SQLite
/// connections; see section 2.2 of <https://www.sqlite.org/howtocorrupt.html>. Therefore a descriptor that ``OpenFile`` no longer needs
/// stays open as long as SQLite has the same file open.
///
/// SQLite opens and closes files through system calls that can be replaced. The calls here record each file by its device and inode before
/// a connection can lock it. The corresponding C function is `sqlite3_vfs.xSetSystemCall`.
package enum SQLiteFiles {
  fileprivate struct State {
    /// The files by SQLite's descriptors.
    var files: [Int32: FileIdentity] = [:]
    /// The number of SQLite's descriptors of each file.
    var counts: [FileIdentity: Int] = [:]
    /// Descriptors that are no longer used, to be closed after SQLite has closed its own.
    var kept: [FileIdentity: [Int32]] = [:]
    /// The last file that could not be created, with the system's error number.
    var failedCreation: (path: String, code: Int32)?
  }

  private static let state = Mutex(State())

  /// Whether SQLite's calls are replaced.
  ///
  /// The first use replaces them, and must precede opening a connection.
  static let isWatching: Bool = {
    guard let vfs = sqlite3_vfs_find(nil), vfs.pointee.iVersion >= 3, let replace = vfs.pointee.xSetSystemCall else { return false }
    let open: OpenCall = { SQLiteFiles.open($0, $1, $2) }
    let close: CloseCall = { SQLiteFiles.close($0) }
    return replace(vfs, "open", unsafeBitCast(open, to: sqlite3_syscall_ptr.self)) == SQLITE_OK
      && replace(vfs, "close", unsafeBitCast(close, to: sqlite3_syscall_ptr.self)) == SQLITE_OK
  }()

  private typealias OpenCall = @convention(c) (UnsafePointer<CChar>?, Int32, Int32) -> Int32
  private typealias CloseCall = @convention(c) (Int32) -> Int32

  // MARK: SQLite's calls

  private static func open(_ path: UnsafePointer<CChar>?, _ flags: Int32, _ mode: Int32) -> Int32 {
    guard let path else { return -1 }
    let descriptor = Libc.open(path, flags, mode_t(truncatingIfNeeded: mode))
    if descriptor < 0 { errno = cause(of: errno, String(cString: path), creates: flags & O_CREAT != 0) }
    // SQLite has no lock on the file before this call returns.
    if descriptor >= 0, let identity = FileIdentity(plainFile: descriptor) {
      state.withLock { state in
        state.files[descriptor] = identity
        state.counts[identity, default: 0] += 1
      }
    }
    return descriptor
  }

  /// Returns the error number of a failure to open a file.
  ///
  /// If SQLite cannot create a file, it tries to open it as an existing one, and reports only that it does not exist.
  private static func cause(of code: Int32, _ path: String, creates: Bool) -> Int32 {
    state.withLock { state in
      if creates {
        state.failedCreation = (path, code)
        return code
      }
      defer { state.failedCreation = nil }
      return code == ENOENT && state.failedCreation?.path == path ? state.failedCreation?.code ?? code : code
    }
  }

  private static func close(_ descriptor: Int32) -> Int32 {
    state.withLock { state in
      // Once the descriptor is closed, another file may get its number.
      let identity = state.files.removeValue(forKey: descriptor)
      let result = Libc.close(descriptor)
      let code = errno
      if let identity { state.release(identity) }
      errno = code
      return result
    }
  }

  // MARK: Other descriptors

  /// Returns whether SQLite has a file open.
  package static func contains(_ identity: FileIdentity) -> Bool {
    state.withLock { $0.counts[identity] != nil }
  }

  /// Closes a descriptor that is not SQLite's, or retains it until SQLite has closed the file.
  static func release(_ descriptor: Int32) {
    let identity = FileIdentity(plainFile: descriptor)
    let isWatching = isWatching
    // SQLite's calls wait meanwhile, so that SQLite cannot lock the file between the check and the end.
    state.withLock { state in
      if let identity, state.counts[identity] != nil || !isWatching {
        // Otherwise a lock of this kind would last as long as the descriptor.
        flock(descriptor, LOCK_UN)
        state.kept[identity, default: []].append(descriptor)
      } else {
        _ = Libc.close(descriptor)
      }
    }
  }

  /// Removes and returns a readable retained descriptor, so that repeated reads of the file do not add more.
  ///
  /// Returns nil if no readable descriptor is retained.
  static func takeReadable(_ identity: FileIdentity) -> Int32? {
    state.withLock { state in
      guard let index = state.kept[identity]?.firstIndex(where: { fcntl($0, F_GETFL) & O_ACCMODE == O_RDONLY }),
        let descriptor = state.kept[identity]?.remove(at: index)
      else { return nil }
      lseek(descriptor, 0, SEEK_SET)
      return descriptor
    }
  }
}

extension SQLiteFiles.State {
  /// Records that SQLite has closed a descriptor of a file; after its last one, the retained descriptors are closed.
  fileprivate mutating func release(_ identity: FileIdentity) {
    let count = counts[identity, default: 1] - 1
    counts[identity] = count > 0 ? count : nil
    guard count <= 0 else { return }
    for descriptor in kept.removeValue(forKey: identity) ?? [] { _ = Libc.close(descriptor) }
  }
}
