package import QuarryEngine

/// The kinds of completions possible at a position of a statement.
package enum CompletionPlace: Hashable {
  /// The first word of a statement.
  case start
  /// A member of the names before the periods, the outermost first; a table of a database if a table must follow.
  case member(of: [String], isTable: Bool)
  /// A table, or one of the keywords.
  ///
  /// If its rows are changed, only a table that allows it.
  case table(words: [String], isChanged: Bool)
  case pragma
  case collation
  /// A column of the table at an index, as in `INSERT INTO t (`.
  case columnList(table: Int)
  /// A column that both sides of a join have.
  case joinColumns
  /// A column to assign to.
  case assignment
  /// A value; if one must follow, columns can be suggested before a letter has been typed.
  case expression(isClear: Bool)
  /// One of these keywords, or any keyword if nil: after an operand or a name, or where a new name must be chosen.
  case keyword(words: [String]?)
}

extension StatementSyntax {
  /// Returns the completions possible before the token at an index.
  package func completionPlace(at index: Int) -> CompletionPlace {
    let last = index - 1
    let keyword = tokens.keyword(last)
    if index == 0 || tokens.isSymbol(last, ";") || [.explain, .plan].contains(keyword) || last > 0 && keyword == .begin { return .start }
    if tokens.isSymbol(last, ".") { return memberPlace(after: last) }
    if tableIndices.contains(index) {
      let isInParenthesis = tokens.isSymbol(last, "(")
      let words = isInParenthesis ? Self.queryWords : keyword == .update ? ["OR"] : tokens.keyword(last - 1) == .drop ? ["IF"] : []
      return .table(words: words, isChanged: changesTable(last))
    }
    if tokens.isSymbol(last, "(") || tokens.isSymbol(last, ",") { return listPlace(at: index) }
    guard let keyword else { return endsOperand(last) ? .keyword(words: nil) : .expression(isClear: false) }
    return completionPlace(after: keyword, at: last)
  }

  private func listPlace(at index: Int) -> CompletionPlace {
    if let open = tokens.opener(before: index) {
      if tokens.keyword(open - 1) == .using { return .joinColumns }
      let start = tokens.isSymbol(open - 2, ".") ? open - 3 : open - 1
      if [.into, .references].contains(tokens.keyword(start - 1)) { return .columnList(table: start) }
    }
    return tokens.isSymbol(index - 1, ",") && clause(at: index)?.keyword == .set ? .assignment : .expression(isClear: true)
  }

  private func completionPlace(after keyword: Keyword, at index: Int) -> CompletionPlace {
    switch keyword {
    case .set: .assignment
    case .as: .keyword(words: ["MATERIALIZED", "NOT"] + Self.queryWords)
    case .column: [.add, .to].contains(tokens.keyword(index - 1)) ? .keyword(words: []) : .expression(isClear: true)
    case .or where [.insert, .update].contains(tokens.keyword(index - 1)): .keyword(words: Self.conflictWords)
    case .pragma where index == 0: .pragma
    case .collate: .collation
    case .order, .group, .partition: .keyword(words: ["BY"])
    case _ where Self.beforeKeywords.contains(keyword) || endsOperand(index): .keyword(words: nil)
    default: .expression(isClear: Self.beforeColumns.contains(keyword))
    }
  }

  private func memberPlace(after dot: Int) -> CompletionPlace {
    var (index, names) = (dot, [String]())
    while names.count < 3, tokens.isSymbol(index, "."), let name = tokens.name(index - 1) {
      names.insert(name, at: 0)
      index -= 2
    }
    return .member(of: names, isTable: tableIndices.contains(index + 1))
  }

  /// Returns whether the statement changes the rows of the table whose name follows an index.
  private func changesTable(_ index: Int) -> Bool {
    switch tokens.keyword(index) {
    case .into, .update: true
    case .from: tokens.keyword(index - 1) == .delete
    default: tokens.keyword(index - 1) == .or && tokens.keyword(index - 2) == .update
    }
  }

  /// Returns whether the token at an index ends a value or a name, including a `*` for all columns.
  private func endsOperand(_ index: Int) -> Bool {
    guard tokens.isSymbol(index, "*") else { return tokens.endsOperand(index) }
    return [".", ",", "("].contains(tokens.symbol(index - 1)) || [.select, .distinct, .all, .returning].contains(tokens.keyword(index - 1))
  }

  private static let queryWords = Keyword.allCases.filter(\.beginsQuery).map { $0.rawValue.uppercased() }

  private static let conflictWords = ["ABORT", "FAIL", "IGNORE", "REPLACE", "ROLLBACK"]

  /// The keywords after which a column or another value must follow.
  private static let beforeColumns: [Keyword] = [
    .all, .and, .by, .case, .distinct, .else, .having, .not, .of, .on, .or, .returning, .select, .then, .when, .where,
  ]

  /// The keywords after which only another keyword or a new name can follow.
  private static let beforeKeywords: [Keyword] = [
    .add, .after, .alter, .always, .attach, .before, .begin, .collate, .commit, .conflict, .constraint, .create, .cross, .current,
    .database, .deferrable, .delete, .detach, .do, .drop, .each, .except, .for, .foreign, .full, .generated, .group, .if, .index,
    .initially, .inner, .insert, .instead, .intersect, .left, .natural, .no, .nulls, .order, .outer, .over, .partition, .pragma,
    .primary, .recursive, .release, .rename, .replace, .right, .rollback, .row, .savepoint, .table, .temp, .temporary, .to,
    .transaction, .trigger, .union, .unique, .vacuum, .view, .virtual, .window, .with, .without,
  ]
}
