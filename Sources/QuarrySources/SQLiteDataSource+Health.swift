internal import QuarryEngine
public import QuarryRows

extension SQLiteDataSource: HealthChecking {
  /// Checks the first database on connections of their own.
  ///
  /// While a transaction is open, the statements' connection is used because only that connection sees the changes.
  public func health(_ request: HealthRequest, progress: @escaping @Sendable (HealthReport) -> Void) async throws -> HealthReport {
    try await connections(for: .health).health(request, progress: progress)
  }

  /// Returns whether the database has been written since it was checked.
  ///
  /// See ``ReadConnections/hasChanged(since:)``.
  public func hasChanged(since report: HealthReport) async throws -> Bool {
    try await connections(for: .health).hasChanged(since: report)
  }

  /// Runs a statement that mends the first database on the statements' connection, and commits it.
  ///
  ///     VACUUM main; PRAGMA main.wal_checkpoint(TRUNCATE)
  ///
  /// In WAL mode, the file becomes smaller only when the log is copied to it, so that a checkpoint follows VACUUM.
  ///
  /// - Throws: ``DataSourceError`` if the source is read-only or a transaction is open; ``DatabaseError``; `CancellationError`. The
  ///   database is unchanged in these cases.
  public func maintain(_ maintenance: Maintenance, progress: @escaping @Sendable (Double) -> Void) async throws -> MaintenanceEffect {
    let script = script
    if let refusal = script.refusal { throw DataSourceError(refusal) }
    releaseLocks()
    return try await scriptQueue().withoutTransaction { database in
      defer { script.noteTransaction(in: database) }
      guard !database.isInsideTransaction else { throw DataSourceError("a transaction is open: end it first with :commit or :rollback") }
      database.endLastingReads()
      let before = try database.fileSizes()
      return try script.noting(in: database) {
        let isLogBusy = try script.run(maintenance, in: database, progress)
        return MaintenanceEffect(bytesBefore: before, bytesAfter: try database.fileSizes(), isLogBusy: isLogBusy)
      }
    }
  }
}

extension ScriptConnection {
  /// The maximum time for which a checkpoint waits for other connections.
  private static let checkpointPatience = Duration.seconds(1)

  /// Runs a statement, and a checkpoint if the file depends on it; returns whether another connection prevented the checkpoint.
  fileprivate func run(_ maintenance: Maintenance, in database: Database, _ progress: (Double) -> Void) throws -> Bool {
    if maintenance != .checkpoint {
      let statement = try database.makeStatement(sql: maintenance.sql)
      try recording(statement, in: database) {
        if maintenance == .vacuum { return try database.countingPages(progress) { while try statement.step() {} } }
        while try statement.step() {}
      }
    }
    guard try database.logSize(of: "main") != nil, [.vacuum, .incrementalVacuum, .checkpoint].contains(maintenance) else { return false }
    // Another program may read an old state for hours.
    let timeout = database.busyTimeout
    database.busyTimeout = Self.checkpointPatience
    defer { database.busyTimeout = timeout }
    let checkpoint = try database.makeStatement(sql: Maintenance.checkpoint.sql)
    return try checkpoint.step() && checkpoint.columnInteger(at: 0) != 0
  }
}

extension Database {
  /// Reports the part of the used pages that have been read since `body` began.
  fileprivate func countingPages(_ progress: (Double) -> Void, during body: () throws -> Void) throws {
    let (all, free) = (try Int.fetchOne(self, sql: "PRAGMA main.page_count"), try Int.fetchOne(self, sql: "PRAGMA main.freelist_count"))
    let (pages, before) = (Double(max(1, (all ?? 1) - (free ?? 0))), pagesRead)
    try withProgress(every: 1000) {
      progress(min(1, Double(pagesRead - before) / pages))
      return false
    } during: {
      try body()
    }
  }

  /// Returns the number of bytes of the main database and of its write-ahead log.
  fileprivate func fileSizes() throws -> Int {
    let pages = try Int.fetchOne(self, sql: "SELECT page_count * page_size FROM pragma_page_count('main'), pragma_page_size('main')") ?? 0
    return try pages + (logSize(of: "main") ?? 0)
  }
}
