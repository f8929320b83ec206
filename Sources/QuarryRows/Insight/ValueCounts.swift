internal import QuarryEngine

/// A request for the number of occurrences of each value of a column in the rows of a set.
///
///     SELECT kind, count(*) FROM main.events WHERE (amount > ?) GROUP BY kind
public struct CountRequest: Hashable, Sendable {
  /// The column.
  public var column: InsightColumn
  /// The rows; their order does not matter.
  public var set: RowSet
  /// Whether values are counted in ranges.
  public var binning: Binning
  /// The memory and disk space for counting; nil for a default that depends on the rows.
  package var room: SpillBudget?

  /// Creates a request.
  public init(_ column: InsightColumn, in set: RowSet, binning: Binning = .none) {
    self.column = column
    self.set = set
    self.binning = binning
  }
}

/// The number of occurrences of each value of a column in the rows read so far.
///
/// ```swift
/// let counts = try await source.counts(CountRequest(InsightColumn("kind"), in: RowSet(.table(events))))
/// counts.list(.mostFrequentFirst, 0..<3)  // view 834021, click 833122, error 832999
/// ```
///
/// A screenful of lines in any order takes little time and memory, regardless of the number of values.
public struct ValueCounts: Sendable {
  /// The number of counted rows.
  public var rows: Int
  /// The number of counted rows in which the column is NULL.
  public var nulls: Int
  /// The number of distinct values without NULL.
  public var distinct: Cardinality
  /// The number of lines of the list: values or ranges, including NULL.
  public var lines: Int
  /// The number of lines that are ranges, including empty ones; nil if each value is counted separately.
  public var ranges: Int?
  /// Whether all rows of the set have been counted.
  public var isComplete: Bool
  /// The progress of reading.
  public var progress: RowProgress
  /// The storage format of the column's dates; nil if its values are not dates.
  public var dates: DateStorage?
  /// The collation that distinguishes texts.
  package var collation = TextCollation.binary
  private let content: any CountedValues

  /// Creates counts from a source of their lines.
  init(
    rows: Int, nulls: Int, distinct: Cardinality, isComplete: Bool, progress: RowProgress, dates: DateStorage? = nil,
    _ content: any CountedValues
  ) {
    self.rows = rows
    self.nulls = nulls
    self.distinct = distinct
    self.isComplete = isComplete
    self.progress = progress
    self.dates = dates
    self.content = content
    lines = content.count
  }

  /// Creates counts of a few values.
  ///
  /// - Parameter values: The values in SQLite's order.
  public init(_ values: [ValueCount], isComplete: Bool = true, progress: RowProgress? = nil, dates: DateStorage? = nil) {
    let rows = values.reduce(0) { $0 + $1.count }
    let nulls = values.first { $0.value == .value(.null) }?.count ?? 0
    self.init(
      rows: rows, nulls: nulls, distinct: .exact(values.count - (nulls > 0 ? 1 : 0)), isComplete: isComplete,
      progress: progress ?? RowProgress(rows: rows, total: isComplete ? rows : nil), dates: dates, ListedCounts(values))
  }

  /// Returns some lines of the list in an order.
  ///
  /// - Parameter range: The positions of the lines, from 0; positions beyond the end are ignored.
  public func list(_ order: CountOrder, _ range: Range<Int>) -> [ValueCount] {
    content.list(order, range.clamped(to: 0..<lines))
  }
}

/// A list of counted values.
protocol CountedValues: Sendable {
  /// The number of lines.
  var count: Int { get }
  /// Returns the lines of a range, which must be within the list.
  func list(_ order: CountOrder, _ range: Range<Int>) -> [ValueCount]
}

/// A list of a few counts.
struct ListedCounts: CountedValues {
  /// The values in SQLite's order.
  private let values: [ValueCount]
  private let byCount: [ValueCount]

  init(_ values: [ValueCount]) {
    self.values = values
    // The sort is stable: values with the same count stay in order.
    byCount = values.sorted { $0.count > $1.count }
  }

  var count: Int { values.count }

  func list(_ order: CountOrder, _ range: Range<Int>) -> [ValueCount] {
    switch order {
    case .ascending: Array(values[range])
    case .descending: Array(values.reversed()[range])
    case .mostFrequentFirst: Array(byCount[range])
    case .leastFrequentFirst: Array(values.sorted { $0.count < $1.count }[range])
    }
  }
}
