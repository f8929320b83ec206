internal import QuarryEngine

extension ReadConnections {
  /// Compiles a shape for rows, and reads the values that become the columns of its pivot.
  ///
  /// Without a pivot, nothing is read.
  ///
  /// - Parameters:
  ///   - rows: The rows to group; their filter and their matches still apply, and their order does not matter.
  ///   - columns: The columns of these rows.
  ///   - progress: Called with the progress while these values are read.
  /// - Throws: ``GroupError``, ``DatabaseError``, `CancellationError`.
  public func groups(
    _ shape: GroupShape, of rows: RowSet, columns: FilterColumns, progress: @escaping @Sendable (RowProgress) -> Void = { _ in }
  ) async throws -> CompiledGroups {
    try shape.check(columns: columns)
    let values = try await pivotValues(of: shape, in: rows, columns: columns, progress: progress)
    return try shape.compiled(of: rows, columns: columns, pivot: values)
  }

  /// Reads the values that become the columns of a pivot; nil without a pivot.
  ///
  /// - Parameters:
  ///   - rows: The rows to group.
  ///   - columns: The columns of these rows.
  ///   - progress: Called with the progress while the rows of a large table are read.
  /// - Throws: ``GroupError``, ``DatabaseError``, `CancellationError`.
  package func pivotValues(
    of shape: GroupShape, in rows: RowSet, columns: FilterColumns, progress: @escaping @Sendable (RowProgress) -> Void = { _ in }
  ) async throws -> PivotValues? {
    guard let across = shape.across else { return nil }
    let counted = try GroupShape(levels: [across], aggregates: [#""number of rows" = count"#]).compiled(of: rows, columns: columns)
    if let stored = try await computedRows(of: counted.rowSet, progress: progress) {
      return try await stored.connections.background.read { try PivotValues(counts: stored.query, in: $0) }
    }
    return try await background.readUndivided(of: rows.databaseName) { try PivotValues(counts: counted.sqlText, in: $0) }
  }

  /// Finds groups by reading each row once, however few there are; nil if only SQLite can find them.
  ///
  /// The groups are ``ReturnedRows/query`` on the connection of the returned rows.
  ///
  /// - Parameter found: Called with the groups so far, as often as possible; nil for no calls.
  /// - Throws: ``DatabaseError``, `CancellationError`.
  package func collectedGroups(_ groups: CompiledGroups, _ found: (@Sendable (RowsSoFar) -> Void)? = nil) async throws -> ReturnedRows? {
    guard let collection = groups.collection else { return nil }
    guard let found else { return try await collect(collection, isForced: true) { _ in } }
    return try await collect(collection, isForced: true, pace: .always, every: .zero) { $0.found.map(found) }
  }
}
