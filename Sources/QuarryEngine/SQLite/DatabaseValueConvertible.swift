/// A type whose values SQLite can store and return unchanged.
///
/// `Bool`, the integers, `Double`, `Float`, `String`, `[UInt8]`, `Data`, `UUID`, `URL` and their optionals conform, and so does `Date` with
/// millisecond precision. An enum with raw values needs no code:
///
/// ```swift
/// enum Grade: String, DatabaseValueConvertible { case beginner, expert }
/// try db.execute(sql: "UPDATE player SET grade = ?", arguments: [Grade.expert])
/// // UPDATE player SET grade = 'expert'
/// ```
///
/// Unlike in SQLite and other libraries, conversions are strict. A text is not a number, and a number is not a text. 2.5 is not an `Int`,
/// 300 is not an `Int8`, and 2 is not a `Bool`. SQLite allows any value in any column, and a value that is silently converted to another
/// value, or to nil, is lost with the next write. Convert explicitly, in SQL with CAST, or in Swift by reading the stored value.
public protocol DatabaseValueConvertible: Sendable, Fetchable {
  /// The value as SQLite stores it.
  ///
  /// - Throws: ``DatabaseError`` if SQLite cannot store it.
  var databaseValue: DatabaseValue { get throws }

  /// Returns the value represented by a stored value; nil if the type has no equivalent value.
  ///
  /// ```swift
  /// Int8.fromDatabaseValue(.integer(41))   // 41
  /// Int8.fromDatabaseValue(.integer(300))  // nil
  /// ```
  static func fromDatabaseValue(_ value: DatabaseValue) -> Self?

  /// Binds the value to a parameter, from 1. The default binds ``databaseValue``.
  func bind(to statement: Statement, at index: Int) throws

  /// Reads a column of the statement's current row, from 0. The default reads it as a ``DatabaseValue``.
  static func decode(from statement: Statement, at index: Int) throws -> Self
}

extension DatabaseValueConvertible {
  /// Binds ``databaseValue``.
  public func bind(to statement: Statement, at index: Int) throws {
    try statement.bind(try databaseValue, at: index)
  }

  /// Reads the column as a ``DatabaseValue``, and throws `SQLITE_MISMATCH` if it does not represent a value of this type.
  public static func decode(from statement: Statement, at index: Int) throws -> Self {
    guard let value = fromDatabaseValue(try statement.columnValue(at: index)) else {
      throw statement.mismatch(at: index, Self.self)
    }
    return value
  }
}

extension DatabaseValue: DatabaseValueConvertible {
  /// The value itself.
  public var databaseValue: DatabaseValue { self }

  /// Returns the value itself.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> DatabaseValue? { value }

  /// Binds the value as its storage class.
  public func bind(to statement: Statement, at index: Int) throws {
    switch self {
    case .null: try statement.bindNull(at: index)
    case .integer(let value): try statement.bindInteger(value, at: index)
    case .real(let value): try statement.bindReal(value, at: index)
    case .text(let value): try statement.bindText(value, at: index)
    case .blob(let value): try value.withUnsafeBytes { try statement.bindBlob($0, at: index) }
    }
  }

  /// Reads the column as stored.
  public static func decode(from statement: Statement, at index: Int) throws -> DatabaseValue {
    try statement.columnValue(at: index)
  }
}

extension DatabaseValueConvertible where Self: RawRepresentable, RawValue: DatabaseValueConvertible {
  /// The database value of the raw value.
  public var databaseValue: DatabaseValue {
    get throws { try rawValue.databaseValue }
  }

  /// Returns the value with this raw value; nil if the type has no such value.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
    RawValue.fromDatabaseValue(value).flatMap(Self.init(rawValue:))
  }
}

extension Optional: Fetchable where Wrapped: DatabaseValueConvertible {}

extension Optional: DatabaseValueConvertible where Wrapped: DatabaseValueConvertible {
  /// The database value of the wrapped value, or NULL for nil.
  public var databaseValue: DatabaseValue {
    get throws { try self?.databaseValue ?? .null }
  }

  /// Returns the wrapped value, or nil for NULL; the outer optional is nil if the value is neither.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Wrapped?? {
    if value == .null { return .some(nil) }
    return Wrapped.fromDatabaseValue(value).map { .some($0) }
  }

  /// Binds the wrapped value, or NULL for nil.
  @inlinable
  public func bind(to statement: Statement, at index: Int) throws {
    if let self {
      try self.bind(to: statement, at: index)
    } else {
      try statement.bindNull(at: index)
    }
  }

  /// Reads the wrapped value, or nil for NULL.
  @inlinable
  public static func decode(from statement: Statement, at index: Int) throws -> Wrapped? {
    try statement.isColumnNull(at: index) ? nil : Wrapped.decode(from: statement, at: index)
  }
}
