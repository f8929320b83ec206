/// The values for the placeholders of a statement.
///
/// An array gives positional arguments, for `?` and `?NNN`; a dictionary named ones, for `:name`, `@name` and `$name`:
///
/// ```swift
/// try db.execute(sql: "INSERT INTO player (name, score) VALUES (?, ?)", arguments: ["Arthur", 41])
/// try db.execute(sql: "INSERT INTO player (name, score) VALUES (:name, :score)", arguments: ["name": "Arthur", "score": 41])
/// ```
///
/// A name is given with or without its prefix.
public struct StatementArguments: Sendable {
  typealias Argument = (any DatabaseValueConvertible)?

  /// The values without a name, in their order.
  var positional: [Argument]
  /// The values with one, in the order in which they were given.
  var named: [(String, Argument)]

  /// Creates empty arguments.
  public init() {
    positional = []
    named = []
  }

  /// Whether there is no argument.
  public var isEmpty: Bool { positional.isEmpty && named.isEmpty }

  /// All values, the named ones first.
  var values: [Argument] { named.map(\.1) + positional }
}

extension StatementArguments: ExpressibleByArrayLiteral {
  /// Creates positional arguments.
  ///
  /// ```swift
  /// let arguments: StatementArguments = ["Arthur", 41]
  /// ```
  public init(arrayLiteral elements: (any DatabaseValueConvertible)?...) {
    positional = elements
    named = []
  }
}

extension StatementArguments: ExpressibleByDictionaryLiteral {
  /// Creates named arguments.
  ///
  /// ```swift
  /// let arguments: StatementArguments = ["name": "Arthur", "score": 41]
  /// ```
  ///
  /// Of a name that is given twice, the statement that the arguments are for says so.
  public init(dictionaryLiteral elements: (String, (any DatabaseValueConvertible)?)...) {
    positional = []
    named = elements
  }
}

extension StatementArguments {
  /// Creates positional arguments from a sequence of optional values.
  ///
  /// ```swift
  /// let values: [(any DatabaseValueConvertible)?] = ["foo", 1, nil]
  /// try db.execute(sql: "INSERT … (?, ?, ?)", arguments: StatementArguments(values))
  /// ```
  public init<Values: Sequence>(_ values: Values) where Values.Element == (any DatabaseValueConvertible)? {
    positional = Array(values)
    named = []
  }

  /// Creates positional arguments from a sequence of values.
  ///
  /// ```swift
  /// let values = ["foo", "bar"]
  /// try db.execute(sql: "INSERT … (?, ?)", arguments: StatementArguments(values))
  /// ```
  public init<Values: Sequence>(_ values: Values) where Values.Element: DatabaseValueConvertible {
    positional = values.map { $0 }
    named = []
  }
}

extension StatementArguments: CustomStringConvertible {
  /// The arguments as one would write them, the named ones first.
  ///
  /// ```swift
  /// print(["name": "Barbara"] as StatementArguments)  // Prints ["name": "Barbara"]
  /// ```
  public var description: String {
    let names = named.map { "\($0.0.debugDescription): \(Self.description(of: $0.1))" }
    let others = positional.map(Self.description)
    return "[" + (names + others).joined(separator: ", ") + "]"
  }

  private static func description(of value: Argument) -> String {
    guard let value else { return "NULL" }
    return (try? value.databaseValue.description) ?? "\(value)"
  }
}
