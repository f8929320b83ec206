/// What can follow at a place of a statement.
enum CompletionPlace: Hashable {
  /// The first word of a statement.
  case start
  /// What belongs to the names before the dots, the outermost first; a database's table where a table must follow.
  case member(of: [String], isTable: Bool)
  /// A table; the words are the keywords that may stand there too. Where its rows are changed, it is one that takes that.
  case table(words: [String], isChanged: Bool)
  case pragma
  case collation
  /// A column of the table that begins at a place, as in `INSERT INTO t (`.
  case columnList(table: Int)
  /// A column that both sides of a join have.
  case joinColumns
  /// A column that is given a value.
  case assignment
  /// A value; where it is clear that one must follow, columns can be offered before a letter has been typed.
  case expression(isClear: Bool)
  /// One of these keywords, or any of them where that is nil: an operand or a new name stands there already, or must be made up.
  case keyword(words: [String]?)
}

extension StatementTokens {
  /// What can follow before the token at a place.
  func completionPlace(at index: Int) -> CompletionPlace {
    let last = index - 1
    if index == 0 || isSymbol(last, ";") || ["explain", "plan"].contains(keyword(last)) || isTriggerBegin(last) { return .start }
    if isSymbol(last, ".") { return memberPlace(after: last) }
    if introducesTable(last) {
      let words = keyword(last) == "update" ? ["OR"] : keyword(last - 1) == "drop" ? ["IF"] : []
      return .table(words: words, isChanged: changesTable(last))
    }
    if isSymbol(last, "("), introducesTable(last - 1) { return .table(words: ["SELECT", "VALUES", "WITH"], isChanged: false) }
    if isSymbol(last, "(") || isSymbol(last, ",") { return listPlace(after: last) }
    guard let keyword = keyword(last) else { return endsOperand(last) ? .keyword(words: nil) : .expression(isClear: false) }
    return place(after: keyword, at: last)
  }

  private func listPlace(after last: Int) -> CompletionPlace {
    if let open = parenthesis(around: last + 1) {
      if keyword(open - 1) == "using" { return .joinColumns }
      let start = isSymbol(open - 2, ".") ? open - 3 : open - 1
      if ["into", "references"].contains(keyword(start - 1)) { return .columnList(table: start) }
    }
    return isSymbol(last, ",") && clause(before: last) == "set" ? .assignment : .expression(isClear: true)
  }

  private func place(after keyword: String, at place: Int) -> CompletionPlace {
    switch keyword {
    case "set": .assignment
    case "as": .keyword(words: ["MATERIALIZED", "NOT", "SELECT", "VALUES", "WITH"])
    case "column": ["add", "to"].contains(self.keyword(place - 1)) ? .keyword(words: []) : .expression(isClear: true)
    case "or" where ["insert", "update"].contains(self.keyword(place - 1)): .keyword(words: Self.conflictWords)
    case "pragma" where place == 0: .pragma
    case "collate": .collation
    case "order", "group", "partition": .keyword(words: ["BY"])
    case _ where Self.beforeKeywords.contains(keyword) || endsOperand(place): .keyword(words: nil)
    default: .expression(isClear: Self.beforeColumns.contains(keyword))
    }
  }

  private func memberPlace(after dot: Int) -> CompletionPlace {
    var (place, names) = (dot, [String]())
    while names.count < 3, isSymbol(place, "."), let name = anyName(place - 1) {
      names.insert(name, at: 0)
      place -= 2
    }
    return .member(of: names, isTable: introducesTable(place) || isSymbol(place, "(") && introducesTable(place - 1))
  }

