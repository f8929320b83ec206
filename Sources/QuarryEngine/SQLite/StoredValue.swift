/// A value exactly as a row has it: also a text that is not valid UTF-8, which no ``DatabaseValue`` is.
///
/// Two of them are equal where they are the same to the bit.
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

  /// How it is stored.
  public var storageClass: DatabaseValue.StorageClass {
    switch self {
    case .value(let value): value.storageClass
    case .rawText: .text
    }
  }
}

/// What a column of a row is to be.
public enum StagedValue: Hashable, Sendable {
  /// A value.
  case value(DatabaseValue)
  /// The bytes of a text that is not valid UTF-8, as when a row is copied that has one.
  case rawText([UInt8])
  /// The bytes of a file, which a commit reads.
  case file(StagedFile)
  /// What the column's DEFAULT says; in a new row the column is left out of the INSERT.
  case defaultValue

  /// Makes the same value to be stored.
  public init(_ value: StoredValue) {
    switch value {
    case .value(let value): self = .value(value)
    case .rawText(let bytes): self = .rawText(bytes)
    }
  }

  /// The value as a row has it once it is written; nil for the default, which SQLite computes, and for a file, which is not read yet.
  public var stored: StoredValue? {
    switch self {
    case .value(let value): .value(value)
    case .rawText(let bytes): .rawText(bytes)
    case .file, .defaultValue: nil
    }
  }

  /// The value as SQLite stores it: it has no NaN, and stores NULL for one.
  var normalized: StagedValue {
    if case .value(.real(let number)) = self, number.isNaN { .value(.null) } else { self }
  }
}

extension StoredValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral {
  /// Makes an integer.
  public init(integerLiteral value: Int64) { self = .value(.integer(value)) }
  /// Makes a real.
  public init(floatLiteral value: Double) { self = .value(.real(value)) }
  /// Makes a text.
  public init(stringLiteral value: String) { self = .value(.text(value)) }
}

extension StagedValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral {
  /// Makes an integer.
  public init(integerLiteral value: Int64) { self = .value(.integer(value)) }
  /// Makes a real.
  public init(floatLiteral value: Double) { self = .value(.real(value)) }
  /// Makes a text.
  public init(stringLiteral value: String) { self = .value(.text(value)) }
}

extension CellValue {
  /// The whole value; nil where a page has only the beginning of it.
  public var whole: StoredValue? {
    switch self {
    case .null: .null
    case .integer(let value): .value(.integer(value))
    case .real(let value): .value(.real(value))
    case .text(let text, let byteCount, isValid: true) where text.utf8.count == byteCount: .value(.text(text))
    case .blob(let bytes, let byteCount) where bytes.count == byteCount: .value(.blob(bytes))
    case .text, .blob: nil
    }
  }
}

extension Statement {
  /// Reads the exact value of a column, from 0.
  func storedValue(at index: Int) throws -> StoredValue {
    guard try columnStorageClass(at: index) == .text else { return .value(try columnValue(at: index)) }
    return try withColumnBytes(at: index) { bytes in
      String(sqliteText: bytes).map { .value(.text($0)) } ?? .rawText(Array(bytes))
    }
  }
}
