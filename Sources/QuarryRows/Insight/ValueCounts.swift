internal import QuarryEngine

/// Asks how often each value of a column occurs in the rows of a set.
///
///     SELECT kind, count(*) FROM main.events WHERE (amount > ?) GROUP BY kind
public struct CountRequest: Hashable, Sendable {
  /// The column.
  public var column: InsightColumn
  /// The rows; their order does not matter.
  public var set: RowSet
  /// Whether values are counted in ranges.
  public var binning: Binning
  /// How much room is taken for what is counted; nil for what the rows are worth.
  package var room: SpillBudget?

  /// Makes a request.
  public init(_ column: InsightColumn, in set: RowSet, binning: Binning = .none) {
    self.column = column
    self.set = set
    self.binning = binning
  }
}

/// How often each value of a column was found in the rows that have been read.
///
/// ```swift
/// let counts = try await source.counts(CountRequest(InsightColumn("kind"), in: RowSet(.table(events))))
/// counts.list(.mostFrequentFirst, 0..<3)  // view 834021, click 833122, error 832999
/// ```
///
/// However many values there are, a screenful of them in any order takes little time and memory.
public struct ValueCounts: Sendable {
  /// The number of rows that are counted here.
  public var rows: Int
  /// The number of those in which the column is NULL.
  public var nulls: Int
  /// The number of different values, NULL not among them.
  public var distinct: Cardinality
  /// The number of lines of the list: values or ranges, NULL among them.
  public var lines: Int
  /// The number of lines that are ranges, empty ones too; nil where each value is counted by itself.
  public var ranges: Int?
  /// Whether all rows of the set are counted.
  public var isComplete: Bool
  /// How far the reading is.
  public var progress: RowProgress
  /// How dates are stored in the column; nil where its values are none.
  public var dates: DateStorage?
  /// How texts are told apart.
  package var collation = TextCollation.binary
  private let content: any CountedValues

  /// Makes counts of what lists their lines.
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

  /// Makes counts of a few values.
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
  /// - Parameter range: The places of the lines, from 0; those beyond the end are left out.
  public func list(_ order: CountOrder, _ range: Range<Int>) -> [ValueCount] {
    content.list(order, range.clamped(to: 0..<lines))
  }
}

/// What lists counted values.
protocol CountedValues: Sendable {
  /// The number of lines.
  var count: Int { get }
  /// Returns the lines of a range, which is within the list.
  func list(_ order: CountOrder, _ range: Range<Int>) -> [ValueCount]
}

/// A list of a few counts.
struct ListedCounts: CountedValues {
  /// In SQLite's order of values.
  private let values: [ValueCount]
  private let byCount: [ValueCount]

  init(_ values: [ValueCount]) {
    self.values = values
    // The sort is stable: values of one count stay in their order.
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
