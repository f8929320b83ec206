internal import QuarryEngine

/// The parameters of one statement of a text, as far as they are known before any statement of the text has run.
///
/// ```swift
/// let outlines = try db.outlines(of: "CREATE TABLE t (a); INSERT INTO t VALUES (:a); SELECT * FROM player WHERE id = :id")
/// outlines.map { $0.parameters.map(\.token) }  // [[":a"], [":id"]]
/// outlines.map(\.isCompiled)                   // [false, true]
/// ```
public struct StatementOutline: Hashable, Sendable {
  /// Its parameters, in the order of their first occurrence; their types are inferred only if it compiles.
  public var parameters: [StatementParameter]
  /// Whether it compiles now; a statement that needs a table created by an earlier statement does not.
  public var isCompiled: Bool
  /// Whether it is an EXPLAIN, which needs no values.
  public var isExplanation: Bool
}

extension StatementOutline {
  /// Compiles a statement to find its parameters.
  init(of tokens: StatementTokens, _ sql: String, _ declarations: ParameterDeclarations, in database: Database) throws {
    try database.checkAccess()
    if let statement = try? database.makeStatement(sql: sql) {
      self.init(
        parameters: statement.parameters(declarations: declarations), isCompiled: true, isExplanation: statement.isExplanation)
    } else {
      self.init(written: tokens, declarations)
    }
  }

  /// Parses a statement that does not compile.
  private init(written tokens: StatementTokens, _ declarations: ParameterDeclarations) {
    parameters = WrittenParameters(tokens).all.map { parameter in
      var parameter = parameter
      declarations.declaration(of: parameter)?.apply(to: &parameter)
      return parameter
    }
    isCompiled = false
    isExplanation = tokens.keyword(0) == .explain
  }
}

/// The parameters in the text of a statement, in order, with the positions of their tokens.
struct WrittenParameters {
  /// One parameter for each of SQLite's numbers, in the order of first occurrence.
  private(set) var all: [StatementParameter] = []
  /// The indexes of the tokens of each parameter, by its number.
  private(set) var tokenIndexes: [Int: [Int]] = [:]

  /// Finds the parameters in the tokens of a statement.
  ///
  /// - Parameter statement: The compiled statement, whose number of parameters takes precedence.
  init(_ tokens: StatementTokens, of statement: Statement? = nil) {
    for parameter in tokens.parameters where parameter.number <= statement?.parameterCount ?? .max {
      add(parameter.text, parameter.number)
      tokenIndexes[parameter.number, default: []].append(parameter.index)
    }
    for (index, name) in (statement?.parameterNames ?? []).enumerated() {
      if let token = name.token { add(token, index + 1) }
    }
  }

  private mutating func add(_ token: String, _ number: Int) {
    if tokenIndexes[number] != nil { return addOther(token, number) }
    all.append(StatementParameter(token: token, index: number))
    tokenIndexes[number] = []
  }

  /// Records another token for a known number: `?1` after `:min`.
  private mutating func addOther(_ token: String, _ number: Int) {
    guard token != "?", let index = all.firstIndex(where: { $0.index == number }) else { return }
    if all[index].token != token, !all[index].otherTokens.contains(token) { all[index].otherTokens.append(token) }
  }
}
