extension KeysetRows {
  /// Counts the rows, for which SQLite takes the smallest index.
  func count(in database: Database) throws -> Int {
    do {
      return try count("SELECT count(*) FROM \(reference.sqlText)", in: database)
    } catch DatabaseError.SQLITE_ERROR_MISSING_COLLSEQ {
      // That index is sorted by a collation which is not known here; the table itself is not.
      return try count("SELECT count(*) FROM \(reference.sqlText) NOT INDEXED", in: database)
    }
  }

  private func count(_ sql: SQLText, in database: Database) throws -> Int {
    var count = 0
    try database.scan(sql) { statement in
      count = try Int(statement.columnInteger(at: 0))
      return false
    }
    return count
  }

  /// Passes at most `limit` rows more, and keeps the places of the anchors among them.
  func extend(_ anchors: inout Anchors, by limit: Int, in database: Database) throws {
    let start = anchors.resume()
    let ranges = start.map { order.ranges(from: $0, .forward, isInclusive: true) } ?? [order.everything(.forward)]
    var passed = 0
    try scan(database, keyColumns, ranges, limit: limit) { statement in
      try anchors.pass(place(statement, at: 0))
      passed += 1
      return true
    }
    anchors.isComplete = passed < limit
  }
}
