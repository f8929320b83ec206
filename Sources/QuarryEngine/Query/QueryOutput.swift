public import Essentials

/// What a column yields: a value, or an optional of one.
///
/// ```swift
/// struct Code: RawRepresentable, QueryOutput {
///   typealias QueryValue = String
///   var rawValue: String
/// }
/// Column<Code>("code") == "A1"  // (code = 'A1'), compared as a text and fetched as a Code
/// ```
public protocol QueryOutput: DatabaseValueConvertible, Sendable {
  /// The type that operators compare: the value's own, without optionality.
  associatedtype QueryValue: QueryOperand
}

/// A value that operators compare.
///
/// An enum of raw values becomes one by its name alone:
///
/// ```swift
/// enum Priority: Int, QueryOperand { case low, high }
/// Column<Priority?>("priority") == .high  // (priority = 1)
/// ```
public protocol QueryOperand: QueryOutput where QueryValue == Self {}

/// A value that has an order: what `<` and its kin, `between`, `min` and `max` take; a Bool has none.
///
/// ```swift
/// enum Priority: Int, OrderedOperand { case low, high }
/// Column<Priority?>("priority") >= .high  // (priority >= 1)
/// ```
public protocol OrderedOperand: QueryOperand {}

/// A number: what `+ - * / %`, `sum`, `avg` and `abs` take.
///
/// ```swift
/// struct Cents: RawRepresentable, NumericOperand { var rawValue: Int }
/// Column<Cents>("price") + Cents(rawValue: 5)  // (price + 5)
/// ```
public protocol NumericOperand: OrderedOperand {}

/// A type that `cast(to:)` can make: one of SQLite's storage classes.
///
/// ```swift
/// Column<String>("code").cast(to: Int.self)  // CAST(code AS INTEGER)
/// ```
public protocol CastTarget: QueryOperand {
  /// The name of the type in a CAST.
  static var castType: StaticString { get }
}

extension Optional: QueryOutput where Wrapped: QueryOutput {
  public typealias QueryValue = Wrapped.QueryValue
}

extension Bool: QueryOperand {}
extension DatabaseValue: OrderedOperand, NumericOperand {}
extension Int: NumericOperand, CastTarget { public static var castType: StaticString { "INTEGER" } }
extension Int8: NumericOperand {}
extension Int16: NumericOperand {}
extension Int32: NumericOperand {}
extension Int64: NumericOperand {}
extension UInt: NumericOperand {}
extension UInt8: NumericOperand {}
extension UInt16: NumericOperand {}
extension UInt32: NumericOperand {}
extension UInt64: NumericOperand {}
extension Double: NumericOperand, CastTarget { public static var castType: StaticString { "REAL" } }
extension Float: NumericOperand {}
extension String: OrderedOperand, CastTarget { public static var castType: StaticString { "TEXT" } }
extension [UInt8]: QueryOutput, QueryOperand, OrderedOperand, CastTarget {
  public typealias QueryValue = [UInt8]
  public static var castType: StaticString { "BLOB" }
}

extension Data: OrderedOperand, CastTarget { public static var castType: StaticString { "BLOB" } }
extension Date: OrderedOperand {}
extension UUID: OrderedOperand {}
extension URL: OrderedOperand {}

/// A date or time as it was written: SQLite has no type for it, and compares texts.
///
/// ```swift
/// let due = TypedExpression(columnNamed: "due", type: .date)
/// try due.compared(.less, TypedExpression(literal: DateText("2026-02-01")))
/// // (due < '2026-02-01')
/// ```
package struct DateText: OrderedOperand, Hashable {
  /// The date as it was written.
  package let text: String

  /// Makes a date of a text, which is not looked at.
  package init(_ text: String) {
    self.text = text
  }

  /// The text.
  package var databaseValue: DatabaseValue { .text(text) }

  /// Reads a text, whatever it says.
  package static func fromDatabaseValue(_ value: DatabaseValue) -> DateText? {
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

  /// Reads an integer or a real.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Number? {
    switch value {
    case .integer(let value): .integer(Int(value))
    case .real(let value): .real(value)
    case .null, .text, .blob: nil
    }
  }
}
