internal import QuarryEngine
public import QuarryRows

extension SQLiteDataSource {
  /// Searches all tables for a text, on separate connections so that other operations do not wait.
  ///
  /// While a transaction is open, the statements' connection is used, because only that connection sees the changes.
  public func search(
    _ search: EverywhereSearch, report: @escaping @Sendable (SearchReport) -> Void
  ) async throws -> [SearchedTable] {
    try await connections(for: .search).search(search, report)
  }

  /// Looks up the rows to which foreign keys refer.
  ///
  /// See ``Database/referredRows(_:)``.
  public func referredRows(_ lookups: [ReferenceLookup]) async throws -> [[ReferredRow]] {
    let queue = script.isTransactionOpen ? try script.queue() : background
    return try await queue.read { db in try db.referredRows(lookups) }
  }
}
