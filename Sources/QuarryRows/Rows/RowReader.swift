public import QuarryEngine
internal import Synchronization

/// Reads a row set of any size: pages from any place, counts, searches, whole values.
///
///     let connections = ReadConnections(foreground: try open(), background: try open())
///     let reader = RowReader(RowSet(.table(TableReference(name: "Track"))), on: connections)
///     let first = try await reader.page(PageRequest(.first, limit: 50))
///     let next = try await reader.page(PageRequest(.after(first.rows[49].key), limit: 50))
///
/// Tables are read by key, never from the beginning; views and queries row by row as far as they are asked for, each row once. Where a
/// set has a filter or an order, the keys of all its rows are found in the background, and pages come from the table until they are there.
/// When a table has been changed by someone else the reader goes on with what is there now; when its columns have changed it throws.
///
/// A reader asks one ``RowSource``, and knows which of its questions are under way, so that they can be ended.
public final class RowReader: Sendable {
  /// The rows that are read.
  public let rowSet: RowSet
  private let makeSource: @Sendable () async throws -> any RowSource
  /// Lets the source that is made next read a table without its key.
  private let forgetKey: @Sendable (TableReference) -> Void
  private let source = Mutex<(any RowSource)?>(nil)
  /// The columns that the source must have; nil for any.
  private let required = Mutex<[RowSetColumn]?>(nil)
  private let foregroundWork = TaskBag()
  private let backgroundWork = TaskBag()

  /// Makes a reader of a SQLite database, which reads nothing yet.
  ///
  /// - Parameters:
  ///   - rowSet: The rows.
  ///   - connections: Those of the database, which other readers may share; rows that a statement has returned are read on their own.
  public init(_ rowSet: RowSet, on connections: ReadConnections) {
    self.rowSet = rowSet
    let connections = if case .returned(let rows) = rowSet.source { rows.connections } else { connections }
    makeSource = { try await connections.rowSource(of: rowSet) }
    forgetKey = { connections.forgetKey(of: $0) }
  }

  /// Makes a reader of any source.
  ///
  /// - Parameters:
  ///   - rowSet: The rows, as the source understands them.
  ///   - source: Where they come from.
  public init(_ rowSet: RowSet, from source: some RowSource) {
    self.rowSet = rowSet
    makeSource = { source }
    forgetKey = { _ in }
  }

  /// Makes a reader of a source that is found when it is first asked.
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

  /// Asks the source, which is found when it is first asked.
  ///
  /// - Parameter columns: The indices of the columns that the question names.
  private func ask<Answer: Sendable>(
    in tasks: TaskBag, columns: [Int] = [], _ question: @escaping @Sendable (any RowSource) async throws -> Answer
  ) async throws -> Answer {
    try await tasks.run { [self] in
      do {
        return try await question(madeSource(columns))
      } catch let error as UnreadableKey {
        forgetKey(error.table)
        source.withLock { $0 = nil }
        // A question about a row by its key has no answer any more.
        do { return try await question(madeSource(columns)) } catch is DatabaseError { throw DatabaseError.outdated(rowSet) }
      }
    }
  }

  private func madeSource(_ columns: [Int] = []) async throws -> any RowSource {
    let source = try await madeSource()
    guard columns.allSatisfy(source.columns.indices.contains) else { throw DatabaseError.outdated(rowSet) }
    return source
  }

  /// Makes every question throw `SQLITE_SCHEMA` where the source has other columns than these: rows never appear under the headings of
  /// other columns.
  ///
  /// - Parameter columns: What ``columns()`` of a reader of the same rows has returned.
  public func requireColumns(_ columns: [RowSetColumn]) {
    required.withLock { $0 = columns }
  }

  /// Refuses rows that have not one cell for each column.
  private func checked(_ rows: [WindowRow], of source: any RowSource) throws {
    let count = source.columns.count
    guard rows.allSatisfy({ $0.cells.count == count }) else { throw DatabaseError.outdated(rowSet) }
  }

  private func madeSource() async throws -> any RowSource {
    if let made = source.withLock(\.self) { return made }
    let made = try await makeSource()
    if let required = required.withLock(\.self), required != made.columns { throw DatabaseError.outdated(rowSet) }
    return source.withLock { source in
      // Another request may have found it meanwhile.
      let first = source ?? made
      source = first
      return first
    }
  }
}

// MARK: - What is on the screen

extension RowReader {
  /// Returns the columns in order; hidden columns of virtual tables are left out, generated ones are there.
  ///
  /// - Throws: `DatabaseError`
  public func columns() async throws -> [RowSetColumn] {
    try await ask(in: foregroundWork) { $0.columns }
  }

