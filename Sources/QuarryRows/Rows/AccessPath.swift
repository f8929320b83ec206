package import QuarryEngine

/// The way the rows of a set are read, as the schema allows.
package enum AccessPath: Hashable, Sendable {
  /// All rows of a table by key, from any position.
  case keyset(KeysetRows)
  /// Some rows of a table, or all rows in another order, also by key.
  case ordered(OrderedQuery)
  /// One row after the other, from the beginning.
  case sequence(RowSequence)
}

/// Rows that a SELECT returns one after the other and that have no key.
package struct RowSequence: Hashable, Sendable {
  package var sql: SQLText
  /// The values of the parameters in a query's own text, by index; they precede all values of `sql`.
  package var arguments: [DatabaseValue] = []
  package var columns: [RowSetColumn]

  /// Returns a statement before its first row.
  ///
  /// - Throws: `DatabaseError`
  func makeCursor(in database: Database) throws -> Statement {
    try sql.checkStorable()
    let cursor = try database.makeStatement(sql: sql.sql)
    for (index, value) in (arguments + sql.values).enumerated() { try cursor.bind(value, at: index + 1) }
    return cursor
  }
}

extension AccessPath {
  /// Chooses how to read the rows of a set.
  ///
  /// - Parameter isKeyed: Whether a table may be read by its key.
  /// - Throws: `DatabaseError` if the table or a column does not exist, or if the query does not compile.
  package init(of rowSet: RowSet, isKeyed: Bool = true, in database: Database) throws {
    if let refusal = rowSet.filter?.sqlText.refusal ?? rowSet.order.sqlText.refusal { throw refusal }
    switch rowSet.source {
    case .table(let reference):
      self = try Self.table(database.tableSchema(reference), of: rowSet, isKeyed: isKeyed, in: database)
    case .query(let sql, let arguments):
      self = try .sequence(RowSequence(query: sql, arguments: arguments, of: rowSet, in: database))
    case .returned(let rows):
      self = .sequence(RowSequence(returned: rows, of: rowSet))
    }
  }

  private static func table(_ schema: TableSchema, of rowSet: RowSet, isKeyed: Bool, in database: Database) throws -> AccessPath {
    if let problem = schema.problem {
      throw DatabaseError(DatabaseError.SQLITE_ERROR, problem)
    }
    if let missing = rowSet.matching.first(where: { schema.column(named: $0.column) == nil }) {
      throw DatabaseError(DatabaseError.SQLITE_ERROR, "no such column: \(missing.column)")
    }
    guard isKeyed, var rows = KeysetRows(schema, in: database) else {
      return .sequence(RowSequence(table: schema, of: rowSet))
    }
    rows.columns += rowSet.computed.map(RowSetColumn.init)
    let condition = rowSet.condition
    let terms = rows.order.terms.starts(with: rowSet.order) ? [] : rowSet.order.keys.map(KeysetOrder.Term.init)
    if condition.isEmpty, terms.isEmpty { return .keyset(rows) }
    return try .ordered(OrderedQuery(rows, condition: condition, terms: terms, in: database))
  }

}

extension OrderedQuery {
  /// Returns whether both read the same rows in the same way, regardless of the indexes they use.
  package func isSame(as other: OrderedQuery) -> Bool {
    var query = self
    query.isSorted = other.isSorted
    query.isServed = other.isServed
    query.scansTable = other.scansTable
    return query == other
  }
}

extension RowSequence {
  /// Creates the rows of a view, or of a table without a key.
  fileprivate init(table schema: TableSchema, of rowSet: RowSet) {
    let columns = schema.rowSetColumns
    let names = columns.map { "\(identifier: $0.name)" as SQLText }.joined(by: ", ")
    self.init(source: schema.entry.reference.sqlText, names: names, of: rowSet, columns: columns)
  }

  /// Creates the rows returned by a statement.
  init(returned rows: ReturnedRows, of rowSet: RowSet) {
    let columns = rows.columnNames.map { RowSetColumn(name: $0, schema: nil) }
    if rowSet.isWhole {
      self.init(sql: rows.query, columns: columns)
    } else {
      self.init(source: "(\(rows.query))", names: "*", of: rowSet, columns: columns)
    }
  }

