public import QuarryEngine
internal import Synchronization

/// A reader of a row set of any size: pages at any position, counts, searches and whole values.
///
///     let connections = ReadConnections(foreground: try open(), background: try open())
///     let reader = RowReader(RowSet(.table(TableReference(name: "Track"))), on: connections)
///     let first = try await reader.page(PageRequest(.first, limit: 50))
///     let next = try await reader.page(PageRequest(.after(first.rows[49].key), limit: 50))
///
/// Tables are read by key, never from the beginning. Views and queries are read row by row, each row once, only as far as requested. For a
/// set with a filter or an order, the keys of all its rows are collected in the background; until they are complete, pages come from the
/// table. If another connection changes a table, the reader continues with the current rows. If its columns have changed, the reader
/// throws.
///
/// A reader uses one ``RowSource``. It tracks its running requests, so that they can be cancelled.
public final class RowReader: Sendable {
  /// The rows to read.
  public let rowSet: RowSet
  private let makeSource: @Sendable () async throws -> any RowSource
  /// A closure that lets the next source read a table without its key.
  private let forgetKey: @Sendable (TableReference) -> Void
  private let source = Mutex<(any RowSource)?>(nil)
  /// The columns that the source must have; nil for any.
  private let required = Mutex<[RowSetColumn]?>(nil)
  private let foregroundWork = TaskBag()
  private let backgroundWork = TaskBag()

  /// Creates a reader of a SQLite database.
  ///
  /// Nothing is read yet.
  ///
  /// - Parameters:
  ///   - rowSet: The rows.
  ///   - connections: The connections to the database, which readers may share. Rows returned by a statement are read separately.
  public init(_ rowSet: RowSet, on connections: ReadConnections) {
    self.rowSet = rowSet
    let connections = if case .returned(let rows) = rowSet.source { rows.connections } else { connections }
    makeSource = { try await connections.rowSource(of: rowSet) }
    forgetKey = { connections.forgetKey(of: $0) }
  }

  /// Creates a reader of any source.
  ///
  /// - Parameters:
  ///   - rowSet: The rows, as the source interprets them.
  ///   - source: The source of the rows.
  public init(_ rowSet: RowSet, from source: some RowSource) {
    self.rowSet = rowSet
    makeSource = { source }
    forgetKey = { _ in }
  }

  /// Creates a reader whose source is created by its first request.
  package init(_ rowSet: RowSet, finding makeSource: @escaping @Sendable () async throws -> any RowSource) {
    self.rowSet = rowSet
    self.makeSource = makeSource
    forgetKey = { _ in }
  }

  deinit {
    foregroundWork.cancel()
    backgroundWork.cancel()
    cancelOrdering()
  }

  /// Sends a request to the source, which the first request creates.
  ///
  /// - Parameter columns: The indices of the columns in the request.
  private func ask<Answer: Sendable>(
    in tasks: TaskBag, columns: [Int] = [], _ question: @escaping @Sendable (any RowSource) async throws -> Answer
  ) async throws -> Answer {
    try await tasks.run { [self] in
      do {
        return try await question(madeSource(columns))
      } catch let error as UnreadableKey {
        forgetKey(error.table)
        source.withLock { $0 = nil }
        // A request about a row by its key can no longer be answered.
        do { return try await question(madeSource(columns)) } catch is DatabaseError { throw DatabaseError.outdated(rowSet) }
      }
    }
  }

  private func madeSource(_ columns: [Int] = []) async throws -> any RowSource {
    let source = try await madeSource()
    guard columns.allSatisfy(source.columns.indices.contains) else { throw DatabaseError.outdated(rowSet) }
    return source
  }

  /// Makes every request throw `SQLITE_SCHEMA` if the source has other columns than these, so that rows never appear under wrong headings.
  ///
  /// - Parameter columns: The result of ``columns()`` of a reader of the same rows.
  public func requireColumns(_ columns: [RowSetColumn]) {
    required.withLock { $0 = columns }
  }

  /// Throws if a row does not have exactly one cell for each column.
  private func checked(_ rows: [WindowRow], of source: any RowSource) throws {
    let count = source.columns.count
    guard rows.allSatisfy({ $0.cells.count == count }) else { throw DatabaseError.outdated(rowSet) }
  }

  private func madeSource() async throws -> any RowSource {
    if let made = source.withLock(\.self) { return made }
    let made = try await makeSource()
    if let required = required.withLock(\.self), required != made.columns { throw DatabaseError.outdated(rowSet) }
    return source.withLock { source in
      // Another request may have created it meanwhile.
      let first = source ?? made
      source = first
      return first
    }
  }
}

// MARK: - Visible rows

extension RowReader {
  /// Returns the columns in order, including generated columns but not the hidden columns of virtual tables.
  ///
  /// - Throws: `DatabaseError`
  public func columns() async throws -> [RowSetColumn] {
    try await ask(in: foregroundWork) { $0.columns }
  }

