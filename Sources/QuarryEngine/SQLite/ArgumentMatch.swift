/// Which argument is whose parameter's.
///
/// Parameters are gone through by the numbers that SQLite gives them. One that has a name takes the named argument, where there is one;
/// any other takes the next positional one. One whose value stands in the SQL takes that, and no argument.
struct ArgumentMatch {
  /// The value of each parameter.
  private(set) var values: [(any DatabaseValueConvertible)?]
  /// The parameters for which there is no argument, by name where they have one.
  private var missing: [ParameterName] = []
  private(set) var usedNames: Set<String> = []
  /// How many of the positional arguments were taken.
  private(set) var usedCount = 0

  /// Matches all arguments with all parameters.
  ///
  /// - Throws: `SQLITE_MISUSE` where arguments and parameters do not go together.
  init(_ arguments: StatementArguments, parameters: [ParameterName], given: [Int: DatabaseValue] = [:], sql: String) throws {
    self.init(unchecked: arguments, parameters: parameters, given: given)
    if let problem = problem(arguments) { throw DatabaseError.misuse(problem, sql: sql) }
  }

  /// Takes what one of several statements needs, and leaves the rest for those that follow.
  ///
  /// - Throws: `SQLITE_MISUSE` where an argument is missing.
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

  /// Returns the name that a parameter has among arguments: the whole token goes before that without its prefix, which two can share.
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
