public import QuarryEngine
public import QuarryRows
public import QuarrySources
internal import Synchronization

/// The effects of a remote database's open transaction.
struct RemoteTransaction: Sendable {
  var changes = 0
  var changesSchema = false
}

extension RemoteDataSource {
  /// A statement compiled against the schema in memory.
  private struct Checked: Sendable {
    var sql: String
    var arguments: [DatabaseValue]
    var isReadonly: Bool
    var isExplanation: Bool
    var columnCount: Int
  }

  /// Returns the server's query plan of a statement.
  ///
  ///     EXPLAIN QUERY PLAN SELECT …
  public func plan(of sql: String) async throws -> [PlanStep] {
    try RemoteGuard.check(sql)
    // Compile locally first, so that an error has its position.
    let count = try await inSchema { db in
      _ = try PlanStep.plan(of: sql, in: db)
      return try db.makeStatement(sql: sql).parameterCount
    }
    let statement = try RemoteStatement("EXPLAIN QUERY PLAN " + sql, Array(repeating: .null, count: count))
    var depths: [Int64: Int] = [:]
    return try await link.rows(statement, on: link.reading(.rows)).rows.compactMap { row in
      guard row.count >= 4, let id = row[0].integer, let parent = row[1].integer, let detail = row[3].string else { return nil }
      let depth = depths[parent].map { $0 + 1 } ?? 0
      depths[id] = depth
      return PlanStep(depth: depth, detail: detail)
    }
  }

  /// Compiles statements against the schema in memory without running them.
  public func prepare(_ statements: [String]) async throws -> StatementPreparation {
    let refusal = refusal
    var preparation = try await link.schema().queue.withoutTransaction { [self] db in
      for (index, sql) in statements.enumerated() {
        guard let reason = RemoteGuard.refusal(of: sql) ?? (try? db.makeStatement(sql: sql)).flatMap(refusalToRun) else { continue }
        throw StatementFailure(index: index, cause: DataSourceError(reason))
      }
      return try StatementPreparation(statements.map(RemoteGuard.asQuestion), refusal: refusal, countsRows: false, in: db)
    }
    for sql in statements {
      do {
        try await link.longReads.check(statement: sql, on: link)
      } catch let read as LongRead {
        preparation.longReads.append(read.act)
      } catch is DatabaseError {
        // The statement depends on objects that earlier statements create.
      }
    }
    return preparation
  }

  /// Checks that a statement runs quickly, or that a long-running read is allowed.
  ///
  /// - Throws: ``LongRead`` if the user must be asked.
  package func checkLongRead(_ sql: String) async throws { try await link.longReads.check(statement: sql, on: link) }

  /// Allows all long-running reads.
  package func allowLongReads() { link.longReads.allowAll() }

  /// Runs a statement.
  ///
  /// The rows of a statement that only reads are read on demand.
  public func run(_ sql: String, _ values: [String: DatabaseValue], unkeptRows: Int?) async throws -> StatementResult {
    let checked = try await check(sql, values)
    if checked.isExplanation || checked.isReadonly && checked.columnCount > 0 {
      let set = RowSet(.query(sql: checked.sql, arguments: checked.arguments))
      // The user has confirmed the statement, and its preparation has reported how long it may take.
      link.longReads.allow(set)
      guard let unkeptRows else { return .rows(set.source) }
      return try await read(set, upTo: unkeptRows)
    }
    if let refusal, !checked.isReadonly { throw DataSourceError(refusal) }
    return try await write(checked)
  }

  private func check(_ sql: String, _ values: [String: DatabaseValue]) async throws -> Checked {
    try await link.schema().queue.withoutTransaction { [self] db in
      try RemoteGuard.check(sql)
      let statement = try db.makeStatement(sql: RemoteGuard.asQuestion(sql))
      if let reason = refusalToRun(statement) { throw DataSourceError(reason) }
      return Checked(
        sql: statement.sql, arguments: try StatementRun.arguments(values, of: statement), isReadonly: statement.isReadonly,
        isExplanation: statement.isExplanation, columnCount: statement.columnCount)
    }
  }

  /// Returns the reason why a statement may not be run or explained, or nil if it may be.
  private func refusalToRun(_ statement: Statement) -> String? {
    guard !statement.isReadonly else { return nil }
    if statement.isExplanation, let refusal { return refusal }
    guard !link.database.capabilities.returning, StatementSyntax(statement.sql).returnsWrittenRows else { return nil }
    return RemoteGuard.returning
  }

  private func read(_ set: RowSet, upTo limit: Int) async throws -> StatementResult {
    let reader = try reader(of: set)
    _ = try await reader.page(PageRequest(.number(limit), limit: 1))
    let count = try await reader.count()
    return .read(count: min(count.value, limit), isAll: count.isExact && count.value <= limit)
  }

