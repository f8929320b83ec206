public import QuarryEngine

/// A column to analyze: a column of the rows, or an expression computed for each row.
///
/// ```swift
/// InsightColumn("kind")                                                       // kind
/// InsightColumn("session", expression: "payload ->> \("$.session")")          // payload ->> '$.session'
/// ```
public struct InsightColumn: Hashable, Sendable {
  /// The name of the column.
  public var name: String
  /// The expression as written after SELECT.
  public var expression: SQLText

  /// Creates a column of the rows themselves.
  public init(_ name: String) {
    self.init(name, expression: "\(identifier: name)")
  }

  /// Creates a column of a row set, which may be computed.
  public init(_ column: RowSetColumn) {
    self.init(column.name, expression: column.sqlText)
  }

  /// Creates a column from an expression over the columns of the rows.
  public init(_ name: String, expression: SQLText) {
    self.name = name
    self.expression = expression
  }
}

/// The number of distinct values without NULL, with its accuracy.
public enum Cardinality: Hashable, Sendable {
  /// An exact number.
  case exact(Int)
  /// A lower bound.
  case atLeast(Int)
  /// An estimate.
  ///
  /// With a probability of 95 percent it is within the relative error: 0.02 is two percent.
  case estimated(Int, error: Double)

  /// The number, regardless of its accuracy.
  public var value: Int {
    switch self {
    case .exact(let value), .atLeast(let value), .estimated(let value, _): value
    }
  }

  /// Whether the number is exact.
  public var isExact: Bool {
    if case .exact = self { true } else { false }
  }

  /// A lower bound of the number, if some rows have not been read.
  package var bound: Cardinality {
    if case .estimated(let value, let error) = self { .atLeast(Int((Double(value) * (1 - error)).rounded(.down))) } else { growing }
  }

  /// The number if some rows have not been read: an exact number becomes a lower bound.
  package var growing: Cardinality {
    if case .exact(let value) = self { .atLeast(value) } else { self }
  }
}

/// Whether nearby values are counted together.
public enum Binning: Hashable, Sendable {
  /// Each value is counted separately.
  case none
  /// Numbers are counted in ranges with rounded bounds, dates by years, months, days or hours, and texts and blobs separately.
  ///
  /// Adjacent empty ranges are combined.
  case automatic
}
