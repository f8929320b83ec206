package import QuarryEngine
package import QuarryRows

/// The statements that write the staged changes of one table.
package struct RowStatements {
  package let schema: TableSchema
  private let rowIDName: String?
  /// The columns of a ``RowKey/values(_:)``: the primary key, or all columns of a view.
  package let keyColumns: [String]

  /// A column and its known or expected value.
  package typealias Expected = (column: String, value: StoredValue)
  /// A column and its new value.
  package typealias Assigned = (column: String, value: StagedValue)

  package init(schema: TableSchema) {
    self.schema = schema
    rowIDName = schema.rowIDName
    keyColumns =
      if let rowIDName { [rowIDName] } else if schema.entry.kind == .view { schema.rowSetColumns.map(\.name) } else { schema.primaryKey }
  }

  /// Returns whether the table's rows have keys of this form.
  func finds(_ row: RowKey) -> Bool {
    switch row {
    case .rowID: rowIDName != nil
    case .values(let values): rowIDName == nil && values.count == keyColumns.count
    case .position: false
    }
  }

  /// Returns the columns that identify a row, with their values, or nil if the row cannot be identified.
  ///
  /// A key other than the rowid is also compared exactly, because the key's collation may treat different values as equal.
  package func key(of row: RowKey) -> [ColumnMatch]? {
    guard finds(row) else { return nil }
    return switch row {
    case .rowID(let id): [ColumnMatch(column: keyColumns[0], value: .integer(id))]
    case .values(let values): zip(keyColumns, values).map { ColumnMatch(column: $0, value: $1) }
    case .position: nil
    }
  }

  /// Returns the key of a row with these values in the key columns, or nil if one of them is not valid text.
  package func key(_ values: [StoredValue]) -> RowKey? {
    if rowIDName != nil, case .value(.integer(let id))? = values.first { return .rowID(id) }
    let known = values.compactMap(\.value)
    return known.count == values.count ? .values(known) : nil
  }

  /// Returns an UPDATE of one row.
  ///
  /// ```sql
  /// UPDATE main.player SET name = ? WHERE ((id = ?) AND (+name IS ? COLLATE BINARY AND typeof(name) = ?))
  /// ```
  package func update(_ key: [ColumnMatch], _ values: [Assigned], expecting expected: [Expected]) -> WriteStatement {
    var statement = WriteStatement(verb: .update, on: schema)
    for (column, value) in values { statement.assign(expression(of: value, for: column), to: column) }
    statement.predicates = predicates(key, expected)
    return statement
  }

  /// Returns a DELETE of one row.
  ///
  /// ```sql
  /// DELETE FROM main.player WHERE ((id = ?) AND (+name IS ? COLLATE BINARY AND typeof(name) = ?))
  /// ```
  package func delete(_ key: [ColumnMatch], expecting expected: [Expected]) -> WriteStatement {
    var statement = WriteStatement(verb: .delete, on: schema)
    statement.predicates = predicates(key, expected)
    return statement
  }

  /// Returns an INSERT of one row.
  ///
  /// Omits columns that get their defaults.
  ///
  /// ```sql
  /// INSERT INTO main.player (name) VALUES (?)
  /// ```
  package func insert(_ values: [Assigned]) -> WriteStatement {
    var statement = WriteStatement(verb: .insert, on: schema)
    for (column, value) in values where value != .defaultValue { statement.assign(expression(of: value, for: column), to: column) }
    return statement
  }

  /// Returns the SELECT of a row's columns.
  ///
  /// ```sql
  /// SELECT name, score FROM main.player WHERE (id = ?)
  /// ```
  func select(_ columns: [String], _ key: [ColumnMatch]) -> SQLText {
    select(columns.map { "\(identifier: $0)" as SQLText }.joined(by: ", "), key)
  }

  /// Returns the SELECT of SQL expressions for one row.
  package func select(_ values: SQLText, _ key: [ColumnMatch]) -> SQLText {
    "SELECT \(values) FROM \(schema.entry.reference.sqlText) WHERE \(condition(key))"
  }

  /// Returns the condition that matches the row with a key.
  func condition(_ key: [ColumnMatch]) -> SQLText { Logic(.and, predicates(key, [])).sqlText }

  /// Returns the conditions of a WHERE, in the order in which their values are bound.
  private func predicates(_ key: [ColumnMatch], _ expected: [Expected]) -> [any QueryExpression<Bool>] {
    var predicates: [any QueryExpression<Bool>] = []
    for match in key {
      if schema.entry.kind != .view { predicates.append(Equality(Column<DatabaseValue>(match.column), BoundValue(match.value))) }
      if isExact { predicates.append(ExactMatch(match)) }
    }
    return predicates + expected.compactMap { item in item.value.value.map { ExactMatch(ColumnMatch(column: item.column, value: $0)) } }
  }

  /// Whether the values of the key itself are compared exactly.
  private var isExact: Bool { rowIDName == nil }

  /// Calls `body` with the values of a WHERE as ``predicates(_:_:)`` binds them.
  func forEachArgument(_ key: [ColumnMatch], _ expected: [Expected], _ body: (DatabaseValue) throws -> Void) rethrows {
    for match in key {
      if schema.entry.kind != .view { try body(match.value) }
      guard isExact else { continue }
      try body(match.value)
      try body(.text(match.value.storageClass.typeName))
    }
    for item in expected {
      guard let value = item.value.value else { continue }
      try body(value)
      try body(.text(value.storageClass.typeName))
    }
  }

  /// Returns the SQL expression of a value.
  ///
  /// SQLite has no DEFAULT in an UPDATE, so the default's expression is used instead.
  private func expression(of value: StagedValue, for column: String) -> any QueryExpression {
    switch value {
    case .value(let value): return BoundValue(value)
    case .rawText(let bytes): return Cast<String>(operand: BoundValue(bytes))
    case .file(let file): return FileContent(path: file.path)
    case .defaultValue:
      guard let sql = schema.column(named: column)?.defaultSQL else { return BoundValue(DatabaseValue.null) }
      return SchemaExpression(sql: sql)
    }
  }
}

