extension SpooledRows {
  /// Reads something of one row that has been taken, or is taken now.
  func read<Value: Sendable>(
    _ key: RowKey, _ body: @escaping @Sendable (KeysetRows, [DatabaseValue], Database) throws -> Value
  ) async throws -> Value {
    let place = try place(of: key)
    try await take(through: place)
    let rows = rows
    return try await store.read { try body(rows, rows.requiredPlace(of: .place(place)), $0) }
  }

  func number(of key: RowKey) -> RowNumber? {
    guard case .place(let place) = key, (0..<count.value).contains(place) else { return nil }
    return .exact(place)
  }

  func forEachRow(
    from first: RowKey, through last: RowKey, columns: [Int], _ body: @escaping @Sendable ([DatabaseValue]) throws -> Void
  ) async throws {
    try await take(through: place(of: last))
    let rows = rows
    try await store.read { database in
      try rows.forEachRow(from: first, through: last, columns: columns, in: database, body)
    }
  }

  /// The next row that matches, once around: among the rows that have been taken first, then among those that follow.
  func match(_ needle: Needle, columns: [Int], from key: RowKey?, _ direction: KeysetOrder.Direction) async throws -> RowMatch? {
    let rows = rows
    if direction == .backward {
      try await take(through: .max)
    }
    var place = try key.map { try self.place(of: $0) }
    while true {
      let count = count
      let from = place
      let match = try await store.read { database in
        let start = try from.map { try rows.requiredPlace(of: .place($0)) }
        return try rows.match(needle, columns: columns, from: start, direction, in: database)
      }
      if let match { return RowMatch(key: match.key, column: match.column, wrapped: false) }
      guard !count.isExact else { break }
      place = count.value - 1
      try await take(through: count.value)
    }
    guard key != nil else { return nil }
    let match = try await store.read { try rows.match(needle, columns: columns, from: nil, direction, in: $0) }
    return match.map { RowMatch(key: $0.key, column: $0.column, wrapped: true) }
  }
}
