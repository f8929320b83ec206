public import QuarryEngine

/// A column whose values are looked at: one of the rows' own, or what an expression gives for each row.
///
/// ```swift
/// InsightColumn("kind")                                                       // kind
/// InsightColumn("session", expression: "payload ->> \("$.session")")          // payload ->> '$.session'
/// ```
public struct InsightColumn: Hashable, Sendable {
  /// What the column is called.
  public var name: String
  /// The expression as it stands after SELECT.
  public var expression: SQLText

  /// Makes a column of the rows themselves.
  public init(_ name: String) {
    self.init(name, expression: "\(identifier: name)")
  }

  /// Makes a column of one that a row set has, which may be computed.
  public init(_ column: RowSetColumn) {
    self.init(column.name, expression: column.sqlText)
  }

  /// Makes a column of an expression over the columns of the rows.
  public init(_ name: String, expression: SQLText) {
    self.name = name
    self.expression = expression
  }
}

/// How many different values there are, NULL not being one, and how far that is known.
public enum Cardinality: Hashable, Sendable {
  /// So many.
  case exact(Int)
  /// So many were found; there may be more.
  case atLeast(Int)
  /// About so many. Of twenty such estimates nineteen are within the relative error: 0.02 stands for two percent.
  case estimated(Int, error: Double)

  /// The number, however far it is known.
  public var value: Int {
    switch self {
    case .exact(let value), .atLeast(let value), .estimated(let value, _): value
    }
  }

  /// Whether it is exactly the number.
  public var isExact: Bool {
    if case .exact = self { true } else { false }
  }

  /// The least number that it may be, where some of the rows have not been read.
  package var bound: Cardinality {
    if case .estimated(let value, let error) = self { .atLeast(Int((Double(value) * (1 - error)).rounded(.down))) } else { growing }
  }

  /// The number where some of the rows have not been read: an exact one becomes a lower bound.
  package var growing: Cardinality {
    if case .exact(let value) = self { .atLeast(value) } else { self }
  }
}

/// Whether values that lie near to each other are counted together.
public enum Binning: Hashable, Sendable {
  /// Each value is counted by itself.
  case none
  /// Numbers are counted in ranges with rounded bounds, and dates by years, months, days or hours; texts and blobs each by itself.
  ///
  /// Ranges without a value that lie beside each other are one.
  case automatic
}
