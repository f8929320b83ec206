extension SQLText: ExpressibleByStringInterpolation {
  /// A text in source code: a literal is one, a string created at run time is not.
  public typealias StringLiteralType = StaticString

  /// Creates SQL from a text in source code.
  ///
  /// ```swift
  /// let sql: SQLText = "SELECT * FROM player"
  /// ```
  public init(stringLiteral text: StaticString) {
    self.init()
    append(text)
  }

  /// Creates SQL from a literal with interpolated values.
  ///
  /// ```swift
  /// let sql: SQLText = "SELECT * FROM player WHERE score > \(100)"
  /// sql.sql     // SELECT * FROM player WHERE score > ?
  /// sql.values  // [100]
  /// ```
  public init(stringInterpolation: StringInterpolation) {
    self = stringInterpolation.text
  }

  /// The parts of a literal with interpolations.
  ///
  /// | Interpolation | SQL |
  /// | --- | --- |
  /// | `\(value)` | `?`, with the value bound; NULL for nil |
  /// | `\([1, 2, 3])` | `(?, ?, ?)`, as after `IN`; `[UInt8]` and `Data` are one value, a blob |
  /// | `\(identifier: "Order Details")` | `"Order Details"`, a name, quoted if necessary |
  /// | `\(fragment)`, a ``SQLText`` | its text and its values |
  /// | `\(raw: text)` | the text unchanged; never use it for user input or file contents |
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = SQLText()

    /// Creates an empty literal.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Inserts a text in source code.
    public mutating func appendLiteral(_ literal: StaticString) {
      text.append(literal)
    }

    /// Binds a value.
    ///
    /// ```swift
    /// "SELECT * FROM player WHERE score > \(100)"
    /// // SELECT * FROM player WHERE score > ?
    /// ```
    public mutating func appendInterpolation<Value: DatabaseValueConvertible>(_ value: Value) {
      text.append(value: value)
    }

    /// Binds a value, or NULL.
    ///
    /// ```swift
    /// let name: (any DatabaseValueConvertible)? = nil
    /// "UPDATE player SET name = \(name)"
    /// // UPDATE player SET name = ?, with NULL bound
    /// ```
    public mutating func appendInterpolation(_ value: (any DatabaseValueConvertible)?) {
      if let value { appendInterpolation(value) } else { text.append(argument: .null) }
    }

    /// Binds a value that is also a sequence, such as the bytes of a blob, as a single value.
    ///
    /// ```swift
    /// let bytes: [UInt8] = [0, 255]
    /// "UPDATE player SET picture = \(bytes)"
    /// // UPDATE player SET picture = ?, with X'00FF' bound
    /// ```
    public mutating func appendInterpolation<Value: DatabaseValueConvertible & Sequence>(_ value: Value)
    where Value.Element: DatabaseValueConvertible {
      text.append(value: value)
    }

    /// Binds the values of a list in parentheses.
    ///
    /// ```swift
    /// "SELECT * FROM player WHERE id IN \([1, 2, 3])"
    /// // SELECT * FROM player WHERE id IN (?, ?, ?)
    /// ```
    public mutating func appendInterpolation<Values: Sequence>(_ values: Values) where Values.Element: DatabaseValueConvertible {
      text.append("(")
      for (index, value) in values.enumerated() {
        if index > 0 { text.append(", ") }
        text.append(value: value)
      }
      text.append(")")
    }

    /// Inserts other SQL with its values.
    ///
    /// ```swift
    /// let condition: SQLText = "score > \(100)"
    /// "SELECT * FROM player WHERE \(condition)"
    /// // SELECT * FROM player WHERE score > ?
    /// ```
    public mutating func appendInterpolation(_ fragment: SQLText) {
      text.append(fragment)
    }

    /// Inserts a name, quoted if necessary.
    ///
    /// ```swift
    /// "SELECT * FROM \(identifier: "Order Details")"
    /// // SELECT * FROM "Order Details"
    /// ```
    public mutating func appendInterpolation(identifier name: String) {
      text.append(identifier: name)
    }

    /// Inserts a text as SQL, unchecked and unquoted.
    ///
    /// ```swift
    /// let direction = isAscending ? "ASC" : "DESC"
    /// "SELECT * FROM player ORDER BY score \(raw: direction)"
    /// // SELECT * FROM player ORDER BY score DESC
    /// ```
    ///
    /// Never use it for user input or file contents.
    public mutating func appendInterpolation(raw text: String) {
      self.text.raw(text)
    }
  }
}
