/// How the rows of a set are read, found once from the schema.
enum AccessPath: Hashable, Sendable {
  /// All rows of a table by key, from any place.
  case keyset(KeysetRows)
  /// Some rows of a table, or in an order of their own, by key too.
  case ordered(OrderedQuery)
  /// One after the other, from the beginning.
  case sequence(RowSequence)
}

/// Rows that a SELECT gives one after the other and that no key identifies.
struct RowSequence: Hashable, Sendable {
  var sql: String
  var arguments: [DatabaseValue]
  var columns: [RowSetColumn]
}

extension AccessPath {
  /// - Throws: `DatabaseError` where there is no such table or column, or where the query does not compile.
  init(of rowSet: RowSet, in database: Database) throws {
    if let refusal = rowSet.filter?.sqlText.refusal ?? rowSet.order.sqlText.refusal { throw refusal }
    switch rowSet.source {
    case .table(let reference):
      self = try Self.table(database.tableSchema(reference), of: rowSet, in: database)
    case .query(let sql, let arguments):
      self = try .sequence(RowSequence(query: sql, arguments: arguments, of: rowSet, in: database))
    case .returned(let rows):
      self = try .sequence(RowSequence(query: rows.query, arguments: [], of: rowSet, in: database))
    }
  }

  private static func table(_ schema: TableSchema, of rowSet: RowSet, in database: Database) throws -> AccessPath {
    if let problem = schema.problem {
      throw DatabaseError(DatabaseError.SQLITE_ERROR, problem)
    }
    if let missing = rowSet.matching.first(where: { schema.column(named: $0.column) == nil }) {
      throw DatabaseError(DatabaseError.SQLITE_ERROR, "no such column: \(missing.column)")
    }
    guard let rows = KeysetRows(schema, in: database) else {
      return .sequence(RowSequence(table: schema, of: rowSet))
    }
    let condition = rowSet.condition
    let terms = rows.order.terms.starts(with: rowSet.order) ? [] : rowSet.order.keys.map(KeysetOrder.Term.init)
    if condition.isEmpty, terms.isEmpty { return .keyset(rows) }
    return try .ordered(OrderedQuery(rows, condition: condition, terms: terms, in: database))
  }

  /// Whether the rows are read in the same way, but for the indexes that help.
  func isSame(as other: AccessPath) -> Bool {
    guard case .ordered(var first) = self, case .ordered(let second) = other else { return self == other }
    first.isSorted = second.isSorted
    first.scansTable = second.scansTable
    return first == second
  }
}

extension RowSequence {
  /// A view, or a table without a key that serves.
  fileprivate init(table schema: TableSchema, of rowSet: RowSet) {
    let columns = schema.rowSetColumns
    let names = columns.map { SQLIdentifier.quoted($0.name) }.joined(separator: ", ")
    self.init(source: schema.entry.reference.sql, names: names, of: rowSet, columns: columns)
  }

  /// - Throws: `DatabaseError` where the text does not compile, gives no rows, or would write.
  fileprivate init(query sql: String, arguments: [DatabaseValue], of rowSet: RowSet, in database: Database) throws {
    let query = try database.makeStatement(sql: sql)
    guard query.isReadonly || query.isExplanation else {
      throw DatabaseError(DatabaseError.SQLITE_READONLY, "only statements that write nothing can be shown as rows", sql: sql)
    }
    let columns = query.columnNames.map { RowSetColumn(name: $0, schema: nil) }
    // One for each index: the parameters that follow the query's get the next ones.
    let bound = (0..<query.parameterCount).map { arguments.indices.contains($0) ? arguments[$0] : .null }
    guard rowSet.isNarrowed || !rowSet.order.isNatural else {
      self.init(sql: query.sql, arguments: bound, columns: columns)
      return
    }
    // The line break ends a comment that the query may end in.
    self.init(source: "(\(query.sql)\n)", arguments: bound, names: "*", of: rowSet, columns: columns)
  }

  /// The rows of a source that a set keeps, in its order; rows that this does not tell apart stay in the source's.
  ///
  ///     SELECT * FROM v WHERE (d > 3)
  ///     SELECT * FROM (SELECT d, row_number() OVER () AS "place of the row" FROM v) WHERE (d > 3) ORDER BY d, "place of the row"
  private init(source: String, arguments: [DatabaseValue] = [], names: String, of rowSet: RowSet, columns: [RowSetColumn]) {
    let condition = rowSet.condition
    let narrowing = condition.isEmpty ? "" : " WHERE \(condition.sql)"
    if rowSet.order.isNatural {
      self.init(sql: "SELECT \(names) FROM \(source)\(narrowing)", arguments: arguments + condition.values, columns: columns)
    } else {
      self.init(
        sql: "SELECT * FROM \(RowPosition.numbering(source, names: names))\(narrowing)"
          + " ORDER BY \(rowSet.order.sqlText.sql), \(SQLIdentifier.quoted(RowPosition.column.name))",
        arguments: arguments + condition.values + rowSet.order.sqlText.values, columns: columns)
    }
  }
}

extension RowSet {
  /// Whether rows of the source are left out.
  var isNarrowed: Bool { filter != nil || !matching.isEmpty }

  /// The condition that holds for the rows of the set; empty where all rows of the source are meant.
  ///
  ///     AlbumId IS ? AND Name IS ? AND (Milliseconds > ?)
  var condition: SQLText {
    var writer = SQLWriter()
    writer.append(matching, separator: " AND ") { sql, match in
      sql.append(identifier: match.column)
      sql.append(" IS ")
      sql.append(value: match.value)
    }
    if let filter {
      if !matching.isEmpty { writer.append(" AND ") }
      writer.append(filter.sqlText)
    }
    return writer.text
  }
}

extension [KeysetOrder.Term] {
  /// Whether these terms by themselves make the order, so that it asks for nothing more.
  fileprivate func starts(with order: RowOrder) -> Bool {
    count >= order.keys.count
      && zip(self, order.keys).allSatisfy { term, key in
        (key.direction == .descending) == term.isDescending && key.nulls == nil && term.collation == nil
          && key.expression.sqlText.sql == term.column
      }
  }
}

extension KeysetOrder.Term {
  /// The term of a key of ORDER BY, which may be any expression: what collation it has is SQLite's to know.
  fileprivate init(_ key: Ordering) {
    var writer = SQLWriter()
    writer.append(operand: key.expression)
    self.init(
      column: writer.text.sql, arguments: writer.text.values, isDescending: key.direction == .descending, isNullable: true,
      nulls: key.nulls)
  }
}

extension TableSchema {
  /// The columns that `SELECT *` gives, without those that cannot be computed here.
  var rowSetColumns: [RowSetColumn] {
    columns.filter { !$0.isHidden && $0.problem == nil }.map { RowSetColumn(name: $0.name, schema: $0) }
  }
}
