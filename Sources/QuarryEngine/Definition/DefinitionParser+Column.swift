extension DefinitionParser {
  /// Reads one column of CREATE TABLE.
  mutating func takeColumn() throws(DefinitionError) -> ColumnDefinition {
    var column = ColumnDefinition(name: try takeName())
    column.type = try takeType()
    var name: String?
    while true {
      if take(.constraint) {
        name = try takeName()
      } else if let kind = try takeColumnConstraint(of: &column) {
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

  /// Takes the words of a type and the sizes in parentheses after them, as they are written; a quoted type is its text.
  private mutating func takeType() throws(DefinitionError) -> ColumnType? {
    guard seesName, !seesColumnConstraint, let first = takeToken() else { return nil }
    var end = first.range.upperBound
    while seesName, !seesColumnConstraint, let token = takeToken() { end = token.range.upperBound }
    if first.kind != .word, end == first.range.upperBound { return ColumnType(rawValue: SQLToken.name(text(first.range).utf8)) }
    if sees(symbol: "(") {
      _ = try takeParenthesized()
      end = endOfPrevious
    }
    return ColumnType(rawValue: text(first.range.lowerBound..<end))
  }

  /// Takes a constraint; nil where there is none, or one that says nothing.
  private mutating func takeColumnConstraint(of column: inout ColumnDefinition) throws(DefinitionError) -> ColumnConstraint.Kind? {
    if take(.null) {
      _ = try takeConflict()
      return try takeColumnConstraint(of: &column)
    }
    if seesDeferral { return try takeDeferral(of: &column) }
    if take(.not, .null) { return .notNull(onConflict: try takeConflict()) }
    if take(.primary, .key) { return .primaryKey(try takePrimaryKey()) }
    if take(.unique) { return .unique(onConflict: try takeConflict()) }
    if take(.check) { return .check(sql: try takeParenthesized()) }
    if take(.default) { return .defaults(try takeDefault()) }
    if take(.collate) { return .collation(Collation(rawValue: try takeName())) }
    if sees(.references) { return .references(try takeReference(of: [column.name])) }
    if take(.generated, .always, .as) || take(.as) { return try takeGenerated() }
    return nil
  }

  /// A deferral may stand by itself after other constraints, and means the last foreign key.
  private mutating func takeDeferral(of column: inout ColumnDefinition) throws(DefinitionError) -> ColumnConstraint.Kind? {
    let isDeferred = takeDeferral()
    if let last = column.constraints.indices.last, case .references(var key) = column.constraints[last].kind {
      key.isDeferred = isDeferred
      column.constraints[last].kind = .references(key)
    }
    return try takeColumnConstraint(of: &column)
  }

  private mutating func takePrimaryKey() throws(DefinitionError) -> ColumnConstraint.PrimaryKey {
    var key = ColumnConstraint.PrimaryKey(direction: takeDirection())
    key.onConflict = try takeConflict()
    key.isAutoIncremented = take(.autoincrement)
    return key
  }

  private mutating func takeDefault() throws(DefinitionError) -> ColumnConstraint.DefaultValue {
    if sees(symbol: "(") { return .expression(sql: try takeParenthesized()) }
    let sign = take(symbol: "-") ? "-" : take(symbol: "+") ? "+" : ""
    guard let token = takeToken() else { throw fault("a default is missing") }
    return .literal(sql: sign + text(token.range))
  }

  private mutating func takeGenerated() throws(DefinitionError) -> ColumnConstraint.Kind {
    let sql = try takeParenthesized()
    if take(word: "stored") { return .generated(sql: sql, .stored) }
    _ = take(.virtual)
    return .generated(sql: sql, .virtual)
  }
}
