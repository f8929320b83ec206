extension DefinitionParser {
  /// Parses CREATE INDEX.
  mutating func index() throws(DefinitionError) -> IndexDefinition {
    try expect(.create)
    var definition = IndexDefinition("", on: "", terms: [])
    if take(.unique) { definition.options.insert(.unique) }
    try expect(.index)
    if take(.if, .not, .exists) { definition.options.insert(.ifNotExists) }
    definition.name = try parseName()
    if take(symbol: ".") { definition.name = try parseName() }
    try expect(.on)
    definition.table = try parseName()
    definition.terms = try parseList { parser throws(DefinitionError) in try parser.parseTerm() }
    if take(.where) { definition.condition = try parseUntil { $0 == .symbol(";") } }
    return definition
  }

  /// Parses a term: a name alone is a column; anything else is an expression, which includes its collation.
  private mutating func parseTerm() throws(DefinitionError) -> IndexDefinition.Term {
    if let term = try parseColumnTerm() { return term }
    let sql = try parseUntil { $0 == .symbol(",") || $0 == .symbol(")") }
    return Self.withoutDirection(sql)
  }

  private mutating func parseColumnTerm() throws(DefinitionError) -> IndexDefinition.Term? {
    guard seesName else { return nil }
    var attempt = self
    var term = IndexDefinition.Term(.column(try attempt.parseName()))
    if attempt.take(.collate) { term.collation = Collation(rawValue: try attempt.parseName()) }
    term.direction = attempt.parseDirection()
    guard attempt.sees(symbol: ",") || attempt.sees(symbol: ")") else { return nil }
    self = attempt
    return term
  }

  private static func withoutDirection(_ sql: String) -> IndexDefinition.Term {
    let tokens = StatementTokens(sql)
    let direction: Ordering.Direction? =
      switch tokens.keyword(tokens.count - 1) {
      case .asc: .ascending
      case .desc: .descending
      default: nil
      }
    guard let direction else { return .init(.expression(sql: sql)) }
    let text = tokens.text(0..<tokens.count - 1)
    return .init(.expression(sql: text), direction: direction)
  }
}

extension TableDefinition {
  /// Parses a definition from the SQL that created a table.
  ///
  /// ```swift
  /// let definition = try TableDefinition(sql: "CREATE TABLE player (name TEXT NOT NULL, score INT) STRICT")
  /// definition.columns.map(\.name)  // ["name", "score"]
  /// ```
  ///
  /// - Throws: ``DefinitionError/unreadable(_:sql:offset:)`` if it is not a CREATE TABLE with columns.
  public init(sql: String) throws(DefinitionError) {
    var parser = DefinitionParser(sql)
    self = try parser.table()
  }
}

extension IndexDefinition {
  /// Parses a definition from the SQL that created an index.
  ///
  /// ```swift
  /// let definition = try IndexDefinition(sql: "CREATE INDEX player_on_score ON player (score DESC) WHERE score > 0")
  /// definition.condition  // score > 0
  /// ```
  ///
  /// - Throws: ``DefinitionError/unreadable(_:sql:offset:)`` if it is not a CREATE INDEX.
  public init(sql: String) throws(DefinitionError) {
    var parser = DefinitionParser(sql)
    self = try parser.index()
  }
}
