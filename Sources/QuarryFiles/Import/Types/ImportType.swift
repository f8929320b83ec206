public import QuarryEngine

/// The type of a column that is filled from a file.
///
/// ```swift
/// ImportType(named: "Integer")  // .integer
/// ImportType.real.declaration   // REAL
/// ```
public enum ImportType: String, Hashable, Sendable, CaseIterable {
  /// Integers of 64 bits.
  case integer
  /// Reals that are written with a point.
  case real
  /// Integers and reals side by side.
  case numeric
  /// Texts.
  case text
  /// Bytes, which a text spells in hexadecimal: `x'00ff'`.
  case blob
  /// Whatever each value is by itself; the column is declared without a type.
  case any

  /// Reads a type by its name, in whatever case; nil where there is none.
  public init?(named name: String) {
    self.init(rawValue: name.asciiLowercased)
  }

  /// The type as a definition declares it; nil for none.
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

  /// Whether a column of the type makes numbers of texts that spell some.
  var isNumber: Bool { self == .integer || self == .real || self == .numeric }
}
