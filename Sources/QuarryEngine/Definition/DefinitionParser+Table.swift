extension DefinitionParser {
  /// Parses CREATE TABLE.
  mutating func table() throws(DefinitionError) -> TableDefinition {
    try expect(.create)
    var definition = TableDefinition("", columns: [])
    if take(.temp) || take(.temporary) { definition.options.insert(.temporary) }
    try expect(.table)
    if take(.if, .not, .exists) { definition.options.insert(.ifNotExists) }
    definition.name = try parseName()
    if take(symbol: ".") { definition.name = try parseName() }
    try expect(symbol: "(")
    try parseBody(of: &definition)
    try expect(symbol: ")")
    try parseOptions(of: &definition)
    return definition
  }

  private mutating func parseBody(of definition: inout TableDefinition) throws(DefinitionError) {
    repeat {
      if seesTableConstraint {
        try parseTableConstraints(of: &definition)
      } else {
        definition.columns.append(try parseColumn())
      }
    } while take(symbol: ",")
  }

  private mutating func parseOptions(of definition: inout TableDefinition) throws(DefinitionError) {
    _ = take(symbol: ";")
    guard !isAtEnd else { return }
    repeat {
      if parseWithoutRowID() {
        definition.options.insert(.withoutRowID)
      } else if take(word: "strict") {
        definition.options.insert(.strict)
      } else {
        throw fault("the text after the columns is not a table option")
      }
    } while take(symbol: ",")
  }

  private var seesTableConstraint: Bool {
    switch keyword {
    case .constraint, .primary, .unique, .check, .foreign: true
    default: false
    }
  }

  private mutating func parseWithoutRowID() -> Bool {
    var attempt = self
    guard attempt.take(.without), attempt.take(word: "rowid") else { return false }
    self = attempt
    return true
  }

  /// Parses the table constraints; SQLite allows omitting the commas between them.
  private mutating func parseTableConstraints(of definition: inout TableDefinition) throws(DefinitionError) {
    while seesTableConstraint {
      let name = take(.constraint) ? try parseName() : nil
      guard let kind = try parseTableConstraintKind() else {
        // SQLite accepts a constraint name without a constraint.
        if name != nil { continue }
        throw fault("KEY is missing")
      }
      definition.constraints.append(TableConstraint(kind, name: name))
    }
  }

  private mutating func parseTableConstraintKind() throws(DefinitionError) -> TableConstraint.Kind? {
    if take(.primary, .key) {
      var isAutoIncremented = false
      let key = try parseList { parser throws(DefinitionError) in
        let column = try parser.parseKeyColumn()
        isAutoIncremented = parser.take(.autoincrement) || isAutoIncremented
        return column
      }
      return .primaryKey(key, onConflict: try parseConflict(), isAutoIncremented: isAutoIncremented)
    }
    if take(.unique) {
      let key = try parseList { parser throws(DefinitionError) in try parser.parseKeyColumn() }
      return .unique(key, onConflict: try parseConflict())
    }
    if take(.check) {
      let sql = try parseParenthesized()
      _ = try parseConflict()
      return .check(sql: sql)
    }
    guard take(.foreign, .key) else { return nil }
    let columns = try parseList { parser throws(DefinitionError) in try parser.parseKeyColumn().name }
    return .foreignKey(try parseReference(of: columns))
  }

  private mutating func parseKeyColumn() throws(DefinitionError) -> TableConstraint.KeyColumn {
    var column = TableConstraint.KeyColumn(try parseName())
    if take(.collate) { column.collation = Collation(rawValue: try parseName()) }
    column.direction = parseDirection()
    return column
  }

  mutating func parseDirection() -> Ordering.Direction? {
    if take(.asc) { return .ascending }
    return take(.desc) ? .descending : nil
  }

  mutating func parseConflict() throws(DefinitionError) -> ConflictResolution? {
    guard take(.on, .conflict) else { return nil }
    guard let resolution = ConflictResolution(rawValue: try parseName().uppercased()) else {
      throw fault("this is not a conflict resolution")
    }
    return resolution
  }

  /// Parses REFERENCES and the rest of the clause.
  mutating func parseReference(of columns: [String]) throws(DefinitionError) -> ForeignKeyDefinition {
    try expect(.references)
    var key = ForeignKeyDefinition(columns: columns, table: try parseName())
    if sees(symbol: "(") { key.referencedColumns = try parseList { parser throws(DefinitionError) in try parser.parseKeyColumn().name } }
    while true {
      if take(.on, .delete) {
        key.onDelete = try parseAction()
      } else if take(.on, .update) {
        key.onUpdate = try parseAction()
      } else if take(.on, .insert) {
        _ = try parseAction()
      } else if take(.match) {
        _ = try parseName()
      } else if seesDeferral {
        key.isDeferred = parseDeferral()
      } else {
        return key
      }
    }
  }

  private mutating func parseAction() throws(DefinitionError) -> ForeignKeyDefinition.Action {
    for action in ForeignKeyDefinition.Action.allCases {
      if take(action.rawValue.split(separator: " ").compactMap { Keyword($0.utf8) }) { return action }
    }
    throw fault("this is not a foreign key action")
  }

  var seesDeferral: Bool { sees(.deferrable) || sees(.not, .deferrable) }

  /// Parses DEFERRABLE and the rest of the clause, and returns whether the key is checked at the end of the transaction.
  mutating func parseDeferral() -> Bool {
    let isDeferrable = !take(.not)
    _ = take(.deferrable)
    if take(.initially, .deferred) { return isDeferrable }
    _ = take(.initially, .immediate)
    return false
  }
}
