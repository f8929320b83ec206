internal import CSQLite
internal import Libc

/// The write-ahead log of a database, as its shared index describes it.
package struct WriteAheadLog: Hashable, Sendable {
  /// The number of valid frames, each with one page.
  package var frames: Int
  /// The number of frames that checkpoints have copied to the database file.
  package var copiedFrames: Int
  /// The readers in other programs that need frames of the log.
  package var readers: [Reader]

  /// A reader in another program.
  package struct Reader: Hashable, Sendable {
    /// The number of its process; nil if it is in another container.
    package var process: Int?
    /// The last frame that it may read, so that no checkpoint copies later ones.
    package var lastFrame: Int
  }

  /// Reads the shared index of the log of one of a connection's databases; nil without a log.
  ///
  /// The corresponding C function is `xShmMap` of the file. It only reads the index: see <https://www.sqlite.org/walformat.html>.
  package init?(of name: String, in database: Database) {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = withUnsafeMutablePointer(to: &file) {
      sqlite3_file_control(database.connection, name, SQLITE_FCNTL_FILE_POINTER, $0)
    }
    guard code == SQLITE_OK, sqlite3_txn_state(database.connection, name) == SQLITE_TXN_READ, let path = database.path(ofDatabase: name),
      let file, let methods = file.pointee.pMethods?.pointee, methods.iVersion >= 2, let map = methods.xShmMap,
      (try? database.readsKeepWritersOut(of: name)) == false, !database.configuration.isImmutable
    else { return nil }
    var region: UnsafeMutableRawPointer?
    guard map(file, 0, 32768, 0, &region) == SQLITE_OK, let region else { return nil }
    let word = { (offset: Int) in Int(UnsafeRawPointer(region).load(fromByteOffset: offset, as: UInt32.self)) }
    frames = word(16)
    copiedFrames = word(96)
    readers = Self.lockedMarks(of: path).map { Reader(process: $0.process, lastFrame: word(100 + 4 * $0.mark)) }
  }

  /// Returns the read marks that other processes have locked: bytes 124 to 127 of the shared index.
  ///
  /// The list of the system is read, and not the file, because closing the file would release this program's own locks.
  private static func lockedMarks(of path: String) -> [(mark: Int, process: Int?)] {
    var status = stat()
    guard stat("\(path)-shm", &status) == 0, let bytes = try? OpenFile.contents(of: "/proc/locks", limit: 1 << 22) else { return [] }
    let inode = ":\(status.st_ino)"
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").flatMap { line -> [(mark: Int, process: Int?)] in
      let words = line.split(separator: " ")
      guard words.count >= 8, words[1] == "POSIX", words[5].hasSuffix(inode), let process = Int(words[4]), process != Int(getpid()),
        let first = Int(words[6]), let last = Int(words[7])
      else { return [] }
      return (1..<5).filter { (first...max(first, last)).contains(123 + $0) }.map { ($0, process > 0 ? process : nil) }
    }
  }
}
