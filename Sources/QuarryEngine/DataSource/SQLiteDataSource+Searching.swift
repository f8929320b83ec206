extension SQLiteDataSource {
  /// Looks for a text in all tables; while a transaction is open, where its changes are seen.
  public func search(
    _ search: EverywhereSearch, report: @escaping @Sendable (SearchReport) -> Void
  ) async throws -> [SearchedTable] {
    try await searchedConnections().search(search, report)
  }

  /// Looks up the rows that foreign keys refer to: see ``Database/referredRows(_:)``.
  public func referredRows(_ lookups: [ReferenceLookup]) async throws -> [[ReferredRow]] {
    let queue = script.isTransactionOpen ? try script.queue() : background
    return try await queue.read { db in try db.referredRows(lookups) }
  }

  private func searchedConnections() throws -> ReadConnections {
    guard script.isTransactionOpen else { return rows }
    let queue = try script.queue()
    return ReadConnections(foreground: queue, background: queue)
  }
}
