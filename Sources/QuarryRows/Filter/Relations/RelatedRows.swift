internal import QuarryEngine

/// The rows of another table that a foreign key connects with the current row: the row to which it refers, or the rows that refer to it.
struct RelatedRows: Sendable {
  /// The table to read.
  var table: TableReference
  /// Its name in the statement.
  var name: String
  /// The columns of the table, each with the column of the current row that equals it.
  var pairs: [Pair]
  /// The name of the current row's table in the statement.
  var outerName: String
  /// The condition that the rows must match.
  var condition: (any QueryExpression<Bool>)?

  /// A column of the table and the column of the current row that equals it.
  struct Pair: Sendable {
    var column: String
    var outer: String
    /// The collation of the comparison; nil for that of the table's column.
    var collation: String?
  }

  /// Writes `SELECT … FROM main.Album WHERE AlbumId = Track.AlbumId`.
  fileprivate func write(to sql: inout SQLWriter, selecting body: (inout SQLWriter) -> Void) {
    sql.append("SELECT ")
    body(&sql)
    sql.append(" FROM ")
    sql.append(table.sqlText)
    if name != table.name {
      sql.append(" AS ")
      sql.append(identifier: name)
    }
    sql.append(" WHERE ")
    sql.append(pairs, separator: " AND ") { sql, pair in
      sql.append(identifier: pair.column)
      sql.append(" = ")
      sql.append(identifier: outerName)
      sql.append(".")
      sql.append(identifier: pair.outer)
      guard let collation = pair.collation else { return }
      sql.append(" COLLATE ")
      sql.append(identifier: collation)
    }
    guard let condition else { return }
    sql.append(" AND ")
    sql.append(operand: condition)
  }
}

/// A value in the row to which a foreign key refers, or an aggregate over the rows that refer to the current row.
///
///     (SELECT Title FROM main.Album WHERE AlbumId = Track.AlbumId)
///     (SELECT sum(Quantity) FROM main.InvoiceLine WHERE TrackId = Track.TrackId)
struct RelatedValue<QueryValue: QueryOperand>: QueryExpression {
  typealias Output = QueryValue?

  /// The aggregate function; nil for the value of one row.
  var function: StaticString?
  /// The value in each row; nil for `*`.
  let operand: (any QueryExpression)?
  let rows: RelatedRows

  var parenthesization: Parenthesization { .own }

  func write(to sql: inout SQLWriter) {
    sql.append("(")
    rows.write(to: &sql) { sql in
      if let function {
        sql.append(function)
        sql.append("(")
      }
      if let operand { sql.append(operand) } else { sql.append("*") }
      if function != nil { sql.append(")") }
    }
    sql.append(")")
  }
}

/// Whether any row refers to the current row.
///
///     EXISTS (SELECT 1 FROM main.InvoiceLine WHERE TrackId = Track.TrackId AND (Quantity > 5))
struct RelatedExistence: QueryExpression {
  typealias QueryValue = Bool
  typealias Output = Bool

  let rows: RelatedRows

  func write(to sql: inout SQLWriter) {
    sql.append("EXISTS (")
    rows.write(to: &sql) { $0.append("1") }
    sql.append(")")
  }
}

extension TypedExpression {
  /// Returns the value of the expression in related rows, or an aggregate of the same type over them.
  func selected(by function: StaticString? = nil, from rows: RelatedRows) -> TypedExpression {
    switch self {
    case .integer(let value): .integer(RelatedValue(function: function, operand: value, rows: rows))
    case .real(let value): .real(RelatedValue(function: function, operand: value, rows: rows))
    case .numeric(let value): .numeric(RelatedValue(function: function, operand: value, rows: rows))
    case .text(let value): .text(RelatedValue(function: function, operand: value, rows: rows))
    case .blob(let value): .blob(RelatedValue(function: function, operand: value, rows: rows))
    case .boolean(let value): .boolean(RelatedValue(function: function, operand: value, rows: rows))
    case .date(let value): .date(RelatedValue(function: function, operand: value, rows: rows))
    case .any(let value): .any(RelatedValue(function: function, operand: value, rows: rows))
    case .null: .null
    }
  }
}
