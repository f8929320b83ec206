/// A value as SQLite stores it, with its storage class.
///
/// See <https://www.sqlite.org/datatype3.html>.
public enum DatabaseValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  /// What a value is stored as.
  public enum StorageClass: String, Hashable, Sendable, CustomStringConvertible {
    case null = "NULL"
    case integer = "INTEGER"
    case real = "REAL"
    case text = "TEXT"
    case blob = "BLOB"

    /// The name that SQLite's documentation gives it.
    public var description: String { rawValue }
  }

  public var storageClass: StorageClass {
    switch self {
    case .null: .null
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }

  public var isNull: Bool { self == .null }
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

  /// A text between double quotes, with the escapes that Swift needs, and none that it does not.
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
