internal import Libc
internal import QuarryEngine
internal import Synchronization

/// A scan that reads the rowids of a set with their sort keys, on several threads, range by range.
///
///     rowid, Name FROM main.Track WHERE (Milliseconds > ?) AND rowid BETWEEN ? AND ?
///
/// SQLite uses a temporary file to sort data that exceeds its page cache. The keys alone fit in memory, where sorting takes a fraction of
/// the time.
final class SortScan: ParallelScan {
  private let values: [SQLText]
  private let rows: KeysetRows
  private let id: SQLText
  private let rules: SortRules
  private let bounds: RowIDBounds
  private let list: KeyList
  private let ranges: RowIDRanges
  private let limits: SortLimits
  private let read: Mutex<Read>
  /// Whether an index leads to the rows, so that all of them are read at once if there are not too many.
  private let usesIndex: Bool
  /// The approximate number of rows to read if there is a filter; otherwise nil.
  private let passed: Int?
  let isLarge: Bool

  private struct Read: Sendable {
    var runs: [SortedRun] = []
    var selection: RowSelection
    var rows = 0
    /// The number of bytes of the keys.
    var size = 0
  }

  /// Creates a scan that sorts the rows of a query.
  ///
  /// - Parameters:
  ///   - query: The rows to sort, of a table with rowids.
  ///   - bounds: The table's minimum and maximum rowid.
  ///   - total: The approximate number of rows of the table.
  /// - Throws: ``SortRefusal``
  init(
    _ query: OrderedQuery, into list: KeyList, bounds: RowIDBounds, total: Int, limits: SortLimits = SortLimits(), in database: Database
  ) throws {
    let terms = try query.sortedTerms.map { try SortTerm($0, of: query.table.reference, in: database) }
    guard terms.count < SortLimits.terms, let rules = SortRules(terms.map(\.rule)), let id = query.table.rowIDColumn else {
      throw SortRefusal()
    }
    usesIndex = !query.scansTable
    values = [id] + terms.map(\.sql)
    rows = query.matching
    self.id = id
    self.rules = rules
    self.bounds = bounds
    self.list = list
    self.limits = limits
    ranges = RowIDRanges([bounds])
    isLarge = !usesIndex && total > RowIDRanges.largeTable
    passed = usesIndex || query.condition.isEmpty ? nil : total
    // The focused row is read first, so that all rows can be compared with it.
    let selection = RowSelection(around: nil, reach: limits.reach)
    read = Mutex(Read(selection: selection))
    guard case .rowID(let focus)? = list.focus else { return }
    let reading = SortReading(rules, bounds, selection)
    try reading.visitRows(values, from: rows.source(where: "\(id) = \(focus)"), in: database)
    read.withLock { $0.selection = RowSelection(around: reading.run.row(at: 0), reach: limits.reach) }
  }

  /// Reads and sorts parts until none is left, or the rest is left to other threads.
  ///
  /// - Throws: ``SortRefusal`` if SQLite should sort the rows instead.
  func work(in database: Database) throws {
    if usesIndex, try database.withinTurn({ try readAtOnce(in: database) }) != nil { return }
    let reading = makeReading()
    reading.isTurnDue = { database.isTurnDue }
    var rows = rows
    rows.isIndexed = !usesIndex
    try ranges.forEachPart(in: database) { part in
      if let passed { list.set(read: Int(part.share.lowerBound * Double(passed)), of: passed) }
      try part.forEachRest(in: database) { part in
        reading.rowsBetweenLooks = database.rowsBetweenLooks
        try reading.visitRows(values, from: "\(rows.source(where: part.condition(on: id))) ORDER BY \(id)", in: database)
      }
      try report(reading)
    }
    take(reading)
  }

  /// Reads all rows with the index that leads to them.
  private func readAtOnce(in database: Database) throws {
    read.withLock { $0 = Read(selection: $0.selection.emptied) }
    let reading = makeReading()
    do {
      try reading.visitRows(values, from: rows.source(), in: database)
    } catch {
      read.withLock { $0 = Read(selection: $0.selection.emptied) }
      throw error
    }
    try report(reading)
    take(reading)
  }

  private func makeReading() -> SortReading {
    SortReading(rules, bounds, read.withLock(\.selection.emptied)) { [self] in try report($0) }
  }

