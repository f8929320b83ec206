internal import QuarryEngine

/// A private copy of tables in a temporary file, which SQLite deletes when its connection closes.
///
/// It has the same schema, encoding, page size and results of ANALYZE as the original, so that SQLite chooses the same plans.
struct AdviceCopy: Sendable {
  private let queue: DatabaseQueue
  private let subject: AdviceSubject
  let now: @Sendable () -> ContinuousClock.Instant

  /// The names of indexes that are taken.
  private let taken: Set<String>

  /// Creates the schema without rows.
  ///
  /// - Throws: ``AdviceObstacle`` if the copy would be read in another way.
  init(of subject: AdviceSubject, now: @escaping @Sendable () -> ContinuousClock.Instant) async throws {
    (self.subject, self.now) = (subject, now)
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.triggersEnabled = false
    configuration.isDefensive = false
    configuration.runsAtLowPriority = true
    configuration.label = "advice"
    queue = try DatabaseQueue(path: "", configuration: configuration)
    taken = try await queue.withoutTransaction { db in
      try Self.create(subject, in: db)
      return Set(try String.fetchAll(db, sql: "SELECT lower(name) FROM main.sqlite_schema"))
    }
    guard try await plan() == subject.plan else {
      throw AdviceObstacle("SQLite would read a copy of these tables in another way, so that nothing can be measured")
    }
  }

  private static func create(_ subject: AdviceSubject, in db: Database) throws {
    let pages = max(16, subject.request.temporaryBytes / max(512, subject.pageSize))
    try db.execute(
      sql: """
        PRAGMA page_size = \(subject.pageSize); PRAGMA encoding = '\(subject.encoding)'; PRAGMA journal_mode = OFF;
        PRAGMA synchronous = OFF; PRAGMA ignore_check_constraints = ON; PRAGMA max_page_count = \(pages);
        """)
    for sql in subject.definitions {
      // A table or an index that does not compile here is missed when the plans are compared, if the statement needs it.
      try? db.execute(sql: sql)
    }
    guard !subject.statistics.isEmpty else { return }
    // Creates the tables of the results.
    try db.execute(sql: "ANALYZE main.sqlite_schema")
    for (table, rows) in subject.statistics where !rows.isEmpty {
      guard let count = rows.first?.columnNames.count else { continue }
      try? db.makeStatement(sql: "INSERT INTO main.\(table) VALUES (\(SQLText.parameters(count)))").execute(rows)
    }
    // SQLite reads the results of ANALYZE again.
    try db.execute(sql: "ANALYZE main.sqlite_schema")
  }

  /// Returns the indexes that SQLite would use, the most promising one first.
  func candidates() async throws -> [IndexCandidates.Candidate] {
    try await queue.withoutTransaction { [subject] db in
      try IndexCandidates(of: subject).improving(subject.plan) { try Self.plan(of: subject.request.sql, with: $0, in: db) }
    }
  }

  /// Returns the plan with a candidate; nil if this cannot be created, or is not used.
  private static func plan(of sql: String, with candidate: IndexCandidates.Candidate, in db: Database) throws -> [String]? {
    let name = "quarry_candidate"
    do {
      try db.execute(sql: "CREATE INDEX \(name) \(candidate.target)")
    } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_ERROR {
      return nil
    }
    defer { try? db.execute(sql: "DROP INDEX \(name)") }
    let plan = try QueryPlan(of: "\(raw: sql)", in: db).details
    return plan.contains { $0.contains(name) } ? plan : nil
  }

  func plan() async throws -> [String] {
    try await queue.withoutTransaction { [subject] db in try QueryPlan(of: "\(raw: subject.request.sql)", in: db).details }
  }

  // MARK: Rows

  /// Adds rows to a table.
  func insert(_ rows: [Row], columns: [String], into table: TableReference) async throws {
    guard !rows.isEmpty else { return }
    try await own { db in
      let names = columns.map(SQLIdentifier.quoted).joined(separator: ", ")
      // A row that another program has moved meanwhile may have been copied.
      let target = "main.\(SQLIdentifier.quoted(table.name))(\(names))"
      let sql = "INSERT OR IGNORE INTO \(target) VALUES (\(SQLText.parameters(columns.count)))"
      try db.execute(sql: "BEGIN")
      try db.makeStatement(sql: sql).execute(rows)
      try db.execute(sql: "COMMIT")
    }
  }

  // MARK: Trials

  /// Returns a name for an index that no other object has.
  func freeName(for candidate: IndexCandidates.Candidate) -> String {
    let names = [candidate.name] + (2...taken.count + 2).map { "\(candidate.name)_\($0)" }
    return names.first { !taken.contains($0.lowercased()) } ?? candidate.name
  }

  /// Creates an index; returns its size in bytes.
  func create(_ sql: String) async throws -> Int {
    let pageSize = subject.pageSize
    return try await own { db in
      func pages() throws -> Int {
        let (all, free) = (try Int.fetchOne(db, sql: "PRAGMA main.page_count"), try Int.fetchOne(db, sql: "PRAGMA main.freelist_count"))
        return (all ?? 0) - (free ?? 0)
      }
      let before = try pages()
      try db.execute(sql: sql)
      return max(0, try pages() - before) * pageSize
    }
  }

  func execute(_ sql: String) async throws { try await own { db in try db.execute(sql: sql) } }

  /// Returns the shortest trial of the statement.
  ///
  /// - Parameter rows: The number of rows to read; nil for all.
  func trial(rows: Int?, patience: Duration) async throws -> AdviceTrial {
    try await .shortest { [subject, now] in
      try await own { db in try AdviceTrial(subject.request.sql, rows: rows, patience: patience, now: now, in: db) }
    }
  }

  /// Returns whether the first rows of the statement are found without reading or sorting other rows.
  ///
  ///     EXPLAIN SELECT …
  func findsRowsDirectly() async throws -> Bool {
    try await own { [subject] db in
      guard try QueryPlan(of: "\(raw: subject.request.sql)", in: db).details.allSatisfy({ $0.hasPrefix("SEARCH ") }) else { return false }
      let steps = try db.makeStatement(sql: "EXPLAIN \(subject.request.sql)")
      while try steps.step() {
        if Self.gathering.contains(try steps.columnText(at: 1)) { return false }
      }
      return true
    }
  }

  /// The instructions that need more rows before a row is returned, or end after some rows.
  private static let gathering: Set = [
    "AggStep", "AggStep1", "AggFinal", "AggValue", "Count", "DecrJumpZero", "OpenEphemeral", "OpenAutoindex", "SorterOpen",
  ]

  /// Runs a change of the copy; explains a full disk.
  private func own<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    do {
      return try await queue.withoutTransaction(body)
    } catch let error as DatabaseError where [.SQLITE_FULL, .SQLITE_IOERR, .SQLITE_CANTOPEN].contains(error.resultCode) {
      throw AdviceObstacle(
        "the temporary copy of the rows does not fit on the disk (\(error.message)): set SQLITE_TMPDIR to a larger folder")
    }
  }
}
