/// SQL in which Swift values stand: each is bound, and none becomes part of the text.
///
/// ```swift
/// let name = "O'Brien"
/// let statement = try db.makeStatement(literal: "SELECT * FROM player WHERE name = \(name)")
/// // SELECT * FROM player WHERE name = ?, with 'O''Brien' bound
/// ```
///
/// What can stand in it:
///
/// | Interpolation | SQL |
/// | --- | --- |
/// | `\(value)` | `?`, with the value bound; NULL for nil |
/// | `\([1, 2, 3])` | `(?, ?, ?)`, as after `IN` |
/// | `\(identifier: "Order Details")` | `"Order Details"`, a name, quoted where it must be |
/// | `\(fragment)`, a ``SQL`` | its text and its values |
/// | `\(raw: text)` | the text as it is: never one that a person typed or a file holds |
public struct SQL: Sendable, Equatable, ExpressibleByStringInterpolation {
  /// The text, with a `?` for each value.
  public private(set) var sql: String
  /// The values, in the order of their `?`.
  public private(set) var arguments: StatementArguments

  public init(stringLiteral value: String) {
    sql = value
    arguments = StatementArguments()
  }

  public init(stringInterpolation: StringInterpolation) {
    sql = stringInterpolation.sql
    arguments = StatementArguments(stringInterpolation.values)
  }

  /// The SQL that a literal with interpolations is made of, part by part.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var sql = ""
    fileprivate var values: [(any DatabaseValueConvertible)?] = []

    public init(literalCapacity: Int, interpolationCount: Int) {
      sql.reserveCapacity(literalCapacity + interpolationCount)
    }

    public mutating func appendLiteral(_ literal: String) {
      sql += literal
    }

    /// Binds a value.
    public mutating func appendInterpolation<Value: DatabaseValueConvertible>(_ value: Value) {
      bind(value)
    }

    /// Binds a value, or NULL.
    public mutating func appendInterpolation(_ value: (any DatabaseValueConvertible)?) {
      bind(value)
    }

    /// Binds a blob.
    public mutating func appendInterpolation(_ bytes: [UInt8]) {
      bind(bytes)
    }

    /// Binds the values of a list between parentheses.
    public mutating func appendInterpolation<Values: Sequence>(_ values: Values) where Values.Element: DatabaseValueConvertible {
      sql += "("
      for (index, value) in values.enumerated() {
        if index > 0 { sql += ", " }
        bind(value)
      }
      sql += ")"
    }

    /// Inserts other SQL with its values.
    public mutating func appendInterpolation(_ fragment: SQL) {
      sql += fragment.sql
      values += fragment.arguments.positional
    }

    /// Inserts a name, quoted where it must be.
    public mutating func appendInterpolation(identifier name: String) {
      sql += SQLIdentifier.quoted(name)
    }

    /// Inserts a text as SQL, unseen and unquoted.
    public mutating func appendInterpolation(raw text: String) {
      sql += text
    }

    fileprivate mutating func bind(_ value: (any DatabaseValueConvertible)?) {
      sql += "?"
      values.append(value)
    }
  }
}

extension Database {
  /// Compiles one statement, with the interpolated values as its arguments.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(literal: "SELECT * FROM player WHERE id IN \([1, 2])")
  /// // SELECT * FROM player WHERE id IN (?, ?)
  /// ```
  ///
  /// - Throws: As ``makeStatement(sql:options:)``.
  public func makeStatement(literal: SQL, options: Statement.Options = []) throws -> Statement {
    let statement = try makeStatement(sql: literal.sql, options: options)
    if !literal.arguments.isEmpty { try statement.setArguments(literal.arguments) }
    return statement
  }

  /// The cached statement of that text, or a new one, with the interpolated values as its arguments.
  ///
  /// ```swift
  /// let statement = try db.cachedStatement(literal: "UPDATE player SET score = \(score) WHERE id = \(id)")
  /// // UPDATE player SET score = ? WHERE id = ?
  /// ```
  ///
  /// - Throws: As ``makeStatement(sql:options:)``.
  public func cachedStatement(literal: SQL) throws -> Statement {
    let statement = try cachedStatement(sql: literal.sql)
    try statement.setArguments(literal.arguments)
    return statement
  }

  /// Compiles and runs statements with interpolated values.
  ///
  /// ```swift
  /// try db.execute(literal: "INSERT INTO player (name) VALUES (\(name))")
  /// // INSERT INTO player (name) VALUES (?)
  /// ```
  ///
  /// - Throws: ``DatabaseError``.
  public func execute(literal: SQL) throws {
    try execute(sql: literal.sql, arguments: literal.arguments)
  }
}
