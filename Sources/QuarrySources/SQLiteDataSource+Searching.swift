internal import QuarryEngine
public import QuarryRows

extension SQLiteDataSource {
  /// Looks for a text in all tables, on connections of its own, so that rows are counted and sorted, and values counted, meanwhile; while a
  /// transaction is open, where its changes are seen.
  public func search(
    _ search: EverywhereSearch, report: @escaping @Sendable (SearchReport) -> Void
  ) async throws -> [SearchedTable] {
    try await connections(for: .search).search(search, report)
  }

  /// Looks up the rows that foreign keys refer to: see ``Database/referredRows(_:)``.
  public func referredRows(_ lookups: [ReferenceLookup]) async throws -> [[ReferredRow]] {
    let queue = script.isTransactionOpen ? try script.queue() : background
    return try await queue.read { db in try db.referredRows(lookups) }
  }
}
