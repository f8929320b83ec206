internal import Synchronization

extension RowReader {
  /// How many rows there are.
  ///
  ///     SELECT count(*) FROM main.Track
  ///
  /// A table is counted on the background connection, once for each state of the file; after that the places of every thousandth row
  /// are noted there, so that rows can be found by their number. Where a set keeps only some rows, or orders them, the keys of all its rows
  /// are found there, and the count grows with them. Of a view or query the rows taken so far are the count.
  ///
  /// - Parameter progress: is called with growing numbers while rows are found one by one, from time to time with how far the reading is.
  /// - Returns: an exact number, or what is known when it was cancelled.
  /// - Throws: `DatabaseError`
  public func count(progress: @escaping @Sendable (RowNumber, RowProgress?) -> Void = { _, _ in }) async throws -> RowNumber {
    do {
      return try await backgroundWork.run { [self] in
        switch try await source() {
        case .table(let table):
          let count = try await background.read { try self.count(table, in: $0) }
          startAnchors(for: table)
          return .exact(count)
        case .ordered(let table):
          return try await table.count(progress: progress)
        case .spooled(let rows):
          return rows.count
        }
      }
    } catch is CancellationError {
      return .atLeast(0)
    }
  }

  private func count(_ table: TableRows, in database: Database) throws -> Int {
    let current = try checkedState(of: table, in: database)
    if let count = state.withLock({ $0.numbers.count(in: current) }) { return count }
    let count = try connections.count(of: table.rows, in: current, database)
    state.withLock { $0.numbers.set(count: count, in: current) }
    return count
  }

  /// The number of a row, as far as it is known.
  ///
  /// - Throws: `DatabaseError`
  public func number(of key: RowKey) async throws -> RowNumber? {
    try await foregroundWork.run { [self] in
      switch try await source() {
      case .table(let table): try await foreground.read { try self.number(of: key, in: table, $0) }
      case .ordered(let table): try await table.number(of: key)
      case .spooled(let rows): rows.number(of: key)
      }
    }
  }

  private func number(of key: RowKey, in table: TableRows, _ database: Database) throws -> RowNumber? {
    let current = try checkedState(of: table, in: database)
    let numbers = state.withLock(\.numbers)
    if let number = numbers.walkedNumber(of: key, in: current) { return .exact(number) }
    return try table.rows.number(of: table.rows.requiredPlace(of: key), numbers, current, in: database)
  }
}
