internal import QuarryEngine
internal import Synchronization

extension ReadConnections {
  /// Summarizes the values of columns in the rows of a set.
  ///
  /// All columns are read in one pass over the rows, on two connections if they belong to a table with rowids. Distinct values are counted
  /// exactly up to a few thousand. Beyond that, distinct values and quartiles are estimated, each with its error. An exact request instead
  /// sorts numbers and distinguishes texts by hashes, in a temporary file if they do not fit in memory. A unique index provides the number
  /// of values in any case. An index also provides the minimum and maximum of a large table immediately.
  ///
  /// Texts are distinguished by their bytes, as in `count(DISTINCT name COLLATE BINARY)`. The minimum and maximum are those of `min(name)`
  /// and `max(name)`, which use the column's collation. If one connection reads the rows, the mean equals `avg(name)` to the last digit. If
  /// two connections read, sums of reals lose less precision than in SQLite.
  ///
  /// - Parameter progress: Called with the results so far, also before an error that ends the reading is thrown.
  /// - Throws: ``DatabaseError``, also if a named column does not exist; `CancellationError`.
  public func profile(_ request: ProfileRequest, progress: (@Sendable (TableProfile) -> Void)? = nil) async throws -> TableProfile {
    let looked = Mutex<InsightRows?>(nil)
    let found = try await look(
      at: request.set,
      { [self] database in
        let reading = (request.columns ?? []).map { "\(identifier: $0)" as SQLText }
        let rows = try InsightRows(request.set, reading: reading, on: self, in: database)
        looked.withLock { $0 = rows }
        let columns = try rows.columns(named: request.columns)
        let read = columns.map { InsightColumn($0.name) }
        let names = read.map(\.expression)
        let store = RunStore(request.room ?? rows.room)
        var result = ProfileResult(
          columns, rows.textOrders(of: names, in: database), rows.schema, isExact: request.isExact, in: store)
        if let schema = rows.schema, rows.isLarge, request.set.condition.isEmpty {
          result.ends = try IndexEnds(of: columns, in: schema, database)
        }
        return InsightScan(rows, read, ProfileVisitor.calls(names), into: result, isShared: result.isShared, report: progress)
      }, report: progress)
    guard var result = found?.result, let reading = found?.progress, let rows = looked.withLock(\.self) else { throw CancellationError() }
    result.ends = IndexEnds()
    var profile = try result.report(reading)
    progress?(profile)
    if request.isExact { try await makeExact(&profile, &result) }
    try await addMissingParents(to: &profile, rows)
    profile.isComplete = true
    progress?(profile)
    return profile
  }

  /// Counts distinct values and computes quartiles exactly for columns whose summaries only estimate them.
  private func makeExact(_ profile: inout TableProfile, _ result: inout ProfileResult) async throws {
    for index in 0..<result.count {
      guard let column = try result.takeRare(index) else { continue }
      let numbers = DistinctCounting(column.numbers)
      try await computeInParallel(numbers)
      let hashes = HashCounting(column.hashes)
      try await computeInParallel(hashes)
      profile.columns[index].setExact(numbers: numbers, others: hashes)
    }
  }

  /// Counts the rows that refer to missing rows.
  ///
  ///     SELECT count(*) FROM (SELECT AlbumId AS key0 FROM main.Track WHERE TrackId BETWEEN ? AND ?) AS row
  ///     WHERE key0 IS NOT NULL AND NOT EXISTS (SELECT 1 FROM main.Album AS parent WHERE parent.AlbumId = row.key0)
  private func addMissingParents(to profile: inout TableProfile, _ rows: InsightRows) async throws {
    guard let schema = rows.schema else { return }
    for key in schema.foreignKeys where !key.columns.isEmpty && key.columns.count == key.referencedColumns.count {
      guard let index = profile.columns.firstIndex(where: { $0.name.isSameIdentifier(as: key.columns[0]) }) else { continue }
      do {
        let count = try await background.readAgain(of: schema.entry.reference.database) { database in
          var count = 0
          try rows.forEachPart(in: database) { source, _, _ in
            try database.scan(key.missingParents(in: source)) { statement in
              count += Int(try statement.columnInteger(at: 0))
              return false
            }
          }
          return count
        }
        if count > 0 { profile.columns[index].remarks.append(.missingParents(rows: count, table: key.table.name)) }
      } catch is DatabaseError {
        // An unreadable parent table says nothing about the rows.
      }
    }
  }
}

extension ForeignKeySchema {
  fileprivate func missingParents(in source: SQLText) -> SQLText {
    let values = columns.enumerated().map { "\(identifier: $1) AS \(identifier: "key\($0)")" as SQLText }.joined(by: ", ")
    let keys = columns.indices.map { "\(identifier: "key\($0)") IS NOT NULL" as SQLText }.joined(by: " AND ")
    let matches = referencedColumns.enumerated().map { index, column -> SQLText in
      // The parent's column comes first, so that its collation and affinity are used.
      "\(identifier: "parent row").\(identifier: column) = \(identifier: "referring row").\(identifier: "key\(index)")"
    }.joined(by: " AND ")
    return """
      SELECT count(*) FROM (SELECT \(values) FROM \(source)) AS \(identifier: "referring row") \
      WHERE \(keys) AND NOT EXISTS (SELECT 1 FROM \(table.sqlText) AS \(identifier: "parent row") WHERE \(matches))
      """
  }
}

extension InsightRows {
  /// Returns the columns with these names in order; all columns for nil.
  ///
  /// - Throws: `DatabaseError` if a column does not exist.
  func columns(named names: [String]?) throws -> [RowSetColumn] {
    guard let names else { return columns }
    return try names.map { name in
      guard let column = columns.first(where: { $0.name.isSameIdentifier(as: name) }) else {
        throw DatabaseError(DatabaseError.SQLITE_ERROR, "no such column: \(name)")
      }
      return column
    }
  }
}
