internal import QuarryEngine
internal import QuarryRows
internal import Synchronization

/// Fetches the rows of a view or a query from a server in steps.
///
///     WITH "rows of the query"(c0, c1) AS (SELECT … ) SELECT … FROM "rows of the query" LIMIT 1000 OFFSET 2000
///
/// An open cursor on a server would prevent its log from being cleared. Each step therefore runs the query again and skips the rows before.
/// The steps grow with the number of fetched rows.
final class RemoteFetcher: RowFetcher {
  private let sequence: RowSequence
  private let rowSet: RowSet
  private let link: RemoteLink
  /// Whether the statement cannot be part of another one: EXPLAIN, PRAGMA.
  private let isWhole: Bool
  private let width: Int
  private let state = Mutex<DataState?>(nil)
  private let turn = TaskTurn()

  private static let smallestStep = 200
  private static let largestStep = 20_000

  /// The number of rows to read ahead if they arrive fast, so that the size of a small result is known.
  private static let readAhead = 1000

  /// The maximum time spent on earlier steps for reading ahead.
  private static let readAheadTime = Duration.milliseconds(20)

  /// Creates a fetcher.
  ///
  /// - Parameters:
  ///   - width: The number of columns of the statement, which may be more than the rows have.
  ///   - isWhole: Whether the statement cannot be part of another one.
  init(_ sequence: RowSequence, of rowSet: RowSet, width: Int, isWhole: Bool, on link: RemoteLink) {
    (self.sequence, self.rowSet, self.width, self.isWhole, self.link) = (sequence, rowSet, width, isWhole, link)
  }

  func pause() {}

  func fetch(
    upTo wanted: Int, after taken: @escaping @Sendable () -> RowNumber, to spool: RowSpool,
    _ note: @escaping @Sendable (RowChunk) -> Void
  ) async throws {
    try await turn.run { [self] in
      let count = taken()
      guard !count.isExact, count.value < wanted else { return }
      if !isWhole { try await link.longReads.check(rowSet, on: link) }
      var step = min(max(Self.smallestStep, wanted == .max ? Self.largestStep : wanted - count.value, count.value / 2), Self.largestStep)
      var place = count.value
      let start = ContinuousClock.now
      while true {
        let rows = try await read(step, after: place).rows
        try await spool.queue.write { db in
          for row in rows { try spool.append(row, in: db) }
        }
        let isLast = isWhole || rows.count < step
        note(RowChunk(rows: rows.count, isLast: isLast))
        place += rows.count
        guard !isLast, place < Self.readAhead, .now - start < Self.readAheadTime else { return }
        // One more row shows whether these are all.
        step = Self.readAhead - place + 1
      }
    }
  }

  private func read(_ step: Int, after offset: Int) async throws -> (rows: [[StoredValue]], isWhole: Bool) {
    let purpose = link.reading(.rows)
    if isWhole {
      let answer = try await link.rows(RemoteStatement(sequence.sql.sql, sequence.arguments + sequence.sql.values), on: purpose)
      return (answer.rows.map { $0.prefix(sequence.columns.count).map { .value($0.plainValue ?? .null) } }, true)
    }
    try RemoteProjection.checkWidth(width)
    let answer = try await link.rows(statement(step, offset), on: purpose)
    guard let head = answer.rows.first, let version = head[0].integer, let schema = head[1].integer else {
      throw DataSourceError("the server sent an unexpected row")
    }
    let now = DataState(version: version, changes: link.changes(answer.connection), schema: schema)
    let known = state.withLock { known in
      if known == nil || offset == 0 { known = now }
      return known
    }
    guard known == now else { throw CursorFetcher.changed }
    return (try answer.rows.dropFirst().map { try $0.prefix(sequence.columns.count).map { try StoredValue($0) ?? .null } }, false)
  }

  private func statement(_ step: Int, _ offset: Int) throws -> RemoteStatement {
    let names = (0..<width).map { "c\($0)" }
    let padding = Array(repeating: "NULL AS a", count: max(0, width - 2))
    let versions = ["(SELECT data_version FROM pragma_data_version) AS a", "(SELECT schema_version FROM pragma_schema_version) AS a"]
    let cells = names.map { RemoteProjection.cell($0, limit: nil) } + Array(repeating: "NULL", count: max(0, 2 - width))
    // The line break ends a comment at the end of the query.
    let sql = """
      WITH "rows of the query"(\(names.joined(separator: ", "))) AS (\(sequence.sql.sql)
      ) SELECT \((versions + padding).joined(separator: ", ")) UNION ALL SELECT * FROM (SELECT \(cells.joined(separator: ", ")) FROM "rows of the query" \
      LIMIT \(step) OFFSET \(offset))
      """
    return try RemoteStatement(sql, sequence.arguments + sequence.sql.values)
  }
}
