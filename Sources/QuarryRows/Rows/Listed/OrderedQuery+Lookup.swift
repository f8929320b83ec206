internal import QuarryEngine

extension OrderedQuery {
  /// Calls `body` with a statement on each row of a list, one look-up after the other, until it returns false.
  ///
  /// Writers may proceed from time to time. Rows that no longer exist or no longer match the condition are skipped.
  ///
  /// - Parameters:
  ///   - numbers: The numbers of the rows in the list, which may have fewer.
  ///   - values: The expressions read from each row.
  func lookUp(
    _ list: KeyList, _ numbers: Range<Int>, _ values: [SQLText], in database: Database, _ body: (Statement) throws -> Bool
  ) throws {
    let lookup = matching.lookup(values.isEmpty ? ["1"] : values, at: keyColumns.map { _ in .integer(0) })
    let statement = try database.makeStatement(sql: lookup.sql)
    for (index, value) in lookup.values.enumerated() { try statement.bind(value, at: index + 1) }
    var left = numbers
    while case let batch = try list.keys(left.prefix(database.rowsBetweenLooks), of: table), !batch.isEmpty {
      left = left.dropFirst(batch.count)
      for key in batch {
        try statement.bind(table.requiredPlace(of: key), endingAt: lookup.values.count)
        let goesOn = try statement.step() ? body(statement) : true
        try statement.reset()
        guard goesOn else { return }
      }
      try database.giveWay()
    }
  }
}

extension Statement {
  /// Binds values to the last parameters up to an index, from 1.
  fileprivate func bind(_ values: [DatabaseValue], endingAt last: Int) throws {
    for (index, value) in values.enumerated() { try bind(value, at: last - values.count + 1 + index) }
  }
}
