public import QuarryEngine

/// The staged value of a column.
public enum StagedValue: Hashable, Sendable {
  /// A value.
  case value(DatabaseValue)
  /// The bytes of a text that is not valid UTF-8, for example from a copied row.
  case rawText([UInt8])
  /// The bytes of a file, read by the commit.
  case file(StagedFile)
  /// The column's DEFAULT.
  ///
  /// In a new row the column is omitted from the INSERT.
  case defaultValue

  /// Creates a staged value from a stored one.
  public init(_ value: StoredValue) {
    switch value {
    case .value(let value): self = .value(value)
    case .rawText(let bytes): self = .rawText(bytes)
    }
  }

  /// The value as stored after the commit.
  ///
  /// Nil for the default, which SQLite computes, and for a file, which has not been read yet.
  public var stored: StoredValue? {
    switch self {
    case .value(let value): .value(value)
    case .rawText(let bytes): .rawText(bytes)
    case .file, .defaultValue: nil
    }
  }

  /// The value as SQLite stores it, with NULL instead of NaN.
  var normalized: StagedValue {
    if case .value(.real(let number)) = self, number.isNaN { .value(.null) } else { self }
  }
}

extension StagedValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral {
  /// Creates an integer.
  public init(integerLiteral value: Int64) { self = .value(.integer(value)) }
  /// Creates a real.
  public init(floatLiteral value: Double) { self = .value(.real(value)) }
  /// Creates a text.
  public init(stringLiteral value: String) { self = .value(.text(value)) }
}
