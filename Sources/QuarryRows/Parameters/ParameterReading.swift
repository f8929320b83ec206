public import QuarryEngine

/// The way the text of a parameter is parsed: as the declared type, otherwise as the type of its operand or column.
///
/// ```swift
/// // CREATE TABLE orders (freight NUMERIC, made DATE)
/// let parameters = try db.parameters(of: "SELECT * FROM orders WHERE freight > :f AND made < :d")
/// try parameters[0].reading.value(of: "2.50")        // 2.5
/// try parameters[0].reading.value(of: "abc")         // throws
/// try parameters[1].reading.value(of: "01/02/1997")  // throws, and suggests 1997-01-02 and 1997-02-01
/// ```
public struct ParameterReading: Hashable, Sendable {
  /// The type as which the text is parsed; nil if ``expression`` or the text itself determines it.
  public var type: ParameterType?
  /// The type of the parameter's operand; nil if any type is possible.
  public var expression: ExpressionType?

  /// Creates a reading; without types, the text determines the type.
  public init(type: ParameterType? = nil, expression: ExpressionType? = nil) {
    self.type = type
    self.expression = expression
  }

  /// Returns the value of a text.
  ///
  /// - Throws: ``ParameterError`` with the expected type.
  public func value(of text: String) throws(ParameterError) -> DatabaseValue {
    if let type { return try type.value(of: text) }
    return try (expression ?? .any).value(of: text)
  }
}

extension StatementParameter {
  /// The way its text is parsed.
  public var reading: ParameterReading { ParameterReading(type: valueType, expression: type) }
}

extension FilterParameter {
  /// The way its text is parsed.
  public var reading: ParameterReading { ParameterReading(type: type?.parameterType, expression: type) }
}

extension ExpressionType {
  /// Returns the value of a text for an operand of this type, as entered in a form or with `-p` for a parameter compared with a column.
  ///
  /// ```swift
  /// try ExpressionType.numeric.value(of: "1.50")     // 1.5
  /// try ExpressionType.date.value(of: "1997-01-31")  // '1997-01-31'
  /// try ExpressionType.date.value(of: "01/02/1997")  // throws, and suggests 1997-01-02 and 1997-02-01
  /// try ExpressionType.any.value(of: "007")          // '007'
  /// ```
  ///
  /// A date must include at least the day, or be a time of day. It may also be a number that could be seconds, milliseconds or days,
  /// because date columns may contain such numbers.
  ///
  /// - Throws: ``ParameterError`` with the expected type.
  public func value(of text: String) throws(ParameterError) -> DatabaseValue {
    switch self {
    case .numeric: return try Self.number(text)
    case .date:
      if let value = Self.time(text) ?? Self.moment(text) { return value }
      return try ParameterType.date.value(of: text)
    default: return try parameterType?.value(of: text) ?? ParameterType.guessedValue(of: text)
    }
  }

  /// Parses an integer if the text is one, otherwise a real.
  private static func number(_ text: String) throws(ParameterError) -> DatabaseValue {
    if let integer = try? ParameterType.integer.value(of: text) { return integer }
    return try ParameterType.real.value(of: text)
  }

  /// Parses a time of day without a date, for a column of times.
  private static func time(_ text: String) -> DatabaseValue? {
    (try? WrittenDate("2000-01-01 " + text)) == nil ? nil : .text(text)
  }

  /// Parses a number that cannot be mistaken for a year or a date without hyphens.
  private static func moment(_ text: String) -> DatabaseValue? {
    guard let number = try? number(text), (try? WrittenDate(text)) == nil, DateFault.suggestions(for: text).isEmpty else { return nil }
    let size: Double =
      switch number {
      case .integer(let value): Double(value.magnitude)
      case .real(let value): value.magnitude
      default: 0
      }
    return size >= 100_000 && size.isFinite ? number : nil
  }
}
