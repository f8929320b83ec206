extension Int64: DatabaseValueConvertible {
  /// An integer.
  public var databaseValue: DatabaseValue { .integer(self) }

  /// Reads an integer, or a real that is a whole number.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Int64? {
    switch value {
    case .integer(let value): value
    case .real(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// Binds like ``Statement/bindInteger(_:at:)``.
  public func bind(to statement: Statement, at index: Int) throws {
    try statement.bindInteger(self, at: index)
  }

  /// Reads like ``Statement/columnInteger(at:)``.
  public static func decode(from statement: Statement, at index: Int) throws -> Int64 {
    try statement.columnInteger(at: index)
  }
}

/// A Swift integer, stored as a 64-bit integer of SQLite.
///
/// ```swift
/// try db.execute(sql: "INSERT INTO player (score) VALUES (?)", arguments: [UInt64.max])
/// // SQLite error 20: 18446744073709551615 is past the greatest integer that SQLite stores, 9223372036854775807
/// ```
///
/// Reading a number that the type cannot represent throws an error. It is never truncated, which would silently result in another number.
public protocol DatabaseInteger: FixedWidthInteger, DatabaseValueConvertible {}

extension DatabaseInteger {
  /// An integer.
  ///
  /// - Throws: `SQLITE_MISMATCH` if the number exceeds `Int64.max`.
  public var databaseValue: DatabaseValue {
    get throws {
      guard let value = Int64(exactly: self) else {
        throw DatabaseError(DatabaseError.SQLITE_MISMATCH, "\(self) is greater than the largest integer that SQLite stores, \(Int64.max)")
      }
      return .integer(value)
    }
  }

  /// Reads an integer, or a real that is a whole number, if the type can represent it.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
    Int64.fromDatabaseValue(value).flatMap(Self.init(exactly:))
  }

  /// Binds the number as an integer.
  @inlinable
  public func bind(to statement: Statement, at index: Int) throws {
    if let value = Int64(exactly: self) {
      try statement.bindInteger(value, at: index)
    } else {
      try statement.bind(try databaseValue, at: index)
    }
  }

  /// Reads an integer that the type can represent.
  @inlinable
  public static func decode(from statement: Statement, at index: Int) throws -> Self {
    guard let value = Self(exactly: try statement.integer(at: index, for: Self.self)) else {
      throw statement.mismatch(at: index, Self.self)
    }
    return value
  }
}

extension Int: DatabaseInteger {}
extension Int32: DatabaseInteger {}
extension Int16: DatabaseInteger {}
extension Int8: DatabaseInteger {}
extension UInt: DatabaseInteger {}
extension UInt64: DatabaseInteger {}
extension UInt32: DatabaseInteger {}
extension UInt16: DatabaseInteger {}
extension UInt8: DatabaseInteger {}

// Every number of these types fits in 64 bits, so that no error is possible.
extension Int { public var databaseValue: DatabaseValue { .integer(Int64(self)) } }
extension Int32 { public var databaseValue: DatabaseValue { .integer(Int64(self)) } }
extension Int16 { public var databaseValue: DatabaseValue { .integer(Int64(self)) } }
extension Int8 { public var databaseValue: DatabaseValue { .integer(Int64(self)) } }
extension UInt32 { public var databaseValue: DatabaseValue { .integer(Int64(self)) } }
extension UInt16 { public var databaseValue: DatabaseValue { .integer(Int64(self)) } }
extension UInt8 { public var databaseValue: DatabaseValue { .integer(Int64(self)) } }

extension Bool: DatabaseValueConvertible {
  /// The integer 1 or 0.
  public var databaseValue: DatabaseValue { .integer(self ? 1 : 0) }

  /// Reads 0 and 1; any other number is not a Boolean.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Bool? {
    switch Int64.fromDatabaseValue(value) {
    case 0: false
    case 1: true
    default: nil
    }
  }
}

extension Double: DatabaseValueConvertible {
  /// The real, or NULL for NaN, which SQLite does not store.
  public var databaseValue: DatabaseValue { isNaN ? .null : .real(self) }

  /// Reads a real, or an integer that a `Double` represents exactly.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Double? {
    switch value {
    case .real(let value): value
    case .integer(let value): Double(exactly: value)
    default: nil
    }
  }

  /// Binds like ``Statement/bindReal(_:at:)``.
  public func bind(to statement: Statement, at index: Int) throws {
    try statement.bindReal(self, at: index)
  }

  /// Reads like ``Statement/columnReal(at:)``.
  public static func decode(from statement: Statement, at index: Int) throws -> Double {
    try statement.columnReal(at: index)
  }
}

extension Float: DatabaseValueConvertible {
  /// The real, or NULL for NaN, which SQLite does not store.
  public var databaseValue: DatabaseValue { Double(self).databaseValue }

  /// Reads the `Float` that is nearest to a real, or an integer that a `Float` represents exactly.
  ///
  /// Exact conversion would reject most fractions, such as 0.1 as stored by SQLite. A real whose magnitude is so large or small that it
  /// would become infinity or zero is rejected.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Float? {
    switch value {
    case .integer(let value): return Float(exactly: value)
    case .real(let value):
      let nearest = Float(value)
      return nearest.isFinite == value.isFinite && nearest.isZero == value.isZero ? nearest : nil
    default: return nil
    }
  }
}

extension String: DatabaseValueConvertible {
  /// A text.
  public var databaseValue: DatabaseValue { .text(self) }

  /// Reads a text; numbers are not converted.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> String? {
    if case .text(let text) = value { text } else { nil }
  }

  /// Binds the text with its full length.
  public func bind(to statement: Statement, at index: Int) throws {
    try statement.bindText(self, at: index)
  }

  /// Reads like ``Statement/columnText(at:)``.
  public static func decode(from statement: Statement, at index: Int) throws -> String {
    try statement.columnText(at: index)
  }
}

extension [UInt8]: Fetchable {}

extension [UInt8]: DatabaseValueConvertible {
  /// A blob.
  public var databaseValue: DatabaseValue { .blob(self) }

  /// Reads the bytes of a blob.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> [UInt8]? {
    if case .blob(let bytes) = value { bytes } else { nil }
  }
}
