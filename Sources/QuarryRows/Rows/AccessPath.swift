package import QuarryEngine

/// How the rows of a set are read, as the schema allows.
package enum AccessPath: Hashable, Sendable {
  /// All rows of a table by key, from any place.
  case keyset(KeysetRows)
  /// Some rows of a table, or all of them in another order, by key as well.
  case ordered(OrderedQuery)
  /// One after the other, from the beginning.
  case sequence(RowSequence)
}

/// Rows that a SELECT gives one after the other and that no key identifies.
package struct RowSequence: Hashable, Sendable {
  package var sql: SQLText
  /// The values of the parameters in a query's own text, one for each index; they come before all values of `sql`.
  package var arguments: [DatabaseValue] = []
  package var columns: [RowSetColumn]

  /// Returns a statement that stands before the first row.
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
  /// Chooses how the rows of a set are read.
  ///
  /// - Parameter isKeyed: Whether a table may be read by its key.
  /// - Throws: `DatabaseError` where there is no such table or column, or where the query does not compile.
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
  /// Returns whether both read the same rows in the same way, but for the indexes that help.
  package func isSame(as other: OrderedQuery) -> Bool {
    var query = self
    query.isSorted = other.isSorted
    query.isServed = other.isServed
    query.scansTable = other.scansTable
    return query == other
  }
}

extension RowSequence {
  /// Makes the rows of a view, or of a table whose rows no key identifies.
  fileprivate init(table schema: TableSchema, of rowSet: RowSet) {
    let columns = schema.rowSetColumns
    let names = columns.map { "\(identifier: $0.name)" as SQLText }.joined(by: ", ")
    self.init(source: schema.entry.reference.sqlText, names: names, of: rowSet, columns: columns)
  }

  /// Makes the rows that a statement has returned.
  fileprivate init(returned rows: ReturnedRows, of rowSet: RowSet) {
    let columns = rows.columnNames.map { RowSetColumn(name: $0, schema: nil) }
    if rowSet.isWhole {
      self.init(sql: rows.query, columns: columns)
    } else {
      self.init(source: "(\(rows.query))", names: "*", of: rowSet, columns: columns)
    }
  }

  /// Makes the rows of a query that a person has written.
  ///
  /// - Throws: `DatabaseError` where the text does not compile, gives no rows, or would write.
  fileprivate init(query sql: String, arguments: [DatabaseValue], of rowSet: RowSet, in database: Database) throws {
    let query = try database.makeStatement(sql: sql)
    guard query.isReadonly || query.isExplanation else {
      throw DatabaseError(DatabaseError.SQLITE_READONLY, "only statements that write nothing can be shown as rows", sql: sql)
    }
    let columns = zip(query.columnNames, query.declaredColumnTypes).map { RowSetColumn(name: $0, schema: nil, declaredType: $1) }
    let source = QuerySource(query, arguments: arguments)
    if rowSet.isWhole {
      self.init(sql: "\(raw: query.sql)", columns: columns)
    } else {
      var rowSet = rowSet
      // No value may come before those of the query's parameters.
      rowSet.computed = rowSet.computed.map(\.withLiterals)
      self.init(source: source.sql, names: "*", of: rowSet, columns: columns)
    }
    self.arguments = source.arguments
  }

  /// Makes the rows of a source that a set keeps, in its order; rows that are equal in it stay in the order of the source.
  ///
  ///     SELECT * FROM v WHERE (d > 3)
  ///     SELECT *, length(d) AS "length(d)" FROM v
  ///     SELECT * FROM (SELECT d, row_number() OVER () AS "place of the row" FROM v) WHERE (d > 3) ORDER BY d, "place of the row"
  private init(source: SQLText, names: SQLText, of rowSet: RowSet, columns: [RowSetColumn]) {
    let condition = rowSet.condition
    let narrowing: SQLText = condition.isEmpty ? "" : " WHERE \(condition)"
    let names = ([names] + rowSet.computed.map { "\($0.sqlText) AS \(identifier: $0.text)" as SQLText }).joined(by: ", ")
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

/// A query in parentheses, as it stands after FROM, with the values of its parameters.
///
/// Its text stays what it is, since a column without a name is called by the text that gives it. No other value may come before it in a
/// statement: its parameters have the first indexes.
struct QuerySource {
  let sql: SQLText
  /// One for each index, NULL where none is given.
  let arguments: [DatabaseValue]

  init(_ query: Statement, arguments: [DatabaseValue]) {
    // The line break ends a comment that the query may end in.
    sql = "(\(raw: query.sql)\n)"
    self.arguments = (0..<query.parameterCount).map { arguments.indices.contains($0) ? arguments[$0] : .null }
  }
}

extension RowSet {
  /// Whether rows of the source are left out.
  var isNarrowed: Bool { filter != nil || !matching.isEmpty }

  /// Whether the set is all rows of the source as they lie in it, and nothing besides.
  var isWhole: Bool { !isNarrowed && order.isNatural && computed.isEmpty }

  /// The condition that holds for the rows of the set; empty where all rows of the source are meant.
  ///
  ///     AlbumId IS ? AND Name IS ? AND (Milliseconds > ?)
  package var condition: SQLText {
    let matches = matching.map { "\(identifier: $0.column) IS \($0.value)" as SQLText }
    return (matches + [filter?.sqlText].compactMap(\.self)).joined(by: " AND ")
  }
}

extension [KeysetOrder.Term] {
  /// Returns whether the first of these terms are the order.
  fileprivate func starts(with order: RowOrder) -> Bool {
    count >= order.keys.count
      && zip(self, order.keys).allSatisfy { term, key in
        (key.direction == .descending) == term.isDescending && key.nulls == nil && term.collation == nil
          && key.expression.sqlText == term.expression
      }
  }
}

extension KeysetOrder.Term {
  /// Makes the term of a key of ORDER BY, which may be any expression; its collation is left to SQLite.
  fileprivate init(_ key: Ordering) {
    let expression = SQLWriter.text { $0.append(operand: key.expression) }
    self.init(expression: expression, isDescending: key.direction == .descending, isNullable: true, nulls: key.nulls)
  }
}

extension TableSchema {
  /// The columns that `SELECT *` gives, without those that cannot be computed here.
  package var rowSetColumns: [RowSetColumn] {
    columns.filter { !$0.isHidden && $0.problem == nil }.map { RowSetColumn(name: $0.name, schema: $0) }
  }
}
