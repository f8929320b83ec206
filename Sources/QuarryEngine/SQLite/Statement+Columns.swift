internal import CSQLite

// The current row, read in SQLite's memory. The values are valid until the next step or reset.
extension Statement {
  /// Returns the storage class of the value of a column, from 0.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT 1.5")
  /// try statement.step()
  /// try statement.columnStorageClass(at: 0)  // .real
  /// ```
  ///
  /// The corresponding C function is `sqlite3_column_type`.
  ///
  /// - Throws: `SQLITE_RANGE` if the column does not exist, `SQLITE_MISUSE` if there is no current row.
  public func columnStorageClass(at index: Int) throws -> DatabaseValue.StorageClass {
    try value(at: index).storageClass
  }

  /// Returns the exact value of a column, from 0.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT 'Arthur'")
  /// try statement.step()
  /// let value: DatabaseValue = try statement.columnValue(at: 0)  // .text("Arthur")
  /// ```
  ///
  /// The corresponding C functions are `sqlite3_column_int64` and its siblings.
  ///
  /// - Throws: The same errors as ``columnStorageClass(at:)``; `SQLITE_MISMATCH` for a text that is not valid UTF-8, which a `String`
  ///   cannot represent. ``withColumnBytes(at:_:)`` provides its bytes.
  public func columnValue(at index: Int) throws -> DatabaseValue {
    let value = try value(at: index)
    switch value.storageClass {
    case .integer: return .integer(value.integer)
    case .real: return .real(value.real)
    case .text: return .text(try text(of: value, at: index))
    case .blob: return .blob([UInt8](try MemoryRoom.checked(value.blob())))
    case .null: return .null
    }
  }

  /// Returns the value of a column, from 0, as a Swift type.
  ///
  /// ```swift
  /// let score: Int = try statement.columnValue(at: 0)
  /// ```
  ///
  /// - Throws: The same errors as ``columnStorageClass(at:)``; `SQLITE_MISMATCH` if the value does not match the type.
  @inlinable
  public func columnValue<Value: DatabaseValueConvertible>(at index: Int) throws -> Value {
    try Value.decode(from: self, at: index)
  }

  /// Returns whether a column, from 0, is NULL.
  ///
  /// - Throws: The same errors as ``columnStorageClass(at:)``.
  public func isColumnNull(at index: Int) throws -> Bool {
    try value(at: index).storageClass == .null
  }

  /// Returns the integer of a column, from 0; a real that is a whole number is converted.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT 41, 2.0, 2.5")
  /// try statement.step()
  /// try statement.columnInteger(at: 1)  // 2
  /// try statement.columnInteger(at: 2)  // SQLite error 20: column 2 ("2.5"): REAL 2.5 cannot be read as Int64 …
  /// ```
  ///
  /// The corresponding C function is `sqlite3_column_int64`.
  ///
  /// - Throws: The same errors as ``columnStorageClass(at:)``; `SQLITE_MISMATCH` if the value is not such a number.
  public func columnInteger(at index: Int) throws -> Int64 {
    try integer(at: index, for: Int64.self)
  }

  /// Returns the integer of a column for conversion to `type`, which an error names.
  @usableFromInline
  func integer(at index: Int, for type: Any.Type) throws -> Int64 {
    let value = try value(at: index)
    if value.storageClass == .integer { return value.integer }
    if value.storageClass == .real, let exact = Int64(exactly: value.real) { return exact }
    throw mismatch(at: index, type)
  }

  /// Returns the real of a column, from 0; an integer that a `Double` represents exactly is converted.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT 0.5, 2")
  /// try statement.step()
  /// try statement.columnReal(at: 1)  // 2.0
  /// ```
  ///
  /// The corresponding C function is `sqlite3_column_double`.
  ///
  /// - Throws: The same errors as ``columnStorageClass(at:)``; `SQLITE_MISMATCH` if the value is not such a number.
  public func columnReal(at index: Int) throws -> Double {
    let value = try value(at: index)
    if value.storageClass == .real { return value.real }
    if value.storageClass == .integer, let exact = Double(exactly: value.integer) { return exact }
    throw mismatch(at: index, Double.self)
  }

  /// Returns the text of a column, from 0; numbers are not converted.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT 'Arthur'")
  /// try statement.step()
  /// try statement.columnText(at: 0)  // Arthur
  /// ```
  ///
  /// The corresponding C function is `sqlite3_column_text`, with the length of `sqlite3_column_bytes`.
  ///
  /// - Throws: The same errors as ``columnStorageClass(at:)``; `SQLITE_MISMATCH` if the value is not a text, or not valid UTF-8.
  public func columnText(at index: Int) throws -> String {
    let value = try value(at: index)
    guard value.storageClass == .text else { throw mismatch(at: index, String.self) }
    return try text(of: value, at: index)
  }

