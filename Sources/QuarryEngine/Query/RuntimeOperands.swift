/// A date or time as it was written: SQLite has no type for it, and compares texts.
///
/// ```swift
/// let due = TypedExpression(columnNamed: "due", type: .date)
/// try due.compared(.less, TypedExpression(literal: DateText("2026-02-01")))
/// // (due < '2026-02-01')
/// ```
public struct DateText: OrderedOperand, Hashable {
  /// The date as it was written.
  public let text: String

  /// Makes a date of a text, which is not looked at.
  public init(_ text: String) {
    self.text = text
  }

  /// The text.
  public var databaseValue: DatabaseValue { .text(text) }

  /// A text, whatever it says.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> DateText? {
    if case .text(let text) = value { DateText(text) } else { nil }
  }
}

/// A number of either storage class, as a column of affinity NUMERIC holds it.
///
/// ```swift
/// Column<Number?>("price") > .real(9.5)  // (price > 9.5)
/// ```
public enum Number: NumericOperand, CastTarget, Hashable {
  /// A number that is stored as an integer.
  case integer(Int)
  /// A number that is stored as a real.
  case real(Double)

  /// `NUMERIC`.
  public static var castType: StaticString { "NUMERIC" }

  /// The number in its own storage class.
  public var databaseValue: DatabaseValue {
    switch self {
    case .integer(let value): .integer(Int64(value))
    case .real(let value): .real(value)
    }
  }

  /// An integer or a real.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Number? {
    switch value {
    case .integer(let value): .integer(Int(value))
    case .real(let value): .real(value)
    case .null, .text, .blob: nil
    }
  }
}
