public import QuarryEngine
public import QuarryRows
internal import Synchronization

extension SQLiteDataSource {
  /// Counts how often each value of a column occurs: see ``ReadConnections/counts(_:progress:)``.
  public func counts(_ request: CountRequest, progress: @escaping @Sendable (ValueCounts) -> Void) async throws -> ValueCounts {
    try await insightConnections(for: request.set, .counts).counts(request, progress: progress)
  }

  /// Looks at what the values of columns are like: see ``ReadConnections/profile(_:progress:)``.
  public func profile(_ request: ProfileRequest, progress: @escaping @Sendable (TableProfile) -> Void) async throws -> TableProfile {
    try await insightConnections(for: request.set, .profile).profile(request, progress: progress)
  }

  /// Counts how rows are distributed over the values of several columns: see ``ReadConnections/facets(_:progress:)``.
  public func facets(_ request: FacetRequest, progress: @escaping @Sendable ([Facet]) -> Void) async throws -> [Facet] {
    try await insightConnections(for: request.set, .facets).facets(request, progress: progress)
  }

  /// Looks for the paths that lead to values in a column of JSON: see ``ReadConnections/jsonPaths(of:in:progress:)``.
  public func jsonPaths(
    of column: String, in set: RowSet, progress: @escaping @Sendable (JSONPaths) -> Void
  ) async throws -> JSONPaths {
    try await insightConnections(for: set, .jsonPaths).jsonPaths(of: column, in: set, progress: progress)
  }

  /// Reads the row at which an error was met, column by column: see ``DataSource/failingColumn(of:after:_:)``.
  public func failingColumn(of set: RowSet, after rows: Int, _ error: DatabaseError) async throws -> String? {
    try await insightConnections(for: set, .failures).failingColumn(of: set, after: rows, error)
  }

  /// Returns the connections on which the rows of a set are looked at, but where a transaction is open, whose changes only its own
  /// connection sees; and so do queries that may depend on what a statement has done to that connection.
  private func insightConnections(for set: RowSet, _ purpose: InsightPurpose) throws -> ReadConnections {
    if case .returned(let rows) = set.source { return rows.connections }
    if case .query(let sql, _) = set.source, !script.isIndependent(sql) { return ReadConnections(try script.queue()) }
    return try connections(for: purpose)
  }

  /// Returns the connections of one purpose, opened when they are first needed.
  func connections(for purpose: InsightPurpose) throws -> ReadConnections {
    if script.isTransactionOpen { return ReadConnections(try script.queue()) }
    return try openedInsight.withLock { opened in
      if let connections = opened[purpose] { return connections }
      let connections = try openInsight?(purpose.rawValue) ?? ReadConnections(background)
      opened[purpose] = connections
      return connections
    }
  }
}

/// What rows are looked at for: each has connections of its own, so that none waits for another to end.
enum InsightPurpose: String {
  case counts, profile, facets, failures
  case jsonPaths = "JSON paths"
  case search
}