  /// Runs a statement that writes, in a transaction that stays open.
  private func write(_ checked: Checked) async throws -> StatementResult {
    let kind = StatementKind(of: checked.sql)
    let session = try await link.translating(nil) { try await self.link.session(.statements) }
    let begins = !checked.isReadonly && !kind.runsAlone && !session.isInsideTransaction
    if begins { try await send("BEGIN IMMEDIATE", [], session) }
    do {
      let change = try await send(checked.sql, checked.arguments, session)
      note(change, kind, isReadonly: checked.isReadonly)
      if begins, await transaction()?.isEmpty == true { try await endTransaction(isCommitted: false) }
      let hasInserted = change.rows > 0 && (kind.verb == .insert || kind.verb == .replace)
      return .done(changes: kind.changesSchema ? 0 : change.rows, lastRowID: hasInserted ? change.lastRowID : nil)
    } catch {
      if begins, session.isInsideTransaction { _ = try? await send("ROLLBACK", [], session) }
      throw error
    }
  }

  @discardableResult
  private func send(_ sql: String, _ values: [DatabaseValue], _ session: any RemoteSession) async throws -> RemoteChange {
    let wasInside = session.isInsideTransaction
    do {
      let change = try await session.execute(RemoteStatement(sql, values))
      if !wasInside, session.isInsideTransaction { open.withLock { $0 = RemoteTransaction() } }
      return change
    } catch let error as RemoteError {
      throw error.translated(sql: sql)
    }
  }

  private func note(_ change: RemoteChange, _ kind: StatementKind, isReadonly: Bool) {
    link.noteWrite()
    guard !isReadonly, !kind.controlsTransaction else { return link.forgetSchema() }
    if kind.changesSchema { link.forgetSchema() }
    open.withLock { open in
      if kind.changesSchema { open.changesSchema = true } else { open.changes += change.rows }
    }
  }

  /// Returns the open transaction, or nil if no transaction is open.
  public func transaction() async -> OpenTransaction? {
    guard link.isTransactionOpen else { return nil }
    return open.withLock { OpenTransaction(changes: $0.changes, changesSchema: $0.changesSchema) }
  }

  /// Commits or rolls back the open transaction.
  public func endTransaction(isCommitted: Bool) async throws {
    let session = try await link.translating(nil) { try await self.link.session(.statements) }
    // A transaction that was lost with its connection was not committed. Sending COMMIT reports this.
    guard session.isInsideTransaction || isCommitted && session.hasLostTransaction else { return }
    try await send(isCommitted ? "COMMIT" : "ROLLBACK", [], session)
    link.noteWrite()
    if open.withLock(\.changesSchema) { link.forgetSchema() }
  }

  /// Reads all rows that a statement has returned.
  package func wholeRows(of source: RowSet.Source) async throws -> (columns: [String], rows: [[DatabaseValue]]) {
    let reader = try reader(of: RowSet(source))
    let names = try await reader.columns().map(\.name)
    guard let last = try await reader.page(PageRequest(.last, limit: 1)).rows.last else { return (names, []) }
    let rows = Monitor<[[DatabaseValue]]>([])
    try await reader.forEachRow(from: .position(0), through: last.key, columns: Array(names.indices)) { row in
      rows.change { $0.append(row) }
    }
    return (names, rows.read { $0 })
  }

  /// Reads the rows of a statement that only reads, as they arrive from the server.
  ///
  /// - Parameters:
  ///   - arguments: The values of its parameters by their numbers.
  ///   - isOwn: Whether this program has generated the statement. A fast one is then run again after its leader was lost.
  ///   - body: Called first with the names of the columns and no row, then with each row. Not called if the server rejects the statement.
  package func forEachRow(
    of sql: String, _ arguments: [DatabaseValue], isOwn: Bool = false,
    _ body: @escaping @Sendable (_ columns: [String], _ row: RemoteRow?) throws -> Void
  ) async throws {
    try RemoteGuard.check(sql)
    let (names, count, forms) = try await inSchema { db in
      let statement = try db.makeStatement(sql: sql)
      return (statement.columnNames, statement.parameterCount, try RemoteForm.forms(of: statement, in: db))
    }
    try RemoteProjection.checkWidth(names.count)
    let values = (0..<count).map { arguments.indices.contains($0) ? arguments[$0] : .null }
    let list = names.indices.map { "c\($0)" }
    let cells = zip(list, forms).map { $1.expression($0) + " AS a" }.joined(separator: ", ")
    let statement = try RemoteStatement(
      "WITH \"rows of the query\"(\(list.joined(separator: ", "))) AS (\(sql)\n) SELECT \(cells) FROM \"rows of the query\"", values)
    let isBegun = Atomic(false)
    let begin: @Sendable () throws -> Void = {
      if !isBegun.exchange(true, ordering: .relaxed) { try body(names, nil) }
    }
    let resumed = ResumedRows()
    let read: @Sendable () async throws -> Void = { [link] in
      resumed.begin()
      try await link.forEachBatch(statement, on: link.reading(.background)) { batch in
        try Task.checkCancellation()
        try begin()
        try batch.forEachRow { if try resumed.isNew($0) { try body(names, RemoteRow(values: $0, forms: forms)) } }
      }
      try resumed.end()
    }
    if isOwn, link.longReads.isBrief(RowSet(.query(sql: sql))) { try await link.beginningAnew(read) } else { try await read() }
    try begin()
  }
}
