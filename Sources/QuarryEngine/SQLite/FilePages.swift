internal import CSQLite

/// The pages of a database file, read without SQLite's cache.
///
/// It is valid only within the read transaction in which it was created, during which no program changes the pages.
///
/// ```swift
/// try queue.read { db in
///   _ = try DataState(of: "main", in: db)
///   guard let pages = try FilePages(of: "main", in: db), let bytes = pages.bytes(ofPage: 2) else { return }
/// }
/// ```
package struct FilePages {
  /// The properties of a file that determine the meaning of its pages.
  package struct Layout: Hashable, Sendable {
    /// The number of bytes of a page.
    package let pageSize: Int
    /// The number of bytes of a page that SQLite uses.
    package let usableSize: Int
    /// The text encoding and the file format, as in the header of the file.
    private let formats: [UInt8]

    /// Whether texts are stored as UTF-8.
    package var isUTF8: Bool { formats.last == 1 }

    fileprivate init?(header: [UInt8]) {
      guard header.starts(with: DatabaseFile.beginning) else { return nil }
      let declared = Int(header[16]) << 8 | Int(header[17])
      pageSize = declared == 1 ? 65536 : declared
      usableSize = pageSize - Int(header[20])
      formats = Array(header[44..<48] + header[56..<60])
      guard pageSize >= 512, pageSize & (pageSize - 1) == 0, usableSize >= 480 else { return nil }
    }
  }

  package let layout: Layout
  /// The number of pages of the file.
  package let count: Int
  private let file: UnsafeMutablePointer<sqlite3_file>

  /// Creates the pages of one of a connection's databases.
  ///
  /// Nil if the file does not contain exactly the state that the connection reads: in memory, outside a read transaction, and while there is
  /// a write-ahead log with frames.
  ///
  /// The corresponding C functions are `sqlite3_txn_state` and `sqlite3_file_control` with `SQLITE_FCNTL_FILE_POINTER`.
  package init?(of name: String, in database: Database) throws {
    let connection = database.connection
    guard sqlite3_txn_state(connection, name) == SQLITE_TXN_READ, let path = sqlite3_db_filename(connection, name), path.pointee != 0,
      let file = Self.file(SQLITE_FCNTL_FILE_POINTER, of: name, connection), let size = Self.size(of: file)
    else { return nil }
    // In rollback journal mode, the lock of the transaction keeps writers from changing the file. In WAL mode, an empty log means that the
    // transaction reads the file alone, and then no checkpoint changes it.
    if try !database.readsKeepWritersOut(of: name), !database.configuration.isImmutable {
      guard let log = Self.file(SQLITE_FCNTL_JOURNAL_POINTER, of: name, connection), Self.size(of: log) == 0 else { return nil }
    }
    var header = [UInt8](repeating: 0, count: 100)
    guard Self.read(file, into: &header, at: 0), let layout = Layout(header: header) else { return nil }
    (self.file, self.layout, count) = (file, layout, Int(size) / layout.pageSize)
  }

  /// Reads consecutive pages into memory of their size; returns false if the file does not contain all of them.
  ///
  /// - Parameter number: The number of the first page, from 1.
  package func read(from number: Int, into bytes: UnsafeMutableRawBufferPointer) -> Bool {
    guard number > 0, number - 1 + bytes.count / layout.pageSize <= count, let start = bytes.baseAddress,
      let read = file.pointee.pMethods?.pointee.xRead, let length = Int32(exactly: bytes.count)
    else { return false }
    return read(file, start, length, sqlite3_int64((number - 1) * layout.pageSize)) == SQLITE_OK
  }

  /// Returns the bytes of a page; nil if the file does not contain it.
  package func bytes(ofPage number: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: layout.pageSize)
    return bytes.withUnsafeMutableBytes { read(from: number, into: $0) } ? bytes : nil
  }

  private static func file(_ kind: Int32, of name: String, _ connection: OpaquePointer) -> UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = withUnsafeMutablePointer(to: &file) { sqlite3_file_control(connection, name, kind, $0) }
    return code == SQLITE_OK && file?.pointee.pMethods != nil ? file : nil
  }

  private static func size(of file: UnsafeMutablePointer<sqlite3_file>) -> sqlite3_int64? {
    var size: sqlite3_int64 = 0
    return file.pointee.pMethods?.pointee.xFileSize?(file, &size) == SQLITE_OK ? size : nil
  }

  private static func read(_ file: UnsafeMutablePointer<sqlite3_file>, into bytes: inout [UInt8], at offset: sqlite3_int64) -> Bool {
    let length = Int32(truncatingIfNeeded: bytes.count)
    return file.pointee.pMethods?.pointee.xRead?(file, &bytes, length, offset) == SQLITE_OK
  }
}

extension Database {
  /// Returns the size of a database's write-ahead log in bytes; nil for a database without one.
  ///
  /// The corresponding C function is `sqlite3_file_control` with `SQLITE_FCNTL_JOURNAL_POINTER`.
  package func logSize(of name: String) throws -> Int? {
    guard !configuration.isImmutable, let path = sqlite3_db_filename(connection, name), path.pointee != 0,
      try !readsKeepWritersOut(of: name)
    else { return nil }
    return FilePages.logSize(of: name, connection)
  }
}

extension FilePages {
  fileprivate static func logSize(of name: String, _ connection: OpaquePointer) -> Int? {
    file(SQLITE_FCNTL_JOURNAL_POINTER, of: name, connection).flatMap(size).map { Int($0) }
  }
}
