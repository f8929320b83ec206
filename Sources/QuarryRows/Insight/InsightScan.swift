package import QuarryEngine
internal import Synchronization

/// What takes in the rows that one thread reads, and hands over what it has found now and then.
class InsightVisitor: RowVisitor {
  /// Whether enough has been taken in that to sort it takes a while, so that ``settle()`` is called before the next part.
  var isLaden: Bool { false }

  /// Does what will take a while with what has been taken in, before it has to be done in the midst of the rows.
  func settle() throws {}

  /// Hands over what has been found, where it is time for it.
  @exclusivity(unchecked) fileprivate var look: () throws -> Void = {}
  @exclusivity(unchecked) private var untilLook = InsightVisitor.rowsBetweenLooks
  /// The number of rows that have been visited.
  @exclusivity(unchecked) private(set) var visited = 0

  /// The number of rows after which the clock is looked at.
  private static let rowsBetweenLooks = 512

  /// Notes that a row has been taken in.
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

/// What several threads have found together.
protocol InsightResult: Sendable {
  associatedtype Visitor: InsightVisitor
  /// What one thread hands over.
  associatedtype Found: Sendable
  /// What is reported.
  associatedtype Report: Sendable

  /// Returns what takes in the rows of one more thread.
  mutating func makeVisitor() -> Visitor
  /// Returns what a visitor has found, for which the other threads need not wait.
  ///
  /// - Parameter isLast: Whether it has no more rows to visit.
  static func found(by visitor: Visitor, isLast: Bool) throws -> Found
  /// Takes over what a visitor has found.
  mutating func take(_ found: Found)
  /// Makes the report of what has been taken over, which need not be cheap.
  func report(_ progress: RowProgress) throws -> Report
  /// Returns an earlier report with how far the reading is now.
  static func updated(_ report: Report, _ progress: RowProgress) -> Report
}

/// Reads rows on several threads range by range, and reports what has been found while it grows.
final class InsightScan<Result: InsightResult>: ParallelScan {
  let rows: InsightRows
  private let columns: [InsightColumn]
  private let calls: SQLText
  private let parts: RowParts?
  private let report: (@Sendable (Result.Report) -> Void)?
  private let start = ContinuousClock.now
  private let state: Mutex<State>
  let isLarge: Bool

  private struct State: Sendable {
    var result: Result
    var visited = 0
    var share = 0.0
    /// Whether others have written since the scan began.
    var sawChanges = false
    /// When the next report is due.
    var next: ContinuousClock.Instant
    /// When the next report is due that is made anew; the more that costs, the rarer it is.
    var nextMade: ContinuousClock.Instant
    var last: Result.Report?
    var isReporting = false
    /// The column whose value could not be had; nil where that is not known.
    var failingColumn: String?
  }

  /// When the first report is made, and the least time between two of them.
  private static var firstReport: Duration { .milliseconds(3) }
  private static var interval: Duration { .milliseconds(50) }

  /// Makes a scan.
  ///
  /// - Parameters:
  ///   - columns: The columns that are read.
  ///   - calls: What stands after SELECT.
  ///   - isShared: Whether a second thread may take part.
  ///   - report: Is called with what has been found so far; nil where nobody wants to know.
  init(
    _ rows: InsightRows, _ columns: [InsightColumn], _ calls: SQLText, into result: Result, isShared: Bool = true,
    report: (@Sendable (Result.Report) -> Void)?
  ) {
    (self.rows, self.columns, self.calls, self.report) = (rows, columns, calls, report)
    parts = rows.makeParts()
    isLarge = isShared && rows.isLarge
    state = Mutex(State(result: result, next: start + Self.firstReport, nextMade: start + Self.firstReport))
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

  /// - Parameter after: Is called after each part.
  private func visitAll(by visitor: Result.Visitor, in database: Database, after: () throws -> Void) throws {
    guard let parts else { return try database.runUndivided { try visit(nil, by: visitor, in: database) } }
    try parts.forEach(in: database, after: after) { part in
      try visit(part, by: visitor, in: database)
      state.withLock { $0.share = max($0.share, part.share) }
    }
  }

  /// Whether somebody waits for a report, and nobody makes one.
  private var isReportDue: Bool { report != nil && state.withLock { ContinuousClock.now >= $0.next && !$0.isReporting } }

  /// Visits the rows of a part, or all; takes note of the column at which that fails.
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

  /// Reports what has been found, if no other thread does.
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
      state.withLock { $0.next = ContinuousClock.now + Self.interval }
      return
    }
    try handOver(visitor, &seen, isLast: false)
    let found = finish()
    let made = try found.result.report(found.progress)
    report(made)
    let end = ContinuousClock.now
    state.withLock { state in
      state.last = made
      state.next = end + Self.interval
      state.nextMade = end + max(Self.interval, (end - begin) * 8)
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

  /// The number of rows that have been taken in.
  var visited: Int { state.withLock(\.visited) }

  /// The column at which the reading failed; nil where that is not known.
  var failingColumn: String? { state.withLock(\.failingColumn) }

  /// Returns what has been found, with how far the reading is.
  func finish() -> (result: Result, progress: RowProgress) {
    state.withLock { ($0.result, progress($0)) }
  }
}

extension ReadConnections {
  /// How often rows are looked at from the beginning, where others write meanwhile.
  private static var mostTries: Int { 3 }

  /// Looks at the rows of a set.
  ///
  /// - Parameters:
  ///   - begin: Makes the scan once it is known how the rows can be read.
  ///   - report: Is called with what was found before an error in the midst of the rows.
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
  /// Checks that a scan of a table has come to every row: see ``KeysetRows/checkReached(_:in:)``.
  ///
  /// - Parameter state: What the background connection read; another one is not compared with.
  func check(_ table: KeysetRows, hasReached count: Int, in state: DataState) async throws {
    try await background.read { [self] database in
      guard try DataState(of: table.reference.database, in: database) == state, knownCount(of: table.reference, in: state) != count else {
        return
      }
      do {
        try database.inSlices(.ofOneState, of: table.reference.database) { _ in try table.checkReached(count, in: database) }
      } catch is DataChanged {
        // Nobody can tell any more how many there were.
      }
    }
  }

  /// Returns the column whose value cannot be had in the row that follows so many others: see ``FailingColumn/name(of:in:)``.
  package func failingColumn(of set: RowSet, after count: Int, _ error: DatabaseError) async throws -> String? {
    try await background.read { [self] database in
      let rows = try InsightRows(set, on: self, in: database)
      // With a column that cannot fail, the only one is not taken for the one at fault where another row is.
      let columns = rows.columns.map { InsightColumn($0.name) } + [InsightColumn("none", expression: "NULL")]
      return rows.failingColumn(of: columns, after: count, in: nil, error, database)
    }
  }
}

extension DatabaseError {
  /// Returns an error that ended the reading of rows, with where that was: `integer overflow, in column total of bad after 299 rows`.
  package func located(in set: RowSet, column: String? = nil, after rows: Int) -> DatabaseError {
    guard isOfRows else { return self }
    let source =
      switch set.source {
      case .table(let table): table.name
      case .query: "the query"
      case .returned: "the rows that were returned"
      }
    var error = self
    let place = rows == 0 ? "before the first row" : "after \(Plural.of(rows, "row"))"
    error.message += ", in \(column.map { "column \($0) of " } ?? "")\(source) \(place)"
    return error
  }
}

extension RowSet {
  /// The database whose state tells whether two connections read the same rows.
  var databaseName: String {
    if case .table(let table) = source { table.database } else { "main" }
  }
}
