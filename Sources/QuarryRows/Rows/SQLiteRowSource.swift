package import QuarryEngine

/// A row source that reads on SQLite connections.
package protocol SQLiteRowSource: RowSource {
  var rowSet: RowSet { get }
  var connections: ReadConnections { get }

  /// Reads values of one row, whether or not it matches the filter.
  ///
  /// - Parameter body: Called with the rows that contain it and its position in their order.
  /// - Throws: `DatabaseError` for a key of another kind of set.
  func readRow<Value: Sendable>(
    _ key: RowKey, _ body: @escaping @Sendable (KeysetRows, [DatabaseValue], Database) throws -> Value
  ) async throws -> Value
}

extension SQLiteRowSource {
  var foreground: DatabaseQueue { connections.foreground }
  var background: DatabaseQueue { connections.background }
  package var isSnapshot: Bool { false }

  package func record(_ key: RowKey, limit: Int) async throws -> WindowRow? {
    let cells = try await readRow(key) { rows, place, database in
      try rows.record(at: place, limit: max(0, limit), in: database)
    }
    return cells.map { WindowRow(key: key, cells: $0) }
  }

  package func value(_ key: RowKey, column: Int) async throws -> DatabaseValue? {
    try await readRow(key) { rows, place, database in
      try rows.value(at: place, column: column, in: database)
    }
  }

  package func distinctValues(of column: String, prefix: String, limit: Int) async throws -> DistinctValues {
    try await background.read { [rowSet] database in
      try DistinctValues(of: column, in: rowSet.source, prefix: prefix, limit: max(0, limit), on: database)
    }
  }

  package func plan() async throws -> ReadPlan {
    try await foreground.read { [rowSet] in try ReadPlan(of: rowSet, in: $0) }
  }
}

extension ReadConnections {
  /// Creates the source of a set's rows, according to the schema.
  ///
  /// - Throws: `DatabaseError` if the table or a column does not exist, or if the query does not compile.
  func rowSource(of rowSet: RowSet) async throws -> any RowSource {
    try await foreground.read { [self] database in
      let isKeyed = if case .table(let table) = rowSet.source { hasUsableKey(table) } else { true }
      switch try AccessPath(of: rowSet, isKeyed: isKeyed, in: database) {
      case .keyset(let rows):
        return try KeyedRowSource(rows, schema: DataState(of: rows.reference.database, in: database).schema, of: rowSet, on: self)
      case .ordered(let query):
        let schema = try DataState(of: query.table.reference.database, in: database).schema
        return ListedRowSource(query, schema: schema, of: rowSet, on: self)
      case .sequence(let sequence):
        // The rows returned by a statement are already stored, unless only some of them are requested, or another order.
        if case .returned(let returned) = rowSet.source, rowSet.isWhole {
          return MaterializedRows(returned, sequence, of: rowSet)
        }
        if rowSet.computation != nil {
          let fetcher = ComputedFetcher(sequence, of: rowSet, on: self)
          return try MaterializedRows(fetcher, columns: sequence.columns, of: rowSet, on: self)
        }
        return try MaterializedRows(sequence, of: rowSet, on: self)
      }
    }
  }
}
