public import QuarryEngine

extension DatabaseQueue {
  /// Finds indexes with which a statement would read fewer rows, and tries them on a private copy of its tables.
  ///
  /// Nothing is written to the databases of the connection. Rows are copied in parts, between which other programs can write. To measure the
  /// statement, the file is read for at most two seconds without a pause.
  ///
  /// - Parameters:
  ///   - now: The clock by which times are measured.
  ///   - report: Called with the results so far.
  /// - Throws: ``AdviceObstacle`` if nothing can be tried, `DatabaseError` if the statement or its rows cannot be read.
  public func indexAdvice(
    _ request: AdviceRequest, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    report: @escaping @Sendable (IndexAdvice) -> Void
  ) async throws -> IndexAdvice {
    let subject = try await read { db in try AdviceSubject(request, in: db) }
    var run = try await AdviceRun(subject, source: self, now: now, report: report)
    return try await run.advice()
  }
}

/// The search for indexes, step by step.
private struct AdviceRun {
  private let subject: AdviceSubject
  private let source: DatabaseQueue
  private let copy: AdviceCopy
  private let report: @Sendable (IndexAdvice) -> Void
  private var result: IndexAdvice
  /// The copy contains one row of this many, by the lowercased name of the table.
  private var samplings: [String: Int] = [:]

  init(
    _ subject: AdviceSubject, source: DatabaseQueue, now: @escaping @Sendable () -> ContinuousClock.Instant,
    report: @escaping @Sendable (IndexAdvice) -> Void
  ) async throws {
    guard subject.isSlow else { throw AdviceObstacle("SQLite reads only the rows that it needs, and sorts nothing") }
    (self.subject, self.source, self.report) = (subject, source, report)
    copy = try await AdviceCopy(of: subject, now: now)
    result = IndexAdvice(plan: subject.plan, stage: .trying(nil))
  }

  mutating func advice() async throws -> IndexAdvice {
    let candidates = try await copy.candidates()
    guard !candidates.isEmpty || mayAnalyze else {
      throw AdviceObstacle("no index on columns avoids this: the statement needs every row, or computes what it compares or sorts by")
    }
    try await copyRows(for: candidates)
    guard result.rowCount > 0 else { throw AdviceObstacle("the tables have no rows: there is nothing to measure") }
    result.stage = .trying(nil)
    report(result)
    try await measure()
    for candidate in candidates { try await attempt(candidate) }
    if mayAnalyze { try await attemptAnalysis() }
    result.stage = .done
    return result
  }

  // MARK: Rows

  private mutating func copyRows(for candidates: [IndexCandidates.Candidate]) async throws {
    let limit = subject.request.copiedBytes
    let tables = subject.tables.map { table in
      let terms = candidates.filter { $0.table == table.entry.reference }.flatMap(\.terms).map(\.column)
      let needed = subject.columns[table.entry.reference.name.asciiLowercased, default: []].union(terms)
      return CopiedTable(table, needed: needed, pageSize: subject.pageSize, encoding: subject.encoding)
    }
    let sizes = try await source.read { db in try tables.map { try TableExtent(of: $0, countsRowsUpTo: limit, in: db) } }
    let samplings = TableExtent.samplings(of: sizes, copying: limit)
    result.sampling = samplings.max() ?? 1
    for (table, (size, sampling)) in zip(tables, zip(sizes, samplings)) { try await copyRows(of: table, size, sampling) }
  }

  private mutating func copyRows(of table: CopiedTable, _ extent: TableExtent, _ sampling: Int) async throws {
    let reference = table.schema.entry.reference
    let name = reference.name
    var part = CopiedPart(table, extent: extent, sampling: sampling)
    samplings[name.asciiLowercased] = sampling
    while let query = part.nextQuery {
      try Task.checkCancellation()
      result.stage = .copying(name, part: part.done)
      report(result)
      let rows = try await source.read { db in try Row.fetchAll(db, sql: query.sql, arguments: query.arguments) }
      try await copy.insert(rows, columns: part.names, into: reference)
      result.rowCount += rows.count
      part.advance(after: rows)
    }
    if part.isCutShort { result.cutTables.append(name) }
  }

  // MARK: Trials

  /// The longest time for which the file is read without a pause, while other programs may wait to write.
  private static let patienceOnFile = Duration.seconds(2)

  /// Measures the statement on the file; if that takes too long, on the copy.
  private mutating func measure() async throws {
    let (sql, rows, now) = (subject.request.sql, subject.request.rows, copy.now)
    let trial = try await AdviceTrial.shortest { [source] in
      try await source.read { db in try AdviceTrial(sql, rows: rows, patience: Self.patienceOnFile, now: now, in: db) }
    }
    (result.time, result.isTimeEstimated) = (trial.time, !trial.isComplete)
    if !trial.isComplete { result.time = max(trial.time, try await estimate(isDirect: false)) }
    report(result)
  }

  /// Returns the time of the statement on the copy; of a sample, that for the tables is estimated.
  private func estimate(isDirect: Bool) async throws -> Duration {
    let (sampling, rows) = (result.sampling, subject.request.rows)
    let part = AdviceTrial.rows(rows, sampling: sampling, isDirect: isDirect)
    // The time of a scan of a sample is multiplied, and reaches the longest time after a part of it.
    let patience = isDirect ? IndexAdvice.longestTime : max(.seconds(1), IndexAdvice.longestTime / sampling)
    let trial = try await copy.trial(rows: part, patience: patience)
    return trial.estimate(sampling: sampling, rows: rows, isDirect: isDirect)
  }

  private func estimate() async throws -> Duration { try await estimate(isDirect: try await copy.findsRowsDirectly()) }

  private mutating func attempt(_ candidate: IndexCandidates.Candidate) async throws {
    let name = copy.freeName(for: candidate)
    let sql = "CREATE INDEX \(SQLIdentifier.quoted(name)) \(candidate.target)"
    result.stage = .trying("CREATE INDEX \(candidate.target)")
    report(result)
    let size = try await copy.create(sql)
    let plan = try await copy.plan()
    if plan != subject.plan {
      add(
        IndexAdvice.Way(
          sql: sql, summary: "CREATE INDEX \(candidate.target)", plan: plan, time: try await estimate(),
          byteCount: size * (samplings[candidate.table.name.asciiLowercased] ?? 1)))
    }
    try await copy.execute("DROP INDEX \(SQLIdentifier.quoted(name))")
  }

  /// Whether ANALYZE may help: a table has indexes, but no results of ANALYZE.
  private var mayAnalyze: Bool {
    subject.statistics.allSatisfy(\.rows.isEmpty) && subject.tables.contains { $0.indexes.contains { $0.origin == .createIndex } }
  }

  private mutating func attemptAnalysis() async throws {
    result.stage = .trying("ANALYZE")
    report(result)
    try await copy.execute("ANALYZE main")
    let plan = try await copy.plan()
    guard plan != subject.plan else { return }
    add(IndexAdvice.Way(sql: "ANALYZE", summary: "ANALYZE", plan: plan, time: try await estimate(), byteCount: nil))
  }

  private mutating func add(_ way: IndexAdvice.Way) {
    let ways = (result.ways + [way]).sorted { $0.time < $1.time }
    result.ways = Array(ways.prefix(3))
    report(result)
  }
}
