/// Asks how the rows that conditions keep are distributed over the values of columns.
///
/// The facet of a column shows what choosing another of its values would lead to: it counts the rows under all conditions but the column's
/// own.
///
/// ```swift
/// let views = FacetCondition(RowFilter(Column<String>("kind") == "view"), column: "kind")
/// FacetRequest(RowSet(.table(events)), conditions: [views], columns: ["kind", "user_id"])
/// // SELECT kind, count(*) FROM events GROUP BY kind
/// // SELECT user_id, count(*) FROM events WHERE (kind = 'view') GROUP BY user_id
/// ```
public struct FacetRequest: Hashable, Sendable {
  /// The rows without the conditions; their order does not matter.
  public var set: RowSet
  /// What is to be true of the rows.
  public var conditions: [FacetCondition]
  /// The columns that a facet is made of.
  public var columns: [InsightColumn]
  /// The greatest number of values of a facet.
  public var valueLimit: Int

  /// Makes a request.
  public init(_ set: RowSet, conditions: [FacetCondition] = [], columns: [InsightColumn], valueLimit: Int = 100) {
    self.set = set
    self.conditions = conditions
    self.columns = columns
    self.valueLimit = valueLimit
  }
}

/// A condition, and the column that it was chosen for.
public struct FacetCondition: Hashable, Sendable {
  /// The condition.
  public var filter: RowFilter
  /// The name of the column whose facet does not obey it; nil where all obey it.
  public var column: String?

  /// Makes a condition.
  public init(_ filter: RowFilter, column: String? = nil) {
    self.filter = filter
    self.column = column
  }
}

/// How the rows are distributed over the values of a column.
public struct Facet: Hashable, Sendable {
  /// What a facet shows.
  public enum Content: Hashable, Sendable {
    /// The most frequent values, the most frequent first, NULL among them.
    case values([ValueCount])
    /// Numbers or dates in at most eight ranges of the same width with rounded bounds, in their order; a foreign key has values instead.
    case histogram([ValueCount])
  }

  /// The name of the column.
  public var column: String
  /// The number of rows that are counted.
  public var rows: Int
  /// The number of those in which the column is NULL.
  public var nulls: Int
  /// The number of different values, NULL not among them.
  public var distinct: Cardinality
  /// The values or ranges.
  public var content: Content
  /// Whether each of the values has been counted in all rows that have been read, so that no other one is more frequent.
  ///
  /// Where it is false, each of them occurs at least so often. A histogram is always exact.
  public var isContentExact: Bool
  /// Whether all rows have been read.
  public var isComplete: Bool
  /// How dates are stored in the column; nil where its values are none.
  public var dates: DateStorage?
  /// How its texts are told apart.
  package var collation = TextCollation.binary

  /// Makes a facet.
  public init(
    column: String, rows: Int, nulls: Int, distinct: Cardinality, content: Content, isContentExact: Bool = true, isComplete: Bool = true,
    dates: DateStorage? = nil
  ) {
    self.column = column
    self.rows = rows
    self.nulls = nulls
    self.distinct = distinct
    self.content = content
    self.isContentExact = isContentExact
    self.isComplete = isComplete
    self.dates = dates
  }
}
