public import QuarryEngine

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
  ///   - choices: where the values are taken from.
  ///   - prefix: what the values begin with as texts, without regard to case.
  ///   - limit: the greatest number of values.
  /// - Returns: Different values, in the order of the query or of the column; NULL and blobs are none.
  /// - Throws: ``DatabaseError``, as where there is no such column, or the query writes.
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
      throw DatabaseError(DatabaseError.SQLITE_READONLY, "choices come from one SELECT", sql: sql)
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

  /// So many rows are looked at for those that begin with what has been written.
  private static let choiceRowLimit = 100_000
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
      if order < limit { inference.infer(&parameter, at: written.tokenIndexes[parameter.index] ?? []) }
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