  /// Returns whether the rows stay as they were first read, such as the rows of views and queries.
  ///
  /// A new reader is needed to see external changes.
  ///
  /// - Throws: `DatabaseError`
  public func isSnapshot() async throws -> Bool {
    try await ask(in: foregroundWork) { $0.isSnapshot }
  }

  /// Reads a run of rows.
  ///
  /// A whole page can take long if few rows match the filter, or if the page is far from the beginning: see ``PageRequest/patience``.
  ///
  /// - Parameters:
  ///   - request: The position and the number of the rows.
  ///   - progress: Called with the progress while the preceding rows, or all rows of the set, are read for a page.
  /// - Throws: `DatabaseError`: `SQLITE_ERROR` if the table no longer exists, `SQLITE_SCHEMA` if its columns or keys have changed since the
  ///   reader was created.
  public func page(_ request: PageRequest, progress: @escaping @Sendable (RowProgress) -> Void = { _ in }) async throws -> RowPage {
    let request = PageRequest(request.position, limit: min(max(1, request.limit), Self.pageLimit), patience: request.patience)
    return try await ask(in: foregroundWork) { [self] source in
      let page = try await source.page(request, progress: progress)
      try checked(page.rows, of: source)
      return page
    }
  }

  /// The maximum number of rows of a page.
  private static let pageLimit = 10_000

  /// Returns the number of a row, exact or estimated; nil if it is unknown.
  ///
  /// - Throws: `DatabaseError`
  public func number(of key: RowKey) async throws -> RowNumber? {
    try await ask(in: foregroundWork) { try await $0.number(of: key) }
  }

  /// Returns whether the set contains a row; always false for views and queries, whose positions may hold different rows each time.
  ///
  /// - Throws: `DatabaseError`
  public func contains(_ key: RowKey) async throws -> Bool {
    try await ask(in: foregroundWork) { try await $0.contains(key) }
  }

  /// Reads the values of a row, at most `limit` bytes of each text or blob, with its full size; nil if the row no longer exists.
  ///
  /// - Throws: `DatabaseError`
  public func record(_ key: RowKey, limit: Int) async throws -> WindowRow? {
    try await ask(in: foregroundWork) { [self] source in
      let row = try await source.record(key, limit: limit)
      try checked(row.map { [$0] } ?? [], of: source)
      return row
    }
  }

  /// Reads one whole value; nil if the row or the column no longer exists.
  ///
  /// - Throws: `DatabaseError`
  public func value(_ key: RowKey, column: Int) async throws -> DatabaseValue? {
    try await ask(in: foregroundWork) { try await $0.value(key, column: column) }
  }

  /// Returns how SQLite will read the rows, which shows the cost of a scan or a sort before it starts.
  ///
  /// - Throws: `DatabaseError` if the set cannot be read.
  public func plan() async throws -> ReadPlan {
    try await ask(in: foregroundWork) { try await $0.plan() }
  }

  /// Cancels the work of this reader on the foreground connection, such as reading a page of a slow view.
  public func cancelForegroundWork() {
    foregroundWork.cancel()
  }
}

// MARK: - Long-running work

extension RowReader {
  /// Counts the rows.
  ///
  ///     SELECT count(*) FROM main.Track
  ///
  /// The background connection counts a table only once per state of the file. It then records the position of every thousandth row, so
  /// that rows can be found by number. For a set with a filter or an order, it collects the keys of all rows, and the count grows with
  /// them. The count of a view or query is the number of rows read so far.
  ///
  /// - Parameter progress: Called with growing numbers while rows are counted one by one, and from time to time with the progress.
  /// - Returns: An exact number, or the number known when counting was cancelled.
  /// - Throws: `DatabaseError`
  public func count(progress: @escaping @Sendable (RowNumber, RowProgress?) -> Void = { _, _ in }) async throws -> RowNumber {
    do {
      return try await ask(in: backgroundWork) { try await $0.count(progress: progress) }
    } catch is CancellationError {
      return .atLeast(0)
    }
  }

  /// Finds the next row after (or before) a key in which one of the columns matches, and wraps around once; nil if no row matches.
  ///
  /// A text is searched for as with LIKE, ignoring the case of ASCII letters, in texts and in the text form of numbers. A value matches
  /// equal values of the same storage class.
  ///
  /// - Parameters:
  ///   - needle: The text or value to search for.
  ///   - columns: The indices of the columns to search, from 0.
  ///   - key: The row to continue from; nil to begin at the end of the rows.
  ///   - backwards: Whether to search the preceding rows, nearest first.
  ///   - progress: Called from time to time with the number of rows read.
  /// - Throws: `DatabaseError`
  public func find(
    _ needle: Needle, columns: [Int], from key: RowKey?, backwards: Bool,
    progress: @escaping @Sendable (RowProgress) -> Void = { _ in }
  ) async throws -> RowMatch? {
    try await ask(in: backgroundWork) { source in
      let search = RowSearch(
        needle: needle, columns: columns.filter(source.columns.indices.contains), start: key, backwards: backwards)
      return try await source.find(search, progress: progress)
    }
  }

