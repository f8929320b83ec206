/// A value as SQLite stores it, with its storage class.
///
/// ```swift
/// let values = try Row.fetchOne(db, sql: "SELECT 1, 1.0, '1', X'31', NULL")?.databaseValues
/// // [.integer(1), .real(1), .text("1"), .blob([49]), .null]
/// ```
///
/// Two values are equal if they are identical to the bit: integer 1 is not real 1, 0.0 is not -0.0, and a precomposed letter is not the
/// same as its decomposed form. See <https://www.sqlite.org/datatype3.html>.
public enum DatabaseValue: Sendable {
  /// NULL.
  case null
  /// A 64-bit integer.
  case integer(Int64)
  /// A 64-bit floating-point number.
  case real(Double)
  /// A text, which may contain NUL characters.
  ///
  /// A text that is not valid UTF-8 cannot be a `String`, and therefore not a value of this type.
  case text(String)
  /// Bytes.
  case blob([UInt8])

  /// The storage class of a value.
  public enum StorageClass: String, Hashable, Sendable, CustomStringConvertible {
    /// NULL.
    case null = "NULL"
    /// A 64-bit integer.
    case integer = "INTEGER"
    /// A 64-bit floating-point number.
    case real = "REAL"
    /// A text.
    case text = "TEXT"
    /// Bytes.
    case blob = "BLOB"

    /// The name in SQLite's documentation.
    public var description: String { rawValue }
  }

  /// The storage class of the value.
  public var storageClass: StorageClass {
    switch self {
    case .null: .null
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }

  /// Whether the value is NULL.
  public var isNull: Bool { self == .null }
}

extension DatabaseValue: Hashable {
  // Not synthesized: Swift compares strings by canonical equivalence, which SQLite does not.
  public static func == (first: DatabaseValue, second: DatabaseValue) -> Bool {
    switch (first, second) {
    case (.null, .null): true
    case (.integer(let first), .integer(let second)): first == second
    case (.real(let first), .real(let second)): first.bitPattern == second.bitPattern
    case (.text(let first), .text(let second)): first.hasSameBytes(as: second)
    case (.blob(let first), .blob(let second)): first == second
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(storageClass)
    switch self {
    case .null: break
    case .integer(let value): hasher.combine(value)
    case .real(let value): hasher.combine(value.bitPattern)
    case .text(let text): text.hashBytes(into: &hasher)
    case .blob(let bytes): hasher.combine(bytes)
    }
  }
}

extension String {
  /// Returns whether both have the same UTF-8.
  fileprivate func hasSameBytes(as other: String) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }

  fileprivate func hashBytes(into hasher: inout Hasher) {
    hasher.combine(utf8.count)
    if utf8.withContiguousStorageIfAvailable({ hasher.combine(bytes: UnsafeRawBufferPointer($0)) }) == nil {
      for byte in utf8 { hasher.combine(byte) }
    }
  }
}

extension DatabaseValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral {
  /// Creates an integer.
  public init(integerLiteral value: Int64) {
    self = .integer(value)
  }

  /// Creates a real.
  public init(floatLiteral value: Double) {
    self = .real(value)
  }

  /// Creates a text.
  public init(stringLiteral value: String) {
    self = .text(value)
  }
}

extension DatabaseValue: CustomStringConvertible {
  /// The value for programmers: a text in double quotes, a blob as an SQL literal.
  ///
  /// ```swift
  /// print(DatabaseValue.text("foo"))  // Prints "foo", quotes included
  /// ```
  public var description: String {
    if case .text(let text) = self { Self.quoted(text) } else { sqlLiteral }
  }

  /// Returns a text in double quotes, with only the escapes that Swift requires.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\0"..."\u{1F}", "\u{7F}": result += scalar.escaped(asASCII: true)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
