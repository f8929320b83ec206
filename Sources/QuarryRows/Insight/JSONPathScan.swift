import QuarryEngine

extension ReadConnections {
  /// Looks for the paths that lead to values in a column of JSON.
  ///
  ///     SELECT payload FROM main.events WHERE (kind = ?)
  ///
  /// - Parameter progress: Is called with what has been found so far, several times a second.
  /// - Throws: ``DatabaseError``, and `CancellationError` when the task is cancelled.
  public func jsonPaths(
    of column: String, in set: RowSet, progress: @escaping @Sendable (JSONPaths) -> Void
  ) async throws -> JSONPaths {
    try await background.readUndivided(of: set.databaseName) { db in try JSONPathScan(column, in: set).run(in: db, progress) }
  }
}

/// Reads the values of a column once, and counts the paths in them.
private struct JSONPathScan {
  /// How often what has been found is told.
  private static let interval = Duration.milliseconds(200)
  /// The number of rows between two looks at the clock.
  private static let rowsBetweenLooks = 1024

  private let column: String
  private let set: RowSet

  init(_ column: String, in set: RowSet) {
    self.column = column
    self.set = RowSet(set.source, matching: set.matching, filter: set.filter)
  }

  func run(in database: Database, _ progress: (JSONPaths) -> Void) throws -> JSONPaths {
    var tree = JSONPathTree(mostPaths: JSONPaths.mostPaths)
    var found = JSONPaths()
    do {
      try read(into: &tree, &found, in: database, progress)
    } catch let error as DatabaseError {
      progress(found.counted(by: tree))
      throw error.located(in: set, column: column, after: found.rows)
    }
    found.isComplete = true
    let result = found.counted(by: tree)
    progress(result)
    return result
  }

  private func read(
    into tree: inout JSONPathTree, _ found: inout JSONPaths, in database: Database, _ progress: (JSONPaths) -> Void
  ) throws {
    var last = ContinuousClock.now
    try database.scan("SELECT \(identifier: column) FROM (\(set.sqlText))") { statement in
      found.rows += 1
      for value in try statement.borrowedValues() { Self.count(value, in: &tree, &found) }
      if found.rows % Self.rowsBetweenLooks == 0, ContinuousClock.now - last > Self.interval {
        last = .now
        progress(found.counted(by: tree))
        try database.cancellation?.check()
      }
      return true
    }
  }

  private static func count(_ value: BorrowedValue, in tree: inout JSONPathTree, _ found: inout JSONPaths) {
    switch value {
    case .null: found.nulls += 1
    case .integer: tree.addScalar(.integer)
    case .real(let number): if number.isFinite { tree.addScalar(.real) } else { found.others += 1 }
    case .text(let bytes): if !tree.add(bytes) { found.others += 1 }
    case .blob: found.others += 1
    }
  }
}

extension JSONPaths {
  /// Returns what is known of rows with the paths found in them.
  fileprivate func counted(by tree: JSONPathTree) -> JSONPaths {
    var report = self
    report.isTruncated = tree.isTruncated
    report.progress = RowProgress(rows: rows, total: isComplete ? rows : nil)
    report.paths = tree.paths
    return report
  }
}
