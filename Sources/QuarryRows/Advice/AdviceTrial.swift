internal import QuarryEngine

/// The time in which a connection has read the rows of a statement.
struct AdviceTrial: Sendable {
  /// The time in which the statement was compiled, and in which its first row was found.
  private(set) var compiling = Duration.zero, beginning = Duration.zero
  /// The time from the first row to the last one.
  private(set) var continuing = Duration.zero
  private(set) var rowCount = 0
  /// Whether all rows, or the requested number of them, were read before the time was over.
  private(set) var isComplete = true

  /// The time of everything.
  var time: Duration { compiling + beginning + continuing }

  /// Reads the rows with an empty page cache.
  ///
  /// - Parameters:
  ///   - rows: The number of rows to read; nil for all.
  ///   - patience: The longest time.
  init(
    _ sql: String, rows: Int?, patience: Duration, now: @Sendable () -> ContinuousClock.Instant, in db: Database
  ) throws {
    // Otherwise each trial finds the pages that the one before has read, and a sample fits into the cache where the table does not.
    try db.execute(sql: "PRAGMA shrink_memory")
    let deadline = ContinuousClock.now + patience
    let start = now()
    let statement = try db.makeStatement(sql: sql)
    let compiled = now()
    compiling = compiled - start
    var first: ContinuousClock.Instant?
    try db.withProgress(every: 20_000, { ContinuousClock.now > deadline }) {
      while rowCount < rows ?? .max, try step(statement, deadline) {
        rowCount += 1
        if rowCount == 1 { first = now() }
      }
    }
    let end = now()
    beginning = (first ?? end) - compiled
    continuing = end - (first ?? end)
  }

  private mutating func step(_ statement: Statement, _ deadline: ContinuousClock.Instant) throws -> Bool {
    do {
      return try statement.step()
    } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_INTERRUPT && ContinuousClock.now > deadline {
      isComplete = false
      return false
    }
  }

  /// The time after which a trial is not repeated.
  private static let repetition = Duration.seconds(2)

  /// Returns the shortest one of several trials; of a long one, the first.
  ///
  /// On a busy machine, or one that reads the file from its disk, the first trial may take several times as long as the next one. So one
  /// that took too long is repeated once.
  static func shortest(_ trial: () async throws -> AdviceTrial) async throws -> AdviceTrial {
    var best = try await trial()
    if !best.isComplete { best = try await trial() }
    var (spent, count) = (best.time, 1)
    while count < 5, spent < repetition, best.isComplete {
      let next = try await trial()
      if next.isComplete, next.time < best.time { best = next }
      (spent, count) = (spent + next.time, count + 1)
    }
    return best
  }

  // MARK: Estimates

  /// Returns the number of rows of a sample to read for a number of rows of the tables.
  ///
  /// - Parameter isDirect: Whether rows are found without reading others.
  static func rows(_ rows: Int?, sampling: Int, isDirect: Bool) -> Int? {
    isDirect ? rows : rows.map { ($0 + sampling - 1) / sampling }
  }

  /// Returns the time for the tables of which the trial has read a sample.
  ///
  /// A statement that scans or sorts reads as many fewer rows of a sample, also before it finds its first one. An index finds the first row
  /// as fast in a sample as in the table, and a number of rows too, if the sample contains so many.
  ///
  /// - Parameters:
  ///   - rows: The number of rows that are read of the tables; nil for all.
  ///   - isDirect: Whether rows are found without reading others.
  func estimate(sampling: Int, rows: Int?, isDirect: Bool) -> Duration {
    guard isDirect else { return compiling + (beginning + continuing) * sampling }
    let needed = rows.map { Double($0) / Double(max(1, rowCount)) } ?? .infinity
    let factor = min(Double(sampling), max(1, needed))
    return compiling + beginning + continuing * factor
  }
}
