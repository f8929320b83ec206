extension StatementArguments {
  /// Adds other arguments: positional ones at the end, named ones in the place of those of the same name, which are returned.
  ///
  /// ```swift
  /// var arguments: StatementArguments = ["foo": 1, "bar": 2]
  /// let replaced = arguments.append(contentsOf: ["foo": 3])
  /// print(arguments)  // Prints ["foo": 3, "bar": 2]
  /// print(replaced)   // Prints ["foo": 1]
  /// ```
  ///
  /// A replaced value that SQLite could not store is returned as NULL.
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

  /// Returns the arguments of both sides; a name that both define is a programmer error, and fatal.
  ///
  /// ```swift
  /// print(["foo": 1] + [2, 3] as StatementArguments)  // Prints ["foo": 1, 2, 3]
  /// ["foo": 1] + ["foo": 2] as StatementArguments     // fatal error: already defined statement argument: foo
  /// ```
  ///
  /// With ``&+(_:_:)`` and ``append(contentsOf:)`` the right-hand side wins instead.
  public static func + (lhs: StatementArguments, rhs: StatementArguments) -> StatementArguments {
    var result = lhs
    result += rhs
    return result
  }

  /// Adds the arguments of the right-hand side; a name that both define is a programmer error, and fatal.
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

  /// Returns the arguments of both sides; of a name that both define, the right-hand side wins.
  ///
  /// ```swift
  /// print(["foo": 1] &+ ["foo": 2] as StatementArguments)  // Prints ["foo": 2]
  /// ```
  public static func &+ (lhs: StatementArguments, rhs: StatementArguments) -> StatementArguments {
    var result = lhs
    result.append(contentsOf: rhs)
    return result
  }

  /// Defines a named argument, and returns the one that it replaces.
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
  /// Returns whether both have the same values: positional ones in the same order, named ones in whatever order.
  ///
  /// ```swift
  /// ["a": 1, "b": 2] as StatementArguments == ["b": 2, "a": 1]  // true
  /// [1, 2] as StatementArguments == [2, 1]                      // false
  /// ```
  ///
  /// Values are compared as they are stored; one that SQLite cannot store equals none.
  public static func == (lhs: StatementArguments, rhs: StatementArguments) -> Bool {
    guard lhs.positional.count == rhs.positional.count, lhs.named.count == rhs.named.count else { return false }
    guard zip(lhs.positional, rhs.positional).allSatisfy(areEqual) else { return false }
    return lhs.named.allSatisfy { name, value in
      rhs.named.contains { $0.0 == name && areEqual($0.1, value) }
    }
  }

  /// Compares two arguments; values that cannot be stored equal none, not even themselves.
  private static func areEqual(_ first: Argument, _ second: Argument) -> Bool {
    guard let first = stored(first), let second = stored(second) else { return false }
    return first == second
  }

  private static func stored(_ value: Argument) -> DatabaseValue? {
    guard let value else { return .null }
    return try? value.databaseValue
  }
}
