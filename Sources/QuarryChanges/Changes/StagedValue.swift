public import QuarryEngine

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

extension StagedValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral {
  /// Makes an integer.
  public init(integerLiteral value: Int64) { self = .value(.integer(value)) }
  /// Makes a real.
  public init(floatLiteral value: Double) { self = .value(.real(value)) }
  /// Makes a text.
  public init(stringLiteral value: String) { self = .value(.text(value)) }
}
