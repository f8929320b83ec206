extension DefinitionParser {
  /// Reads CREATE INDEX.
  mutating func index() throws(DefinitionError) -> IndexDefinition {
    try expect("CREATE")
    var definition = IndexDefinition("", on: "", terms: [])
    if take("UNIQUE") { definition.options.insert(.unique) }
    try expect("INDEX")
    if take("IF", "NOT", "EXISTS") { definition.options.insert(.ifNotExists) }
    definition.name = try takeName()
    if take(symbol: ".") { definition.name = try takeName() }
    try expect("ON")
    definition.table = try takeName()
    definition.terms = try takeList { parser throws(DefinitionError) in try parser.takeTerm() }
    if take("WHERE") { definition.condition = try takeUntil { $0 == .symbol(";") } }
    return definition
  }

  /// A name by itself is a column; anything else is an expression, whose collation stays in it.
  private mutating func takeTerm() throws(DefinitionError) -> IndexDefinition.Term {
    if let term = try takeColumnTerm() { return term }
    let sql = try takeUntil { $0 == .symbol(",") || $0 == .symbol(")") }
    return Self.withoutDirection(sql)
  }

  private mutating func takeColumnTerm() throws(DefinitionError) -> IndexDefinition.Term? {
    guard seesName else { return nil }
    var attempt = self
    var term = IndexDefinition.Term(.column(try attempt.takeName()))
    if attempt.take("COLLATE") { term.collation = Collation(rawValue: try attempt.takeName()) }
    term.direction = attempt.takeDirection()
    guard attempt.sees(symbol: ",") || attempt.sees(symbol: ")") else { return nil }
    self = attempt
    return term
  }

  private static func withoutDirection(_ sql: String) -> IndexDefinition.Term {
    guard let last = SQLTokenizer.tokens(of: sql).last, last.kind == .word else { return .init(.expression(sql: sql)) }
    let bytes = Array(sql.utf8)
    let direction: Ordering.Direction? = switch String(decoding: bytes[last.range], as: UTF8.self).uppercased() {
    case "ASC": .ascending
    case "DESC": .descending
    default: nil
    }
    guard let direction else { return .init(.expression(sql: sql)) }
    var text = String(decoding: bytes[..<last.range.lowerBound], as: UTF8.self)
    while text.last?.isWhitespace == true { text.removeLast() }
    return .init(.expression(sql: text), direction: direction)
  }
}

extension TableDefinition {
  /// Reads a definition from the SQL that made a table.
  ///
  /// ```swift
  /// let definition = try TableDefinition(sql: "CREATE TABLE player (name TEXT NOT NULL, score INT) STRICT")
  /// definition.columns.map(\.name)  // ["name", "score"]
  /// ```
  ///
  /// - Throws: ``DefinitionError/unreadable(_:sql:offset:)`` where it is no CREATE TABLE with columns.
  public init(sql: String) throws(DefinitionError) {
    var parser = DefinitionParser(sql)
    self = try parser.table()
  }
}

extension IndexDefinition {
  /// Reads a definition from the SQL that made an index.
  ///
  /// ```swift
  /// let definition = try IndexDefinition(sql: "CREATE INDEX player_on_score ON player (score DESC) WHERE score > 0")
  /// definition.condition  // score > 0
  /// ```
  ///
  /// - Throws: ``DefinitionError/unreadable(_:sql:offset:)`` where it is no CREATE INDEX.
  public init(sql: String) throws(DefinitionError) {
    var parser = DefinitionParser(sql)
    self = try parser.index()
  }
}
