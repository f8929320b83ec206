extension RowReader {
  /// The next row after (or before) a key in which some of the columns match, looked for once around; nil where there is none.
  ///
  /// A text is looked for as LIKE does, with the case of ASCII letters ignored, in texts and in numbers as they are written; a value
  /// matches what is the same in the same storage class.
  ///
  /// - Parameters:
  ///   - needle: what is looked for.
  ///   - columns: the indices of the columns that are looked at, from 0.
  ///   - key: the row to go on from; nil to begin at the end of the rows.
  ///   - backwards: whether rows before are looked through, from the nearest on.
  /// - Throws: `DatabaseError`
  public func find(_ needle: Needle, columns: [Int], from key: RowKey?, backwards: Bool) async throws -> RowMatch? {
    let direction: KeysetOrder.Direction = backwards ? .backward : .forward
    return try await backgroundWork.run { [self] in
      switch try await source() {
      case .table(let table):
        try await background.read { database in
          try self.checkedState(of: table, in: database)
          return try table.rows.matchAround(needle, columns: columns, from: key, direction, in: database)
        }
      case .ordered(let table):
        try await table.find(needle, columns: columns, from: key, direction)
      case .spooled(let rows):
        try await rows.match(needle, columns: columns, from: key, direction)
      }
    }
  }
}
