extension ListedRowSource {
  func contains(_ key: RowKey) async throws -> Bool {
    try await foreground.read { [self] database in
      let rows = try checked(in: database).rows
      return try rows.table.place(of: key) != nil && rows.contains(key, in: database)
    }
  }

  func forEachRow(
    from first: RowKey, through last: RowKey, columns: [Int], _ body: @escaping @Sendable ([DatabaseValue]) throws -> Void
  ) async throws {
    let list = try await startedList()
    try await background.read { [self] database in
      let rows = try checked(in: database).rows
      let source = ListedRows(rows: rows, list: list, isCurrent: false)
      guard let start = try place(of: first, source, in: database), let end = try place(of: last, source, in: database) else { return }
      try rows.forEachRow(from: start, through: end, columns: columns, in: database, body)
    }
  }

  /// Reads something of one row on the foreground connection, whether the set keeps it or not.
  func read<Value: Sendable>(
    _ key: RowKey, _ body: @escaping @Sendable (KeysetRows, [DatabaseValue], Database) throws -> Value
  ) async throws -> Value {
    try await foreground.read { [self] database in
      let table = try checked(in: database).rows.table
      return try body(table, table.requiredPlace(of: key), database)
    }
  }
}
