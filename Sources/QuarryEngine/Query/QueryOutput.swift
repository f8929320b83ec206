public import Essentials

/// The output of a column: a value, or an optional value.
///
/// ```swift
/// struct Code: RawRepresentable, QueryOutput {
///   typealias QueryValue = String
///   var rawValue: String
/// }
/// Column<Code>("code") == "A1"  // (code = 'A1'), compared as a text and fetched as a Code
/// ```
public protocol QueryOutput: DatabaseValueConvertible, Sendable {
  /// The type for comparisons: the type of the value, without optionality.
  associatedtype QueryValue: QueryOperand
}

/// A type of operands that can be compared.
///
/// An enum with raw values conforms without code:
///
/// ```swift
/// enum Priority: Int, QueryOperand { case low, high }
/// Column<Priority?>("priority") == .high  // (priority = 1)
/// ```
public protocol QueryOperand: QueryOutput, QueryArgument where QueryValue == Self {}

/// A type of operands with an order, for `<` and similar operators, `between`, `min` and `max`; a Bool has no order.
///
/// ```swift
/// enum Priority: Int, OrderedOperand { case low, high }
/// Column<Priority?>("priority") >= .high  // (priority >= 1)
/// ```
public protocol OrderedOperand: QueryOperand {}

/// A type of numeric operands, for `+ - * / %`, `sum`, `avg` and `abs`.
///
/// ```swift
/// struct Cents: RawRepresentable, NumericOperand { var rawValue: Int }
/// Column<Cents>("price") + Cents(rawValue: 5)  // (price + 5)
/// ```
public protocol NumericOperand: OrderedOperand {}

/// A target type of `cast(to:)`: one of SQLite's storage classes.
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
extension [UInt8]: QueryOutput, QueryArgument, QueryOperand, OrderedOperand, CastTarget {
  public typealias QueryValue = [UInt8]
  public static var castType: StaticString { "BLOB" }
}

extension Data: OrderedOperand, CastTarget { public static var castType: StaticString { "BLOB" } }
extension Date: OrderedOperand {}
extension UUID: OrderedOperand {}
extension URL: OrderedOperand {}

/// A date or time as written, because SQLite has no type for it and compares texts.
///
/// ```swift
/// let due = TypedExpression(columnNamed: "due", type: .date)
/// try due.compared(.less, TypedExpression(literal: DateText("2026-02-01")))
/// // (due < '2026-02-01')
/// ```
package struct DateText: OrderedOperand, Hashable {
  /// The date as written.
  package let text: String

  /// Creates a date from a text without checking it.
  package init(_ text: String) {
    self.text = text
  }

  /// The text.
  package var databaseValue: DatabaseValue { .text(text) }

  /// Reads any text.
  package static func fromDatabaseValue(_ value: DatabaseValue) -> DateText? {
    if case .text(let text) = value { DateText(text) } else { nil }
  }
}

/// A number of either storage class, as stored in a column with NUMERIC affinity.
///
/// ```swift
/// Column<Number?>("price") > .real(9.5)  // (price > 9.5)
/// ```
public enum Number: NumericOperand, CastTarget, Hashable {
  /// A number stored as an integer.
  case integer(Int)
  /// A number stored as a real.
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
