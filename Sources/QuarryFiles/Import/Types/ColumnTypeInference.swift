/// Infers the type of a column from its values: the narrowest type that preserves every value as written.
///
/// | Values | Type |
/// | --- | --- |
/// | integers: `7`, `-12` | INTEGER |
/// | reals: `0.5`, `1.0` | REAL |
/// | integers, and reals with a fraction | NUMERIC, which preserves both |
/// | any other values of a delimited text: `007`, `1.10`, `x`; `1` and `1.0` | TEXT |
/// | numbers of JSON, one of which is neither a 64-bit integer nor a real: `1e400` | TEXT |
/// | any other values of JSON, where numbers and strings differ: `1` and `"1"` | none, so that each value is stored as it is |
///
/// An empty field is NULL and does not affect the type. The kinds of values only accumulate, so the type does not depend on the order of
/// the values.
package struct ColumnTypeInference: Hashable {
  /// The kinds of a column's values.
  package struct Kinds: OptionSet, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let integer = Kinds(rawValue: 1)
    /// A real that NUMERIC stores as it is.
    static let fraction = Kinds(rawValue: 2)
    /// A real such as 1.0 that NUMERIC converts to an integer.
    static let wholeReal = Kinds(rawValue: 4)
    package static let text = Kinds(rawValue: 8)
    static let blob = Kinds(rawValue: 16)
    /// A number that is neither a 64-bit integer nor a real, and is stored as written.
    static let longNumber = Kinds(rawValue: 32)

    /// Returns the kind of a real.
    package static func real(_ value: Double) -> Kinds {
      // SQLite converts a real with a 64-bit integer value to an integer, and -0.0 to a zero without a sign.
      if value.isNegativeZero { return [.wholeReal, .integer] }
      return value == value.rounded() && value.magnitude < 0x1p63 ? .wholeReal : .fraction
    }
  }

  /// The kinds of the values so far.
  package var kinds: Kinds = []
  /// Whether the values are fields of a delimited text, which are all texts originally.
  var isOfText: Bool

  package init(kinds: Kinds = [], isOfText: Bool) {
    (self.kinds, self.isOfText) = (kinds, isOfText)
  }

  /// The inferred type, or `any` before the first value.
  package var type: ImportType {
    switch kinds {
    case []: .any
    case .integer: .integer
    case .wholeReal, .fraction, [.wholeReal, .fraction]: .real
    case [.integer, .fraction]: .numeric
    case .text: .text
    case .blob: .blob
    case .longNumber, [.longNumber, .text]: .text
    default: isOfText || (kinds.contains(.longNumber) && kinds.isDisjoint(with: [.text, .blob])) ? .text : .any
    }
  }
}

extension Double {
  /// Whether the value is a zero with a sign, which numeric columns do not store.
  var isNegativeZero: Bool { self == 0 && sign == .minus }
}
