extension DefinitionParser {
  /// Reads one column of CREATE TABLE.
  mutating func takeColumn() throws(DefinitionError) -> ColumnDefinition {
    var column = ColumnDefinition(name: try takeName())
    column.type = try takeType()
    var name: String?
    while true {
      if take("CONSTRAINT") {
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
    ["CONSTRAINT", "PRIMARY", "NOT", "NULL", "UNIQUE", "CHECK", "DEFAULT", "COLLATE", "REFERENCES", "AS", "DEFERRABLE"]
      .contains { sees($0) } || sees("GENERATED", "ALWAYS")
  }

  /// Takes the words of a type and the sizes in parentheses after them, as they are written; a quoted type is its text.
  private mutating func takeType() throws(DefinitionError) -> ColumnType? {
    guard seesName, !seesColumnConstraint, let first = takeToken() else { return nil }
    var end = first.range.upperBound
    while seesName, !seesColumnConstraint, let token = takeToken() { end = token.range.upperBound }
    if first.kind != .word, end == first.range.upperBound { return ColumnType(rawValue: name(of: first)) }
    if sees(symbol: "(") {
      _ = try takeParenthesized()
      end = endOfPrevious
    }
    return ColumnType(rawValue: text(first.range.lowerBound..<end))
  }

  /// Takes a constraint; nil where there is none, or one that says nothing.
  private mutating func takeColumnConstraint(of column: inout ColumnDefinition) throws(DefinitionError) -> ColumnConstraint.Kind? {
    if take("NULL") {
      _ = try takeConflict()
      return try takeColumnConstraint(of: &column)
    }
    if seesDeferral { return try takeDeferral(of: &column) }
    if take("NOT", "NULL") { return .notNull(onConflict: try takeConflict()) }
    if take("PRIMARY", "KEY") { return .primaryKey(try takePrimaryKey()) }
    if take("UNIQUE") { return .unique(onConflict: try takeConflict()) }
    if take("CHECK") { return .check(sql: try takeParenthesized()) }
    if take("DEFAULT") { return .defaults(try takeDefault()) }
    if take("COLLATE") { return .collation(Collation(rawValue: try takeName())) }
    if sees("REFERENCES") { return .references(try takeReference(of: [column.name])) }
    if take("GENERATED", "ALWAYS", "AS") || take("AS") { return try takeGenerated() }
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
    key.isAutoIncremented = take("AUTOINCREMENT")
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
    if take("STORED") { return .generated(sql: sql, .stored) }
    _ = take("VIRTUAL")
    return .generated(sql: sql, .virtual)
  }
}
