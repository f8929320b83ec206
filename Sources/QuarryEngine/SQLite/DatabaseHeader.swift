internal import CSQLite

/// What the first 100 bytes of a database say; see <https://www.sqlite.org/fileformat2.html#the_database_header>.
struct DatabaseHeader {
  /// Whether the file is written by way of a write-ahead log.
  let isWAL: Bool
  /// How many bytes the file should have by its own account, and has not; nil where it has all.
  let truncation: Int?

  /// Reads the header of a file; nil where it has none.
  ///
  /// It is read through SQLite, which knows the locks of all connections of the process. A descriptor of our own would release them when
  /// it is closed; see section 2.2 of <https://www.sqlite.org/howtocorrupt.html>. SQLite opens the file, but neither locks it nor looks at
  /// what is in it.
  ///
  /// The corresponding C function is `sqlite3_file_control` with `SQLITE_FCNTL_FILE_POINTER`.
  init?(_ file: DatabaseFile) {
    var connection: OpaquePointer?
    defer { sqlite3_close_v2(connection) }
    let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | (file.isURI ? SQLITE_OPEN_URI : 0)
    guard sqlite3_open_v2(file.name, &connection, flags, nil) == SQLITE_OK else { return nil }
    var pointer: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &pointer) == SQLITE_OK, let pointer else { return nil }
    self.init(pointer)
  }

  private init?(_ file: UnsafeMutablePointer<sqlite3_file>) {
    var bytes = [UInt8](repeating: 0, count: 100)
    var size: sqlite3_int64 = 0
    guard let methods = file.pointee.pMethods?.pointee, methods.xRead?(file, &bytes, Int32(bytes.count), 0) == SQLITE_OK,
      methods.xFileSize?(file, &size) == SQLITE_OK, bytes.starts(with: "SQLite format 3\0".utf8)
    else { return nil }
    isWAL = bytes[18] == 2 || bytes[19] == 2
    let declaredSize = Int(bytes[16]) << 8 | Int(bytes[17])
    let pageSize = declaredSize == 1 ? 65536 : declaredSize
    let pageCount = bytes[28..<32].reduce(0) { $0 << 8 | Int($1) }
    let missing = pageSize * pageCount - Int(size)
    truncation = missing > 0 ? missing : nil
  }
}
