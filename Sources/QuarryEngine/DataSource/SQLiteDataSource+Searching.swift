extension SQLiteDataSource {
  /// Looks for a text in all tables, on the connections of counting, so that the rows on the screen are counted and sorted meanwhile; while
  /// a transaction is open, where its changes are seen.
  public func search(
    _ search: EverywhereSearch, report: @escaping @Sendable (SearchReport) -> Void
  ) async throws -> [SearchedTable] {
    try await insightConnections().search(search, report)
  }

  /// Looks up the rows that foreign keys refer to: see ``Database/referredRows(_:)``.
  public func referredRows(_ lookups: [ReferenceLookup]) async throws -> [[ReferredRow]] {
    let queue = script.isTransactionOpen ? try script.queue() : background
    return try await queue.read { db in try db.referredRows(lookups) }
  }
}