  /// Creates the rows of an entered query.
  ///
  /// - Throws: `DatabaseError` if the text does not compile, returns no rows, or would write.
  fileprivate init(query sql: String, arguments: [DatabaseValue], of rowSet: RowSet, in database: Database) throws {
    let query = try database.makeStatement(sql: sql)
    guard query.isReadonly || query.isExplanation else {
      throw DatabaseError(DatabaseError.SQLITE_READONLY, "only read-only statements can be shown as rows", sql: sql)
    }
    let columns = zip(query.columnNames, query.declaredColumnTypes).map { RowSetColumn(name: $0, schema: nil, declaredType: $1) }
    let source = QuerySource(query, arguments: arguments)
    if rowSet.isWhole {
      self.init(sql: "\(raw: query.sql)", columns: columns)
    } else {
      var rowSet = rowSet
      // No value may precede those of the query's parameters.
      rowSet.computed = rowSet.computed.map(\.withLiterals)
      self.init(source: source.sql, names: "*", of: rowSet, columns: columns)
    }
    self.arguments = source.arguments
  }

  /// Creates the rows of a source that match a set, in its order; rows with equal keys stay in the order of the source.
  ///
  ///     SELECT * FROM v WHERE (d > 3)
  ///     SELECT *, length(d) AS "length(d)" FROM v
  ///     SELECT * FROM (SELECT d, row_number() OVER () AS "place of the row" FROM v) WHERE (d > 3) ORDER BY d, "place of the row"
  private init(source: SQLText, names: SQLText, of rowSet: RowSet, columns: [RowSetColumn]) {
    let condition = rowSet.condition
    let narrowing: SQLText = condition.isEmpty ? "" : " WHERE \(condition)"
    let names = ([names] + rowSet.computed.map { "\($0.sqlText) AS \(identifier: $0.name)" as SQLText }).joined(by: ", ")
    self.columns = columns + rowSet.computed.map(RowSetColumn.init)
    if rowSet.order.isNatural {
      sql = "SELECT \(names) FROM \(source)\(narrowing)"
    } else {
      let position = RowPosition.column.name
      sql = """
        SELECT * FROM \(RowPosition.numbering(source, names: names))\(narrowing) \
        ORDER BY \(rowSet.order.sqlText), \(identifier: position)
        """
    }
  }
}

/// A query in parentheses, as written after FROM, with the values of its parameters.
///
/// Its text is unchanged, because a column without a name is named after its expression. No other value may precede it in a statement,
/// because its parameters have the first indexes.
struct QuerySource {
  let sql: SQLText
  /// The values by index, NULL if none is given.
  let arguments: [DatabaseValue]

  init(_ query: Statement, arguments: [DatabaseValue]) {
    // The line break ends a comment at the end of the query.
    sql = "(\(raw: query.sql)\n)"
    self.arguments = (0..<query.parameterCount).map { arguments.indices.contains($0) ? arguments[$0] : .null }
  }
}

extension RowSet {
  /// Whether the set excludes rows of the source.
  var isNarrowed: Bool { filter != nil || !matching.isEmpty }

  /// Whether the set consists of all rows of the source in their natural order, without computed columns.
  var isWhole: Bool { !isNarrowed && order.isNatural && computed.isEmpty }

  /// The condition on the rows of the set; empty for all rows of the source.
  ///
  ///     AlbumId IS ? AND Name IS ? AND (Milliseconds > ?)
  package var condition: SQLText {
    let matches = matching.map { "\(identifier: $0.column) IS \($0.value)" as SQLText }
    return (matches + [filter?.sqlText].compactMap(\.self)).joined(by: " AND ")
  }
}

extension [KeysetOrder.Term] {
  /// Returns whether the first of these terms form the order.
  fileprivate func starts(with order: RowOrder) -> Bool {
    count >= order.keys.count
      && zip(self, order.keys).allSatisfy { term, key in
        (key.direction == .descending) == term.isDescending && key.nulls == nil && term.collation == nil
          && key.expression.sqlText == term.expression
      }
  }
}

extension KeysetOrder.Term {
  /// Creates the term of an ORDER BY key, which may be any expression; its collation is left to SQLite.
  fileprivate init(_ key: Ordering) {
    let expression = SQLWriter.text { $0.append(operand: key.expression) }
    self.init(expression: expression, isDescending: key.direction == .descending, isNullable: true, nulls: key.nulls)
  }
}

extension TableSchema {
  /// The columns returned by `SELECT *`, without columns that cannot be computed here.
  package var rowSetColumns: [RowSetColumn] {
    columns.filter { !$0.isHidden && $0.problem == nil }.map { RowSetColumn(name: $0.name, schema: $0) }
  }
}
