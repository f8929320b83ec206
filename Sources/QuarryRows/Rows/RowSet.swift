public import QuarryEngine

/// A set of rows in a total order: a source, a filter and an order.
public struct RowSet: Hashable, Sendable {
  /// The source of rows.
  public enum Source: Hashable, Sendable {
    /// A table, virtual table or view.
    case table(TableReference)
    /// A SELECT (or any other statement that returns rows and writes nothing), with the values of its parameters by index; parameters
    /// without a value are NULL.
    case query(sql: String, arguments: [DatabaseValue] = [])
    /// The rows returned by a statement that writes.
    case returned(ReturnedRows)
  }

  /// The source of the rows.
  public var source: Source
  /// The values that columns must have (`IS`, so NULL matches NULL), used to follow foreign keys.
  public var matching: [ColumnMatch]
  /// The filter; nil for all rows.
  public var filter: RowFilter?
  /// The order of the rows.
  public var order: RowOrder
  /// The computed columns, which follow the columns of the source and are named after their expressions unless they have names.
  public var computed: [ColumnExpression]
  /// The foreign keys by which aggregates find the rows of other tables, for each row.
  var childKeys: Set<ChildKey> = []
  /// The computation of a query's rows that large tables need; nil if SQLite computes them.
  var computation: RowComputation?
  /// Whether the rows are those of a query about a table, which need not run on the connection of statements.
  package var isComputed: Bool { computation != nil }

  /// Creates a row set.
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

/// A column and its required value.
public struct ColumnMatch: Hashable, Sendable {
  /// The column's name.
  public var column: String
  /// The value, which may be NULL.
  public var value: DatabaseValue

  /// Creates a match of a column with a value.
  public init(column: String, value: DatabaseValue) {
    self.column = column
    self.value = value
  }
}

/// A key that identifies a row of a row set while the row exists.
public enum RowKey: Hashable, Sendable {
  /// The rowid.
  case rowID(Int64)
  /// The primary key's values of a WITHOUT ROWID table.
  case values([DatabaseValue])
  /// The row's position in the source, from 0: for views, virtual tables without rowid, and queries.
  case position(Int)
}

/// A number of rows, or the number of a row from 0, with its accuracy.
public enum RowNumber: Hashable, Sendable {
  /// The exact number.
  case exact(Int)
  /// A lower bound, while counting continues or after it was cancelled.
  case atLeast(Int)
  /// An estimate by interpolation.
  case estimated(Int)

  /// The number, regardless of its accuracy.
  public var value: Int {
    switch self {
    case .exact(let value), .atLeast(let value), .estimated(let value): value
    }
  }

  /// Whether the number is exact.
  public var isExact: Bool {
    if case .exact = self { true } else { false }
  }

  /// The number if it is exact; otherwise nil.
  public var exactValue: Int? {
    if case .exact(let value) = self { value } else { nil }
  }
}

extension RowSet {
  /// The SELECT that returns these rows in this order, for people and other programs; the engine itself reads them by key.
  ///
  /// The parameters of a query become values of the SQL. ``SQLText/queryString`` writes all of them as literals.
  ///
  /// ```sql
  /// SELECT * FROM Track WHERE (Milliseconds > 300000) ORDER BY Name
  /// ```
  ///
  /// The rows returned by a statement are in a separate database, the only one in which the SELECT works.
  public var sqlText: SQLText {
    let computed = computed.map { ", \($0.sqlText) AS \(identifier: $0.name)" as SQLText }.joined(by: "")
    var sql: SQLText = "SELECT *\(computed) FROM \(sourceText)"
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

  /// The source as written after FROM.
  var sourceText: SQLText {
    var sql = SQLText()
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
    return sql
  }
}

extension SQLText {
  /// Appends an entered query, with `?` and a value in place of each parameter; NULL for parameters without a value.
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
  /// Returns the rows referenced by a row of the referencing table: one, unless the reference is broken.
  ///
  ///     SELECT * FROM Album WHERE AlbumId IS 7
  ///
  /// - Parameter value: The values of the referencing row by column; a missing column is treated as NULL.
  /// - Returns: Nil if a value is NULL, so that there is no reference, or if the referenced columns are unknown.
  public func referencedRows(_ value: (_ column: String) -> DatabaseValue?) -> RowSet? {
    rowSet(table, matching: referencedColumns, with: columns, value)
  }

  /// Returns the rows of the referencing table that refer to a row of the referenced table.
  ///
  ///     SELECT * FROM Track WHERE AlbumId IS 7
  ///
  /// - Parameters:
  ///   - table: The table that has the foreign key.
  ///   - value: The values of the referenced row by column.
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
  /// Returns the rows that refer to a row with these values by column; nil if the values are NULL.
  public func referringRows(_ value: (_ column: String) -> DatabaseValue?) -> RowSet? {
    key.referringRows(in: table, value)
  }
}
