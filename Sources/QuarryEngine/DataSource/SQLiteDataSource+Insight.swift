internal import Synchronization

extension SQLiteDataSource {
  /// Counts how often each value of a column occurs: see ``ReadConnections/counts(_:progress:)``.
  public func counts(_ request: CountRequest, progress: @escaping @Sendable (ValueCounts) -> Void) async throws -> ValueCounts {
    try await insightConnections(for: request.set).counts(request, progress: progress)
  }

  /// Looks at what the values of columns are like: see ``ReadConnections/profile(_:progress:)``.
  public func profile(_ request: ProfileRequest, progress: @escaping @Sendable (TableProfile) -> Void) async throws -> TableProfile {
    try await insightConnections(for: request.set).profile(request, progress: progress)
  }

  /// Counts how rows are distributed over the values of several columns: see ``ReadConnections/facets(_:progress:)``.
  public func facets(_ request: FacetRequest, progress: @escaping @Sendable ([Facet]) -> Void) async throws -> [Facet] {
    try await insightConnections(for: request.set).facets(request, progress: progress)
  }

  /// Looks for the paths that lead to values in a column of JSON: see ``ReadConnections/jsonPaths(of:in:progress:)``.
  public func jsonPaths(
    of column: String, in set: RowSet, progress: @escaping @Sendable (JSONPaths) -> Void
  ) async throws -> JSONPaths {
    try await insightConnections(for: set).jsonPaths(of: column, in: set, progress: progress)
  }

  /// Returns the connections on which the rows of a set are looked at: those of counting, but where a transaction is open, whose changes
  /// only its own connection sees.
  private func insightConnections(for set: RowSet) throws -> ReadConnections {
    switch set.source {
    case .returned(let rows): rows.connections
    case .table: try insightConnections()
    case .query: ReadConnections(try script.queue())
    }
  }

  /// Returns the connections on which tables are looked at.
  func insightConnections() throws -> ReadConnections {
    script.isTransactionOpen ? ReadConnections(try script.queue()) : try openedInsight()
  }

  private func openedInsight() throws -> ReadConnections {
    try insight.withLock { insight in
      if let insight { return insight }
      let opened = try openInsight?() ?? ReadConnections(background)
      insight = opened
      return opened
    }
  }
}
