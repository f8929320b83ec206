public import QuarryRows

/// Proposes indexes for statements of a source, and measures them.
public protocol IndexAdvising: Sendable {
  /// Finds indexes with which a statement would read fewer rows, and tries them on a private copy of its tables.
  ///
  /// Nothing is written to the databases of the source.
  ///
  /// - Parameters:
  ///   - now: The clock by which times are measured.
  ///   - progress: Called on any thread with the results so far.
  /// - Throws: ``AdviceObstacle`` if nothing can be tried.
  func indexAdvice(
    _ request: AdviceRequest, now: @escaping @Sendable () -> ContinuousClock.Instant, progress: @escaping @Sendable (IndexAdvice) -> Void
  ) async throws -> IndexAdvice
}

extension SQLiteDataSource: IndexAdvising {
  public var advice: (any IndexAdvising)? { self }

  /// Tries indexes on a private copy of the tables.
  ///
  /// - Throws: ``DataSourceError`` while a transaction is open, whose changes the copy would miss.
  public func indexAdvice(
    _ request: AdviceRequest, now: @escaping @Sendable () -> ContinuousClock.Instant, progress: @escaping @Sendable (IndexAdvice) -> Void
  ) async throws -> IndexAdvice {
    if script.isTransactionOpen { throw DataSourceError("indexes are tried on committed rows: commit or roll back the transaction first") }
    return try await connections(for: .advice).background.indexAdvice(request, now: now, report: progress)
  }
}
