public import QuarryEngine

/// How a text that is given for a parameter is read: as the type that is declared for it, else as what it is compared with or stored in.
///
/// ```swift
/// // CREATE TABLE orders (freight NUMERIC, made DATE)
/// let parameters = try db.parameters(of: "SELECT * FROM orders WHERE freight > :f AND made < :d")
/// try parameters[0].reading.value(of: "2.50")        // 2.5
/// try parameters[0].reading.value(of: "abc")         // throws
/// try parameters[1].reading.value(of: "01/02/1997")  // throws, and suggests 1997-01-02 and 1997-02-01
/// ```
public struct ParameterReading: Hashable, Sendable {
  /// What the text is read as; nil where ``expression`` says that, or what is written.
  public var type: ParameterType?
  /// The type of what the parameter stands beside; nil where anything will do.
  public var expression: ExpressionType?

  /// Makes a reading; one of neither type goes by what is written.
  public init(type: ParameterType? = nil, expression: ExpressionType? = nil) {
    self.type = type
    self.expression = expression
  }

  /// Returns the value that a text means.
  ///
  /// - Throws: ``ParameterError`` that says what was expected.
  public func value(of text: String) throws(ParameterError) -> DatabaseValue {
    if let type { return try type.value(of: text) }
    return try (expression ?? .any).value(of: text)
  }
}

extension StatementParameter {
  /// How a text for it is read.
  public var reading: ParameterReading { ParameterReading(type: valueType, expression: type) }
}

extension FilterParameter {
  /// How a text for it is read.
  public var reading: ParameterReading { ParameterReading(type: type?.parameterType, expression: type) }
}

extension ExpressionType {
  /// Returns the value that a text means where one of this type is wanted: how a form's field and `-p` check what is given for a parameter
  /// that is compared with a column.
  ///
  /// ```swift
  /// try ExpressionType.numeric.value(of: "1.50")     // 1.5
  /// try ExpressionType.date.value(of: "1997-01-31")  // '1997-01-31'
  /// try ExpressionType.date.value(of: "01/02/1997")  // throws, and suggests 1997-01-02 and 1997-02-01
  /// try ExpressionType.any.value(of: "007")          // '007'
  /// ```
  ///
  /// A date is one of a day at least, or a time of day; or a number that could be seconds, milliseconds or days, which columns of dates
  /// hold too.
  ///
  /// - Throws: ``ParameterError`` that says what was expected.
  public func value(of text: String) throws(ParameterError) -> DatabaseValue {
    switch self {
    case .numeric: return try Self.number(text)
    case .date:
      if let value = Self.time(text) ?? Self.moment(text) { return value }
      return try ParameterType.date.value(of: text)
    default: return try parameterType?.value(of: text) ?? ParameterType.guessedValue(of: text)
    }
  }

  /// Reads an integer where the text is written as one, else a real.
  private static func number(_ text: String) throws(ParameterError) -> DatabaseValue {
    if let integer = try? ParameterType.integer.value(of: text) { return integer }
    return try ParameterType.real.value(of: text)
  }

  /// Reads a time of day alone, as a column of times holds it.
  private static func time(_ text: String) -> DatabaseValue? {
    (try? WrittenDate("2000-01-01 " + text)) == nil ? nil : .text(text)
  }

  /// Reads a number that no year and no date without hyphens is mistaken for.
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
