public import QuarryEngine
public import QuarryRows

/// The change of a cell by an expression.
public struct ColumnEdit: Hashable, Sendable {
  /// The key of the row.
  public var key: RowKey
  /// The current value.
  public var was: StoredValue
  /// The value of the expression.
  public var value: StoredValue

  /// Creates an edit.
  public init(key: RowKey, was: StoredValue, value: StoredValue) {
    self.key = key
    self.was = was
    self.value = value
  }
}

extension Database {
  /// Returns the values of an expression for rows of a table with their staged changes, in order.
  ///
  /// Nil for a missing row.
  ///
  ///     SELECT upper(Name) FROM main.Track WHERE (TrackId = 7)
  ///
  /// - Throws: ``DatabaseError``, for example on integer overflow, or if the expression needs a value that only the commit determines.
  public func values(
    of expression: ColumnExpression, for rows: [StagedRowID], of schema: TableSchema, with changes: StagedChanges = StagedChanges()
  ) throws -> [StoredValue?] {
    let statements = RowStatements(schema: schema)
    return try rows.map { row in
      let change = changes.change(of: row, in: schema.entry.reference)
      guard let select = try statements.select(expression, of: row, with: change) else { return nil }
      return try firstRow(select, count: 1)?.first
    }
  }

  /// Returns the changes that an expression would make to a column in the rows of a set.
  ///
  ///     SELECT TrackId, Name, upper(Name) FROM main.Track WHERE (Milliseconds > 300000) LIMIT 1000
  ///
  /// - Throws: ``DatabaseError``, with `SQLITE_ERROR` if the set does not belong to a table whose rows have keys.
  public func edits(of column: String, to expression: ColumnExpression, in set: RowSet, limit: Int) throws -> [ColumnEdit] {
    let reading = try ColumnEditReading(of: column, to: expression, in: set, self)
    let statement = try makeStatement(literal: "\(reading.sql) LIMIT \(limit)")
    defer { try? statement.reset() }
    var edits: [ColumnEdit] = []
    while try statement.step() {
      if let edit = reading.edit(try (0..<reading.width).map { try statement.storedValue(at: $0) }) { edits.append(edit) }
    }
    return edits
  }

  /// Returns the exact stored values of columns of rows, in the order of the keys.
  ///
  /// Nil for a missing row.
  ///
  ///     SELECT TrackId, Name FROM main.Track WHERE (TrackId = 7)
  ///
  /// - Parameter columns: The columns, or nil for all columns that can be read.
  /// - Throws: ``DatabaseError``.
  public func storedRows(_ keys: [RowKey], columns: [String]? = nil, of schema: TableSchema) throws -> [[String: StoredValue]?] {
    let statements = RowStatements(schema: schema)
    let columns = columns ?? schema.rowSetColumns.map(\.name)
    return try keys.map { key in
      guard let key = statements.key(of: key), let values = try firstRow(statements.select(columns, key), count: columns.count) else {
        return nil
      }
      return Dictionary(zip(columns, values), uniquingKeysWith: { first, _ in first })
    }
  }

  /// Returns the values of the first row of a SELECT, or nil if it returns no row.
  func firstRow(_ sql: SQLText, count: Int) throws -> [StoredValue]? {
    try sql.checkStorable()
    let statement = try cachedStatement(sql: sql.sql)
    try statement.reset()
    for (index, value) in sql.values.enumerated() { try statement.bind(value, at: index + 1) }
    defer { try? statement.reset() }
    guard try statement.step() else { return nil }
    return try (0..<count).map { try statement.storedValue(at: $0) }
  }
}

/// The SELECT that reads the changes of a column by an expression, with the decoder of its rows.
package struct ColumnEditReading: Sendable {
  private let statements: RowStatements
  /// The SELECT without a limit: the key, the current value and the new value.
  package let sql: SQLText

  /// Creates the SELECT.
  ///
  /// - Throws: `DatabaseError`, with `SQLITE_ERROR` if the set does not belong to a table whose rows have keys.
  package init(of column: String, to expression: ColumnExpression, in set: RowSet, _ database: Database) throws {
    guard case .table(let table) = set.source else { throw Self.notEditable }
    statements = RowStatements(schema: try database.tableSchema(table))
    guard !statements.keyColumns.isEmpty else { throw Self.notEditable }
    let names = (statements.keyColumns + [column]).map { "\(identifier: $0)" as SQLText }.joined(by: ", ")
    let condition: SQLText = set.condition.isEmpty ? "" : " WHERE \(set.condition)"
    sql = "SELECT \(names), \(expression.sqlText) FROM \(table.sqlText)\(condition)"
  }

  /// The number of values per row.
  package var width: Int { statements.keyColumns.count + 2 }

  /// Returns the edit of a row, or nil if its key is invalid.
  package func edit(_ values: [StoredValue]) -> ColumnEdit? {
    let count = statements.keyColumns.count
    return statements.key(Array(values.prefix(count))).map { ColumnEdit(key: $0, was: values[count], value: values[count + 1]) }
  }

  private static var notEditable: DatabaseError {
    DatabaseError(DatabaseError.SQLITE_ERROR, "only rows of a table or view can be edited, and only if a key identifies them")
  }
}

extension StagedChanges {
  /// Returns the statement that would write the staged change of a row, with its arguments.
  ///
  /// Returns nil if there is no staged change, or if the table is no longer the one for which it was staged.
  ///
  /// ```sql
  /// UPDATE main.player SET name = 'Art' WHERE ((id = 1) AND (+name IS 'Arthur' COLLATE BINARY AND typeof(name) = 'text'))
  /// ```
  public func sqlText(of row: StagedRowID, in schema: TableSchema) -> SQLText? {
    let statements = RowStatements(schema: schema)
    let order = schema.columns.map(\.name)
    switch (change(of: row, in: schema.entry.reference), row) {
    case (.inserted(let values), _):
      return statements.insert(order.compactMap { name in values[name].map { (name, $0) } }).sqlText
    case (.updated(let cells), .stored(let key)):
      guard let key = statements.key(of: key) else { return nil }
      let known = order.compactMap { name in cells[name].map { (name, $0) } }
      let changes = known.filter(\.1.isChange)
      return statements.update(key, changes.map { ($0.0, $0.1.value) }, expecting: known.map { ($0.0, $0.1.was) }).sqlText
    case (.deleted(let was), .stored(let key)):
      guard let key = statements.key(of: key) else { return nil }
      let columns = schema.columns.filter { $0.generation == nil }.map(\.name)
      return statements.delete(key, expecting: columns.compactMap { name in was[name].map { (name, $0) } }).sqlText
    default: return nil
    }
  }
}