  private func take(_ reading: SortReading) {
    let (run, selection) = (reading.run, reading.selection)
    read.withLock { read in
      if run.count > 0 { read.runs.append(run) }
      read.selection.join(selection)
    }
  }

  /// Adds the progress of a thread, and takes its run if it is full.
  private func report(_ reading: SortReading) throws {
    let (rows, bytes) = reading.drainProgress()
    let all = read.withLock { read in
      read.rows += rows
      read.size += bytes
      return (rows: read.rows, size: read.size)
    }
    if passed == nil { list.set(read: all.rows) }
    if all.size > limits.memory { throw SortRefusal() }
    guard reading.run.isFull(limits.run) else { return }
    let run = reading.run
    read.withLock { $0.runs.append(run) }
    reading.begin(SortedRun(rules, bounds))
  }

  func stop() {
    ranges.stop()
  }

  /// Returns the runs and the selection, after everything has been read.
  func finish() -> (runs: [SortedRun], selection: RowSelection) {
    read.withLock { read in
      defer { read.runs = [] }
      return (read.runs, read.selection)
    }
  }
}

/// The rows read by one thread and not handed over yet.
///
/// It is never shared between threads, so exclusivity checks are unnecessary.
private final class SortReading: RowVisitor {
  @exclusivity(unchecked) private(set) var run: SortedRun
  @exclusivity(unchecked) private(set) var selection: RowSelection
  @exclusivity(unchecked) private var key: SortKey
  @exclusivity(unchecked) private var unreported = 0
  /// Returns whether to stop at the current row, and continue after it.
  var isTurnDue: () -> Bool = { false }
  /// The number of rows between two calls of ``isTurnDue``, a power of 2.
  @exclusivity(unchecked) var rowsBetweenLooks = SortReading.reportRows

  private let report: (SortReading) throws -> Void
  /// The reported number of bytes of the run.
  private var size = 0
  @exclusivity(unchecked) private var reportedTails = 0

  /// The numbers of rows, and of bytes of their keys, after which they are reported.
  private static let reportRows = 1 << 12
  private static let reportBytes = 8 << 20

  init(_ rules: SortRules, _ bounds: RowIDBounds, _ selection: RowSelection, report: @escaping (SortReading) throws -> Void = { _ in }) {
    key = SortKey(rules)
    run = SortedRun(rules, bounds)
    self.selection = selection
    self.report = report
  }

  override func visit(_ row: BorrowedRow) throws {
    try key.read(row, from: 1)
    // Retaining the run for each row would cost more than storing the row.
    Unmanaged.passUnretained(run)._withUnsafeGuaranteedRef { run in
      selection.offer(run.append(key, id: row.integer(at: 0)), of: run)
    }
    unreported += 1
    // Rows with long keys are reported earlier, to respect the memory limit.
    if unreported == Self.reportRows || run.tailSize - reportedTails > Self.reportBytes { try report(self) }
    if unreported & (rowsBetweenLooks - 1) == 0, isTurnDue() { throw RowIDStop(rowID: row.integer(at: 0)) }
  }

  /// Returns the numbers of rows and bytes read since the last call.
  func drainProgress() -> (rows: Int, bytes: Int) {
    defer { (unreported, size, reportedTails) = (0, run.size, run.tailSize) }
    return (unreported, run.size - size)
  }

  func begin(_ run: SortedRun) {
    (self.run, size, reportedTails) = (run, 0, 0)
  }
}

/// The limits of sorting outside SQLite.
struct SortLimits: Hashable, Sendable {
  /// The maximum number of bytes of keys: an eighth of the machine's memory, but at most one gibibyte.
  var memory = min(1 << 30, sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE)) / 8)
  /// The maximum number of rows of one run.
  var run = SortedRun.room
  /// The number of rows at the start of the order, at its end, and on either side of the focused row that are known early.
  var reach = 1000

  /// The maximum number of arguments of an SQL function.
  static let terms = 100
}

extension OrderedQuery {
  /// The sort terms; for the table's own order, in which an index may not return the rows, those of its key.
  fileprivate var sortedTerms: [KeysetOrder.Term] { terms.isEmpty ? table.order.terms : terms }
}