  /// Returns whether the rows are those that the source gave when they were first read, as those of views and queries are: to see what
  /// others have written since takes a new reader.
  ///
  /// - Throws: `DatabaseError`
  public func isSnapshot() async throws -> Bool {
    try await ask(in: foregroundWork) { $0.isSnapshot }
  }

  /// Reads a run of rows.
  ///
  /// Where rows are rare that the set keeps, or the page lies far on, finding a whole page takes time: see ``PageRequest/patience``.
  ///
  /// - Parameters:
  ///   - request: Which rows, and how many.
  ///   - progress: Is called with how far the passing of rows is, while a page needs all those before it, or all of the set.
  /// - Throws: `DatabaseError`: `SQLITE_ERROR` where the table is gone, `SQLITE_SCHEMA` where its columns or keys have changed since the
  ///   reader was made.
  public func page(_ request: PageRequest, progress: @escaping @Sendable (RowProgress) -> Void = { _ in }) async throws -> RowPage {
    let request = PageRequest(request.position, limit: min(max(1, request.limit), Self.pageLimit), patience: request.patience)
    return try await ask(in: foregroundWork) { [self] source in
      let page = try await source.page(request, progress: progress)
      try checked(page.rows, of: source)
      return page
    }
  }

  /// The greatest number of rows of a page.
  private static let pageLimit = 10_000

  /// Returns the number of a row, as far as it is known.
  ///
  /// - Throws: `DatabaseError`
  public func number(of key: RowKey) async throws -> RowNumber? {
    try await ask(in: foregroundWork) { try await $0.number(of: key) }
  }

  /// Returns whether a row is one of the set; of views and queries none is, since what stands at a position may be another row each time.
  ///
  /// - Throws: `DatabaseError`
  public func contains(_ key: RowKey) async throws -> Bool {
    try await ask(in: foregroundWork) { try await $0.contains(key) }
  }

  /// Reads the values of a row, each text or blob at most `limit` bytes of it, with its true size; nil where the row is gone.
  ///
  /// - Throws: `DatabaseError`
  public func record(_ key: RowKey, limit: Int) async throws -> WindowRow? {
    try await ask(in: foregroundWork) { [self] source in
      let row = try await source.record(key, limit: limit)
      try checked(row.map { [$0] } ?? [], of: source)
      return row
    }
  }

  /// Reads one whole value; nil where the row or the column is gone.
  ///
  /// - Throws: `DatabaseError`
  public func value(_ key: RowKey, column: Int) async throws -> DatabaseValue? {
    try await ask(in: foregroundWork) { try await $0.value(key, column: column) }
  }

  /// Returns how SQLite will read the rows: what a scan or a sort costs is worth knowing before it is waited for.
  ///
  /// - Throws: `DatabaseError` where the set cannot be read.
  public func plan() async throws -> ReadPlan {
    try await ask(in: foregroundWork) { try await $0.plan() }
  }

  /// Ends what runs on the foreground connection for this reader, such as a page of a slow view.
  public func cancelForegroundWork() {
    foregroundWork.cancel()
  }
}

// MARK: - What takes long

extension RowReader {
  /// Counts the rows.
  ///
  ///     SELECT count(*) FROM main.Track
  ///
  /// A table is counted on the background connection, once for each state of the file; after that the places of every thousandth row
  /// are noted there, so that rows can be found by their number. Where a set keeps only some rows, or orders them, the keys of all its rows
  /// are found there, and the count grows with them. Of a view or query the rows read so far are the count.
  ///
  /// - Parameter progress: Is called with growing numbers while rows are found one by one, from time to time with how far the reading is.
  /// - Returns: An exact number, or what is known when it was cancelled.
  /// - Throws: `DatabaseError`
  public func count(progress: @escaping @Sendable (RowNumber, RowProgress?) -> Void = { _, _ in }) async throws -> RowNumber {
    do {
      return try await ask(in: backgroundWork) { try await $0.count(progress: progress) }
    } catch is CancellationError {
      return .atLeast(0)
    }
  }

  /// Finds the next row after (or before) a key in which some of the columns match, once around; nil where there is none.
  ///
  /// A text is looked for as LIKE does, with the case of ASCII letters ignored, in texts and in numbers as they are written; a value
  /// matches what is the same in the same storage class.
  ///
  /// - Parameters:
  ///   - needle: What is looked for.
  ///   - columns: The indices of the columns that are looked at, from 0.
  ///   - key: The row to go on from; nil to begin at the end of the rows.
  ///   - backwards: Whether rows before are looked through, from the nearest on.
  ///   - progress: Is called now and then with how many rows have been passed.
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

