/// Which rows are meant, and in which order: a source, what narrows it, and a total order.
public struct RowSet: Hashable, Sendable {
  /// Where rows come from.
  public enum Source: Hashable, Sendable {
    case table(TableReference)
    /// One SELECT (or anything else that yields rows and writes nothing).
    case query(sql: String)
  }

  public var source: Source
  /// Keeps the rows in which each of these columns has the value beside it (`IS`, so NULL is a value too): how foreign keys are followed.
  public var matching: [ColumnMatch]
  /// Keeps the rows of which this is true; nil keeps all.
  public var filter: RowFilter?
  public var order: RowOrder

  public init(_ source: Source, matching: [ColumnMatch] = [], filter: RowFilter? = nil, order: RowOrder = .natural) {
    self.source = source
    self.matching = matching
    self.filter = filter
    self.order = order
  }
}

/// A column and the value that it is to have.
public struct ColumnMatch: Hashable, Sendable {
  public var column: String
  public var value: DatabaseValue

  public init(column: String, value: DatabaseValue) {
    self.column = column
    self.value = value
  }
}

/// What identifies a row of a row set for as long as the row exists.
public enum RowKey: Hashable, Sendable {
  case rowID(Int64)
  /// The primary key's values of a WITHOUT ROWID table.
  case values([DatabaseValue])
  /// The row's place in the source, from 0: for views, virtual tables without rowid, and queries.
  case place(Int)
}

/// A number of rows, or of a row (from 0), and how far it can be trusted.
public enum RowNumber: Hashable, Sendable {
  case exact(Int)
  /// There are at least so many; a count is under way or was stopped.
  case atLeast(Int)
  /// About this, by interpolation.
  case estimated(Int)

  public var value: Int {
    switch self {
    case .exact(let value), .atLeast(let value), .estimated(let value): value
    }
  }

  public var isExact: Bool {
    if case .exact = self { true } else { false }
  }
}
