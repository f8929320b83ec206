internal import CSQLite

/// A value in SQLite's memory: an argument of a function, a column of the current row, or a column of a row that is about to change.
///
/// No other type reads values. SQLite returns the bytes of a text in the encoding of the database, which may be UTF-16:
/// ``text(isTerminated:)`` returns them as UTF-8, and ``storedText()`` in their stored encoding.
struct SQLiteValue {
  private let value: OpaquePointer?
  private let connection: OpaquePointer

  @inline(__always)
  init(_ value: OpaquePointer?, of connection: OpaquePointer) {
    (self.value, self.connection) = (value, connection)
  }

  /// The storage class.
  @inline(__always)
  var storageClass: DatabaseValue.StorageClass {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  /// The integer, or SQLite's conversion of another value.
  @inline(__always)
  var integer: Int64 { sqlite3_value_int64(value) }

  /// The real, or SQLite's conversion of another value.
  @inline(__always)
  var real: Double { sqlite3_value_double(value) }

  /// Returns a text as UTF-8, which may be invalid; for a number or a blob, SQLite's conversion to a text.
  ///
  /// - Parameter isTerminated: Whether the text ends with a NUL, which is not counted; SQLite may have to copy it for that.
  /// - Throws: `SQLITE_NOMEM` if SQLite has no memory for the conversion.
  @inline(__always)
  func text(isTerminated: Bool = true) throws -> UnsafeRawBufferPointer {
    let isStored = !isTerminated && sqlite3_value_type(value) == SQLITE_TEXT && sqlite3_value_encoding(value) == SQLITE_UTF8
    return try bytes(from: isStored ? sqlite3_value_blob(value) : UnsafeRawPointer(sqlite3_value_text(value)))
  }

  /// Returns the text that LIKE reads, in UTF-8: a text, or the text form of a number; nil for any other value.
  ///
  /// - Parameter seesNumbers: Whether numbers are converted, which takes time.
  /// - Throws: `SQLITE_NOMEM` if SQLite has no memory for the conversion.
  @inline(__always)
  func searchedText(seesNumbers: Bool) throws -> UnsafeRawBufferPointer? {
    switch storageClass {
    case .text: try text(isTerminated: false)
    case .integer where seesNumbers, .real where seesNumbers: try text()
    default: nil
    }
  }

  /// Returns the bytes of a blob; empty for any other value.
  ///
  /// - Throws: `SQLITE_NOMEM`
  @inline(__always)
  func blob() throws -> UnsafeRawBufferPointer {
    guard sqlite3_value_type(value) == SQLITE_BLOB else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return try bytes(from: sqlite3_value_blob(value))
  }

  /// Returns the bytes of a text as stored, with their encoding; nil for any other value.
  ///
  /// - Throws: `SQLITE_NOMEM`
  func storedText() throws -> (bytes: UnsafeRawBufferPointer, encoding: DatabaseEncoding)? {
    guard sqlite3_value_type(value) == SQLITE_TEXT else { return nil }
    let encoding: DatabaseEncoding =
      switch sqlite3_value_encoding(value) {
      case SQLITE_UTF16LE: .utf16Little
      case SQLITE_UTF16BE: .utf16Big
      default: .utf8
      }
    return (try bytes(from: sqlite3_value_blob(value)), encoding)
  }

  @inline(__always)
  private func bytes(from start: UnsafeRawPointer?) throws -> UnsafeRawBufferPointer {
    if start == nil, sqlite3_errcode(connection) == SQLITE_NOMEM { throw DatabaseError(DatabaseError.SQLITE_NOMEM) }
    return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
  }
}

/// The text encoding of a database.
package enum DatabaseEncoding: String {
  case utf8 = "UTF-8"
  case utf16Little = "UTF-16le"
  case utf16Big = "UTF-16be"

  /// Reads the encoding of a database.
  ///
  ///     PRAGMA main.encoding
  package init(of database: Database) throws {
    self = try String.fetchOne(database, sql: "PRAGMA main.encoding").flatMap(Self.init) ?? .utf8
  }

  /// Returns the text represented by stored bytes; nil if they are not a text.
  package func text(_ bytes: UnsafeRawBufferPointer) -> String? {
    switch self {
    case .utf8: return String(validating: bytes, as: UTF8.self)
    case .utf16Little, .utf16Big:
      guard bytes.count.isMultiple(of: 2) else { return nil }
      let (low, high) = self == .utf16Little ? (0, 1) : (1, 0)
      let units = stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0 + low]) | UInt16(bytes[$0 + high]) << 8 }
      return String(validating: units, as: UTF16.self)
    }
  }
}