extension WriteStatement {
  fileprivate init(verb: Verb, on schema: TableSchema) {
    self.init(verb: verb, table: schema.entry.reference.name, database: schema.entry.reference.database)
    // A conflict clause of the table could otherwise silently delete other rows, or write nothing.
    abortsOnConflict =
      schema.sql.map { sql in
        let tokens = StatementTokens(sql)
        return (0..<tokens.count).contains { tokens.keyword($0) == .conflict }
      } ?? false
  }
}

/// A condition that a column has exactly a value.
///
///     (+name IS 'Arthur' COLLATE BINARY AND typeof(name) = 'text')
///
/// Without the `+`, the column's affinity would match other values. Without BINARY, its collation would.
struct ExactMatch: QueryExpression {
  typealias QueryValue = Bool
  typealias Output = Bool

  private let match: ColumnMatch

  init(_ match: ColumnMatch) {
    self.match = match
  }

  var parenthesization: Parenthesization { .own }

  func write(to sql: inout SQLWriter) {
    sql.append("(+")
    sql.append(identifier: match.column)
    sql.append(" IS ")
    sql.append(value: match.value)
    sql.append(" COLLATE BINARY AND typeof(")
    sql.append(identifier: match.column)
    sql.append(") = ")
    sql.append(value: match.value.storageClass.typeName)
    sql.append(")")
  }
}

/// An expression of the schema, such as a DEFAULT, in parentheses.
struct SchemaExpression: QueryExpression {
  typealias QueryValue = DatabaseValue
  typealias Output = DatabaseValue

  let sql: String

  var parenthesization: Parenthesization { .own }

  func write(to writer: inout SQLWriter) {
    writer.append("(\(raw: sql))" as SQLText)
  }
}

extension DatabaseValue.StorageClass {
  /// The name that SQLite's function `typeof` returns for it.
  var typeName: String {
    switch self {
    case .null: "null"
    case .integer: "integer"
    case .real: "real"
    case .text: "text"
    case .blob: "blob"
    }
  }
}

extension StoredValue {
  /// Whether SQL can distinguish the value from all others.
  ///
  /// It cannot distinguish 0.0 from -0.0, or bind a text that is not UTF-8.
  package var isExpressibleInSQL: Bool {
    switch self {
    case .rawText: false
    case .value(let value): value.isExpressibleInSQL
    }
  }
}

extension DatabaseValue {
  /// Whether SQL can distinguish the value from all others: it cannot distinguish 0.0 from -0.0.
  var isExpressibleInSQL: Bool { if case .real(let number) = self { number != 0 } else { true } }
}
