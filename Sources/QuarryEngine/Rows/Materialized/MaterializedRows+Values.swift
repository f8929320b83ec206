extension MaterializedRows {
  /// Reads something of one row that has been taken, or is taken now.
  func read<Value: Sendable>(
    _ key: RowKey, _ body: @escaping @Sendable (KeysetRows, [DatabaseValue], Database) throws -> Value
  ) async throws -> Value {
    let index = try index(of: key)
    try await take(through: index)
    let rows = rows
    return try await store.read { try body(rows, rows.requiredPlace(of: .position(index)), $0) }
  }

  func number(of key: RowKey) -> RowNumber? {
    guard case .position(let index) = key, (0..<count.value).contains(index) else { return nil }
    return .exact(index)
  }

  func forEachRow(
    from first: RowKey, through last: RowKey, columns: [Int], _ body: @escaping @Sendable ([DatabaseValue]) throws -> Void
  ) async throws {
    try await take(through: index(of: last))
    let rows = rows
    try await store.read { database in
      try rows.forEachRow(from: first, through: last, columns: columns, in: database, body)
    }
  }
}
