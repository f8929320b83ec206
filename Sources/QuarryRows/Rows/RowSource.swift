public import QuarryEngine

/// Where the rows of a set come from: what a ``RowReader`` asks for pages, counts, searches and values.
///
/// The engine has a conformer for the tables, views and queries of a SQLite file. Anything else that has rows under keys can be read in the
/// same way:
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
/// A method that takes long ends with a `CancellationError` when its task is cancelled.
public protocol RowSource: Sendable {
  /// The columns in order.
  var columns: [RowSetColumn] { get }

  /// Whether the rows stay what they were when they were first read, whatever others write.
  var isSnapshot: Bool { get }

  /// Reads a run of rows.
  ///
  /// - Parameters:
  ///   - request: Which rows, and how many.
  ///   - progress: Is called while a page needs many rows to be passed.
  func page(_ request: PageRequest, progress: @escaping @Sendable (RowProgress) -> Void) async throws -> RowPage

  /// Counts the rows.
  ///
  /// - Parameter progress: Is called with growing numbers while rows are found one by one, and with how far the reading is.
  /// - Returns: An exact number, or what is known of it.
  func count(progress: @escaping @Sendable (RowNumber, RowProgress?) -> Void) async throws -> RowNumber

  /// Returns the number of a row, as far as it is known.
  func number(of key: RowKey) async throws -> RowNumber?

  /// Returns whether a row is one of the set.
  func contains(_ key: RowKey) async throws -> Bool

  /// Finds the next row that matches, once around; nil where there is none.
  ///
  /// - Parameters:
  ///   - search: What is looked for, and from where.
  ///   - progress: Is called now and then with how many rows have been passed.
  func find(_ search: RowSearch, progress: @escaping @Sendable (RowProgress) -> Void) async throws -> RowMatch?

  /// Reads the values of a row, each text or blob at most `limit` bytes of it; nil where the row is gone.
  func record(_ key: RowKey, limit: Int) async throws -> WindowRow?

  /// Reads one whole value; nil where the row or the column is gone.
  func value(_ key: RowKey, column: Int) async throws -> DatabaseValue?

  /// Reads whole rows from one key to another, both included, in order and of one state of the data.
  ///
  /// - Parameters:
  ///   - columns: The indices of the columns that are read, from 0.
  ///   - body: Is called row by row with the values of `columns`; what it throws ends the reading.
  func forEachRow(
    from first: RowKey, through last: RowKey, columns: [Int], _ body: @escaping @Sendable ([DatabaseValue]) throws -> Void
  ) async throws

  /// Reads the beginnings of some values of all rows, one row after the other.
  ///
  /// - Parameters:
  ///   - columns: The indices of the columns that are read, from 0.
  ///   - isOrdered: Whether the rows come in the set's order; otherwise they come as they are found, and are not sorted for it.
  ///   - body: Is called row by row with the values of `columns`, each text or blob at most ``CellValue/prefixLimit`` bytes of it; what it
  ///     throws ends the reading.
  func forEachRow(columns: [Int], isOrdered: Bool, _ body: @escaping @Sendable ([CellValue]) throws -> Void) async throws

  /// Writes rows in the set's order, whole and of one state of the data.
  ///
  /// - Parameters:
  ///   - columns: The indices of the columns that are written, from 0.
  ///   - range: The rows; nil for all.
  func write(_ columns: [Int], _ range: RowRange?, to output: RowOutput) async throws

  /// Returns some of the different values of a column of the set's source, whatever the set keeps of it.
  ///
  /// - Parameters:
  ///   - prefix: What the values begin with as texts, without regard to the case of ASCII letters.
  ///   - limit: The greatest number of values.
  func distinctValues(of column: String, prefix: String, limit: Int) async throws -> DistinctValues

  /// Returns how the rows are found: whether all of them are looked at, and whether they are sorted.
  func plan() async throws -> ReadPlan

  /// Waits until all is known, or given up, that the number of any row is told from.
  func numbersAreKnown() async

  /// Ends what the source does in the background by itself, such as the making of an order; it begins again when it is needed.
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

  /// Writes the rows from the first key to the last as values, in which a text that is not valid UTF-8 is a blob.
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

  /// Returns at once: for a source that does nothing by itself.
  public func numbersAreKnown() async {}

  /// Does nothing: for a source that does nothing by itself.
  public func cancelOrdering() {}
}
