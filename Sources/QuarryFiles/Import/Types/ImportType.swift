public import QuarryEngine

/// The type of an imported column.
///
/// ```swift
/// ImportType(named: "Integer")  // .integer
/// ImportType.real.declaration   // REAL
/// ```
public enum ImportType: String, Hashable, Sendable, CaseIterable {
  /// 64-bit integers.
  case integer
  /// Reals written with a point.
  case real
  /// Both integers and reals.
  case numeric
  /// Texts.
  case text
  /// Bytes, written as hexadecimal text: `x'00ff'`.
  case blob
  /// The type of each value itself.
  ///
  /// The column is declared without a type.
  case any

  /// Creates the type with a name, ignoring case, or returns nil if no type has the name.
  public init?(named name: String) {
    self.init(rawValue: name.asciiLowercased)
  }

  /// The declared type of the column, or nil for none.
  public var declaration: ColumnType? {
    switch self {
    case .integer: .integer
    case .real: .real
    case .numeric: .numeric
    case .text: .text
    case .blob: .blob
    case .any: nil
    }
  }

  /// Whether a column of the type converts numeric texts to numbers.
  var isNumber: Bool { self == .integer || self == .real || self == .numeric }
}
