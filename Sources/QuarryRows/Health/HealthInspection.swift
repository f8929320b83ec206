internal import QuarryEngine
internal import Synchronization

extension ReadConnections {
  /// Checks the database `main`: its structure, its references, its indexes, and the space that it takes.
  ///
  ///     PRAGMA main.integrity_check; SELECT … FROM pragma_foreign_key_check(…); SELECT … FROM dbstat WHERE aggregate; …
  ///
  /// Nothing is written. The check of the structure runs beside the other checks, on a second connection if there is one. In rollback
  /// journal mode, a check lets a writer proceed and starts again; only its fourth attempt blocks writers until it ends.
  ///
  /// Damage is a result, and does not end the other checks.
  ///
  /// - Parameter progress: Called with the results so far, on any thread.
  /// - Throws: ``DatabaseError`` if the checks are interrupted; `CancellationError`.
  public func health(
    _ request: HealthRequest, progress: @escaping @Sendable (HealthReport) -> Void = { _ in }
  ) async throws -> HealthReport {
    try await HealthInspection(request, on: self, progress).run()
  }

  /// Returns whether the database has been written since it was checked.
  ///
  ///     PRAGMA main.data_version; PRAGMA main.schema_version
  ///
  /// - Throws: ``DatabaseError``; `CancellationError`.
  public func hasChanged(since report: HealthReport) async throws -> Bool {
    try await background.read { try DataState(of: "main", in: $0) } != report.state
  }
}

/// The checks of one request.
private final class HealthInspection: Sendable {
  private let connections: ReadConnections
  private let integrity: IntegrityCheck
  private let others: [any HealthCheck]
  private let report: Mutex<HealthReport>
  private let progress: @Sendable (HealthReport) -> Void

  init(_ request: HealthRequest, on connections: ReadConnections, _ progress: @escaping @Sendable (HealthReport) -> Void) {
    (self.connections, self.progress) = (connections, progress)
    integrity = IntegrityCheck(isQuick: request.isQuick)
    others = [
      SchemaCheck(), ConstraintCheck(), ReferenceCheck(), ParentKeyCheck(), KeyCheck(), TypeCheck(isQuick: request.isQuick),
      ReferenceIndexCheck(), RepeatedIndexCheck(), UnusedIndexCheck(statements: request.statements), StatisticsCheck(), FreePageCheck(),
      LogCheck(), SizeCheck(), FileCheck(), LibraryCheck(),
    ]
    report = Mutex(HealthReport(of: [integrity.name] + others.map(\.name)))
  }

  func run() async throws -> HealthReport {
    async let structure: Void = checkStructure()
    try await checkOthers()
    try await structure
    return report.withLock(\.self)
  }

  private func checkStructure() async throws {
    note { $0.begin(0) }
    let integrity = integrity
    let results = try await read(on: connections.background, integrity.name) { database in
      let state = try DataState(of: "main", in: database)
      self.note { $0.state = state }
      return try integrity.results(in: database) { share in self.note { $0.share = share } }
    }
    note { report in
      report.share = nil
      report.end(0, results)
    }
  }

  private func checkOthers() async throws {
    let queue = connections.secondReader ?? connections.background
    let subject = Mutex<HealthSubject?>(nil)
    let faults = try await read(on: queue, "schema") { database in
      let read = try HealthSubject(in: database)
      subject.withLock { $0 = read }
      return []
    }
    for (index, check) in others.enumerated() {
      note { $0.begin(index + 1) }
      let results: [HealthResult]
      if let subject = subject.withLock(\.self) {
        results = try await read(on: queue, check.name) { try check.results(about: subject, in: $0) }
      } else {
        results = index == 0 ? faults : []
      }
      note { $0.end(index + 1, results) }
    }
  }

  /// Runs a check on a connection; damage and faults of the schema are results.
  private func read(
    on queue: DatabaseQueue, _ check: String, _ body: @escaping @Sendable (Database) throws -> [HealthResult]
  ) async throws -> [HealthResult] {
    let running = Mutex<Interruption?>(nil)
    do {
      return try await withTaskCancellationHandler {
        try await self.readAgain(on: queue) { database in
          running.withLock { $0 = database.interruption }
          defer { running.withLock { $0 = nil } }
          try database.cancellation?.check()
          return try HealthResult.faults(check) { try body(database) }
        }
      } onCancel: {
        // Some versions of SQLite look at nothing else while they check the structure of a table.
        running.withLock { $0?.interrupt() }
      }
    } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_INTERRUPT && Task.isCancelled {
      throw CancellationError()
    } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_BUSY && queue !== connections.background {
      // The second connection does not wait for locks.
      return try await read(on: connections.background, check, body)
    } catch let error as DatabaseError {
      // The file may already be unreadable when the read begins.
      return try HealthResult.faults(check) { throw error }
    }
  }

  /// Reads one state of the file, and starts again when a writer waits.
  private func readAgain<Value: Sendable>(
    on queue: DatabaseQueue, _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    // The check of the structure on the other connection cannot be divided.
    if queue !== connections.background { return try await queue.readBeside(of: "main", body) }
    return try await queue.readAgain(of: "main", body)
  }

  private func note(_ change: (inout HealthReport) -> Void) {
    progress(
      report.withLock { report in
        change(&report)
        return report
      })
  }
}
