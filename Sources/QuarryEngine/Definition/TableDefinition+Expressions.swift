/// An expression of a definition, with its owner.
struct PlacedExpression: Hashable {
  /// The owner: `CHECK of column score`.
  var place: String
  /// The expression.
  var sql: String

  /// Throws the syntax error of the expression, with its place in the expression.
  ///
  /// SQLite reports an unclosed parenthesis or quote far behind the expression, in another part of `CREATE TABLE`.
  func check(in db: Database) throws {
    let bytes = Array(sql.utf8)
    var tokenizer = SQLTokenizer(bytes, yieldsComments: true)
    var (tokens, openers): ([SQLToken], [SQLToken]) = ([], [])
    while let token = tokenizer.next() {
      tokens.append(token)
      if token.isSymbol("(") { openers.append(token) }
      if !token.isClosed { throw fault(token, token.kind == .comment ? "this comment is not closed" : "this quote is not closed") }
      if token.isSymbol(")"), openers.popLast() == nil { throw fault(token, "this ) has no (") }
      if token.isSymbol(";") { throw fault(token, "an expression cannot contain this") }
    }
    if let opener = openers.last { throw fault(opener, "this ( is not closed") }
    guard let last = tokens.last, tokens.contains(where: { $0.kind != .comment }) else { throw fault(nil, "the expression is empty") }
    if last.kind == .comment, bytes[last.range.lowerBound] == UInt8(ascii: "-") {
      throw fault(last, "a comment with -- cannot end an expression: use /* */")
    }
    try compile(in: db, last)
  }

  /// Throws SQLite's syntax error; whether names exist is checked with the table.
  ///
  ///     SELECT (score > 0)
  private func compile(in db: Database, _ last: SQLToken) throws {
    let prefix = "SELECT ("
    do {
      _ = try db.makeStatement(sql: "\(prefix)\(sql))")
    } catch let error as DatabaseError where error.isSyntaxError {
      guard let offset = error.offset.map({ $0 - prefix.utf8.count }), offset < sql.utf8.count else {
        throw fault(last, "the expression is not complete after this")
      }
      throw DefinitionError.invalidExpression(sql, of: place, offset: max(0, offset), reason: error.message)
    } catch is DatabaseError {
      // A name that exists only in the table, for example.
    }
  }

  private func fault(_ token: SQLToken?, _ reason: String) -> DefinitionError {
    .invalidExpression(sql, of: place, offset: token?.range.lowerBound ?? 0, reason: reason)
  }
}

extension DatabaseError {
  /// Whether SQLite could not parse the statement.
  fileprivate var isSyntaxError: Bool {
    resultCode == Self.SQLITE_ERROR
      && (message.hasSuffix(": syntax error") || message.hasPrefix("unrecognized token") || message == "incomplete input")
  }
}

extension TableDefinition {
  /// All expressions of the table and its indexes.
  var placedExpressions: [PlacedExpression] {
    columns.flatMap(\.placedExpressions)
      + constraints.compactMap { constraint in
        guard case .check(let sql) = constraint.kind else { return nil }
        return PlacedExpression(place: "CHECK of the table", sql: sql)
      } + indexes.flatMap(\.placedExpressions)
  }
}

extension ColumnDefinition {
  fileprivate var placedExpressions: [PlacedExpression] {
    constraints.compactMap { constraint in
      switch constraint.kind {
      case .check(let sql): PlacedExpression(place: "CHECK of column \(name)", sql: sql)
      case .generated(let sql, _): PlacedExpression(place: "value of the generated column \(name)", sql: sql)
      case .defaults(.expression(let sql)): PlacedExpression(place: "default of column \(name)", sql: sql)
      default: nil
      }
    }
  }
}

extension IndexDefinition {
  fileprivate var placedExpressions: [PlacedExpression] {
    let terms = terms.compactMap { term -> PlacedExpression? in
      guard case .expression(let sql) = term.subject else { return nil }
      return PlacedExpression(place: "index \(name)", sql: sql)
    }
    return terms + (condition.map { [PlacedExpression(place: "condition of index \(name)", sql: $0)] } ?? [])
  }
}
