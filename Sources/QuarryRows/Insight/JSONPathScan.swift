import QuarryEngine

extension ReadConnections {
  /// Finds the paths of the values in a JSON column.
  ///
  ///     SELECT payload FROM main.events WHERE (kind = ?)
  ///
  /// - Parameter progress: Called with the results so far, several times a second.
  /// - Throws: ``DatabaseError``, and `CancellationError` if the task is cancelled.
  public func jsonPaths(
    of column: String, in set: RowSet, progress: @escaping @Sendable (JSONPaths) -> Void
  ) async throws -> JSONPaths {
    try await background.readAgain(of: set.databaseName) { [self] db in
      try JSONPathScan(column, in: set).run(on: self, in: db, progress)
    }
  }
}

/// A scan that reads the values of a column once, and counts the paths in them.
private struct JSONPathScan {
  /// The time between two reports.
  private static let interval = Duration.milliseconds(200)
  /// The number of rows between two checks of the clock.
  private static let rowsBetweenLooks = 1024

  private let column: String
  private let set: RowSet

  init(_ column: String, in set: RowSet) {
    self.column = column
    self.set = RowSet(set.source, matching: set.matching, filter: set.filter)
  }

  /// The results so far.
  private struct Found {
    var tree = JSONPathTree(mostPaths: JSONPaths.mostPaths)
    var paths = JSONPaths()
    var lastReport = ContinuousClock.now

    var report: JSONPaths { paths.counted(by: tree) }
  }

  func run(on connections: ReadConnections, in database: Database, _ progress: (JSONPaths) -> Void) throws -> JSONPaths {
    var found = Found()
    do {
      try InsightRows(set, on: connections, in: database).forEachPart(in: database) { source, before, arguments in
        let sql: SQLText = "\(before)SELECT \(identifier: column) FROM \(source)"
        try read(RowSequence(sql: sql, arguments: arguments, columns: []), into: &found, in: database, progress)
      }
    } catch let error as DatabaseError {
      progress(found.report)
      throw error.located(in: set, column: column, after: found.paths.rows)
    }
    found.paths.isComplete = true
    progress(found.report)
    return found.report
  }

  private func read(_ rows: RowSequence, into found: inout Found, in database: Database, _ progress: (JSONPaths) -> Void) throws {
    let cursor = try rows.makeCursor(in: database)
    while try cursor.step() {
      found.paths.rows += 1
      for value in try cursor.borrowedValues() { Self.count(value, in: &found.tree, &found.paths) }
      if found.paths.rows % Self.rowsBetweenLooks == 0, ContinuousClock.now - found.lastReport > Self.interval {
        found.lastReport = .now
        progress(found.report)
        try database.cancellation?.check()
      }
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
  /// Returns the known results with the paths found in the rows.
  fileprivate func counted(by tree: JSONPathTree) -> JSONPaths {
    var report = self
    report.isTruncated = tree.isTruncated
    report.progress = RowProgress(rows: rows, total: isComplete ? rows : nil)
    report.paths = tree.paths
    return report
  }
}
