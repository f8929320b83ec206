/// A type whose values SQLite can store, and give back as they were.
///
/// `Bool`, the integers, `Double`, `Float`, `String`, `[UInt8]`, `Data`, `UUID`, `URL` and optionals of them do so already, and so does
/// `Date` to the millisecond. An enum with raw values needs no code:
///
/// ```swift
/// enum Grade: String, DatabaseValueConvertible { case beginner, expert }
/// try db.execute(sql: "UPDATE player SET grade = ?", arguments: [Grade.expert])
/// // UPDATE player SET grade = 'expert'
/// ```
///
/// Conversions are strict, where those of SQLite and of other libraries are not: a text is no number, a number no text, 2.5 no `Int`, 300
/// no `Int8` and 2 no `Bool`. SQLite lets any column hold anything, and a value that is quietly made into another, or into nil, is lost
/// with the next write. What is to be converted says so, in SQL by CAST, or in Swift by reading it as it is stored.
public protocol DatabaseValueConvertible: Sendable, Fetchable {
  /// The value as SQLite stores it.
  ///
  /// - Throws: ``DatabaseError`` where SQLite has no place for it.
  var databaseValue: DatabaseValue { get throws }

  /// Returns the value that is stored so; nil where the type has none that says the same.
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

  /// Reads the column as a ``DatabaseValue``, and throws `SQLITE_MISMATCH` where that is none of this type.
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

  /// Reads the column as it is stored.
  public static func decode(from statement: Statement, at index: Int) throws -> DatabaseValue {
    try statement.columnValue(at: index)
  }
}

extension DatabaseValueConvertible where Self: RawRepresentable, RawValue: DatabaseValueConvertible {
  /// The raw value's.
  public var databaseValue: DatabaseValue {
    get throws { try rawValue.databaseValue }
  }

  /// Returns the value of that raw value; nil where there is none.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
    RawValue.fromDatabaseValue(value).flatMap(Self.init(rawValue:))
  }
}

extension Optional: Fetchable where Wrapped: DatabaseValueConvertible {}

extension Optional: DatabaseValueConvertible where Wrapped: DatabaseValueConvertible {
  /// The wrapped value's, or NULL for nil.
  public var databaseValue: DatabaseValue {
    get throws { try self?.databaseValue ?? .null }
  }

  /// Returns the wrapped value, or nil for NULL; the outer optional is nil where the value is neither.
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
