package import QuarryEngine
internal import Synchronization

/// A visitor that collects the rows read by one thread, and hands its results over from time to time.
class InsightVisitor: RowVisitor {
  /// Whether enough rows have been collected that sorting them takes a while, so that ``settle()`` is called before the next part.
  var isLaden: Bool { false }

  /// Performs the expensive processing of the collected rows, so that it does not interrupt the reading of a part.
  func settle() throws {}

  /// Hands the results over when it is time to.
  @exclusivity(unchecked) fileprivate var look: () throws -> Void = {}
  @exclusivity(unchecked) private var untilLook = InsightVisitor.rowsBetweenLooks
  /// The number of visited rows.
  @exclusivity(unchecked) private(set) var visited = 0

  /// The number of rows between two checks of the clock.
  private static let rowsBetweenLooks = 512

  /// Records that a row has been visited.
  @inline(__always)
  final func passRow() throws {
    visited &+= 1
    untilLook &-= 1
    if untilLook == 0 {
      untilLook = Self.rowsBetweenLooks
      try look()
    }
  }
}

/// How often a scan reports.
struct ReportPace: Sendable {
  /// The time of the first report, and the minimum time between two reports.
  let first, interval: Duration
  /// The minimum time between two reports with new results, as a multiple of the time that building one takes.
  let rest: Int

  static let usual = ReportPace(first: .milliseconds(3), interval: .milliseconds(50), rest: 8)
  /// At every opportunity.
  static let always = ReportPace(first: .zero, interval: .zero, rest: 0)
}

/// The combined results of several threads.
protocol InsightResult: Sendable {
  associatedtype Visitor: InsightVisitor
  /// The results of one thread.
  associatedtype Found: Sendable
  /// The report of the combined results.
  associatedtype Report: Sendable

  /// Returns a visitor for the rows of one more thread.
  mutating func makeVisitor() -> Visitor
  /// Returns the results of a visitor, without blocking the other threads.
  ///
  /// - Parameter isLast: Whether the visitor has no more rows to visit.
  static func found(by visitor: Visitor, isLast: Bool) throws -> Found
  /// Adds the results of a visitor.
  mutating func take(_ found: Found)
  /// Returns a report of the combined results, which may be expensive.
  func report(_ progress: RowProgress) throws -> Report
  /// Returns an earlier report with the current progress.
  static func updated(_ report: Report, _ progress: RowProgress) -> Report
}

/// A scan that reads rows on several threads, range by range, and reports the growing results.
final class InsightScan<Result: InsightResult>: ParallelScan {
  let rows: InsightRows
  private let columns: [InsightColumn]
  private let calls: SQLText
  private let parts: RowParts?
  private let report: (@Sendable (Result.Report) -> Void)?
  private let pace: ReportPace
  private let start = ContinuousClock.now
  private let state: Mutex<State>
  let isLarge: Bool

  private struct State: Sendable {
    var result: Result
    var visited = 0
    var share = 0.0
    /// Whether another connection has written since the scan began.
    var sawChanges = false
    /// The time of the next report.
    var next: ContinuousClock.Instant
    /// The time of the next report with new results.
    ///
    /// The more expensive a report is, the less often it is built.
    var nextMade: ContinuousClock.Instant
    var last: Result.Report?
    var isReporting = false
    /// The column whose value could not be computed; nil if it is unknown.
    var failingColumn: String?
  }

  /// Creates a scan.
  ///
  /// - Parameters:
  ///   - columns: The columns to read.
  ///   - calls: The expressions after SELECT.
  ///   - isShared: Whether a second thread may take part.
  ///   - pace: How often results are reported.
  ///   - report: Called with the results so far; nil for no reports.
  init(
    _ rows: InsightRows, _ columns: [InsightColumn], _ calls: SQLText, into result: Result, isShared: Bool = true,
    pace: ReportPace = .usual, report: (@Sendable (Result.Report) -> Void)?
  ) {
    (self.rows, self.columns, self.calls, self.pace, self.report) = (rows, columns, calls, pace, report)
    parts = rows.makeParts()
    isLarge = isShared && rows.isLarge
    state = Mutex(State(result: result, next: start + pace.first, nextMade: start + pace.first))
  }

