extension Int64: DatabaseValueConvertible {
  public var databaseValue: DatabaseValue { .integer(self) }

  public static func fromDatabaseValue(_ value: DatabaseValue) -> Int64? {
    switch value {
    case .integer(let value): value
    case .real(let value): Int64(exactly: value)
    default: nil
    }
  }

  public func bind(to statement: Statement, at index: Int) throws {
    try statement.bindInteger(self, at: index)
  }

  public static func decode(from statement: Statement, at index: Int) throws -> Int64 {
    try statement.columnInteger(at: index)
  }
}

/// An integer that is stored as SQLite's, of 64 bits.
public protocol DatabaseInteger: FixedWidthInteger, DatabaseValueConvertible {}

extension DatabaseInteger {
  /// - Throws: `SQLITE_MISMATCH` where the number is past `Int64.max`.
  public var databaseValue: DatabaseValue {
    get throws {
      guard let value = Int64(exactly: self) else {
        throw DatabaseError(DatabaseError.SQLITE_MISMATCH, "\(self) is past the greatest integer that SQLite stores, \(Int64.max)")
      }
      return .integer(value)
    }
  }

  public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
    Int64.fromDatabaseValue(value).flatMap(Self.init(exactly:))
  }

  @inlinable
  public func bind(to statement: Statement, at index: Int) throws {
    if let value = Int64(exactly: self) {
      try statement.bindInteger(value, at: index)
    } else {
      try statement.bind(try databaseValue, at: index)
    }
  }

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

extension Bool: DatabaseValueConvertible {
  public var databaseValue: DatabaseValue { .integer(self ? 1 : 0) }

  /// 0 and 1 are booleans; any other number is more than one can hold.
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

  public static func fromDatabaseValue(_ value: DatabaseValue) -> Double? {
    switch value {
    case .real(let value): value
    case .integer(let value): Double(exactly: value)
    default: nil
    }
  }

  public func bind(to statement: Statement, at index: Int) throws {
    try statement.bindReal(self, at: index)
  }

  public static func decode(from statement: Statement, at index: Int) throws -> Double {
    try statement.columnReal(at: index)
  }
}

extension Float: DatabaseValueConvertible {
  /// The real, or NULL for NaN, which SQLite does not store.
  public var databaseValue: DatabaseValue { Double(self).databaseValue }

  /// A real that a `Float` holds exactly.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Float? {
    Double.fromDatabaseValue(value).flatMap(Float.init(exactly:))
  }
}

extension String: DatabaseValueConvertible {
  public var databaseValue: DatabaseValue { .text(self) }

  public static func fromDatabaseValue(_ value: DatabaseValue) -> String? {
    if case .text(let text) = value { text } else { nil }
  }

  public func bind(to statement: Statement, at index: Int) throws {
    try statement.bindText(self, at: index)
  }

  public static func decode(from statement: Statement, at index: Int) throws -> String {
    try statement.columnText(at: index)
  }
}

extension [UInt8]: Fetchable {}

extension [UInt8]: DatabaseValueConvertible {
  public var databaseValue: DatabaseValue { .blob(self) }

  public static func fromDatabaseValue(_ value: DatabaseValue) -> [UInt8]? {
    if case .blob(let bytes) = value { bytes } else { nil }
  }
}
