internal import CSQLite
internal import Libc

/// A value in SQLite's memory, valid until the statement's next step or reset.
package enum BorrowedValue {
  case null
  case integer(Int64)
  case real(Double)
  /// The bytes of a text as UTF-8, which may be invalid.
  case text(UnsafeRawBufferPointer)
  case blob(UnsafeRawBufferPointer)
}

/// Memory for the values of a row, which are read together: one call between modules for each row instead of each value.
struct BorrowedValues: ~Copyable {
  private var values = UnsafeMutableBufferPointer<BorrowedValue>(start: nil, count: 0)

  deinit { values.deallocate() }

  /// Returns `count` values, each read by `read`, in memory that the next call reuses.
  ///
  /// - Throws: Any error of `read`.
  @inline(__always)
  mutating func lend(_ count: Int, _ read: (Int) throws -> BorrowedValue) rethrows -> UnsafeBufferPointer<BorrowedValue> {
    if count > values.count { grow(to: count) }
    for index in 0..<count { values.initializeElement(at: index, to: try read(index)) }
    return UnsafeBufferPointer(rebasing: UnsafeBufferPointer(values)[0..<count])
  }

  private mutating func grow(to count: Int) {
    values.deallocate()
    values = .allocate(capacity: count)
  }
}

extension Statement {
  /// Returns the values of the current row, or the first of them, from left to right, valid until the statement's next step or reset.
  ///
  /// The corresponding C function is `sqlite3_column_value`.
  ///
  /// - Throws: `SQLITE_MISUSE` if there is no current row, `SQLITE_NOMEM` if a text cannot be converted to UTF-8.
  package func borrowedValues(first count: Int = .max) throws -> UnsafeBufferPointer<BorrowedValue> {
    try database.checkAccess()
    guard isRunning else { throw DatabaseError.misuse("the statement has no current row", sql: sql) }
    return try lent.lend(min(count, columns.count)) { index in
      let value = sqlite3_column_value(sqliteStatement, Int32(truncatingIfNeeded: index))
      return try BorrowedValue(SQLiteValue(value, of: database.connection))
    }
  }
}

extension BorrowedValue {
  /// Creates a value from one in SQLite's memory.
  ///
  /// - Parameter isTerminated: Whether a text must end with a NUL, which is not counted; SQLite may have to copy it for that.
  /// - Throws: `SQLITE_NOMEM` if a text cannot be converted to UTF-8.
  @inline(__always)
  init(_ value: SQLiteValue, isTerminated: Bool = true) throws {
    self =
      switch value.storageClass {
      case .integer: .integer(value.integer)
      case .real: .real(value.real)
      case .text: .text(try value.text(isTerminated: isTerminated))
      case .blob: .blob(try value.blob())
      case .null: .null
      }
  }
}

extension BorrowedValue {
  /// Returns whether both values are the same to the bit.
  package func isIdentical(to other: BorrowedValue) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.integer(let first), .integer(let second)): first == second
    case (.real(let first), .real(let second)): first.bitPattern == second.bitPattern
    case (.text(let first), .text(let second)), (.blob(let first), .blob(let second)): first.hasSameBytes(as: second)
    default: false
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Returns whether the bytes are equal to other bytes.
  package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard count > 0, let start = baseAddress, let otherStart = other.baseAddress else { return true }
    return memcmp(start, otherStart, count) == 0
  }
}

extension DatabaseValue {
  /// Calls a closure with the value as SQLite would store it: a NaN is NULL.
  @inline(__always)
  package func withBorrowedValue<Result>(_ body: (BorrowedValue) -> Result) -> Result {
    switch self {
    case .null: body(.null)
    case .integer(let value): body(.integer(value))
    case .real(let value): body(value.isNaN ? .null : .real(value))
    case .text(var value): value.withUTF8 { body(.text(UnsafeRawBufferPointer($0))) }
    case .blob(let value): value.withUnsafeBytes { body(.blob($0)) }
    }
  }
}

extension StoredValue {
  /// Calls a closure with the value.
  @inline(__always)
  package func withBorrowedValue<Result>(_ body: (BorrowedValue) -> Result) -> Result {
    switch self {
    case .value(let value): value.withBorrowedValue(body)
    case .rawText(let bytes): bytes.withUnsafeBytes { body(.text($0)) }
    }
  }
}
