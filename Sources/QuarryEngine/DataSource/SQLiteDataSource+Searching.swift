extension SQLiteDataSource {
  /// Looks for a text in all tables; while a transaction is open, where its changes are seen.
  public func search(
    _ search: EverywhereSearch, report: @escaping @Sendable (SearchReport) -> Void
  ) async throws -> [SearchedTable] {
    try await searchedConnections().search(search, report)
  }

  private func searchedConnections() throws -> ReadConnections {
    guard script.isTransactionOpen else { return rows }
    let queue = try script.queue()
    return ReadConnections(foreground: queue, background: queue)
  }
}
