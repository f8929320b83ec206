internal import CSQLite
internal import Libc

/// A file to open as a database, with the checks that are possible without SQLite.
package struct DatabaseFile {
  /// The bytes at the beginning of each database.
  package static let beginning = Array("SQLite format 3\0".utf8)

  let path: String
  private let isReadonly: Bool
  private let isImmutable: Bool

  init(path: String, configuration: Configuration) {
    self.path = path
    isReadonly = configuration.refusesWriting
    isImmutable = configuration.isImmutable
  }

  /// Whether SQLite creates the database itself: in memory, or in a temporary file.
  var isPrivate: Bool { path.isEmpty || path.hasPrefix(":memory:") }

  /// The name of a shared database in memory; nil for any other database.
  private var sharedName: String? {
    path.hasPrefix(":memory:") && path != ":memory:" ? String(path.dropFirst(":memory:".count)) : nil
  }

  /// Whether ``name`` is a URI.
  var isURI: Bool { isImmutable || sharedName != nil || hasOtherBytes }

  /// Whether the path is not UTF-8, which SQLite's function for opening requires.
  private var hasOtherBytes: Bool { PathText.bytes(path) != Array(path.utf8) }

  /// Checks that the file can be a database.
  ///
  /// - Throws: ``DatabaseOpenError`` if the path does not lead to a possible database.
  func check() throws {
    guard !isPrivate else { return }
    if path.utf8.contains(0) { throw failure(.noSuchFile) }
    var status = stat()
    guard PathText.withPath(path, { stat($0, &status) }) == 0 else {
      switch errno {
      case EACCES: throw failure(.permissionDenied)
      case ELOOP: throw failure(.linksInCircle)
      case ENAMETOOLONG: throw failure(.pathIsTooLong)
      // SQLite creates the file if the folder exists.
      case ENOENT where !isReadonly && isInFolder: return
      default: throw failure(.noSuchFile)
      }
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw failure(.isFolder)
    case S_IFREG:
      if PathText.withPath(path, { access($0, R_OK) }) != 0 { throw failure(.permissionDenied) }
      // SQLite ignores the journal of an immutable database, and would read an unfinished change.
      if isImmutable, hasJournal { throw failure(.immutableHasJournal) }
    default: throw failure(.isNotPlainFile)
    }
  }

  /// Whether the file has a hot journal, whose first byte is not 0.
  private var hasJournal: Bool {
    (try? OpenFile.contents(of: path + "-journal", limit: 1))?.first.map { $0 > 0 } ?? false
  }

  /// The maximum number of bytes of an absolute path that SQLite opens.
  static let longestPath = 511

  private var isTooLong: Bool {
    guard let absolute = PathText.withPath(path, { realpath($0, nil) }) else { return false }
    defer { free(absolute) }
    return Self.isTooLong(byteCount: strlen(absolute))
  }

  /// Returns whether SQLite cannot open an absolute path of this length.
  ///
  /// The names of the additional files that SQLite creates must fit too.
  package static func isTooLong(byteCount: Int) -> Bool { byteCount + "-journal".utf8.count > longestPath }

  private var isInFolder: Bool {
    guard let slash = path.lastIndex(of: "/") else { return true }
    var status = stat()
    let folder = String(path[...slash])
    return PathText.withPath(folder) { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The name passed to SQLite.
  ///
  /// SQLite never reads it as a URI, with three exceptions that require one: an immutable database, a shared database in memory, and a path
  /// that is not UTF-8.
  var name: String {
    if let sharedName { return "file:/" + Self.escaped(sharedName) + "?vfs=memdb" }
    if isPrivate { return path }
    // Without an authority, the beginning of a path with two slashes would be read as one.
    if isURI { return (path.hasPrefix("/") ? "file://" : "file:") + Self.escaped(path) + (isImmutable ? "?immutable=1" : "") }
    return path.hasPrefix("file:") ? "./" + path : path
  }

  private static func escaped(_ path: String) -> String {
    PathText.bytes(path).map { plain.contains($0) ? String(UnicodeScalar($0)) : "%" + [$0].hexadecimal(uppercase: true) }.joined()
  }

  private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)

  func failure(_ kind: DatabaseOpenError.Kind) -> DatabaseOpenError {
    DatabaseOpenError(kind: kind, path: path, underlying: nil)
  }

  /// Returns an error that explains SQLite's error with the state of the file.
  func failure(_ error: DatabaseError) -> DatabaseOpenError {
    DatabaseOpenError(kind: kind(of: error), path: path, underlying: error)
  }

  private func kind(of error: DatabaseError) -> DatabaseOpenError.Kind {
    switch error.resultCode {
    // A lack of system resources is not an error of the file.
    case _ where error.systemError != 0 && SystemError(code: error.systemError).advice != nil: .cannotOpen
    case DatabaseError.SQLITE_NOTADB: .isNoDatabase
    case DatabaseError.SQLITE_CORRUPT where SchemaFault(error.message) != nil: .schemaNotUnderstood
    case DatabaseError.SQLITE_CORRUPT: header?.truncation.map { .isTruncated(missingBytes: $0) } ?? .isCorrupt
    case DatabaseError.SQLITE_BUSY, DatabaseError.SQLITE_LOCKED: .isLocked
    case DatabaseError.SQLITE_PERM, DatabaseError.SQLITE_AUTH: .permissionDenied
    case DatabaseError.SQLITE_READONLY: header?.isWAL == true ? .walNeedsWriting : .needsRecovery
    case DatabaseError.SQLITE_CANTOPEN where isTooLong: .pathIsTooLong
    case DatabaseError.SQLITE_CANTOPEN: header?.isWAL == true ? .walNeedsWriting : .cannotOpen
    default: .other
    }
  }

  private var header: DatabaseHeader? { isPrivate ? nil : DatabaseHeader(self) }
}

/// The first 100 bytes of a database; see <https://www.sqlite.org/fileformat2.html#the_database_header>.
private struct DatabaseHeader {
  /// Whether the database uses a write-ahead log.
  let isWAL: Bool
  /// The number of bytes missing from the size in the header; nil if the file is complete.
  let truncation: Int?

  /// Reads the header of a file; nil if it has none.
  ///
  /// It is read through SQLite, which manages the locks of all connections of the process. Closing another descriptor of the file would
  /// release them; see section 2.2 of <https://www.sqlite.org/howtocorrupt.html>. SQLite opens the file, but neither locks it nor examines
  /// its content.
  ///
  /// The corresponding C function is `sqlite3_file_control` with `SQLITE_FCNTL_FILE_POINTER`.
  init?(_ file: DatabaseFile) {
    _ = SQLiteFiles.isWatching
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
      methods.xFileSize?(file, &size) == SQLITE_OK, bytes.starts(with: DatabaseFile.beginning)
    else { return nil }
    isWAL = bytes[18] == 2 || bytes[19] == 2
    let declaredSize = Int(bytes[16]) << 8 | Int(bytes[17])
    let pageSize = declaredSize == 1 ? 65536 : declaredSize
    let pageCount = bytes[28..<32].reduce(0) { $0 << 8 | Int($1) }
    let missing = pageSize * pageCount - Int(size)
    truncation = missing > 0 ? missing : nil
  }
}