  /// Calls a closure with the bytes of a text or blob, without copying them.
  ///
  /// The bytes of a text are UTF-8, regardless of the encoding of the database, but may be invalid.
  ///
  /// ```swift
  /// let beginning = try statement.withColumnBytes(at: 0) { Array($0.prefix(1024)) }
  /// ```
  ///
  /// The corresponding C functions are `sqlite3_column_text` and `sqlite3_column_blob`.
  ///
  /// - Throws: Any error of `body`, or `SQLITE_MISMATCH` if the value is neither a text nor a blob.
  @inlinable
  public func withColumnBytes<Result>(at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
    try body(try columnBytes(at: index))
  }

  @usableFromInline
  func columnBytes(at index: Int) throws -> UnsafeRawBufferPointer {
    let value = try value(at: index)
    switch value.storageClass {
    case .text: return try value.text()
    case .blob: return try value.blob()
    default: throw mismatch(at: index, [UInt8].self)
    }
  }
}

extension Statement {
  @inline(__always)
  private func value(at index: Int) throws -> SQLiteValue {
    guard
      phase == .row, database.lock.isHeldByThisThread, accessNumber == database.currentAccess,
      index >= 0, index < columns.count, let value = sqlite3_column_value(sqliteStatement, Int32(truncatingIfNeeded: index))
    else { throw columnError(index) }
    return SQLiteValue(value, of: database.connection)
  }

  private func columnError(_ index: Int) -> DatabaseError {
    do { try database.checkAccess() } catch { return error as? DatabaseError ?? .misuse("\(error)", sql: sql) }
    guard isRunning else { return .misuse("the statement has no current row", sql: sql) }
    return self.error(DatabaseError.SQLITE_RANGE, "there is no column \(index): the row has \(columnCount)")
  }

  @inline(__always)
  private func text(of value: SQLiteValue, at index: Int) throws -> String {
    guard let text = String(sqliteText: try MemoryRoom.checked(value.text())) else { throw mismatch(at: index, String.self) }
    return text
  }

  /// Returns the error of a column whose value cannot be converted to `type`.
  @usableFromInline
  func mismatch(at index: Int, _ type: Any.Type) -> DatabaseError {
    var row: [ShownValue] = []
    do { row = try borrowedValues().map { ShownValue($0) } } catch { return error as? DatabaseError ?? columnError(index) }
    guard row.indices.contains(index) else { return columnError(index) }
    let message = DatabaseError.conversion(of: row[index], to: type, at: index, columnLabels.names, row)
    return error(DatabaseError.SQLITE_MISMATCH, message)
  }
}

extension String {
  /// Creates a string from a whole text in SQLite's memory; nil if it is not valid UTF-8.
  @inline(__always)
  init?(sqliteText bytes: UnsafeRawBufferPointer) {
    // SQLite ends each text with a NUL that is not counted. Validating up to a NUL is compiled for bytes, and several times as fast as
    // validating a sequence. A text that contains a NUL comes out short, and takes the slow path.
    if let start = bytes.baseAddress, let text = String(validatingCString: start.assumingMemoryBound(to: CChar.self)),
      text.utf8.count == bytes.count
    {
      self = text
    } else {
      guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
      self = text
    }
  }
}

/// The columns of a statement, which change when SQLite recompiles it after a schema change.
struct StatementColumns {
  private(set) var count: Int
  private var labels: ColumnLabels?
  private var compilations: Int32 = 0

  init(_ statement: OpaquePointer) {
    count = Int(sqlite3_column_count(statement))
  }

  /// Updates the columns after the first step of a run, if the statement has been recompiled.
  mutating func refresh(_ statement: OpaquePointer) {
    let compilations = sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_REPREPARE, 0)
    guard compilations != self.compilations else { return }
    self.compilations = compilations
    count = Int(sqlite3_column_count(statement))
    labels = nil
  }

  mutating func labels(of statement: OpaquePointer, isClosed: Bool) -> ColumnLabels {
    if let labels { return labels }
    guard !isClosed else { return ColumnLabels([]) }
    let names = (0..<Int32(count)).map { index in
      sqlite3_column_name(statement, index).map { String(cString: $0) } ?? ""
    }
    let made = ColumnLabels(names)
    labels = made
    return made
  }
}

/// The names of a row's columns, shared by all rows of a run.
final class ColumnLabels: Sendable {
  let names: [String]
  /// The indexes by name in lower case, only if there are so many columns that a linear search would be slow.
  private let indexes: [String: Int]?

  init(_ names: [String]) {
    self.names = names
    indexes = names.count > 16 ? Dictionary(zip(names.map(\.asciiLowercased), names.indices), uniquingKeysWith: min) : nil
  }

  /// Returns the index of the leftmost column with this name, ignoring case.
  func index(of name: String) -> Int? {
    if let indexes { return indexes[name.asciiLowercased] }
    return names.firstIndex { $0 == name || $0.isSameIdentifier(as: name) }
  }
}
