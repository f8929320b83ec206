internal import QuarryEngine

extension ReadConnections {
  /// Counts how often each value of a column occurs in the rows of a set.
  ///
  ///     SELECT kind, count(*) FROM main.events WHERE (amount > ?) GROUP BY kind
  ///
  /// The rows of a table are read by two connections, range by range, or an index in their place that has the column. Numbers are sorted,
  /// texts and blobs are looked up by a hash; what does not fit into memory goes to a temporary file, so that any number of values is counted
  /// exactly. Of a view or a query, whose rows may have no end, the file takes 8 GiB at most, and half of what the disk has left.
  ///
  /// Texts are the same where the column's collation holds them equal, as for a condition on it; the value that is told is one of those.
  ///
  /// - Parameter progress: Is called with what has been counted so far, more and more of it; also before an error is thrown in the midst of
  ///   the rows, as by a view whose later rows cannot be computed.
  /// - Throws: ``DatabaseError``, `CancellationError`.
  public func counts(_ request: CountRequest, progress: (@Sendable (ValueCounts) -> Void)? = nil) async throws -> ValueCounts {
    let found = try await look(
      at: request.set,
      { [self] database in
        let rows = try InsightRows(request.set, reading: [request.column.expression], on: self, in: database)
        let declared = rows.columns.first { $0.name.isSameIdentifier(as: request.column.name) }
        let hint = DateHint(name: request.column.name, declaredType: declared?.declaredType)
        var order = rows.textOrders(of: [request.column.expression], in: database)[0]
        // Texts that are dates are found between two of them by their digits.
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

/// What has been counted of a column.
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

  /// The lines as segments in SQLite's order, and how dates are stored.
  var segments: (lines: [any CountedSegment], dates: DateStorage?) {
    let dates = runs.dates(hint)
    return (binning == .automatic ? runs.binnedSegments(dates, limit: Self.binLimit) ?? runs.segments : runs.segments, dates)
  }

  /// The greatest number of ranges.
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
