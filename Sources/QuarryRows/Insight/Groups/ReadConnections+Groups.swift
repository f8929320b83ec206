internal import QuarryEngine

extension ReadConnections {
  /// Compiles a shape for rows, and reads the values that become the columns of its pivot.
  ///
  /// Without a pivot, nothing is read.
  ///
  /// - Parameters:
  ///   - rows: The rows to group; their filter and their matches still apply, and their order does not matter.
  ///   - columns: The columns of these rows.
  /// - Throws: ``GroupError``, ``DatabaseError``, `CancellationError`.
  public func groups(_ shape: GroupShape, of rows: RowSet, columns: FilterColumns) async throws -> CompiledGroups {
    try shape.check(columns: columns)
    let compiler = GroupCompiler(shape, rows, columns)
    guard let across = try compiler.acrossTerm() else { return try shape.compiled(of: rows, columns: columns) }
    let query = compiler.valuesQuery(across)
    let values = try await background.readUndivided(of: rows.databaseName) { try PivotValues(query, in: $0) }
    return try shape.compiled(of: rows, columns: columns, pivot: values)
  }
}
