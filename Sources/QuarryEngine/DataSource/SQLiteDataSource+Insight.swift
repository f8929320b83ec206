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

  /// Reads the row at which an error was met, column by column: see ``DataSource/failingColumn(of:after:_:)``.
  public func failingColumn(of set: RowSet, after rows: Int, _ error: DatabaseError) async throws -> String? {
    try await insightConnections(for: set).failingColumn(of: set, after: rows, error)
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
  private func insightConnections() throws -> ReadConnections {
    if script.isTransactionOpen { return ReadConnections(try script.queue()) }
    return try insight.withLock { try opened(&$0, label: "insight") }
  }

  /// Returns the connections on which all tables are searched.
  func searchConnections() throws -> ReadConnections {
    if script.isTransactionOpen { return ReadConnections(try script.queue()) }
    return try searching.withLock { try opened(&$0, label: "search") }
  }

  private func opened(_ connections: inout ReadConnections?, label: String) throws -> ReadConnections {
    if let connections { return connections }
    let opened = try openInsight?(label) ?? ReadConnections(background)
    connections = opened
    return opened
  }
}
