extension DefinitionParser {
  /// Parses one column of CREATE TABLE.
  mutating func parseColumn() throws(DefinitionError) -> ColumnDefinition {
    var column = ColumnDefinition(name: try parseName())
    column.type = try parseType()
    var name: String?
    while true {
      if take(.constraint) {
        name = try parseName()
      } else if let kind = try parseColumnConstraint(of: &column) {
        column.constraints.append(ColumnConstraint(kind, name: name))
        name = nil
      } else {
        return column
      }
    }
  }

  private var seesColumnConstraint: Bool {
    switch keyword {
    case .constraint, .primary, .not, .null, .unique, .check, .default, .collate, .references, .as, .deferrable: true
    default: sees(.generated, .always)
    }
  }

  /// Parses the words of a type and the sizes in parentheses after them, as written; a quoted type is unquoted.
  private mutating func parseType() throws(DefinitionError) -> ColumnType? {
    guard seesName, !seesColumnConstraint, let first = parseToken() else { return nil }
    var end = first.range.upperBound
    while seesName, !seesColumnConstraint, let token = parseToken() { end = token.range.upperBound }
    if first.kind != .word, end == first.range.upperBound { return ColumnType(rawValue: SQLToken.name(text(first.range).utf8)) }
    if sees(symbol: "(") {
      _ = try parseParenthesized()
      end = endOfPrevious
    }
    return ColumnType(rawValue: text(first.range.lowerBound..<end))
  }

  /// Parses a constraint; nil if no constraint follows, or if it has no effect.
  private mutating func parseColumnConstraint(of column: inout ColumnDefinition) throws(DefinitionError) -> ColumnConstraint.Kind? {
    if take(.null) {
      _ = try parseConflict()
      return try parseColumnConstraint(of: &column)
    }
    if seesDeferral { return try parseDeferral(of: &column) }
    if take(.not, .null) { return .notNull(onConflict: try parseConflict()) }
    if take(.primary, .key) { return .primaryKey(try parsePrimaryKey()) }
    if take(.unique) { return .unique(onConflict: try parseConflict()) }
    if take(.check) { return .check(sql: try parseParenthesized()) }
    if take(.default) { return .defaults(try parseDefault()) }
    if take(.collate) { return .collation(Collation(rawValue: try parseName())) }
    if sees(.references) { return .references(try parseReference(of: [column.name])) }
    if take(.generated, .always, .as) || take(.as) { return try parseGenerated() }
    return nil
  }

  /// Parses a deferral, which may follow other constraints and applies to the last foreign key.
  private mutating func parseDeferral(of column: inout ColumnDefinition) throws(DefinitionError) -> ColumnConstraint.Kind? {
    let isDeferred = parseDeferral()
    if let last = column.constraints.indices.last, case .references(var key) = column.constraints[last].kind {
      key.isDeferred = isDeferred
      column.constraints[last].kind = .references(key)
    }
    return try parseColumnConstraint(of: &column)
  }

  private mutating func parsePrimaryKey() throws(DefinitionError) -> ColumnConstraint.PrimaryKey {
    var key = ColumnConstraint.PrimaryKey(direction: parseDirection())
    key.onConflict = try parseConflict()
    key.isAutoIncremented = take(.autoincrement)
    return key
  }

  private mutating func parseDefault() throws(DefinitionError) -> ColumnConstraint.DefaultValue {
    if sees(symbol: "(") { return .expression(sql: try parseParenthesized()) }
    let sign = take(symbol: "-") ? "-" : take(symbol: "+") ? "+" : ""
    guard let token = parseToken() else { throw fault("a default is missing") }
    return .literal(sql: sign + text(token.range))
  }

  private mutating func parseGenerated() throws(DefinitionError) -> ColumnConstraint.Kind {
    let sql = try parseParenthesized()
    if take(word: "stored") { return .generated(sql: sql, .stored) }
    _ = take(.virtual)
    return .generated(sql: sql, .virtual)
  }
}
