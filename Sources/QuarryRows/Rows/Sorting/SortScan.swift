internal import Libc
internal import QuarryEngine
internal import Synchronization

/// Reads the rowids of a set with their sort keys, on several threads range by range.
///
///     rowid, Name FROM main.Track WHERE (Milliseconds > ?) AND rowid BETWEEN ? AND ?
///
/// SQLite sorts in a temporary file what exceeds its page cache; keys by themselves fit into memory, where sorting takes a fraction of the
/// time.
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
  /// Whether an index leads to the rows, so that all of them are read at once if they are not too many for that.
  private let usesIndex: Bool
  /// About how many rows are passed where only some are kept; nil where all are.
  private let passed: Int?
  let isLarge: Bool

  private struct Read: Sendable {
    var runs: [SortedRun] = []
    var selection: RowSelection
    var rows = 0
    /// How many bytes the keys take.
    var size = 0
  }

  /// Makes a scan that sorts the rows of a query.
  ///
  /// - Parameters:
  ///   - query: those rows of a table with rowids that are to be sorted.
  ///   - bounds: the table's least and greatest rowid.
  ///   - total: about how many rows the table has.
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
    // The row that is looked at is read ahead of the others, so that they can be compared with it.
    let selection = RowSelection(around: nil, reach: limits.reach)
    read = Mutex(Read(selection: selection))
    guard case .rowID(let focus)? = list.focus else { return }
    let reading = SortReading(rules, bounds, selection)
    try reading.visitRows(values, from: rows.source(where: "\(id) = \(focus)"), in: database)
    read.withLock { $0.selection = RowSelection(around: reading.run.row(at: 0), reach: limits.reach) }
  }

  /// Reads and sorts the parts that no other thread has taken.
  ///
  /// - Throws: ``SortRefusal`` where the rows are better sorted by SQLite.
  func work(in database: Database) throws {
    if usesIndex, try database.withinTurn({ try readAtOnce(in: database) }) != nil { return }
    let reading = makeReading()
    var rows = rows
    rows.isIndexed = !usesIndex
    try ranges.forEachPart(in: database) { part in
      if let passed { list.set(read: Int(part.share.lowerBound * Double(passed)), of: passed) }
      try reading.visitRows(values, from: rows.source(where: part.condition(on: id)), in: database)
      try report(reading)
    }
    take(reading)
  }

  /// Reads all rows by the index that leads to them.
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

  /// Adds up what a thread has read, and takes a full run from it.
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

/// What one thread has read and not yet handed over.
///
/// It is never shared between threads, which makes the exclusivity checks unnecessary.
private final class SortReading: RowVisitor {
  @exclusivity(unchecked) private(set) var run: SortedRun
  @exclusivity(unchecked) private(set) var selection: RowSelection
  @exclusivity(unchecked) private var key: SortKey
  @exclusivity(unchecked) private var unreported = 0
  private let report: (SortReading) throws -> Void
  /// The bytes of the run that have been reported.
  private var size = 0
  @exclusivity(unchecked) private var reportedTails = 0

  /// The number of rows, and of bytes of their keys, after which they are reported.
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
    // To retain the run for each row would cost more than to keep the row.
    Unmanaged.passUnretained(run)._withUnsafeGuaranteedRef { run in
      selection.offer(run.append(key, id: row.integer(at: 0)), of: run)
    }
    unreported += 1
    // Rows with long keys are reported sooner, to keep to the limit of memory.
    if unreported == Self.reportRows || run.tailSize - reportedTails > Self.reportBytes { try report(self) }
  }

  /// Returns the numbers of rows and bytes that have been read since the last call.
  func drainProgress() -> (rows: Int, bytes: Int) {
    defer { (unreported, size, reportedTails) = (0, run.size, run.tailSize) }
    return (unreported, run.size - size)
  }

  func begin(_ run: SortedRun) {
    (self.run, size, reportedTails) = (run, 0, 0)
  }
}

/// The limits of sorting outside of SQLite.
struct SortLimits: Hashable, Sendable {
  /// The greatest number of bytes that keys may take: an eighth of the machine's memory, and not more than a gibibyte.
  var memory = min(1 << 30, sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE)) / 8)
  /// The greatest number of rows of one run.
  var run = SortedRun.room
  /// The number of rows at the start of the order, at its end, and on either side of the focused row that are known early.
  var reach = 1000

  /// The greatest number of arguments of an SQL function.
  static let terms = 100
}

extension OrderedQuery {
  /// The terms that rows are sorted by: in the table's own order, which an index may give them out of, those of its key.
  fileprivate var sortedTerms: [KeysetOrder.Term] { terms.isEmpty ? table.order.terms : terms }
}
