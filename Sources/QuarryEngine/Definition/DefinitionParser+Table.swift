extension DefinitionParser {
  /// Reads CREATE TABLE.
  mutating func table() throws(DefinitionError) -> TableDefinition {
    try expect("CREATE")
    var definition = TableDefinition("", columns: [])
    if take("TEMP") || take("TEMPORARY") { definition.options.insert(.temporary) }
    try expect("TABLE")
    if take("IF", "NOT", "EXISTS") { definition.options.insert(.ifNotExists) }
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
      if take("WITHOUT", "ROWID") {
        definition.options.insert(.withoutRowID)
      } else if take("STRICT") {
        definition.options.insert(.strict)
      } else {
        throw fault("what follows the columns is no option of a table")
      }
    } while take(symbol: ",")
  }

  private var seesTableConstraint: Bool {
    sees("CONSTRAINT") || sees("PRIMARY") || sees("UNIQUE") || sees("CHECK") || sees("FOREIGN")
  }

  /// SQLite lets the commas between table constraints be left out.
  private mutating func takeTableConstraints(of definition: inout TableDefinition) throws(DefinitionError) {
    while seesTableConstraint {
      let name = take("CONSTRAINT") ? try takeName() : nil
      guard let kind = try takeTableConstraintKind() else {
        // SQLite takes a name that names nothing.
        if name != nil { continue }
        throw fault("KEY is missing")
      }
      definition.constraints.append(TableConstraint(kind, name: name))
    }
  }

  private mutating func takeTableConstraintKind() throws(DefinitionError) -> TableConstraint.Kind? {
    if take("PRIMARY", "KEY") {
      var isAutoIncremented = false
      let key = try takeList { parser throws(DefinitionError) in
        let column = try parser.takeKeyColumn()
        isAutoIncremented = parser.take("AUTOINCREMENT") || isAutoIncremented
        return column
      }
      return .primaryKey(key, onConflict: try takeConflict(), isAutoIncremented: isAutoIncremented)
    }
    if take("UNIQUE") {
      let key = try takeList { parser throws(DefinitionError) in try parser.takeKeyColumn() }
      return .unique(key, onConflict: try takeConflict())
    }
    if take("CHECK") {
      let sql = try takeParenthesized()
      _ = try takeConflict()
      return .check(sql: sql)
    }
    guard take("FOREIGN", "KEY") else { return nil }
    let columns = try takeList { parser throws(DefinitionError) in try parser.takeKeyColumn().name }
    return .foreignKey(try takeReference(of: columns))
  }

  private mutating func takeKeyColumn() throws(DefinitionError) -> TableConstraint.KeyColumn {
    var column = TableConstraint.KeyColumn(try takeName())
    if take("COLLATE") { column.collation = Collation(rawValue: try takeName()) }
    column.direction = takeDirection()
    return column
  }

  mutating func takeDirection() -> Ordering.Direction? {
    if take("ASC") { return .ascending }
    return take("DESC") ? .descending : nil
  }

  mutating func takeConflict() throws(DefinitionError) -> ConflictResolution? {
    guard take("ON", "CONFLICT") else { return nil }
    guard let resolution = ConflictResolution(rawValue: try takeName().uppercased()) else {
      throw fault("this is no way out of a conflict")
    }
    return resolution
  }

  /// Takes REFERENCES and what follows it.
  mutating func takeReference(of columns: [String]) throws(DefinitionError) -> ForeignKeyDefinition {
    try expect("REFERENCES")
    var key = ForeignKeyDefinition(columns: columns, table: try takeName())
    if sees(symbol: "(") { key.referencedColumns = try takeList { parser throws(DefinitionError) in try parser.takeKeyColumn().name } }
    while true {
      if take("ON", "DELETE") {
        key.onDelete = try takeAction()
      } else if take("ON", "UPDATE") {
        key.onUpdate = try takeAction()
      } else if take("ON", "INSERT") {
        _ = try takeAction()
      } else if take("MATCH") {
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
      let words = action.rawValue.split(separator: " ").map(String.init)
      if words.count == 1 ? take(words[0]) : take(words[0], words[1]) { return action }
    }
    throw fault("this is no action of a foreign key")
  }

  var seesDeferral: Bool { sees("DEFERRABLE") || sees("NOT", "DEFERRABLE") }

  /// Takes DEFERRABLE and what follows it, and returns whether the key is checked at the transaction's end.
  mutating func takeDeferral() -> Bool {
    let isDeferrable = !take("NOT")
    _ = take("DEFERRABLE")
    if take("INITIALLY", "DEFERRED") { return isDeferrable }
    _ = take("INITIALLY", "IMMEDIATE")
    return false
  }
}