  /// Reads whole rows from one key to another, both included, in the set's order and in one state of the database.
  ///
  /// - Parameters:
  ///   - first: The first row.
  ///   - last: The last row, which is included.
  ///   - columns: The indices of the columns to read, from 0.
  ///   - body: Called for each row on the reader's thread, with the values of `columns`.
  /// - Throws: `DatabaseError`, and any error of `body`, which ends the reading.
  public func forEachRow(
    from first: RowKey, through last: RowKey, columns: [Int], _ body: @escaping @Sendable ([DatabaseValue]) throws -> Void
  ) async throws {
    try await ask(in: backgroundWork, columns: columns) { try await $0.forEachRow(from: first, through: last, columns: columns, body) }
  }

  /// Reads the beginnings of some values of all rows, one row at a time; the rows are never all in memory.
  ///
  ///     SELECT Composer, Milliseconds FROM main.Track WHERE (Milliseconds > ?)
  ///
  /// The rows of a table are read in one state of the database. The unread rows of a view or a query are read first; if that fails, the
  /// rows before the failure are still passed to `body`.
  ///
  /// - Parameters:
  ///   - columns: The indices of the columns to read, from 0.
  ///   - isOrdered: Whether to read the rows in the set's order; otherwise they are not sorted.
  ///   - body: Called for each row on the reader's thread with the values of `columns`, at most ``CellValue/prefixLimit`` bytes of each
  ///     text or blob.
  /// - Throws: `DatabaseError`, and any error of `body`, which ends the reading.
  public func forEachRow(
    columns: [Int], isOrdered: Bool, _ body: @escaping @Sendable ([CellValue]) throws -> Void
  ) async throws {
    try await ask(in: backgroundWork, columns: columns) { try await $0.forEachRow(columns: columns, isOrdered: isOrdered, body) }
  }

  /// Writes rows in the set's order: see ``RowSource/write(_:_:to:)``.
  ///
  /// Only cancelling the caller's task ends it, because the file is needed even if other rows are shown meanwhile.
  package func write(_ columns: [Int], _ range: RowRange?, to output: RowOutput) async throws {
    try await madeSource(columns).write(columns, range, to: output)
  }

  /// Returns some distinct values of a column of the set's source, without regard to the set's filter, for completion in a filter.
  ///
  ///     SELECT kind FROM main.events WHERE kind > 'click' ORDER BY kind LIMIT 1    -- by an index, value after value
  ///     SELECT DISTINCT kind FROM (SELECT kind FROM main.events LIMIT 10000) …    -- without one, among some rows
  ///
  /// - Parameters:
  ///   - column: The column's name.
  ///   - prefix: The beginning of the values as texts, ignoring the case of ASCII letters.
  ///   - limit: The maximum number of values.
  /// - Throws: `DatabaseError`, for example if the column does not exist; `CancellationError`.
  public func distinctValues(of column: String, prefix: String = "", limit: Int = 100) async throws -> DistinctValues {
    try await ask(in: backgroundWork) { try await $0.distinctValues(of: column, prefix: prefix, limit: limit) }
  }

  /// Waits until every row number is known, or until counting has been cancelled.
  public func numbersAreKnown() async {
    await source.withLock(\.self)?.numbersAreKnown()
  }

  /// Cancels sorting and the recording of positions by number; they start again when needed.
  public func cancelOrdering() {
    source.withLock(\.self)?.cancelOrdering()
  }

  /// Cancels the work of this reader on the background connection: a count, a search, collecting the keys of a set.
  public func cancelBackgroundWork() {
    cancelOrdering()
    backgroundWork.cancel()
  }
}

extension DatabaseError {
  /// Returns the error of a set whose columns or keys have changed since it was opened.
  static func outdated(_ rowSet: RowSet) -> DatabaseError {
    let name = if case .table(let table) = rowSet.source { table.name } else { "the query" }
    return DatabaseError(SQLITE_SCHEMA, "\(name) has been changed since it was opened: open it again")
  }
}

/// The running requests of a reader on one connection, so that they can be cancelled together.
private final class TaskBag: Sendable {
  private let running = Mutex(Running())

  private struct Running {
    var last = 0
    var cancellations: [Int: @Sendable () -> Void] = [:]
  }

  /// Runs `body` in its own task, which is cancelled with the caller's task or by `cancel`.
  func run<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws -> Result {
    let task = Task(executorPreference: TaskThreads.shared) { try await body() }
    let number = running.withLock { running in
      running.last += 1
      running.cancellations[running.last] = { task.cancel() }
      return running.last
    }
    defer { running.withLock { _ = $0.cancellations.removeValue(forKey: number) } }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Cancels all running tasks.
  func cancel() {
    for cancel in running.withLock({ Array($0.cancellations.values) }) {
      cancel()
    }
  }
}
