extension StatementArguments {
  /// Appends arguments; named arguments replace those with the same name, which are returned.
  ///
  /// ```swift
  /// var arguments: StatementArguments = ["foo": 1, "bar": 2]
  /// let replaced = arguments.append(contentsOf: ["foo": 3])
  /// print(arguments)  // Prints ["foo": 3, "bar": 2]
  /// print(replaced)   // Prints ["foo": 1]
  /// ```
  ///
  /// A replaced value that SQLite cannot store is returned as NULL.
  @discardableResult
  public mutating func append(contentsOf arguments: StatementArguments) -> [String: DatabaseValue] {
    var replaced: [String: DatabaseValue] = [:]
    for (name, value) in arguments.named {
      guard let old = set(name, value) else { continue }
      replaced[name] = (try? old?.databaseValue) ?? .null
    }
    positional += arguments.positional
    return replaced
  }

  /// Returns the arguments of both sides; a name on both sides is a programmer error, and fatal.
  ///
  /// ```swift
  /// print(["foo": 1] + [2, 3] as StatementArguments)  // Prints ["foo": 1, 2, 3]
  /// ["foo": 1] + ["foo": 2] as StatementArguments     // fatal error: already defined statement argument: foo
  /// ```
  ///
  /// With ``&+(_:_:)`` and ``append(contentsOf:)``, the right-hand side takes precedence instead.
  public static func + (lhs: StatementArguments, rhs: StatementArguments) -> StatementArguments {
    var result = lhs
    result += rhs
    return result
  }

  /// Appends the arguments of the right-hand side; a name on both sides is a programmer error, and fatal.
  ///
  /// ```swift
  /// var arguments: StatementArguments = ["foo": 1]
  /// arguments += ["bar": 2]  // ["foo": 1, "bar": 2]
  /// arguments += ["foo": 3]  // fatal error: already defined statement argument: foo
  /// ```
  public static func += (lhs: inout StatementArguments, rhs: StatementArguments) {
    for (name, value) in rhs.named {
      guard lhs.set(name, value) == nil else { fatalError("already defined statement argument: \(name)") }
    }
    lhs.positional += rhs.positional
  }

  /// Returns the arguments of both sides; for a name on both sides, the right-hand side takes precedence.
  ///
  /// ```swift
  /// print(["foo": 1] &+ ["foo": 2] as StatementArguments)  // Prints ["foo": 2]
  /// ```
  public static func &+ (lhs: StatementArguments, rhs: StatementArguments) -> StatementArguments {
    var result = lhs
    result.append(contentsOf: rhs)
    return result
  }

  /// Sets a named argument, and returns the one that it replaces.
  private mutating func set(_ name: String, _ value: Argument) -> Argument? {
    guard let index = named.firstIndex(where: { $0.0 == name }) else {
      named.append((name, value))
      return nil
    }
    defer { named[index].1 = value }
    return .some(named[index].1)
  }
}

extension StatementArguments: Equatable {
  /// Returns whether both have the same values, with positional arguments in the same order and named arguments in any order.
  ///
  /// ```swift
  /// ["a": 1, "b": 2] as StatementArguments == ["b": 2, "a": 1]  // true
  /// [1, 2] as StatementArguments == [2, 1]                      // false
  /// ```
  ///
  /// Stored values are compared. A value that SQLite cannot store equals no value.
  public static func == (lhs: StatementArguments, rhs: StatementArguments) -> Bool {
    guard lhs.positional.count == rhs.positional.count, lhs.named.count == rhs.named.count else { return false }
    guard zip(lhs.positional, rhs.positional).allSatisfy(areEqual) else { return false }
    return lhs.named.allSatisfy { name, value in
      rhs.named.contains { $0.0 == name && areEqual($0.1, value) }
    }
  }

  /// Compares two arguments; a value that cannot be stored equals no value, not even itself.
  private static func areEqual(_ first: Argument, _ second: Argument) -> Bool {
    guard let first = stored(first), let second = stored(second) else { return false }
    return first == second
  }

  private static func stored(_ value: Argument) -> DatabaseValue? {
    guard let value else { return .null }
    return try? value.databaseValue
  }
}
