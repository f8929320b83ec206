/// Finds the type of a column by the values that it has been seen to have: the narrowest in which every one of them reads back as it is
/// written.
///
/// | Values | Type |
/// | --- | --- |
/// | integers: `7`, `-12` | INTEGER |
/// | reals: `0.5`, `1.0` | REAL |
/// | integers, and reals with a fraction | NUMERIC, which keeps both |
/// | anything else that a separated text has: `007`, `1.10`, `x`; `1` beside `1.0` | TEXT |
/// | numbers of JSON, of which one is no integer of 64 bits and no real: `1e400` | TEXT |
/// | anything else that JSON has, where a number and a string differ: `1` beside `"1"` | none, so that each stays what it is |
///
/// An empty field is NULL and says nothing of the type. Each value adds to what was seen and none takes away, so that the type is the same
/// in whatever order the values come.
package struct ColumnTypeInference: Hashable {
  /// What values a column has been seen to have.
  package struct Kinds: OptionSet, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let integer = Kinds(rawValue: 1)
    /// A real that NUMERIC keeps as it is.
    static let fraction = Kinds(rawValue: 2)
    /// A real such as 1.0, of which NUMERIC makes an integer.
    static let wholeReal = Kinds(rawValue: 4)
    package static let text = Kinds(rawValue: 8)
    static let blob = Kinds(rawValue: 16)
    /// A number that neither an integer of 64 bits nor a real is, and which stays as it is written.
    static let longNumber = Kinds(rawValue: 32)

    /// Returns the kind of a real.
    package static func real(_ value: Double) -> Kinds {
      // SQLite makes an integer of a real that is one of 64 bits, and a zero without a sign of -0.0.
      if value == 0, value.sign == .minus { return [.wholeReal, .integer] }
      return value == value.rounded() && value.magnitude < 0x1p63 ? .wholeReal : .fraction
    }
  }

  /// What was seen so far.
  package var kinds: Kinds = []
  /// Whether the values are fields of a separated text, which all are texts first.
  var isOfText: Bool

  package init(kinds: Kinds = [], isOfText: Bool) {
    (self.kinds, self.isOfText) = (kinds, isOfText)
  }

  /// The type; none while no value has been seen.
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
