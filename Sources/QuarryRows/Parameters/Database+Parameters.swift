public import QuarryEngine

extension Database {
  /// Returns the parameters of a statement, in the order of their first occurrence.
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
  /// SQLite itself lists the parameters, so that texts and comments contain none. Types are inferred from the position of each parameter
  /// and from the schema. Declarations in comments take precedence: see ``ParameterDeclarations``.
  ///
  /// - Parameters:
  ///   - sql: One statement, with its comments.
  ///   - declarations: The declarations of other comments, such as those at the head of a script; the statement's own take precedence.
  /// - Throws: ``DatabaseError`` if the statement does not compile, or if the text contains more than one statement, or none.
  public func parameters(
    of sql: String, declarations: ParameterDeclarations = ParameterDeclarations()
  ) throws -> [StatementParameter] {
    try makeStatement(sql: sql).parameters(declarations: declarations)
  }

  /// Returns outlines of the statements of a text that have parameters, in order; no statement is run.
  ///
  /// Declarations in comments anywhere in the text apply to all statements. A statement's own declarations take precedence.
  ///
  /// - Throws: ``DatabaseError`` outside an access.
  public func outlines(of sql: String) throws -> [StatementOutline] {
    let script = SQLScript(sql)
    let declarations = ParameterDeclarations(sql)
    return try script.parts.map(script.sql).compactMap { sql in
      let tokens = StatementTokens(sql)
      return tokens.parameters.isEmpty ? nil : try StatementOutline(of: tokens, sql, declarations, in: self)
    }
  }

  /// Reads values for a parameter, to choose from.
  ///
  /// ```swift
  /// try db.values(of: .query("SELECT DISTINCT Country FROM Customer ORDER BY 1"), prefix: "b")
  /// // ["Belgium", "Brazil"]
  /// ```
  ///
  /// - Parameters:
  ///   - choices: The source of the values.
  ///   - prefix: The beginning of the values as texts, ignoring case.
  ///   - limit: The maximum number of values.
  /// - Returns: Distinct values in the order of the query or of the column, without NULL and blobs.
  /// - Throws: ``DatabaseError``, for example if the column does not exist or the query writes.
  public func values(of choices: ParameterChoices, prefix: String = "", limit: Int = 100) throws -> [DatabaseValue] {
    switch choices {
    case .query(let sql): try values(ofQuery: sql, prefix: prefix, limit: limit)
    case .column(let table, let column):
      try DistinctValues(of: column, in: .table(table), prefix: prefix, limit: max(0, limit), on: self).values.filter {
        $0.isWritten(with: prefix)
      }
    }
  }

  private func values(ofQuery sql: String, prefix: String, limit: Int) throws -> [DatabaseValue] {
    let statement = try makeStatement(sql: sql)
    guard statement.isReadonly, statement.columnCount > 0 else {
      throw DatabaseError(DatabaseError.SQLITE_READONLY, "choices must come from one SELECT", sql: sql)
    }
    var values: [DatabaseValue] = []
    var known: Set<DatabaseValue> = []
    var rest = Self.choiceRowLimit
    while values.count < limit, rest > 0, try statement.step() {
      let value = try statement.wholeValue(at: 0)
      if value.isWritten(with: prefix), known.insert(value).inserted { values.append(value) }
      rest -= 1
    }
    return values
  }

  /// The maximum number of rows searched for values that begin with the typed text.
  private static let choiceRowLimit = 100_000
}

extension Statement {
  /// Returns the parameters of the statement, in the order of their first occurrence.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "UPDATE player SET score = ?2 WHERE id = ?1")
  /// statement.parameters().map(\.key)   // ["2", "1"]
  /// statement.parameters().map(\.type)  // [.real, .integer]
  /// ```
  ///
  /// Numbers skipped by a parameter such as `?5` are not included. The corresponding C function is `sqlite3_bind_parameter_name`.
  ///
  /// - Parameter declarations: The declarations of other comments, such as those at the head of a script; the statement's own take
  ///   precedence.
  public func parameters(declarations: ParameterDeclarations = ParameterDeclarations()) -> [StatementParameter] {
    guard parameterCount > 0 else { return [] }
    let syntax = StatementSyntax(sql)
    let written = WrittenParameters(syntax.tokens, of: self)
    let inference = ParameterInference(syntax, in: database)
    let own = ParameterDeclarations(sql)
    let limit = max(20, Self.inferenceLimit / max(1, syntax.tokens.count))
    return written.all.enumerated().map { order, parameter in
      var parameter = parameter
      if order < limit { inference.infer(&parameter, at: written.tokenIndexes[parameter.index] ?? []) }
      if let declaration = own.declaration(of: parameter) ?? declarations.declaration(of: parameter) { declaration.apply(to: &parameter) }
      return parameter
    }
  }

  /// The parameters of the statement with their tokens and numbers, without inferred or declared properties.
  package var writtenParameters: [StatementParameter] { WrittenParameters(StatementTokens(sql), of: self).all }

  /// Whether the statement attaches a database, to which later statements may write.
  ///
  /// SQLite itself reports ATTACH as read-only.
  package var attachesDatabase: Bool { StatementKind(of: sql).attachesDatabase }

  /// The maximum number of tokens examined in all, because related tokens may be far from a parameter.
  private static let inferenceLimit = 300_000
}