  /// Whether what follows a place is the name of a table.
  func introducesTable(_ place: Int) -> Bool {
    if isSymbol(place, ",") { return clause(before: place) == "from" }
    switch keyword(place) {
    case "from": return isClauseFrom(place)
    case "join", "into", "references": return true
    case "update": return isStatementStart(place)
    case "on": return isHeaderOn(place)
    case "table", "view": return place == 1 && isDefinition
    case "exists": return place == 3 && isDefinition && ["table", "view"].contains(keyword(1))
    case "analyze", "reindex": return place == 0
    default: return keyword(place - 1) == "or" && keyword(place - 2) == "update"
    }
  }

  /// Whether the rows of the table whose name follows a place are to be changed.
  private func changesTable(_ place: Int) -> Bool {
    switch keyword(place) {
    case "into", "update": true
    case "from": keyword(place - 1) == "delete"
    default: keyword(place - 1) == "or" && keyword(place - 2) == "update"
    }
  }

  /// Whether the statement drops or alters something.
  private var isDefinition: Bool {
    ["drop", "alter"].contains(keyword(0))
  }

  private func isTriggerBegin(_ place: Int) -> Bool {
    place > 0 && keyword(place) == "begin"
  }

  /// The keyword of the clause that a comma is in; `from` for a join too, nil in a list of something else.
  private func clause(before comma: Int) -> String? {
    var place = comma - 1
    while place >= 0, !isSymbol(place, ";") {
      if isSymbol(place, ")") { place = partner(of: place) }
      if isSymbol(place, "("), partner(of: place) >= comma {
        // A join between parentheses is a part of its FROM.
        guard isSymbol(place - 1, ",") || ["from", "join"].contains(keyword(place - 1)) else { return nil }
      }
      if let keyword = keyword(place), Self.clauses.contains(keyword), keyword != "from" || isClauseFrom(place) {
        return keyword == "join" ? "from" : keyword
      }
      place -= 1
    }
    return nil
  }

  /// Whether the token at a place is the end of a value or a name, after which only an operator or a keyword makes sense.
  func endsOperand(_ place: Int) -> Bool {
    switch self[place]?.kind {
    case .word: keyword(place).map(Self.operands.contains) ?? true
    case .quotedName, .text, .number, .blob, .parameter: true
    case .symbol(")"): true
    case .symbol("*"): isStar(place)
    default: false
    }
  }

  /// Whether a `*` stands for all columns.
  private func isStar(_ place: Int) -> Bool {
    isSymbol(place - 1, ".") || isSymbol(place - 1, ",") || isSymbol(place - 1, "(")
      || ["select", "distinct", "all", "returning"].contains(keyword(place - 1))
  }
}

extension StatementTokens {
  private static let clauses: Set = [
    "select", "from", "join", "into", "where", "by", "having", "limit", "set", "values", "returning", "window",
  ]

  private static let conflictWords = ["ABORT", "FAIL", "IGNORE", "REPLACE", "ROLLBACK"]

  /// The keywords that a column or another value must follow.
  private static let beforeColumns: Set = [
    "all", "and", "by", "case", "distinct", "else", "having", "not", "of", "on", "or", "returning", "select", "then", "when", "where",
  ]

  /// The keywords that are values, or come after one.
  private static let operands: Set = [
    "asc", "current_date", "current_time", "current_timestamp", "desc", "end", "isnull", "notnull", "null",
  ]

  /// The keywords that only another keyword or a new name can follow.
  private static let beforeKeywords: Set = [
    "add", "after", "alter", "always", "attach", "before", "begin", "collate", "commit", "conflict", "constraint", "create", "cross",
    "current", "database", "deferrable", "delete", "detach", "do", "drop", "each", "except", "for", "foreign", "full", "generated",
    "group", "if", "index", "initially", "inner", "insert", "instead", "intersect", "left", "natural", "no", "nulls", "order", "outer",
    "over", "partition", "pragma", "primary", "recursive", "release", "rename", "replace", "right", "rollback", "row", "savepoint",
    "table", "temp", "temporary", "to", "transaction", "trigger", "union", "unique", "vacuum", "view", "virtual", "window", "with",
    "without",
  ]
}
