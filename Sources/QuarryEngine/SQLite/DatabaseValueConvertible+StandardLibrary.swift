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

  /// Binds as ``Statement/bindInteger(_:at:)`` does.
  public func bind(to statement: Statement, at index: Int) throws {
    try statement.bindInteger(self, at: index)
  }

  /// Reads as ``Statement/columnInteger(at:)`` does.
  public static func decode(from statement: Statement, at index: Int) throws -> Int64 {
    try statement.columnInteger(at: index)
  }
}

/// An integer of Swift's, stored as SQLite's, which has 64 bits.
///
/// ```swift
/// try db.execute(sql: "INSERT INTO player (score) VALUES (?)", arguments: [UInt64.max])
/// // SQLite error 20: 18446744073709551615 is past the greatest integer that SQLite stores, 9223372036854775807
/// ```
///
/// What a type cannot hold throws when it is read, and is never cut off: a number with its upper bits gone is another number, and nothing
/// tells of it.
public protocol DatabaseInteger: FixedWidthInteger, DatabaseValueConvertible {}

extension DatabaseInteger {
  /// An integer.
  ///
  /// - Throws: `SQLITE_MISMATCH` where the number is past `Int64.max`.
  public var databaseValue: DatabaseValue {
    get throws {
      guard let value = Int64(exactly: self) else {
        throw DatabaseError(DatabaseError.SQLITE_MISMATCH, "\(self) is past the greatest integer that SQLite stores, \(Int64.max)")
      }
      return .integer(value)
    }
  }

  /// Reads an integer, or a real that is a whole number, that the type holds.
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

  /// Reads an integer that the type holds.
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

// Every number of these types fits into 64 bits, so that nothing is to be tried.
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

  /// Reads 0 and 1; any other number is more than a Boolean can hold.
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

  /// Reads a real, or an integer that a `Double` holds exactly.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Double? {
    switch value {
    case .real(let value): value
    case .integer(let value): Double(exactly: value)
    default: nil
    }
  }

  /// Binds as ``Statement/bindReal(_:at:)`` does.
  public func bind(to statement: Statement, at index: Int) throws {
    try statement.bindReal(self, at: index)
  }

  /// Reads as ``Statement/columnReal(at:)`` does.
  public static func decode(from statement: Statement, at index: Int) throws -> Double {
    try statement.columnReal(at: index)
  }
}

extension Float: DatabaseValueConvertible {
  /// The real, or NULL for NaN, which SQLite does not store.
  public var databaseValue: DatabaseValue { Double(self).databaseValue }

  /// Reads the `Float` that is nearest to a real, or an integer that a `Float` holds exactly.
  ///
  /// No number with a fraction is read otherwise: 0.1 as SQLite stores it is no `Float`. A real so great or small that it would become
  /// infinity or zero is refused.
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

  /// Reads a text: no number is made into one.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> String? {
    if case .text(let text) = value { text } else { nil }
  }

  /// Binds the text with all of its length.
  public func bind(to statement: Statement, at index: Int) throws {
    try statement.bindText(self, at: index)
  }

  /// Reads as ``Statement/columnText(at:)`` does.
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
