public import QuarryEngine

/// Which rows are meant, and in which order: a source, what narrows it, and a total order.
public struct RowSet: Hashable, Sendable {
  /// Where rows come from.
  public enum Source: Hashable, Sendable {
    /// A table, virtual table or view.
    case table(TableReference)
    /// One SELECT (or anything else that yields rows and writes nothing), with the values of its parameters by their indexes; those
    /// without one are NULL.
    case query(sql: String, arguments: [DatabaseValue] = [])
    /// What a statement that writes has returned.
    case returned(ReturnedRows)
  }

  /// Where the rows come from.
  public var source: Source
  /// Keeps the rows in which each of these columns has the value beside it (`IS`, so NULL is a value too): how foreign keys are followed.
  public var matching: [ColumnMatch]
  /// Keeps the rows for which this is true; nil keeps all.
  public var filter: RowFilter?
  /// The order of the rows.
  public var order: RowOrder
  /// What is computed for each row: columns that come after those of the source, under the expressions' texts as names.
  public var computed: [ColumnExpression]

  /// Makes a row set.
  ///
  /// ```swift
  /// RowSet(.table(TableReference(name: "Track")), filter: RowFilter(Column<Int>("Milliseconds") > 300_000)).sqlText.queryString
  /// // SELECT * FROM Track WHERE (Milliseconds > 300000)
  /// ```
  public init(
    _ source: Source, matching: [ColumnMatch] = [], filter: RowFilter? = nil, order: RowOrder = .natural, computed: [ColumnExpression] = []
  ) {
    self.source = source
    self.matching = matching
    self.filter = filter
    self.order = order
    self.computed = computed
  }
}

/// A column and the value that it is to have.
public struct ColumnMatch: Hashable, Sendable {
  /// The column's name.
  public var column: String
  /// The value, which can be NULL.
  public var value: DatabaseValue

  /// Makes a match of a column with a value.
  public init(column: String, value: DatabaseValue) {
    self.column = column
    self.value = value
  }
}

/// What identifies a row of a row set for as long as the row exists.
public enum RowKey: Hashable, Sendable {
  /// The rowid.
  case rowID(Int64)
  /// The primary key's values of a WITHOUT ROWID table.
  case values([DatabaseValue])
  /// The row's position in the source, from 0: for views, virtual tables without rowid, and queries.
  case position(Int)
}

/// A number of rows, or of a row (from 0), and how far it can be trusted.
public enum RowNumber: Hashable, Sendable {
  /// It is this.
  case exact(Int)
  /// There are at least so many; a count is under way or was stopped.
  case atLeast(Int)
  /// About this, by interpolation.
  case estimated(Int)

  /// The number, however far it can be trusted.
  public var value: Int {
    switch self {
    case .exact(let value), .atLeast(let value), .estimated(let value): value
    }
  }

  /// Whether the number is exact.
  public var isExact: Bool {
    if case .exact = self { true } else { false }
  }

  /// The number where it is exact, else nil.
  public var exactValue: Int? {
    if case .exact(let value) = self { value } else { nil }
  }
}

extension RowSet {
  /// The SELECT that gives these rows in this order, for people and other programs; the engine itself reads them by key.
  ///
  /// A query's parameters are values of it; ``SQLText/queryString`` writes all of them as literals.
  ///
  /// ```sql
  /// SELECT * FROM Track WHERE (Milliseconds > 300000) ORDER BY Name
  /// ```
  ///
  /// Rows that a statement has returned are no database's but their own: nowhere else does the SELECT give them.
  public var sqlText: SQLText {
    let computed = computed.map { ", \($0.sqlText) AS \(identifier: $0.text)" as SQLText }.joined(by: "")
    var sql: SQLText = "SELECT *\(computed) FROM "
    append(source, to: &sql)
    if !condition.isEmpty {
      sql.append(" WHERE ")
      sql.append(condition)
    }
    if !order.isNatural {
      sql.append(" ORDER BY ")
      sql.append(order.sqlText)
    }
    return sql
  }

  private func append(_ source: Source, to sql: inout SQLText) {
    switch source {
    case .table(let table):
      if table.database != "main" {
        sql.append(identifier: table.database)
        sql.append(".")
      }
      sql.append(identifier: table.name)
    case .query(let query, let arguments):
      sql.append("(")
      sql.append(query: query, arguments: arguments)
      sql.append("\n)")
    case .returned(let rows):
      sql.append("(")
      sql.append(rows.query)
      sql.append(")")
    }
  }
}

extension SQLText {
  /// Appends a query that a person wrote, with a `?` and its value in the place of each parameter, NULL for those that have no value.
  fileprivate mutating func append(query: String, arguments: [DatabaseValue]) {
    let tokens = StatementTokens(query)
    var end = 0
    for parameter in tokens.parameters {
      raw(String(decoding: tokens.bytes[end..<parameter.range.lowerBound], as: UTF8.self))
      append(argument: arguments.indices.contains(parameter.number - 1) ? arguments[parameter.number - 1] : .null)
      end = parameter.range.upperBound
    }
    raw(String(decoding: tokens.bytes[end...], as: UTF8.self))
  }
}

extension ForeignKeySchema {
  /// Returns the rows that a row of the referring table refers to: one, unless the reference is broken.
  ///
  ///     SELECT * FROM Album WHERE AlbumId IS 7
  ///
  /// - Parameter value: The referring row's values by column; a column that is not there counts as NULL.
  /// - Returns: Nil where a value is NULL, so that nothing is referred to, and where the referenced columns are not known.
  public func referencedRows(_ value: (_ column: String) -> DatabaseValue?) -> RowSet? {
    rowSet(table, matching: referencedColumns, with: columns, value)
  }

  /// Returns the rows of the referring table that refer to a row of the referenced one.
  ///
  ///     SELECT * FROM Track WHERE AlbumId IS 7
  ///
  /// - Parameters:
  ///   - table: The table that has the foreign key.
  ///   - value: The referenced row's values by column.
  public func referringRows(in table: TableReference, _ value: (_ column: String) -> DatabaseValue?) -> RowSet? {
    rowSet(table, matching: columns, with: referencedColumns, value)
  }

  private func rowSet(
    _ table: TableReference, matching targets: [String], with sources: [String], _ value: (String) -> DatabaseValue?
  ) -> RowSet? {
    guard !targets.isEmpty, targets.count == sources.count else { return nil }
    let values = sources.compactMap { value($0) }.filter { $0 != .null }
    guard values.count == targets.count else { return nil }
    return RowSet(.table(table), matching: zip(targets, values).map { ColumnMatch(column: $0, value: $1) })
  }
}

extension InboundReference {
  /// Returns the rows that refer to a row, given the row's values by column; nil where they are NULL.
  public func referringRows(_ value: (_ column: String) -> DatabaseValue?) -> RowSet? {
    key.referringRows(in: table, value)
  }
}
