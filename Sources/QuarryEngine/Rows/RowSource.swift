internal import Synchronization

/// Where a reader's rows come from, with what it takes to read them.
enum RowSource: Sendable {
  case table(TableRows)
  case ordered(ListedRowSource)
  case spooled(MaterializedRows)

  var columns: [RowSetColumn] {
    switch self {
    case .table(let table): table.rows.columns
    case .ordered(let table): table.columns
    case .spooled(let rows): rows.columns
    }
  }
}

/// The rows of a table, and the state of the schema in which they were found to be so.
struct TableRows: Sendable {
  var rows: KeysetRows
  var schema: Int64
}

extension RowReader {
  /// The source, found from the schema when it is first asked for.
  func source() async throws -> RowSource {
    if let source = state.withLock(\.source) { return source }
    let source = try await foreground.read { [self] in try findSource(in: $0) }
    return state.withLock { state in
      let first = state.source ?? source
      state.source = first
      return first
    }
  }

  private func findSource(in database: Database) throws -> RowSource {
    switch try AccessPath(of: rowSet, in: database) {
    case .keyset(let rows):
      try .table(TableRows(rows: rows, schema: database.dataState(of: rows.reference.database).schema))
    case .ordered(let rows):
      try .ordered(
        ListedRowSource(
          rows, schema: database.dataState(of: rows.table.reference.database).schema, of: rowSet, on: connections))
    case .sequence(let rows):
      // Of rows that a statement has returned nothing is left to be taken, unless only some of them are wanted, or in another order.
      if case .returned(let returned) = rowSet.source, !rowSet.isNarrowed, rowSet.order.isNatural {
        .spooled(MaterializedRows(returned, rows))
      } else {
        try .spooled(MaterializedRows(rows, source: connections.lasting()))
      }
    }
  }

  /// The state that a connection reads, in which a table is still what it was.
  ///
  /// - Throws: `DatabaseError`: `SQLITE_ERROR` where it is gone, `SQLITE_SCHEMA` where its columns or keys have changed.
  @discardableResult
  func checkedState(of table: TableRows, in database: Database) throws -> DataState {
    let current = try database.dataState(of: table.rows.reference.database)
    guard current.schema != table.schema else { return current }
    guard try AccessPath(of: rowSet, in: database) == .keyset(table.rows) else {
      throw DatabaseError(DatabaseError.SQLITE_SCHEMA, "\(table.rows.reference.name) has been changed since it was opened: open it again")
    }
    let checked = TableRows(rows: table.rows, schema: current.schema)
    state.withLock { $0.source = .table(checked) }
    return current
  }
}
