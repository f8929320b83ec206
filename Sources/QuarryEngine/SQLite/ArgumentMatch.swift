/// The assignment of arguments to parameters.
///
/// Parameters are processed by SQLite's numbers. A named parameter uses the argument with its name, if there is one; any other parameter
/// uses the next positional argument. A parameter with a value interpolated in the SQL uses that value and no argument.
struct ArgumentMatch {
  /// The value of each parameter.
  private(set) var values: [(any DatabaseValueConvertible)?]
  /// The parameters without an argument, by name if they have one.
  private var missing: [ParameterName] = []
  private(set) var usedNames: Set<String> = []
  /// The number of positional arguments used.
  private(set) var usedCount = 0

  /// Matches all arguments with all parameters.
  ///
  /// - Throws: `SQLITE_MISUSE` if arguments and parameters do not match.
  init(_ arguments: StatementArguments, parameters: [ParameterName], given: [Int: DatabaseValue] = [:], sql: String) throws {
    self.init(unchecked: arguments, parameters: parameters, given: given)
    if let problem = problem(arguments) { throw DatabaseError.misuse(problem, sql: sql) }
  }

  /// Matches the arguments of one of several statements, and leaves the rest for the following statements.
  ///
  /// - Throws: `SQLITE_MISUSE` if an argument is missing.
  init(share arguments: StatementArguments, parameters: [ParameterName], given: [Int: DatabaseValue], sql: String) throws {
    self.init(unchecked: arguments, parameters: parameters, given: given)
    if let problem = twice(arguments) ?? lack(arguments) { throw DatabaseError.misuse(problem, sql: sql) }
  }

  init(unchecked arguments: StatementArguments, parameters: [ParameterName], given: [Int: DatabaseValue]) {
    values = []
    values.reserveCapacity(parameters.count)
    let named = Dictionary(arguments.named.map { ($0.0, $0.1) }, uniquingKeysWith: { $1 })
    for (index, parameter) in parameters.enumerated() {
      if let value = given[index + 1] {
        values.append(value)
      } else if let name = Self.name(of: parameter, in: named), let value = named[name] {
        usedNames.insert(name)
        values.append(value)
      } else if usedCount < arguments.positional.count {
        values.append(arguments.positional[usedCount])
        usedCount += 1
      } else {
        missing.append(parameter)
        values.append(nil)
      }
    }
  }

  /// Returns the name of a parameter among the arguments: the whole token takes precedence over the name without its prefix, which two
  /// parameters can share.
  private static func name(of parameter: ParameterName, in named: [String: (any DatabaseValueConvertible)?]) -> String? {
    if let token = parameter.token, named[token] != nil { return token }
    if let bare = parameter.bare, named[bare] != nil { return bare }
    return nil
  }

  private func problem(_ arguments: StatementArguments) -> String? {
    if let problem = twice(arguments) ?? lack(arguments) { return problem }
    if usedCount < arguments.positional.count { return "wrong number of statement arguments: \(arguments.positional.count)" }
    let unknown = arguments.named.map(\.0).filter { !usedNames.contains($0) }
    return unknown.isEmpty ? nil : "unknown statement argument\(unknown.count > 1 ? "s" : ""): \(unknown.joined(separator: ", "))"
  }

  private func twice(_ arguments: StatementArguments) -> String? {
    var seen: Set<String> = []
    return arguments.named.first { !seen.insert($0.0).inserted }.map { "statement argument given twice: \($0.0)" }
  }

  private func lack(_ arguments: StatementArguments) -> String? {
    let names = missing.compactMap { $0.bare }
    if !names.isEmpty { return "missing statement argument\(names.count > 1 ? "s" : ""): \(names.joined(separator: ", "))" }
    return missing.isEmpty ? nil : "wrong number of statement arguments: \(arguments.positional.count)"
  }
}
