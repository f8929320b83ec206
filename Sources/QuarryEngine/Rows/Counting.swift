extension KeysetRows {
  /// The number of rows.
  ///
  /// All rows of a table are counted by SQLite, which takes the smallest index; some of them step by step, to tell how far it is.
  func count(in database: Database, progress: (Int) -> Void) throws -> Int {
    guard condition.isEmpty else { return try countOneByOne(in: database, progress: progress) }
    var count = 0
    try database.scan("SELECT count(*) FROM \(reference.sql)", []) { statement in
      count = try Int(statement.columnInteger(at: 0))
      return false
    }
    return count
  }

  private func countOneByOne(in database: Database, progress: (Int) -> Void) throws -> Int {
    var count = 0
    try database.scan("SELECT 1 FROM \(reference.sql) WHERE \(condition)", arguments) { _ in
      count += 1
      if count % Self.progressStride == 0 {
        progress(count)
      }
      return true
    }
    return count
  }

  private static let progressStride = 10_000

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
