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
  /// What the statements of a text ask for that have parameters, in their order; none is run.
  ///
  /// What comments declare anywhere in the text goes for all statements; those of a statement go before others.
  ///
  /// - Throws: ``DatabaseError`` outside of an access.
  public func outlines(of sql: String) throws -> [StatementOutline] {
    let bytes = Array(sql.utf8)
    let declarations = ParameterDeclarations(sql)
    var outlines: [StatementOutline] = []
    var start = 0
    var hasParameters = false
    // A trigger, in which semicolons end no statement, has no parameters.
    for token in SQLTokenizer.tokens(of: sql) + [SQLToken(kind: .symbol(";"), range: bytes.count..<bytes.count)] {
      if token.kind == .parameter { hasParameters = true }
      guard token.isSymbol(";") else { continue }
      let statement = bytes[start..<token.range.lowerBound]
      if hasParameters { try outlines.append(outline(of: String(decoding: statement, as: UTF8.self), declarations)) }
      (start, hasParameters) = (token.range.upperBound, false)
    }
    return outlines
  }

  private func outline(of sql: String, _ declarations: ParameterDeclarations) throws -> StatementOutline {
    try checkAccess()
    guard let statement = try? makeStatement(sql: sql) else { return StatementOutline(written: sql, declarations) }
    return StatementOutline(
      parameters: statement.parameters(declarations: declarations), isCompiled: true, isExplanation: statement.isExplanation)
  }
}

extension StatementOutline {
  /// Reads what does not compile.
  fileprivate init(written sql: String, _ declarations: ParameterDeclarations) {
    let tokens = ParameterTokens(sql)
    parameters = WrittenParameters(tokens).all.map { parameter in
      var parameter = parameter
      declarations.declaration(of: parameter)?.apply(to: &parameter)
      return parameter
    }
    isCompiled = false
    isExplanation = tokens.text(0) == "EXPLAIN"
  }
}
