internal import QuarryEngine

/// A term of an order for sorting outside SQLite.
struct SortTerm: Hashable, Sendable {
  /// The expression.
  var sql: SQLText
  var rule: SortRule
}

/// The sort rule for values.
struct SortRule: Hashable, Sendable {
  /// The collation of texts; nil if it is unknown.
  var collation: TextCollation?
  var isDescending = false
  var areNullsFirst = true
}

/// The sort rules for rows: by the values of a first term, and for equal values by the following terms.
struct SortRules: Hashable, Sendable {
  var first: SortRule
  var further: [SortRule]

  /// Returns nil if there are no terms.
  init?(_ rules: [SortRule]) {
    guard let first = rules.first else { return nil }
    self.first = first
    further = Array(rules.dropFirst())
  }
}

extension SortTerm {
  /// Creates the term of an order, with the collation of its texts.
  ///
  /// - Throws: `DatabaseError`
  init(_ term: KeysetOrder.Term, of table: TableReference, in database: Database) throws {
    let direction = SortRule(isDescending: term.isDescending, areNullsFirst: term.nulls.map { $0 == .first } ?? !term.isDescending)
    self.init(sql: term.expression, rule: direction)
    // In other databases, texts are compared in another encoding than they are read.
    guard try Self.storesUTF8(table.database, in: database) else { return }
    let tokens = Self.names(term.expression.sql)
    switch (tokens.count, term.collation) {
    case (1, let name?): rule.collation = TextCollation(named: name)
    case (1, nil): rule.collation = database.collation(ofColumn: tokens[0], in: table).flatMap(TextCollation.init(named:))
    case (3, nil) where tokens[1].isSameIdentifier(as: "COLLATE"): rule.collation = TextCollation(named: tokens[2])
    default: break
    }
  }

  /// Returns whether the texts of a database are stored in UTF-8.
  private static func storesUTF8(_ name: String, in database: Database) throws -> Bool {
    var encoding = ""
    try database.scan("PRAGMA \(identifier: name).encoding") { statement in
      encoding = try statement.columnText(at: 0)
      return false
    }
    return encoding == "UTF-8"
  }

  /// Returns the names of which an expression consists; none if it has any other parts.
  private static func names(_ sql: String) -> [String] {
    let bytes = Array(sql.utf8)
    let tokens = SQLTokenizer.tokens(of: bytes).filter { !$0.isSymbol("(") && !$0.isSymbol(")") }
    guard tokens.allSatisfy({ $0.kind == .word || $0.kind == .quotedName }) else { return [] }
    return tokens.map { SQLToken.name(bytes[$0.range]) }
  }
}
