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