  func work(in database: Database) throws {
    let visitor = state.withLock { $0.result.makeVisitor() }
    var seen = 0
    if parts == nil || database.turns == nil {
      visitor.look = { [self, unowned visitor] in if isReportDue { try reportIfDue(visitor, &seen) } }
    }
    defer { visitor.look = {} }
    do {
      try visitAll(by: visitor, in: database) {
        guard visitor.isLaden || isReportDue else { return }
        try database.pauseReading {
          if visitor.isLaden { try visitor.settle() }
          try reportIfDue(visitor, &seen)
        }
      }
      try database.pauseReading(goesOn: false) { try handOver(visitor, &seen, isLast: true) }
    } catch {
      try? handOver(visitor, &seen, isLast: true)
      throw error
    }
  }

  /// Visits all rows.
  ///
  /// - Parameter after: Called after each part.
  private func visitAll(by visitor: Result.Visitor, in database: Database, after: () throws -> Void) throws {
    guard let parts else { return try database.runUndivided { try visit(nil, by: visitor, in: database) } }
    try parts.forEach(in: database, after: after) { part in
      try visit(part, by: visitor, in: database)
      state.withLock { $0.share = max($0.share, part.share) }
    }
  }

  /// Whether a report is due and no thread is building one.
  private var isReportDue: Bool { report != nil && state.withLock { ContinuousClock.now >= $0.next && !$0.isReporting } }

  /// Visits the rows of a part, or all rows; records the column that fails.
  private func visit(_ part: RowParts.Part?, by visitor: Result.Visitor, in database: Database) throws {
    let before = visitor.visited
    do {
      try rows.visit(calls, by: visitor, in: part, database)
    } catch let error as DatabaseError {
      let name = rows.failingColumn(of: columns, after: visitor.visited - before, in: part, error, database)
      state.withLock { $0.failingColumn = $0.failingColumn ?? name }
      throw error
    }
  }

  private func handOver(_ visitor: Result.Visitor, _ seen: inout Int, isLast: Bool) throws {
    let found = try Result.found(by: visitor, isLast: isLast)
    state.withLock { state in
      state.result.take(found)
      state.visited += visitor.visited - seen
    }
    seen = visitor.visited
  }

  /// Reports the results so far, unless another thread is doing so.
  private func reportIfDue(_ visitor: Result.Visitor, _ seen: inout Int) throws {
    guard let report else { return }
    let begin = ContinuousClock.now
    let isDue = state.withLock { state in
      guard begin >= state.next, !state.isReporting else { return false }
      state.isReporting = true
      return true
    }
    guard isDue else { return }
    defer { state.withLock { $0.isReporting = false } }
    let last = state.withLock { begin < $0.nextMade ? $0.last : nil }
    if let last {
      report(Result.updated(last, finish().progress))
      state.withLock { $0.next = ContinuousClock.now + pace.interval }
      return
    }
    try handOver(visitor, &seen, isLast: false)
    let found = finish()
    let made = try found.result.report(found.progress)
    report(made)
    let end = ContinuousClock.now
    state.withLock { state in
      state.last = made
      state.next = end + pace.interval
      state.nextMade = end + max(pace.interval, (end - begin) * pace.rest)
    }
  }

  private func progress(_ state: State) -> RowProgress {
    let rows = rows.total.map { parts == nil ? state.visited : Int(state.share * Double($0)) } ?? state.visited
    var progress = RowProgress(rows: rows, total: self.rows.total, elapsed: ContinuousClock.now - start)
    progress.sawChanges = state.sawChanges
    return progress
  }

  func stop() {
    parts?.stop()
  }

  func noteChange() {
    state.withLock { $0.sawChanges = true }
  }

  /// The number of visited rows.
  var visited: Int { state.withLock(\.visited) }

