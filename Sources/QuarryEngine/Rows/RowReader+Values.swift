extension RowReader {
  /// Whether a row is one of the set; of views and queries none is, since what stands in a place may be another row each time.
  ///
  /// - Throws: `DatabaseError`
  public func contains(_ key: RowKey) async throws -> Bool {
    try await foregroundWork.run { [self] in
      switch try await source() {
      case .table(let table):
        try await foreground.read { database in
          try self.checkedState(of: table, in: database)
          guard let place = table.rows.place(of: key) else { return false }
          return try !table.rows.places(database, [table.rows.order.row(at: place)], limit: 1).isEmpty
        }
      case .ordered(let table): try await table.contains(key)
      case .spooled: false
      }
    }
  }

  /// The values of a row, each text or blob at most `limit` bytes of it, with its true size; nil where the row is gone.
  ///
  /// - Throws: `DatabaseError`
  public func record(_ key: RowKey, limit: Int) async throws -> WindowRow? {
    let cells = try await onRows(key) { rows, place, database in
      try rows.record(at: place, limit: max(0, limit), in: database)
    }
    return cells.map { WindowRow(key: key, cells: $0) }
  }

  /// One whole value; nil where the row or the column is gone.
  ///
  /// - Throws: `DatabaseError`
  public func value(_ key: RowKey, column: Int) async throws -> DatabaseValue? {
    try await onRows(key) { rows, place, database in
      try rows.value(at: place, column: column, in: database)
    }
  }

  /// Whole rows from one key to another, both included, in the set's order, all of one state of the database.
  ///
  /// - Parameters:
  ///   - first: the first row.
  ///   - last: the last row, which is read too.
  ///   - columns: the indices of the columns that are read, from 0.
  ///   - body: is called row by row on the reader's thread, with the values of `columns`.
  /// - Throws: `DatabaseError`, and what `body` throws, which ends the reading.
  public func forEachRow(
    from first: RowKey, through last: RowKey, columns: [Int], _ body: @escaping @Sendable ([DatabaseValue]) throws -> Void
  ) async throws {
    try await backgroundWork.run { [self] in
      switch try await source() {
      case .table(let table):
        try await background.read { database in
          try self.checkedState(of: table, in: database)
          try table.rows.forEachRow(from: first, through: last, columns: columns, in: database, body)
        }
      case .ordered(let table):
        try await table.forEachRow(from: first, through: last, columns: columns, body)
      case .spooled(let rows):
        try await rows.forEachRow(from: first, through: last, columns: columns, body)
      }
    }
  }

  /// Reads something of one row on the foreground connection.
  private func onRows<Value: Sendable>(
    _ key: RowKey, _ body: @escaping @Sendable (KeysetRows, [DatabaseValue], Database) throws -> Value
  ) async throws -> Value {
    try await foregroundWork.run { [self] in
      switch try await source() {
      case .table(let table):
        try await foreground.read { database in
          try self.checkedState(of: table, in: database)
          return try body(table.rows, table.rows.requiredPlace(of: key), database)
        }
      case .ordered(let table):
        try await table.read(key, body)
      case .spooled(let rows):
        try await rows.read(key, body)
      }
    }
  }
}
