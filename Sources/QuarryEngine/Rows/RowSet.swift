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

  /// Makes a row set.
  ///
  /// ```swift
  /// RowSet(.table(TableReference(name: "Track")), filter: RowFilter(Column<Int>("Milliseconds") > 300_000)).sqlText.queryString
  /// // SELECT * FROM Track WHERE (Milliseconds > 300000)
  /// ```
  public init(_ source: Source, matching: [ColumnMatch] = [], filter: RowFilter? = nil, order: RowOrder = .natural) {
    self.source = source
    self.matching = matching
    self.filter = filter
    self.order = order
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
