/// A request for the distribution of rows over the values of columns, under conditions.
///
/// The facet of a column shows the effect of choosing another of its values: it counts the rows under all conditions except the column's
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
  /// The conditions on the rows.
  public var conditions: [FacetCondition]
  /// The columns of the facets.
  public var columns: [InsightColumn]
  /// The maximum number of values of a facet.
  public var valueLimit: Int

  /// Creates a request.
  public init(_ set: RowSet, conditions: [FacetCondition] = [], columns: [InsightColumn], valueLimit: Int = 100) {
    self.set = set
    self.conditions = conditions
    self.columns = columns
    self.valueLimit = valueLimit
  }
}

/// A condition, with the column for which it was chosen.
public struct FacetCondition: Hashable, Sendable {
  /// The condition.
  public var filter: RowFilter
  /// The name of the column whose facet ignores the condition; nil if it applies to all facets.
  public var column: String?

  /// Creates a condition.
  public init(_ filter: RowFilter, column: String? = nil) {
    self.filter = filter
    self.column = column
  }
}

/// The distribution of rows over the values of a column.
public struct Facet: Hashable, Sendable {
  /// The content of a facet.
  public enum Content: Hashable, Sendable {
    /// The most frequent values, including NULL, the most frequent first.
    case values([ValueCount])
    /// Numbers or dates in at most eight ranges of the same width with rounded bounds, in their order; a foreign key has values instead.
    case histogram([ValueCount])
  }

  /// The name of the column.
  public var column: String
  /// The number of counted rows.
  public var rows: Int
  /// The number of counted rows in which the column is NULL.
  public var nulls: Int
  /// The number of distinct values without NULL.
  public var distinct: Cardinality
  /// The values or ranges.
  public var content: Content
  /// Whether each value has been counted in all rows read so far, so that no other value is more frequent.
  ///
  /// If it is false, the counts are lower bounds. A histogram is always exact.
  public var isContentExact: Bool
  /// Whether all rows have been read.
  public var isComplete: Bool
  /// The storage format of the column's dates; nil if its values are not dates.
  public var dates: DateStorage?
  /// The collation that distinguishes its texts.
  package var collation = TextCollation.binary

  /// Creates a facet.
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
