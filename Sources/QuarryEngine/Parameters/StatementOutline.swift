/// What one statement of a text asks for, as far as that is known before any of them has run.
///
/// ```swift
/// let outlines = try db.outlines(of: "CREATE TABLE t (a); INSERT INTO t VALUES (:a); SELECT * FROM player WHERE id = :id")
/// outlines.map { $0.parameters.map(\.token) }  // [[":a"], [":id"]]
/// outlines.map(\.isCompiled)                   // [false, true]
/// ```
public struct StatementOutline: Hashable, Sendable {
  /// Its parameters, in the order of first appearance; their types are inferred only where it compiles.
  public var parameters: [StatementParameter]
  /// Whether it compiles as things stand; what needs a table that a statement before it makes does not.
  public var isCompiled: Bool
  /// Whether it is an EXPLAIN, which needs no values.
  public var isExplanation: Bool
}

extension Database {
  /// Returns what the statements of a text ask for that have parameters, in their order; none is run.
  ///
  /// What comments declare anywhere in the text goes for all statements; those of a statement go before others.
  ///
  /// - Throws: ``DatabaseError`` outside of an access.
  public func outlines(of sql: String) throws -> [StatementOutline] {
    let script = SQLScript(sql)
    let declarations = ParameterDeclarations(sql)
    return try script.parts.map(script.sql).compactMap { sql in
      let tokens = StatementTokens(sql)
      return tokens.parameters.isEmpty ? nil : try outline(of: tokens, sql, declarations)
    }
  }

  private func outline(
    of tokens: StatementTokens, _ sql: String, _ declarations: ParameterDeclarations
  ) throws -> StatementOutline {
    try checkAccess()
    guard let statement = try? makeStatement(sql: sql) else { return StatementOutline(written: tokens, declarations) }
    return StatementOutline(
      parameters: statement.parameters(declarations: declarations), isCompiled: true, isExplanation: statement.isExplanation)
  }
}

extension StatementOutline {
  /// Reads what does not compile.
  fileprivate init(written tokens: StatementTokens, _ declarations: ParameterDeclarations) {
    parameters = WrittenParameters(tokens).all.map { parameter in
      var parameter = parameter
      declarations.declaration(of: parameter)?.apply(to: &parameter)
      return parameter
    }
    isCompiled = false
    isExplanation = tokens.keyword(0) == .explain
  }
}
