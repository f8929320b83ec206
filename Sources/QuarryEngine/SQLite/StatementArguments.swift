/// The values for the placeholders of a statement.
///
/// An array provides positional arguments, for `?` and `?NNN`. A dictionary provides named arguments, for `:name`, `@name` and `$name`:
///
/// ```swift
/// try db.execute(sql: "INSERT INTO player (name, score) VALUES (?, ?)", arguments: ["Arthur", 41])
/// try db.execute(sql: "INSERT INTO player (name, score) VALUES (:name, :score)", arguments: ["name": "Arthur", "score": 41])
/// ```
///
/// A name is written with or without its prefix. NULL is `nil`.
///
/// Mixing both kinds is possible but not recommended. A named parameter uses the argument with its name, if there is one. Any other
/// parameter uses the next positional argument, in the order of SQLite's parameter numbers:
///
/// ```swift
/// let sql = "SELECT ?2 AS two, :foo AS foo, ?1 AS one, :foo AS foo2, :bar AS bar"
/// let row = try Row.fetchOne(db, sql: sql, arguments: [1, 2, "bar"] + ["foo": "foo"])
/// // [two:2 foo:"foo" one:1 foo2:"foo" bar:"bar"]
/// ```
///
/// A named argument without a parameter is rejected, and so is a surplus positional argument, because such a name is usually misspelled.
///
/// Arguments are validated when a statement runs, or by ``Statement/setArguments(_:)``. The error has the code `SQLITE_MISUSE`. It names
/// the missing, unknown or duplicate arguments, or reports an incorrect number of positional arguments.
public struct StatementArguments: Sendable {
  typealias Argument = (any DatabaseValueConvertible)?

  /// The values without a name, in order.
  var positional: [Argument]
  /// The named values, in the order in which they were added.
  var named: [(String, Argument)]

  /// Creates empty arguments.
  public init() {
    positional = []
    named = []
  }

  /// Whether there are no arguments.
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
  /// A statement reports a duplicate name when it validates the arguments.
  public init(dictionaryLiteral elements: (String, (any DatabaseValueConvertible)?)...) {
    positional = []
    named = elements
  }
}

extension StatementArguments: CustomStringConvertible {
  /// The arguments as written in Swift, the named ones first.
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
