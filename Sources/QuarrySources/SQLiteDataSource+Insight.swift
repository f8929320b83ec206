public import QuarryEngine
public import QuarryRows
internal import Synchronization

extension SQLiteDataSource {
  /// Counts how often each value of a column occurs.
  ///
  /// See ``ReadConnections/counts(_:progress:)``.
  public func counts(_ request: CountRequest, progress: @escaping @Sendable (ValueCounts) -> Void) async throws -> ValueCounts {
    try await insightConnections(for: request.set, .counts).counts(request, progress: progress)
  }

  /// Summarizes the values of columns.
  ///
  /// See ``ReadConnections/profile(_:progress:)``.
  public func profile(_ request: ProfileRequest, progress: @escaping @Sendable (TableProfile) -> Void) async throws -> TableProfile {
    try await insightConnections(for: request.set, .profile).profile(request, progress: progress)
  }

  /// Counts rows by the values of several columns.
  ///
  /// See ``ReadConnections/facets(_:progress:)``.
  public func facets(_ request: FacetRequest, progress: @escaping @Sendable ([Facet]) -> Void) async throws -> [Facet] {
    try await insightConnections(for: request.set, .facets).facets(request, progress: progress)
  }

  /// Finds the paths to values in a JSON column.
  ///
  /// See ``ReadConnections/jsonPaths(of:in:progress:)``.
  public func jsonPaths(
    of column: String, in set: RowSet, progress: @escaping @Sendable (JSONPaths) -> Void
  ) async throws -> JSONPaths {
    try await insightConnections(for: set, .jsonPaths).jsonPaths(of: column, in: set, progress: progress)
  }

  /// Compiles groups of rows.
  ///
  /// See ``ReadConnections/groups(_:of:columns:)``.
  public func groups(_ shape: GroupShape, of rows: RowSet, columns: FilterColumns) async throws -> CompiledGroups {
    try await insightConnections(for: rows, .groups).groups(shape, of: rows, columns: columns).storingReturned()
  }

  /// Reads the row with an error column by column.
  ///
  /// See ``DataInsight/failingColumn(of:after:_:)``.
  public func failingColumn(of set: RowSet, after rows: Int, _ error: DatabaseError) async throws -> String? {
    try await insightConnections(for: set, .failures).failingColumn(of: set, after: rows, error)
  }

  /// Returns the connections for analyzing the rows of a set.
  ///
  /// While a transaction is open, this is the statements' connection, because only that connection sees the changes. The same applies to
  /// queries that may depend on the connection's state.
  private func insightConnections(for set: RowSet, _ purpose: InsightPurpose) throws -> ReadConnections {
    if case .returned(let rows) = set.source { return rows.connections }
    if case .query(let sql, _) = set.source, !script.isIndependent(sql) { return ReadConnections(try script.queue()) }
    return try connections(for: purpose)
  }

  /// Returns the connections for a purpose.
  ///
  /// Opens them on first use.
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

/// The purposes of analyzing rows.
///
/// Each has its own connections, so that none waits for another.
enum InsightPurpose: String {
  case counts, groups, profile, facets, failures, health
  case jsonPaths = "JSON paths"
  case search, advice
}
