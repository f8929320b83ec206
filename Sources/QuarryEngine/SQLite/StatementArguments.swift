/// The values for the placeholders of a statement.
///
/// An array gives positional arguments, for `?` and `?NNN`; a dictionary named ones, for `:name`, `@name` and `$name`:
///
/// ```swift
/// try db.execute(sql: "INSERT INTO player (name, score) VALUES (?, ?)", arguments: ["Arthur", 41])
/// try db.execute(sql: "INSERT INTO player (name, score) VALUES (:name, :score)", arguments: ["name": "Arthur", "score": 41])
/// ```
///
/// A name is given with or without its prefix. NULL is `nil`.
///
/// Both kinds can be mixed, which is best avoided. A parameter that has a name takes the argument of that name, where there is one; every
/// other takes the next positional argument, in the order of the numbers that SQLite gives to parameters:
///
/// ```swift
/// let sql = "SELECT ?2 AS two, :foo AS foo, ?1 AS one, :foo AS foo2, :bar AS bar"
/// let row = try Row.fetchOne(db, sql: sql, arguments: [1, 2, "bar"] + ["foo": "foo"])
/// // [two:2 foo:"foo" one:1 foo2:"foo" bar:"bar"]
/// ```
///
/// A named argument that no parameter asks for is refused, as a positional one too many is: it is a name that is misspelled more often than
/// one that is not needed.
///
/// Whether arguments are those that a statement expects is found when it runs, or by ``Statement/setArguments(_:)``. The error carries
/// `SQLITE_MISUSE` and names what is missing, unknown or given twice, or tells the number of positional arguments that does not fit.
public struct StatementArguments: Sendable {
  typealias Argument = (any DatabaseValueConvertible)?

  /// The values without a name, in their order.
  var positional: [Argument]
  /// The named values, in the order in which they were given.
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

extension StatementArguments: CustomStringConvertible {
  /// The arguments as one would write them, the named ones first.
  ///
  /// ```swift
  /// print(["name": "Barbara"] as StatementArguments)  // Prints ["name": "Barbara"]
  /// ```
  public var description: String {
    let names = named.map { "\(DatabaseValue.quoted($0.0)): \(Self.description(of: $0.1))" }
    let others = positional.map(Self.description)
    return "[" + (names + others).joined(separator: ", ") + "]"
  }

  private static func description(of value: Argument) -> String {
    guard let value else { return "NULL" }
    return (try? value.databaseValue.description) ?? "\(value)"
  }
}
