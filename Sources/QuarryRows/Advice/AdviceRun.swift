public import QuarryEngine

extension DatabaseQueue {
  /// Finds indexes with which a statement would read fewer rows, and tries them on a private copy of its tables.
  ///
  /// Nothing is written to the databases of the connection. Rows are copied in parts, between which other programs can write.
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
    try await copyRows()
    guard result.rowCount > 0 else { throw AdviceObstacle("the tables have no rows: there is nothing to measure") }
    result.stage = .trying(nil)
    report(result)
    result.time = try await copy.time()
    for candidate in candidates { try await attempt(candidate) }
    if mayAnalyze { try await attemptAnalysis() }
    result.stage = .done
    return result
  }

  // MARK: Rows

  private mutating func copyRows() async throws {
    let sizes = try await source.read { [subject] db in try subject.tables.map { try TableExtent(of: $0, in: db) } }
    let bytes = sizes.reduce(0) { $0 + $1.byteCount }
    result.sampling = max(1, (bytes + subject.request.copiedBytes - 1) / subject.request.copiedBytes)
    for (table, size) in zip(subject.tables, sizes) { try await copyRows(of: table, size) }
  }

  private mutating func copyRows(of table: TableSchema, _ extent: TableExtent) async throws {
    let name = table.entry.reference.name
    let columns = table.columns.filter { $0.generation == nil && !$0.isHidden }.map(\.name)
    var part = CopiedPart(table, columns: columns, extent: extent, sampling: result.sampling)
    while let sql = part.nextSQL {
      try Task.checkCancellation()
      result.stage = .copying(name, part: part.done)
      report(result)
      let rows = try await source.read { db in try Row.fetchAll(db, sql: sql) }
      try await copy.insert(rows, columns: part.names, into: table.entry.reference)
      result.rowCount += rows.count
      try part.advance(after: rows)
    }
  }

  // MARK: Trials

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
          sql: sql, summary: "CREATE INDEX \(candidate.target)", plan: plan, time: try await copy.time(),
          byteCount: size * result.sampling))
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
    add(IndexAdvice.Way(sql: "ANALYZE", summary: "ANALYZE", plan: plan, time: try await copy.time(), byteCount: nil))
  }

  private mutating func add(_ way: IndexAdvice.Way) {
    let ways = (result.ways + [way]).sorted { $0.time < $1.time }
    result.ways = Array(ways.prefix(3))
    report(result)
  }
}

/// The size of a table, as far as it is known without reading all of it.
struct TableExtent: Sendable {
  /// The range of the rowids; nil for a table without rows, or without rowids.
  var rowIDs: ClosedRange<Int64>?
  var byteCount: Int
  /// The mean size of the first rows in bytes.
  let rowBytes: Int

  init(of table: TableSchema, in db: Database) throws {
    let source = table.entry.reference.sql
    let file = (try Int.fetchOne(db, sql: "PRAGMA main.page_count") ?? 0) * (try Int.fetchOne(db, sql: "PRAGMA main.page_size") ?? 0)
    byteCount = file
    let lengths = table.columns.filter { $0.generation == nil && !$0.isHidden }
      .map { "ifnull(length(CAST(\(SQLIdentifier.quoted($0.name)) AS BLOB)), 0)" }.joined(separator: " + ")
    let mean = try Double.fetchOne(db, sql: "SELECT avg(n) FROM (SELECT \(lengths) AS n FROM \(source) LIMIT 200)") ?? 0
    rowBytes = max(8, Int(min(mean, 1e9)) + 8)
    guard let rowID = table.rowIDName else { return }
    guard let ends = try Row.fetchOne(db, sql: "SELECT (SELECT min(\(rowID)) FROM \(source)), (SELECT max(\(rowID)) FROM \(source))"),
      let least = try ends[0] as Int64?, let greatest = try ends[1] as Int64?
    else {
      byteCount = 0
      return
    }
    rowIDs = least...greatest
    let count = Double(greatest) - Double(least) + 1
    byteCount = min(file, Int(min(count * Double(rowBytes), 1e15)))
  }
}

extension TableSchema {
  /// A name of the rowid; nil for a table without rowids, or whose columns have all its names.
  fileprivate var rowIDName: String? {
    entry.isWithoutRowID ? nil : ["rowid", "_rowid_", "oid"].first { column(named: $0) == nil || column(named: $0)?.isRowID == true }
  }
}

/// The part of a table's rows that has been copied.
private struct CopiedPart {
  /// The greatest number of rows, and about the greatest number of bytes, that are read at once.
  private static let (mostRows, mostBytes) = (20_000, 16 << 20)

  let names: [String]
  private let table: TableSchema
  private let extent: TableExtent
  private let sampling: Int
  private let rowID: String?
  private var next: Int64?
  private var isBegun = false

  /// The number of rows that are read at once.
  private var step: Int { max(1, min(Self.mostRows, Self.mostBytes / extent.rowBytes)) }

  init(_ table: TableSchema, columns: [String], extent: TableExtent, sampling: Int) {
    (self.table, self.extent, self.sampling) = (table, extent, sampling)
    rowID = table.rowIDName
    let isColumn = table.columns.contains(where: \.isRowID)
    names = (isColumn ? [] : [rowID].compactMap(\.self)) + columns
    next = extent.rowIDs?.lowerBound
  }

  /// The part from 0 to 1; nil if it is not known.
  var done: Double? {
    guard let range = extent.rowIDs, let next else { return nil }
    return (Double(next) - Double(range.lowerBound)) / max(1, Double(range.upperBound) - Double(range.lowerBound))
  }

  var nextSQL: String? {
    let source = table.entry.reference.sql
    let list = names.map { $0 == rowID && table.column(named: $0) == nil ? $0 : SQLIdentifier.quoted($0) }.joined(separator: ", ")
    guard let rowID else { return isBegun ? nil : "SELECT \(list) FROM \(source) LIMIT \(step)" }
    guard let next else { return nil }
    let sample = sampling > 1 ? " AND \(rowID) % \(sampling) = 0" : ""
    return "SELECT \(list) FROM \(source) WHERE \(rowID) >= \(next)\(sample) ORDER BY \(rowID) LIMIT \(step)"
  }

  /// Continues after the rows that were read.
  mutating func advance(after rows: [Row]) throws {
    isBegun = true
    guard let rowID, let last = rows.last, rows.count == step else { return next = nil }
    let column = names.firstIndex { $0 == rowID } ?? names.firstIndex { table.column(named: $0)?.isRowID == true } ?? 0
    let (after, isPast) = try (last[column] as Int64).addingReportingOverflow(1)
    next = isPast ? nil : after
  }
}
