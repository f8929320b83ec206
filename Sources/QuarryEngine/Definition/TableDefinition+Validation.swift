extension TableDefinition {
  /// Checks the definition as far as possible without a database.
  ///
  /// ```swift
  /// try TableDefinition("player") { t in t.primaryKey(["id"]) }.validate()
  /// // table player has no columns
  /// ```
  ///
  /// - Throws: ``DefinitionError`` for the first error.
  public func validate() throws(DefinitionError) {
    try checkNames()
    try checkPrimaryKey()
    for column in columns { try checkDefaults(of: column) }
    for constraint in constraints { try check(constraint) }
    for key in foreignKeys { try checkReference(of: key) }
    for index in indexes { try index.validate(columns: columns.map(\.name)) }
  }

  private func checkNames() throws(DefinitionError) {
    try DefinitionName.check(name, of: "the table")
    if columns.isEmpty { throw .noColumns(table: name) }
    var seen: Set<String> = []
    for column in columns {
      try DefinitionName.check(column.name, of: "a column of table \(name)", isReservable: false)
      if !seen.insert(column.name.asciiLowercased).inserted { throw .duplicateColumn(column.name, table: name) }
      if let type = column.type { try DefinitionName.check(type.rawValue, of: "the type of column \(column.name)", isReservable: false) }
    }
  }

  private func checkPrimaryKey() throws(DefinitionError) {
    let ofColumns = columns.flatMap(\.constraints).count { if case .primaryKey = $0.kind { true } else { false } }
    let ofTable = constraints.count { if case .primaryKey = $0.kind { true } else { false } }
    if ofColumns + ofTable > 1 { throw .severalPrimaryKeys(table: name) }
    if ofColumns + ofTable == 0, options.contains(.withoutRowID) { throw .noPrimaryKey(table: name) }
  }

  private func checkDefaults(of column: ColumnDefinition) throws(DefinitionError) {
    for constraint in column.constraints {
      if case .defaults(.unstorable(let reason)) = constraint.kind {
        throw .unstorableDefault(column: column.name, table: name, reason: reason)
      }
    }
  }

  private func check(_ constraint: TableConstraint) throws(DefinitionError) {
    switch constraint.kind {
    case .primaryKey(let key, _, _): try checkColumns(key.map(\.name), in: "the primary key")
    case .unique(let key, _): try checkColumns(key.map(\.name), in: "a unique key")
    case .foreignKey(let key): try checkColumns(key.columns, in: "a foreign key")
    case .check: break
    }
  }

  private func checkColumns(_ names: [String], in place: String) throws(DefinitionError) {
    if names.isEmpty { throw .emptyName(of: "\(place) of table \(name)") }
    try DefinitionName.check(names, among: columns.map(\.name), in: place, table: name)
  }

  private func checkReference(of key: ForeignKeyDefinition) throws(DefinitionError) {
    try DefinitionName.check(key.table, of: "the table that a foreign key of \(name) refers to", isReservable: false)
    guard let referenced = key.referencedColumns else { return }
    if referenced.count != key.columns.count {
      throw .wrongReferenceCount(columns: key.columns, referenced: referenced, table: name)
    }
    if key.table.isSameIdentifier(as: name) {
      try checkColumns(referenced, in: "a foreign key")
    }
  }
}

extension IndexDefinition {
  /// Checks the definition as far as possible without a database, for a table with these columns.
  ///
  /// ```swift
  /// try IndexDefinition("player_on_email", on: "player", columns: ["email"]).validate(columns: ["id", "name"])
  /// // index player_on_email of table player names a column email, which the table has not
  /// ```
  ///
  /// - Throws: ``DefinitionError`` for the first error.
  public func validate(columns: [String]) throws(DefinitionError) {
    try DefinitionName.check(name, of: "an index of table \(table)")
    if terms.isEmpty { throw .noTerms(index: name, table: table) }
    for term in terms {
      if case .column(let column) = term.subject {
        try DefinitionName.check([column], among: columns, in: "index \(name)", table: table)
      }
    }
  }
}

/// SQLite's rules for names.
enum DefinitionName {
  static func check(_ name: String, of thing: String, isReservable: Bool = true) throws(DefinitionError) {
    if name.isEmpty { throw .emptyName(of: thing) }
    if name.utf8.contains(0) { throw .nulInName(name, of: thing) }
    if isReservable, name.asciiLowercased.hasPrefix("sqlite_") { throw .reservedName(name) }
  }

  static func check(_ names: [String], among columns: [String], in place: String, table: String) throws(DefinitionError) {
    let known = Set(columns.map(\.asciiLowercased))
    for name in names where !known.contains(name.asciiLowercased) {
      throw .unknownColumn(name, in: place, table: table)
    }
  }
}
