/// A value as SQLite stores it, with its storage class.
///
/// ```swift
/// let values = try Row.fetchOne(db, sql: "SELECT 1, 1.0, '1', X'31', NULL")?.databaseValues
/// // [.integer(1), .real(1), .text("1"), .blob([49]), .null]
/// ```
///
/// Two values are equal where they are the same to the bit: integer 1 is not real 1, 0.0 is not -0.0, and a letter that is composed is not
/// the same as one of several code points. See <https://www.sqlite.org/datatype3.html>.
public enum DatabaseValue: Sendable {
  /// No value.
  case null
  /// An integer of 64 bits.
  case integer(Int64)
  /// A floating-point number of 64 bits.
  case real(Double)
  /// A text, with its NULs; one that is not valid UTF-8 is no `String`, and so no value of this type.
  case text(String)
  /// Bytes as they are.
  case blob([UInt8])

  /// What a value is stored as.
  public enum StorageClass: String, Hashable, Sendable, CustomStringConvertible {
    /// No value.
    case null = "NULL"
    /// An integer of 64 bits.
    case integer = "INTEGER"
    /// A floating-point number of 64 bits.
    case real = "REAL"
    /// A text.
    case text = "TEXT"
    /// Bytes.
    case blob = "BLOB"

    /// The name that SQLite's documentation gives it.
    public var description: String { rawValue }
  }

  /// What the value is stored as.
  public var storageClass: StorageClass {
    switch self {
    case .null: .null
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }

  /// Whether there is no value.
  public var isNull: Bool { self == .null }
}

extension DatabaseValue: Hashable {
  // Not what the compiler makes: Swift takes texts for equal that are so by canonical equivalence, which SQLite does not know.
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
  /// Makes an integer.
  public init(integerLiteral value: Int64) {
    self = .integer(value)
  }

  /// Makes a real.
  public init(floatLiteral value: Double) {
    self = .real(value)
  }

  /// Makes a text.
  public init(stringLiteral value: String) {
    self = .text(value)
  }
}

extension DatabaseValue: CustomStringConvertible {
  /// The value to be read by a programmer: a text between double quotes, a blob as a literal of SQL.
  ///
  /// ```swift
  /// print(DatabaseValue.text("foo"))  // Prints "foo", quotes included
  /// ```
  public var description: String {
    if case .text(let text) = self { Self.quoted(text) } else { sqlLiteral }
  }

  /// Returns a text between double quotes, with the escapes that Swift needs, and none that it does not.
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
