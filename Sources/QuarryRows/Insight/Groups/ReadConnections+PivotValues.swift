internal import QuarryEngine

extension ReadConnections {
  /// Reads the values that become the columns of a pivot; nil without a pivot.
  ///
  ///     SELECT kind AS v, count(*) AS n, count(*) OVER () AS total FROM events GROUP BY 1 ORDER BY …
  ///
  /// - Parameters:
  ///   - rows: The rows to group.
  ///   - columns: The columns of these rows.
  /// - Throws: ``GroupError``, ``DatabaseError``, `CancellationError`.
  package func pivotValues(of shape: GroupShape, in rows: RowSet, columns: FilterColumns) async throws -> PivotValues? {
    let compiler = GroupCompiler(shape, rows, columns)
    guard let across = try compiler.acrossTerm() else { return nil }
    let query = compiler.valuesQuery(across)
    return try await background.readUndivided(of: rows.databaseName) { try PivotValues(query, in: $0) }
  }
}
