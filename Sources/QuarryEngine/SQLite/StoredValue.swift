/// A value exactly as stored in a row, including a text that is not valid UTF-8, which a ``DatabaseValue`` cannot represent.
///
/// Two values are equal if they are identical to the bit.
public enum StoredValue: Hashable, Sendable {
  /// A value.
  case value(DatabaseValue)
  /// The bytes of a text that is not valid UTF-8.
  case rawText([UInt8])

  /// NULL.
  public static let null = StoredValue.value(.null)

  /// The value; nil for a text that is not valid UTF-8.
  public var value: DatabaseValue? {
    if case .value(let value) = self { value } else { nil }
  }

  /// The value; for a text that is not valid UTF-8, its bytes as a blob.
  package var databaseValue: DatabaseValue {
    switch self {
    case .value(let value): value
    case .rawText(let bytes): .blob(bytes)
    }
  }

  /// The storage class of the value.
  public var storageClass: DatabaseValue.StorageClass {
    switch self {
    case .value(let value): value.storageClass
    case .rawText: .text
    }
  }
}

extension StoredValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral {
  /// Creates an integer.
  public init(integerLiteral value: Int64) { self = .value(.integer(value)) }
  /// Creates a real.
  public init(floatLiteral value: Double) { self = .value(.real(value)) }
  /// Creates a text.
  public init(stringLiteral value: String) { self = .value(.text(value)) }
}

extension Statement {
  /// Reads the exact value of a column, from 0.
  package func storedValue(at index: Int) throws -> StoredValue {
    guard try columnStorageClass(at: index) == .text else { return .value(try columnValue(at: index)) }
    return try withColumnBytes(at: index) { bytes in
      String(sqliteText: bytes).map { .value(.text($0)) } ?? .rawText(Array(bytes))
    }
  }
}
