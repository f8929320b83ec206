internal import QuarryEngine

extension ReadConnections {
  /// Counts the occurrences of each value of a column in the rows of a set.
  ///
  ///     SELECT kind, count(*) FROM main.events WHERE (amount > ?) GROUP BY kind
  ///
  /// Two connections read the rows of a table, range by range, or an index that contains the column. Numbers are sorted; texts and blobs
  /// are found by a hash. A temporary file extends the memory, so that any number of values is counted exactly. For a view or a query,
  /// whose rows may never end, the file is limited to 8 GiB and to half of the free space of the disk.
  ///
  /// Texts that are equal by the column's collation are counted as one value, as in a condition on the column. The reported value is one of
  /// them.
  ///
  /// - Parameter progress: Called with the growing counts, and also before an error that ends the reading is thrown, for example by a view
  ///   whose later rows cannot be computed.
  /// - Throws: ``DatabaseError``, `CancellationError`.
  public func counts(_ request: CountRequest, progress: (@Sendable (ValueCounts) -> Void)? = nil) async throws -> ValueCounts {
    let found = try await look(
      at: request.set,
      { [self] database in
        let rows = try InsightRows(request.set, reading: [request.column.expression], on: self, in: database)
        let declared = rows.columns.first { $0.name.isSameIdentifier(as: request.column.name) }
        let hint = DateHint(name: request.column.name, declaredType: declared?.declaredType)
        var order = rows.textOrders(of: [request.column.expression], in: database)[0]
        // Texts that are dates are searched by their digits in byte order.
        if request.binning != .none { order.utf16 = nil }
        let result = CountResult(order, binning: request.binning, dates: hint, in: RunStore(request.room ?? rows.room))
        return InsightScan(rows, [request.column], RowVisitor.call([request.column.expression]), into: result, report: progress)
      }, report: progress)
    guard let (result, reading) = found else { throw CancellationError() }
    let counting = PartCounting(result.segments.lines)
    try await computeInParallel(counting)
    let counts = result.counts(counting.finish(), isComplete: true, reading)
    progress?(counts)
    return counts
  }
}

/// The combined counts of a column.
struct CountResult: InsightResult {
  private let store: RunStore
  private var runs = CountedRuns()
  private let order: ByteOrder
  private let binning: Binning
  private let hint: DateHint

  init(_ order: ByteOrder, binning: Binning, dates hint: DateHint, in store: RunStore) {
    (self.order, self.binning, self.hint, self.store) = (order, binning, hint, store)
  }

  func makeVisitor() -> ValueCollector { ValueCollector(order, store) }

  static func found(by visitor: ValueCollector, isLast: Bool) throws -> CountedRuns { try visitor.drain() }

  mutating func take(_ found: CountedRuns) { runs.join(found) }

  static func updated(_ report: ValueCounts, _ progress: RowProgress) -> ValueCounts {
    var report = report
    report.progress = progress
    return report
  }

  /// The lines as segments in SQLite's order, and the storage format of dates.
  var segments: (lines: [any CountedSegment], dates: DateStorage?) {
    let dates = runs.dates(hint)
    return (binning == .automatic ? runs.binnedSegments(dates, limit: Self.binLimit) ?? runs.segments : runs.segments, dates)
  }

  /// The maximum number of ranges.
  private static let binLimit = 40

  func report(_ progress: RowProgress) throws -> ValueCounts {
    let counting = PartCounting(segments.lines)
    try counting.work { try Task.checkCancellation() }
    return counts(counting.finish(), isComplete: false, progress)
  }

  func counts(_ parts: CountedParts, isComplete: Bool, _ progress: RowProgress) -> ValueCounts {
    let segments = segments
    let ranges = segments.lines.compactMap { $0 as? LineSegment }.flatMap(\.lines).filter { $0.value.bin != nil }
    let distinct = parts.count - (runs.nulls > 0 ? 1 : 0) - ranges.count { $0.count == 0 }
    var counts = ValueCounts(
      rows: runs.rows, nulls: runs.nulls, distinct: isComplete && ranges.isEmpty ? .exact(distinct) : .atLeast(distinct),
      isComplete: isComplete, progress: progress, dates: segments.dates, parts)
    counts.ranges = ranges.isEmpty ? nil : ranges.count
    counts.collation = order.collation
    return counts
  }
}
