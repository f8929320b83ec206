internal import QuarryEngine

/// The Swift type of a column or an expression.
enum SwiftType: String, Hashable, Sendable {
  case integer = "Int"
  case real = "Double"
  case number = "Number"
  case text = "String"
  case blob = "[UInt8]"
  case boolean = "Bool"
  /// A value of any storage class.
  case any = "DatabaseValue"

  /// Creates the type of a column's values; dates are the texts in which they are written.
  init(_ column: FilterColumn) {
    switch column.type {
    case .integer: self = .integer
    case .real: self = .real
    case .numeric: self = .number
    case .text: self = .text
    case .blob: self = .blob
    case .boolean: self = .boolean
    case .date: self = column.dates.isNumeric ? .any : .text
    case .any, .null: self = .any
    }
  }

  /// Creates the type of the values of an expression.
  init(_ operand: any QueryOperand.Type) {
    switch operand {
    case is Int.Type: self = .integer
    case is Double.Type: self = .real
    case is Number.Type: self = .number
    case is String.Type: self = .text
    case is [UInt8].Type: self = .blob
    case is Bool.Type: self = .boolean
    default: self = .any
    }
  }

  /// Creates the type of a value; nil for NULL.
  init?(_ value: DatabaseValue) {
    switch value {
    case .null: return nil
    case .integer: self = .integer
    case .real: self = .real
    case .text: self = .text
    case .blob: self = .blob
    }
  }

  var isNumeric: Bool { self == .integer || self == .real || self == .number }

  /// Returns whether a cell of the type is read as stored: 2.5 is no integer.
  func holds(_ cell: CellValue) -> Bool {
    switch (self, cell) {
    case (_, .null), (.any, _): true
    case (.integer, .integer), (.real, .real), (.number, .integer), (.number, .real), (.blob, .blob): true
    case (.text, .text(_, _, let isValid)): isValid
    case (.boolean, .integer(let value)): value == 0 || value == 1
    default: false
    }
  }
}

/// Values and texts as written in Swift.
enum SwiftLiteral {
  /// Returns a value as a literal of a type; nil if the type has no literal that binds the same value.
  static func text(_ value: DatabaseValue, as type: SwiftType) -> String? {
    switch (type, value) {
    case (_, .null): "nil"
    case (.integer, .integer(let value)): text(value)
    case (.boolean, .integer(let value)) where value == 0 || value == 1: value == 1 ? "true" : "false"
    case (.real, .real(let value)): text(value)
    case (.text, .text(let text)): string(text)
    case (.blob, .blob(let bytes)): text(bytes)
    case (.number, .integer(let value)), (.any, .integer(let value)): ".integer(\(text(value)))"
    case (.number, .real(let value)), (.any, .real(let value)): ".real(\(text(value)))"
    case (.any, .text(let text)): ".text(\(string(text)))"
    case (.any, .blob(let bytes)): ".blob(\(text(bytes)))"
    default: nil
    }
  }

  /// Returns an integer with separators between groups of three digits from five digits on.
  static func text(_ value: Int64) -> String {
    let digits = String(value.magnitude)
    guard digits.count > 4 else { return String(value) }
    let first = (digits.count - 1) % 3 + 1
    var groups = [digits.prefix(first)]
    var rest = digits.dropFirst(first)
    while !rest.isEmpty {
      groups.append(rest.prefix(3))
      rest = rest.dropFirst(3)
    }
    return (value < 0 ? "-" : "") + groups.joined(separator: "_")
  }

  private static func text(_ value: Double) -> String {
    value.isInfinite ? (value < 0 ? "-.infinity" : ".infinity") : value.description
  }

  private static func text(_ bytes: [UInt8]) -> String {
    "[" + bytes.map { "0x" + $0.zeroPadded(to: 2, radix: 16) }.joined(separator: ", ") + "]"
  }

  /// Returns a text in quotes, with an escape for each character that is not visible.
  static func string(_ text: String) -> String { "\"" + contents(text) + "\"" }

  /// Returns a text as written between quotes.
  static func contents(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\" + String(scalar)
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      default: result += isVisible(scalar) ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return result
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: false
    case .spaceSeparator: scalar == " "
    default: true
    }
  }
}