  /// Reads whole rows from one key to another, both included, in the set's order, all of one state of the database.
  ///
  /// - Parameters:
  ///   - first: The first row.
  ///   - last: The last row, which is read too.
  ///   - columns: The indices of the columns that are read, from 0.
  ///   - body: Is called row by row on the reader's thread, with the values of `columns`.
  /// - Throws: `DatabaseError`, and what `body` throws, which ends the reading.
  public func forEachRow(
    from first: RowKey, through last: RowKey, columns: [Int], _ body: @escaping @Sendable ([DatabaseValue]) throws -> Void
  ) async throws {
    try await ask(in: backgroundWork, columns: columns) { try await $0.forEachRow(from: first, through: last, columns: columns, body) }
  }

  /// Reads the beginnings of some values of all rows, one row after the other; never are all rows in memory.
  ///
  ///     SELECT Composer, Milliseconds FROM main.Track WHERE (Milliseconds > ?)
  ///
  /// Rows of a table are of one state of the database. Those of a view or a query are taken as far as they have not been yet; where that
  /// fails, the rows before the failure come first.
  ///
  /// - Parameters:
  ///   - columns: The indices of the columns that are read, from 0.
  ///   - isOrdered: Whether the rows come in the set's order; otherwise they come as they are found, and are not sorted for it.
  ///   - body: Is called row by row on the reader's thread with the values of `columns`, each text or blob at most
  ///     ``CellValue/prefixLimit`` bytes of it.
  /// - Throws: `DatabaseError`, and what `body` throws, which ends the reading.
  public func forEachRow(
    columns: [Int], isOrdered: Bool, _ body: @escaping @Sendable ([CellValue]) throws -> Void
  ) async throws {
    try await ask(in: backgroundWork, columns: columns) { try await $0.forEachRow(columns: columns, isOrdered: isOrdered, body) }
  }

  /// Writes rows in the set's order: see ``RowSource/write(_:_:to:)``.
  ///
  /// Only the end of its own task ends it: a file is wanted, whatever is looked at meanwhile.
  package func write(_ columns: [Int], _ range: RowRange?, to output: RowOutput) async throws {
    try await madeSource(columns).write(columns, range, to: output)
  }

  /// Returns some of the different values of a column of the set's source, whatever the set keeps of it, to be offered in a filter.
  ///
  ///     SELECT kind FROM main.events WHERE kind > 'click' ORDER BY kind LIMIT 1    -- by an index, value after value
  ///     SELECT DISTINCT kind FROM (SELECT kind FROM main.events LIMIT 10000) …    -- without one, among some rows
  ///
  /// - Parameters:
  ///   - column: The column's name.
  ///   - prefix: What the values begin with as texts, without regard to the case of ASCII letters.
  ///   - limit: The greatest number of values.
  /// - Throws: `DatabaseError`, as where there is no such column; `CancellationError`.
  public func distinctValues(of column: String, prefix: String = "", limit: Int = 100) async throws -> DistinctValues {
    try await ask(in: backgroundWork) { try await $0.distinctValues(of: column, prefix: prefix, limit: limit) }
  }

  /// Waits until all is known, or given up, that the number of any row is told from.
  public func numbersAreKnown() async {
    await source.withLock(\.self)?.numbersAreKnown()
  }

  /// Ends the making of an order, or of what rows are found by their number with; it begins again when it is needed.
  public func cancelOrdering() {
    source.withLock(\.self)?.cancelOrdering()
  }

  /// Ends what runs on the background connection for this reader: a count, a search, the finding of all rows of a set.
  public func cancelBackgroundWork() {
    cancelOrdering()
    backgroundWork.cancel()
  }
}

extension DatabaseError {
  /// Returns the error of a set whose columns or keys are others than when it was opened.
  static func outdated(_ rowSet: RowSet) -> DatabaseError {
    let name = if case .table(let table) = rowSet.source { table.name } else { "the query" }
    return DatabaseError(SQLITE_SCHEMA, "\(name) has been changed since it was opened: open it again")
  }
}

/// What a reader has under way on one connection, so that all of it, and nothing else, can be ended at once.
private final class TaskBag: Sendable {
  private let running = Mutex(Running())

  private struct Running {
    var last = 0
    var cancellations: [Int: @Sendable () -> Void] = [:]
  }

  /// Runs `body` in a task of its own, which ends with the caller's task or when `cancel` is called.
  func run<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws -> Result {
    let task = Task { try await body() }
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

  /// Cancels all tasks that are under way.
  func cancel() {
    for cancel in running.withLock({ Array($0.cancellations.values) }) {
      cancel()
    }
  }
}
