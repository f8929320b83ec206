public import QuarryEngine

/// A source of the rows of a set, from which a ``RowReader`` requests pages, counts, searches and values.
///
/// The engine provides a source for the tables, views and queries of a SQLite file. Any other rows with keys can be read in the same way:
///
/// ```swift
/// struct Names: RowSource {
///   let names: [String]
///   func value(_ key: RowKey, column: Int) async throws -> DatabaseValue? { … }
///   …
/// }
/// let reader = RowReader(RowSet(.table(TableReference(name: "names"))), from: Names(names: ["Ada", "Grace"]))
/// ```
///
/// A long-running method throws `CancellationError` when its task is cancelled.
public protocol RowSource: Sendable {
  /// The columns in order.
  var columns: [RowSetColumn] { get }

  /// Whether the rows stay as they were first read, regardless of external changes.
  var isSnapshot: Bool { get }

  /// Reads a run of rows.
  ///
  /// - Parameters:
  ///   - request: The position and the number of the rows.
  ///   - progress: Called while many rows are read for a page.
  func page(_ request: PageRequest, progress: @escaping @Sendable (RowProgress) -> Void) async throws -> RowPage

  /// Counts the rows.
  ///
  /// - Parameter progress: Called with growing numbers while rows are counted one by one, and with the progress.
  /// - Returns: An exact number, or the number known so far.
  func count(progress: @escaping @Sendable (RowNumber, RowProgress?) -> Void) async throws -> RowNumber

  /// Returns the number of a row, exact or estimated; nil if it is unknown.
  func number(of key: RowKey) async throws -> RowNumber?

  /// Returns whether the set contains a row.
  func contains(_ key: RowKey) async throws -> Bool

  /// Finds the next row that matches, wrapping around once; nil if no row matches.
  ///
  /// - Parameters:
  ///   - search: The search and its starting position.
  ///   - progress: Called from time to time with the number of rows read.
  func find(_ search: RowSearch, progress: @escaping @Sendable (RowProgress) -> Void) async throws -> RowMatch?

  /// Reads the values of a row, at most `limit` bytes of each text or blob; nil if the row no longer exists.
  func record(_ key: RowKey, limit: Int) async throws -> WindowRow?

  /// Reads one whole value; nil if the row or the column no longer exists.
  func value(_ key: RowKey, column: Int) async throws -> DatabaseValue?

  /// Reads whole rows from one key to another, both included, in order and in one state of the data.
  ///
  /// - Parameters:
  ///   - columns: The indices of the columns to read, from 0.
  ///   - body: Called for each row with the values of `columns`; its errors end the reading.
  func forEachRow(
    from first: RowKey, through last: RowKey, columns: [Int], _ body: @escaping @Sendable ([DatabaseValue]) throws -> Void
  ) async throws

  /// Reads the beginnings of some values of all rows, one row after the other.
  ///
  /// - Parameters:
  ///   - columns: The indices of the columns to read, from 0.
  ///   - isOrdered: Whether to read the rows in the set's order; otherwise they are not sorted.
  ///   - body: Called for each row with the values of `columns`, at most ``CellValue/prefixLimit`` bytes of each text or blob; its errors
  ///     end the reading.
  func forEachRow(columns: [Int], isOrdered: Bool, _ body: @escaping @Sendable ([CellValue]) throws -> Void) async throws

  /// Writes whole rows in the set's order and in one state of the data.
  ///
  /// - Parameters:
  ///   - columns: The indices of the columns to write, from 0.
  ///   - range: The rows; nil for all.
  func write(_ columns: [Int], _ range: RowRange?, to output: RowOutput) async throws

  /// Returns some distinct values of a column of the set's source, without regard to the set's filter.
  ///
  /// - Parameters:
  ///   - prefix: The beginning of the values as texts, ignoring the case of ASCII letters.
  ///   - limit: The maximum number of values.
  func distinctValues(of column: String, prefix: String, limit: Int) async throws -> DistinctValues

  /// Returns how the rows are found: whether all of them are scanned, and whether they are sorted.
  func plan() async throws -> ReadPlan

  /// Waits until every row number is known, or until counting has been cancelled.
  func numbersAreKnown() async

  /// Cancels the source's own background work, such as sorting, which starts again when needed.
  func cancelOrdering()
}

extension RowSource {
  /// Reads the rows page by page.
  public func forEachRow(columns: [Int], isOrdered: Bool, _ body: @escaping @Sendable ([CellValue]) throws -> Void) async throws {
    var position = PageRequest.Position.first
    while true {
      let page = try await page(PageRequest(position, limit: 1000)) { _ in }
      for row in page.rows { try body(columns.map { row.cells[$0] }) }
      guard !page.reachesEnd, let last = page.rows.last?.key else { return }
      position = .after(last)
      try Task.checkCancellation()
    }
  }

  /// Writes the rows from the first key to the last as values; a text that is not valid UTF-8 is written as a blob.
  public func write(_ columns: [Int], _ range: RowRange?, to output: RowOutput) async throws {
    var range = range
    if range == nil {
      let first = try await page(PageRequest(.first, limit: 1)) { _ in }.rows.first
      let last = try await page(PageRequest(.last, limit: 1)) { _ in }.rows.last
      guard let first, let last else { return }
      range = RowRange(from: first.key, through: last.key)
    }
    guard let range else { return }
    try await forEachRow(from: range.first, through: range.last, columns: columns) { try output.write($0) }
  }

  /// Returns immediately, for a source without background work.
  public func numbersAreKnown() async {}

  /// Does nothing, for a source without background work.
  public func cancelOrdering() {}
}