  /// The column whose value could not be computed; nil if it is unknown.
  var failingColumn: String? { state.withLock(\.failingColumn) }

  /// Returns the results so far with the progress.
  func finish() -> (result: Result, progress: RowProgress) {
    state.withLock { ($0.result, progress($0)) }
  }
}

extension ReadConnections {
  /// The number of attempts to read the rows from the beginning if another connection writes meanwhile.
  private static var mostTries: Int { 3 }

  /// Scans the rows of a set.
  ///
  /// - Parameters:
  ///   - begin: Creates the scan once it is known how the rows can be read.
  ///   - report: Called with the results before an error that ends the scan.
  func look<Result: InsightResult>(
    at set: RowSet, _ begin: @escaping @Sendable (Database) throws -> InsightScan<Result>,
    report: (@Sendable (Result.Report) -> Void)?
  ) async throws -> (result: Result, progress: RowProgress)? {
    let begun = Mutex<InsightScan<Result>?>(nil)
    let state = Mutex(DataState.unknown)
    do {
      let scan = try await readInParallel(set.databaseName, tries: Self.mostTries) { database in
        let scan = try begin(database)
        begun.withLock { $0 = scan }
        let current = try DataState(of: set.databaseName, in: database)
        state.withLock { $0 = current }
        return scan
      }
      guard let scan else { return nil }
      let found = scan.finish()
      if let table = scan.rows.dividedTable, !found.progress.sawChanges {
        try await check(table, hasReached: scan.visited, in: state.withLock(\.self))
      }
      return found
    } catch {
      guard !(error is CancellationError), let scan = begun.withLock(\.self) else { throw error }
      let found = scan.finish()
      if let report { report(try found.result.report(found.progress)) }
      throw (error as? DatabaseError)?.located(in: set, column: scan.failingColumn, after: scan.visited) ?? error
    }
  }
}

extension ReadConnections {
  /// Checks that a scan of a table has reached every row: see ``KeysetRows/checkReached(_:in:)``.
  ///
  /// - Parameter state: The state that the background connection read; any other state is not checked.
  func check(_ table: KeysetRows, hasReached count: Int, in state: DataState) async throws {
    try await background.read { [self] database in
      guard try DataState(of: table.reference.database, in: database) == state, knownCount(of: table.reference, in: state) != count else {
        return
      }
      do {
        try database.inSlices(.ofOneState, of: table.reference.database) { _ in try table.checkReached(count, in: database) }
      } catch is DataChanged {
        // The number of rows in that state is no longer known.
      }
    }
  }

  /// Returns the column whose value cannot be computed in the row after `count` rows: see ``FailingColumn/name(of:in:)``.
  package func failingColumn(of set: RowSet, after count: Int, _ error: DatabaseError) async throws -> String? {
    try await background.read { [self] database in
      let rows = try InsightRows(set, on: self, in: database)
      // A second column that cannot fail: a single column would be named even if the error is in another row.
      let columns = rows.columns.map { InsightColumn($0.name) } + [InsightColumn("none", expression: "NULL")]
      return rows.failingColumn(of: columns, after: count, in: nil, error, database)
    }
  }
}

extension DatabaseError {
  /// Returns an error that ended the reading of rows, with its place: `integer overflow, in column total of bad after 299 rows`.
  package func located(in set: RowSet, column: String? = nil, after rows: Int) -> DatabaseError {
    guard isOfRows else { return self }
    let source =
      switch set.source {
      case .table(let table): table.name
      case .query: "the query"
      case .returned: "the returned rows"
      }
    var error = self
    let place = rows == 0 ? "before the first row" : "after \(Plural.of(rows, "row"))"
    error.message += ", in \(column.map { "column \($0) of " } ?? "")\(source) \(place)"
    return error
  }
}

extension RowSet {
  /// The database whose state shows whether two connections read the same rows.
  var databaseName: String {
    if case .table(let table) = source { table.database } else { "main" }
  }
}
