#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif
internal import Synchronization

/// Reads the rowids of a set, each with a key that it is sorted by, which several threads do range by range.
///
///     rowid, Name FROM main.Track WHERE (Milliseconds > ?) AND rowid BETWEEN ? AND ?
///
/// SQLite sorts in a temporary file what is more than its page cache; keys by themselves have room in memory, and are sorted in a
/// fraction of the time.
final class SortScan: ParallelScan {
  private let values: [String]
  private let source: String
  private let arguments: [DatabaseValue]
  private let rules: SortRules
  private let bounds: RowIDBounds
  private let list: KeyList
  private let ranges: RowIDRanges
  private let limits: SortLimits
  private let read: Mutex<Read>
  /// Whether an index leads to the rows, so that they are read at once.
  private let isOne: Bool
  /// About how many rows are passed of which only some are kept; nil where all are.
  private let passed: Int?
  let isLarge: Bool

  private struct Read: Sendable {
    var runs: [SortedRun] = []
    var selection: RowSelection
    var rows = 0
    /// How many bytes the keys take.
    var size = 0
  }

  /// - Parameters:
  ///   - rows: those rows of a table with rowids that are to be sorted.
  ///   - bounds: the table's least and greatest rowid.
  ///   - total: about how many rows the table has.
  /// - Throws: ``SortRefusal``
  init(
    _ rows: OrderedQuery, into list: KeyList, bounds: RowIDBounds, total: Int, limits: SortLimits = SortLimits(), in database: Database
  ) throws {
    let terms = try rows.sortedTerms.map { try SortTerm($0, of: rows.table.reference, in: database) }
    guard terms.count < SortLimits.terms, let rules = SortRules(terms.map(\.rule)), let id = rows.table.rowIDColumn else {
      throw SortRefusal()
    }
    isOne = !rows.scansTable
    values = [id] + terms.map(\.sql)
    source = rows.rows.source(where: isOne ? "" : "\(id) BETWEEN ? AND ?")
    arguments = terms.flatMap(\.arguments) + rows.rows.arguments
    self.rules = rules
    self.bounds = bounds
    self.list = list
    self.limits = limits
    ranges = RowIDRanges([bounds], isOne: isOne)
    isLarge = !isOne && total > RowIDRanges.largeTable
    passed = isOne || rows.rows.condition.isEmpty ? nil : total
    // The row that is looked at is read ahead of the others, so that they can be compared with it.
    let selection = RowSelection(around: nil, reach: limits.reach)
    read = Mutex(Read(selection: selection))
    guard case .rowID(let focus)? = list.focus else { return }
    let reading = SortReading(rules, bounds, selection)
    try database.visitRows(values, from: rows.rows.source(where: "\(id) = ?"), arguments + [.integer(focus)], by: reading)
    read.withLock { $0.selection = RowSelection(around: reading.run.row(at: 0), reach: limits.reach) }
  }

  /// - Throws: ``SortRefusal`` where the rows are better sorted by SQLite.
  func work(in database: Database) throws {
    let reading = SortReading(rules, bounds, read.withLock(\.selection.emptied)) { [self] in try report($0) }
    try ranges.forEachPart(in: database) { part in
      if let passed { list.set(read: Int(part.share.lowerBound * Double(passed)), of: passed) }
      try database.visitRows(values, from: source, isOne ? arguments : arguments + part.arguments, by: reading)
      try report(reading)
    }
    let (run, selection) = (reading.run, reading.selection)
    read.withLock { read in
      if run.count > 0 { read.runs.append(run) }
      read.selection.join(selection)
    }
  }

  /// Takes note of what a thread has read, and takes a run that is full.
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

  /// What has been read, when all has, and what is looked at first of it.
  func finish() -> (runs: [SortedRun], selection: RowSelection) {
    read.withLock { read in
      defer { read.runs = [] }
      return (read.runs, read.selection)
    }
  }
}

/// What one thread has read and not yet handed over.
///
/// Only one thread ever has it, so that no access of what it holds needs a check for others.
private final class SortReading: RowVisitor {
  @exclusivity(unchecked) private(set) var run: SortedRun
  @exclusivity(unchecked) private(set) var selection: RowSelection
  @exclusivity(unchecked) private var key: SortKey
  @exclusivity(unchecked) private var unreported = 0
  private let report: (SortReading) throws -> Void
  /// The bytes of the run that have been told of.
  private var size = 0
  @exclusivity(unchecked) private var reportedTails = 0

  /// The number of rows, and of bytes of their keys, after which others are told of them.
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
    // Rows with long keys are told of sooner, so that memory keeps its bound.
    if unreported == Self.reportRows || run.tailSize - reportedTails > Self.reportBytes { try report(self) }
  }

  /// The numbers of rows and bytes that are more than at the last time.
  func drainProgress() -> (rows: Int, bytes: Int) {
    defer { (unreported, size, reportedTails) = (0, run.size, run.tailSize) }
    return (unreported, run.size - size)
  }

  func begin(_ run: SortedRun) {
    (self.run, size, reportedTails) = (run, 0, 0)
  }
}

/// How much is sorted outside of SQLite, and in which portions.
struct SortLimits: Hashable, Sendable {
  /// The greatest number of bytes that keys may take: an eighth of the machine's memory, and not more than a gibibyte.
  var memory = min(1 << 30, sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE)) / 8)
  /// The greatest number of rows that are sorted at once, before they are merged with the others.
  var run = SortedRun.room
  /// How many rows at the start of the order, at its end, and on either side of the row that is looked at, are known before all of it is.
  var reach = 1000

  /// SQLite's functions take so many values.
  static let terms = 100
}

extension OrderedQuery {
  /// The terms that rows are sorted by: in the table's own order, which an index may give them out of, those of its key.
  fileprivate var sortedTerms: [KeysetOrder.Term] { terms.isEmpty ? table.order.terms : terms }
}

extension KeysetRows {
  /// What stands after FROM, where a further condition holds.
  fileprivate func source(where further: String) -> String {
    let conditions = [condition, further].filter { !$0.isEmpty }
    return reference.sql + (conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))")
  }
}
