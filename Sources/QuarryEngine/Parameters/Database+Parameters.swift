extension Database {
  /// Returns the parameters of a statement, in the order in which they first stand in its text.
  ///
  /// ```swift
  /// let sql = """
  ///   -- :min integer = 3
  ///   SELECT * FROM player WHERE score >= :min AND name LIKE ? || '%'  -- not :this
  ///   """
  /// let parameters = try db.parameters(of: sql)
  /// parameters.map(\.token)         // [":min", "?"]
  /// parameters.map(\.valueType)     // [.integer, .text]
  /// parameters.first?.defaultText   // 3
  /// ```
  ///
  /// SQLite tells which there are, so that what stands in a text or a comment is none. Types are inferred from the place of each and from
  /// the schema; what a comment declares goes before: see ``ParameterDeclarations``.
  ///
  /// - Parameters:
  ///   - sql: one statement, with its comments.
  ///   - declarations: what other comments declare, as those at the head of a script; the statement's own go before.
  /// - Throws: ``DatabaseError`` where the statement does not compile, or the text holds more than one, or none.
  public func parameters(
    of sql: String, declarations: ParameterDeclarations = ParameterDeclarations()
  ) throws -> [StatementParameter] {
    try makeStatement(sql: sql).parameters(declarations: declarations)
  }
}

extension Statement {
  /// Returns the parameters of the statement, in the order in which they first stand in its text.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "UPDATE player SET score = ?2 WHERE id = ?1")
  /// statement.parameters().map(\.key)   // ["2", "1"]
  /// statement.parameters().map(\.type)  // [.real, .integer]
  /// ```
  ///
  /// The numbers that a `?5` leaves out are not among them. The corresponding C function is `sqlite3_bind_parameter_name`.
  ///
  /// - Parameter declarations: what other comments declare, as those at the head of a script; the statement's own go before.
  public func parameters(declarations: ParameterDeclarations = ParameterDeclarations()) -> [StatementParameter] {
    guard parameterCount > 0 else { return [] }
    let syntax = StatementSyntax(sql)
    let written = WrittenParameters(syntax.tokens, of: self)
    let inference = ParameterInference(syntax, in: database)
    let own = ParameterDeclarations(sql)
    let limit = max(20, Self.inferenceLimit / max(1, syntax.tokens.count))
    return written.all.enumerated().map { order, parameter in
      var parameter = parameter
      if order < limit { inference.infer(&parameter, at: written.places[parameter.index] ?? []) }
      if let declaration = own.declaration(of: parameter) ?? declarations.declaration(of: parameter) { declaration.apply(to: &parameter) }
      return parameter
    }
  }

  /// The parameters of the statement by their tokens and numbers, without what can be inferred or is declared.
  package var writtenParameters: [StatementParameter] { WrittenParameters(StatementTokens(sql), of: self).all }

  /// Whether the statement attaches a database, which statements after it may write to.
  ///
  /// SQLite itself takes ATTACH for a statement that only reads.
  package var attachesDatabase: Bool { StatementKind(of: sql).attachesDatabase }

  /// How many tokens are looked at in all: what stands near a parameter may be found far away.
  private static let inferenceLimit = 300_000
}
