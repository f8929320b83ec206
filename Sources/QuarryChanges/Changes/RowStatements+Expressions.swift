package import QuarryEngine
package import QuarryRows

/// The values of an expression in rows as the grid shows them: with their staged values in place of the stored ones.
extension RowStatements {
  /// Returns the SELECT of an expression for one row with its staged change.
  ///
  /// ```sql
  /// SELECT upper(name) FROM (SELECT id AS id, CAST(? AS TEXT) AS name FROM main.player WHERE (id = ?)) AS player
  /// ```
  ///
  /// Staged values have the affinity and the collation of their columns. A generated column has its stored value.
  ///
  /// - Parameter name: The name of the value, or nil for none.
  /// - Returns: The SELECT, or nil if the row cannot be identified, or is a new row that is no longer staged.
  /// - Throws: `DatabaseError` if the expression needs a value that only the commit determines.
  package func select(
    _ expression: ColumnExpression, as name: String? = nil, of row: StagedRowID, with change: StagedRow?
  ) throws -> SQLText? {
    let value: SQLText = name.map { "\(expression.sqlText) AS \(identifier: $0)" } ?? expression.sqlText
    let source: SQLText
    switch (row, change) {
    case (.stored(let stored), _):
      guard let key = key(of: stored) else { return nil }
      guard isChanged(expression, change) else { return select(value, key) }
      source = select(try columns(for: expression, of: row, change), key)
    case (.new, .inserted?): source = "SELECT \(try columns(for: expression, of: row, change))"
    case (.new, _): return nil
    }
    return "SELECT \(value) FROM (\(source)) AS \(identifier: schema.entry.reference.name)"
  }

  /// Returns whether a change affects the value of an expression.
  private func isChanged(_ expression: ColumnExpression, _ change: StagedRow?) -> Bool {
    guard let change else { return false }
    return names(for: expression).contains { name, column in
      expression.reads(name) && column.flatMap { change.value(of: $0.name) } != nil
    }
  }

  /// Returns the names that an expression can use, with the columns that hold their values: nil for a rowid without a column.
  private func names(for expression: ColumnExpression) -> [(name: String, column: ColumnSchema?)] {
    let columns = schema.columns.filter { $0.problem == nil }.map { (name: $0.name, column: ColumnSchema?.some($0)) }
    guard schema.rowIDName != nil else { return columns }
    let rowID = schema.columns.first(where: \.isRowID)
    return columns
      + ["rowid", "_rowid_", "oid"].filter { schema.column(named: $0) == nil && expression.reads($0) }.map { (name: $0, column: rowID) }
  }

  /// Returns the columns of a row with its staged values; values that the expression does not read may be others.
  private func columns(for expression: ColumnExpression, of row: StagedRowID, _ change: StagedRow?) throws -> SQLText {
    try names(for: expression).map { name, column -> SQLText in
      "\(try value(of: name, column, of: row, expression.reads(name) ? change : nil)) AS \(identifier: name)"
    }.joined(by: ", ")
  }

  /// Returns the value of a column.
  ///
  /// - Parameter change: The staged change of the row, or nil if the value is not needed.
  private func value(of name: String, _ column: ColumnSchema?, of row: StagedRowID, _ change: StagedRow?) throws -> SQLText {
    let staged = column.flatMap { change?.value(of: $0.name) }
    if let column, let staged {
      guard let known = known(staged, in: column, of: row) else { throw DatabaseError(unknown: name) }
      return known
    }
    guard case .new = row else { return "\(identifier: name)" }
    if change != nil { throw DatabaseError(unknown: name) }
    return "NULL"
  }

  /// Returns a staged value as SQL, or nil if only the commit determines it: the bytes of a file, a rowid, a computed DEFAULT.
  private func known(_ value: StagedValue, in column: ColumnSchema, of row: StagedRowID) -> SQLText? {
    if case .new = row, column.isRowID, [.defaultValue, .value(.null)].contains(value.normalized) { return nil }
    switch value.normalized {
    case .value(let value): return column.collated(column.typed(value))
    case .rawText(let bytes): return column.collated("CAST(\(DatabaseValue.blob(bytes)) AS TEXT)")
    case .file: return nil
    case .defaultValue:
      if column.generation != nil { return nil }
      guard let sql = column.defaultSQL else { return "NULL" }
      return StatementTokens(sql).isConstant ? column.collated(SchemaExpression(sql: sql).sqlText) : nil
    }
  }
}

extension ColumnSchema {
  /// Returns a value as the column stores it, with the column's affinity if SQL can express that without changing the value.
  fileprivate func typed(_ value: DatabaseValue) -> SQLText {
    switch (value, affinity) {
    case (.integer, .text), (.real, .text), (.text, .text): "CAST(\(value) AS TEXT)"
    case (.integer, .real): "CAST(\(value) AS REAL)"
    case (.real(let number), .integer), (.real(let number), .numeric):
      "CAST(\(Int64(exactly: number).map { .integer($0) } ?? value) AS NUMERIC)"
    case (.integer, .integer), (.integer, .numeric), (.real, .real): "CAST(\(value) AS NUMERIC)"
    default: "\(value)"
    }
  }

  /// Returns a value with the collation of the column.
  fileprivate func collated(_ value: SQLText) -> SQLText {
    collation.isSameIdentifier(as: "BINARY") ? value : "\(value) COLLATE \(identifier: collation)"
  }
}

extension StatementTokens {
  /// Whether the text has the same value in each row: a literal, NULL or a truth value.
  fileprivate var isConstant: Bool {
    isLiteral(0..<count) || count == 1 && ["NULL", "TRUE", "FALSE"].contains { $0.isSameIdentifier(as: text(0)) }
  }
}

extension DatabaseError {
  /// Creates the error that an expression needs the value of a column before the commit determines it.
  fileprivate init(unknown column: String) {
    self.init(Self.SQLITE_ERROR, "the value of \(column) is not known before the commit: enter it, or commit first")
  }
}
