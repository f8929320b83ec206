extension KeysetRows {
  /// The number of rows, for which SQLite takes the smallest index.
  func count(in database: Database) throws -> Int {
    do {
      return try count("SELECT count(*) FROM \(reference.sql)", in: database)
    } catch DatabaseError.SQLITE_ERROR_MISSING_COLLSEQ {
      // That index is sorted by a collation which is not known here; the table itself is not.
      return try count("SELECT count(*) FROM \(reference.sql) NOT INDEXED", in: database)
    }
  }

  private func count(_ sql: String, in database: Database) throws -> Int {
    var count = 0
    try database.scan(sql, []) { statement in
      count = try Int(statement.columnInteger(at: 0))
      return false
    }
    return count
  }

  /// Passes the next rows, at most so many.
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
