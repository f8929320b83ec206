/// A date or time as it was written: SQLite has no type for it, and compares texts.
public struct DateText: OrderedOperand, Hashable {
  public let text: String

  public init(_ text: String) {
    self.text = text
  }

  public var databaseValue: DatabaseValue { .text(text) }

  public static func fromDatabaseValue(_ value: DatabaseValue) -> DateText? {
    if case .text(let text) = value { DateText(text) } else { nil }
  }
}

/// A number of either storage class, as a column of affinity NUMERIC holds it.
public enum Number: NumericOperand, CastTarget, Hashable {
  case integer(Int)
  case real(Double)

  public static var castType: StaticString { "NUMERIC" }

  public var databaseValue: DatabaseValue {
    switch self {
    case .integer(let value): .integer(Int64(value))
    case .real(let value): .real(value)
    }
  }

  public static func fromDatabaseValue(_ value: DatabaseValue) -> Number? {
    switch value {
    case .integer(let value): .integer(Int(value))
    case .real(let value): .real(value)
    case .null, .text, .blob: nil
    }
  }
}
