extension DefinitionParser {
  /// Reads CREATE TABLE.
  mutating func table() throws(DefinitionError) -> TableDefinition {
    try expect(.create)
    var definition = TableDefinition("", columns: [])
    if take(.temp) || take(.temporary) { definition.options.insert(.temporary) }
    try expect(.table)
    if take(.if, .not, .exists) { definition.options.insert(.ifNotExists) }
    definition.name = try takeName()
    if take(symbol: ".") { definition.name = try takeName() }
    try expect(symbol: "(")
    try takeBody(of: &definition)
    try expect(symbol: ")")
    try takeOptions(of: &definition)
    return definition
  }

  private mutating func takeBody(of definition: inout TableDefinition) throws(DefinitionError) {
    repeat {
      if seesTableConstraint {
        try takeTableConstraints(of: &definition)
      } else {
        definition.columns.append(try takeColumn())
      }
    } while take(symbol: ",")
  }

  private mutating func takeOptions(of definition: inout TableDefinition) throws(DefinitionError) {
    _ = take(symbol: ";")
    guard !isAtEnd else { return }
    repeat {
      if takeWithoutRowID() {
        definition.options.insert(.withoutRowID)
      } else if take(word: "strict") {
        definition.options.insert(.strict)
      } else {
        throw fault("what follows the columns is no option of a table")
      }
    } while take(symbol: ",")
  }

  private var seesTableConstraint: Bool {
    switch keyword {
    case .constraint, .primary, .unique, .check, .foreign: true
    default: false
    }
  }

  private mutating func takeWithoutRowID() -> Bool {
    var attempt = self
    guard attempt.take(.without), attempt.take(word: "rowid") else { return false }
    self = attempt
    return true
  }

  /// SQLite lets the commas between table constraints be left out.
  private mutating func takeTableConstraints(of definition: inout TableDefinition) throws(DefinitionError) {
    while seesTableConstraint {
      let name = take(.constraint) ? try takeName() : nil
      guard let kind = try takeTableConstraintKind() else {
        // SQLite takes a name that names nothing.
        if name != nil { continue }
        throw fault("KEY is missing")
      }
      definition.constraints.append(TableConstraint(kind, name: name))
    }
  }

  private mutating func takeTableConstraintKind() throws(DefinitionError) -> TableConstraint.Kind? {
    if take(.primary, .key) {
      var isAutoIncremented = false
      let key = try takeList { parser throws(DefinitionError) in
        let column = try parser.takeKeyColumn()
        isAutoIncremented = parser.take(.autoincrement) || isAutoIncremented
        return column
      }
      return .primaryKey(key, onConflict: try takeConflict(), isAutoIncremented: isAutoIncremented)
    }
    if take(.unique) {
      let key = try takeList { parser throws(DefinitionError) in try parser.takeKeyColumn() }
      return .unique(key, onConflict: try takeConflict())
    }
    if take(.check) {
      let sql = try takeParenthesized()
      _ = try takeConflict()
      return .check(sql: sql)
    }
    guard take(.foreign, .key) else { return nil }
    let columns = try takeList { parser throws(DefinitionError) in try parser.takeKeyColumn().name }
    return .foreignKey(try takeReference(of: columns))
  }

  private mutating func takeKeyColumn() throws(DefinitionError) -> TableConstraint.KeyColumn {
    var column = TableConstraint.KeyColumn(try takeName())
    if take(.collate) { column.collation = Collation(rawValue: try takeName()) }
    column.direction = takeDirection()
    return column
  }

  mutating func takeDirection() -> Ordering.Direction? {
    if take(.asc) { return .ascending }
    return take(.desc) ? .descending : nil
  }

  mutating func takeConflict() throws(DefinitionError) -> ConflictResolution? {
    guard take(.on, .conflict) else { return nil }
    guard let resolution = ConflictResolution(rawValue: try takeName().uppercased()) else {
      throw fault("this is no way out of a conflict")
    }
    return resolution
  }

  /// Takes REFERENCES and what follows it.
  mutating func takeReference(of columns: [String]) throws(DefinitionError) -> ForeignKeyDefinition {
    try expect(.references)
    var key = ForeignKeyDefinition(columns: columns, table: try takeName())
    if sees(symbol: "(") { key.referencedColumns = try takeList { parser throws(DefinitionError) in try parser.takeKeyColumn().name } }
    while true {
      if take(.on, .delete) {
        key.onDelete = try takeAction()
      } else if take(.on, .update) {
        key.onUpdate = try takeAction()
      } else if take(.on, .insert) {
        _ = try takeAction()
      } else if take(.match) {
        _ = try takeName()
      } else if seesDeferral {
        key.isDeferred = takeDeferral()
      } else {
        return key
      }
    }
  }

  private mutating func takeAction() throws(DefinitionError) -> ForeignKeyDefinition.Action {
    for action in ForeignKeyDefinition.Action.allCases {
      if take(action.rawValue.split(separator: " ").compactMap { Keyword($0.utf8) }) { return action }
    }
    throw fault("this is no action of a foreign key")
  }

  var seesDeferral: Bool { sees(.deferrable) || sees(.not, .deferrable) }

  /// Takes DEFERRABLE and what follows it, and returns whether the key is checked at the transaction's end.
  mutating func takeDeferral() -> Bool {
    let isDeferrable = !take(.not)
    _ = take(.deferrable)
    if take(.initially, .deferred) { return isDeferrable }
    _ = take(.initially, .immediate)
    return false
  }
}
