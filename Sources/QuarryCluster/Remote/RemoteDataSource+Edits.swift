public import QuarryChanges
public import QuarryEngine
public import QuarryRows
internal import Synchronization

extension RemoteDataSource {
  /// The maximum number of attempts to commit rows that change externally during the commit.
  private static let attempts = 3

  /// Writes staged changes in one transaction of the server.
  ///
  /// Each row is written only if it still has its original values.
  public func commit(_ changes: StagedChanges) async throws -> CommitSummary {
    if let refusal { throw DataSourceError(refusal) }
    guard !link.isTransactionOpen else { throw DataSourceError("a transaction of statements is open: :commit or :rollback it first") }
    let replica = try await settledReplica()
    let name = "edit of \(changes.tables.map(\.name).joined(separator: ", "))"
    let origin = CommitOrigin(statement: name, staged: changes.identity)
    let isUnrecorded = passesOver.withLock { passesOver in
      defer { passesOver = false }
      return passesOver
    }
    return try await repeating {
      let schema = try await self.freshSchema()
      let rows = try await self.rows(for: changes, schema)
      let sequences = try await self.sequences(of: changes, schema)
      return try await replica.withRows(schema, rows, sequences: sequences) { [self] db in
        let before = try RemoteReplica.rows(in: db)
        guard let folder = replica.folder else {
          return try ChangeCommit.run(changes, in: db) { body in
            // Nothing may fail once the server has committed. The draft is always rolled back.
            defer { db.rollBack() }
            try db.execute(sql: "BEGIN IMMEDIATE")
            var summary = try body()
            summary.remark = try send(from: before, in: db)
            return summary
          }
        }
        let recorder = ChangeRecorder(folder)
        try recorder.attach(to: db)
        defer { try? recorder.detach(from: db) }
        if isUnrecorded { recorder.passOver() }
        return try ChangeCommit.run(changes, in: db, recorder: recorder) { body in
          var remark: String?
          var summary = try recorder.inTransaction(
            .edit, origin, in: db, body, committingElsewhere: { remark = try self.send(from: before, in: db) }
          ).value
          summary.remark = remark
          return summary
        }
      }
    }
  }

  /// Skips recording the next commit.
  public func skipRecording() async {
    passesOver.withLock { $0 = true }
  }

  /// Undoes a commit in one transaction of the server.
  public func undo(_ id: RecordedCommit.ID, choosing choices: UndoChoices) async throws -> UndoResult {
    try await undo(id.number, choosing: choices)
  }

  /// Undoes a commit in one transaction of the server.
  ///
  /// - Parameter number: The number of the commit, or nil for the latest commit that is neither undone nor an undo.
  package func undo(_ number: Int?, choosing choices: UndoChoices) async throws -> UndoResult {
    if let refusal { throw DataSourceError(refusal) }
    guard !link.isTransactionOpen else { throw DataSourceError("a transaction is open: commit it or roll it back first") }
    let replica = try await settledReplica()
    guard let folder = replica.folder else { throw DataSourceError("committed changes are not recorded here: start without --no-changes") }
    let commit = try UndoRun.commit(number, in: try await replica.log())
    let wanted = Self.keys(of: try await rows(ofCommit: commit.id, from: 0, limit: .max))
    return try await repeating {
      let schema = try await self.freshSchema()
      let rows = try await self.rows(wanted, schema)
      return try await replica.withRows(schema, rows) { [self] db in
        let before = try RemoteReplica.rows(in: db)
        let run = try UndoRun(path: replica.path, folder: folder, committingElsewhere: { db in _ = try self.send(from: before, in: db) })
        return try run.undo(commit.id.number, choosing: choices)
      }
    }
  }

  private static func keys(of rows: [RecordedRow]) -> [TableReference: [RowKey]] {
    var keys: [TableReference: [RowKey]] = [:]
    for row in rows {
      let key: RowKey =
        switch row.key {
        case .rowID(let id): .rowID(id)
        case .values(let values): .values(values)
        }
      keys[TableReference(name: row.table), default: []].append(key)
    }
    return keys
  }

  /// Runs an operation on rows that were just read, and retries if they were changed externally meanwhile.
  private func repeating<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
    for _ in 1..<Self.attempts {
      do { return try await body() } catch is ChangeCommit.Unexpected {}
    }
    do { return try await body() } catch is ChangeCommit.Unexpected {
      throw DataSourceError("nothing was written: other programs keep changing the same rows, or a trigger prevents the changes")
    }
  }

  private func freshSchema() async throws -> RemoteSchema {
    link.forgetSchema()
    return try await link.schema()
  }

  func openedReplica() throws -> RemoteReplica {
    try replica.withLock { replica in
      if let replica { return replica }
      let opened = try RemoteReplica(of: name, changeLogs)
      replica = opened
      return opened
    }
  }

  /// Returns the local file of changes, after settling the recorded commits.
  ///
  /// If this program was killed during a commit, the rows determine whether the server has committed it.
  private func settledReplica() async throws -> RemoteReplica {
    let replica = try openedReplica()
    guard let folder = replica.folder, let pending = try await replica.log()?.pendingRows(), !pending.isEmpty else { return replica }
    let schema = try await freshSchema()
    try await replica.withRows(schema, try await rows(Self.keys(of: pending), schema)) { db in
      _ = try folder.settledLog(ofDatabase: "main", in: db)
    }
    return replica
  }

  // MARK: Sending

  /// Sends the changed rows to the server.
  ///
  /// Waits for the answer on the thread of the file's connection.
  ///
  /// - Returns: A remark about the successful commit, or nil.
  private func send(from before: RemoteReplica.Rows, in db: Database) throws -> String? {
    let limit = link.database.capabilities.parameterLimit
    let set = try RemoteChangeSet(from: before, to: RemoteReplica.rows(in: db), parameterLimit: limit, in: db)
    guard !set.steps.isEmpty else { return nil }
    let answer = Monitor<Result<String?, any Error>?>(nil)
    Task.detached(executorPreference: TaskThreads.shared, priority: .userInitiated) { [self] in
      let result: Result<String?, any Error>
      do { result = .success(try await send(set)) } catch { result = .failure(error) }
      answer.change { $0 = result }
    }
    return try answer.wait { $0 }.get()
  }

  private func send(_ set: RemoteChangeSet) async throws -> String? {
    let session = try await link.translating(nil) { try await self.link.session(.statements) }
    let deferring = try RemoteStatement("PRAGMA defer_foreign_keys = ON")
    do {
      _ = try await session.transact([deferring] + set.steps.map(\.statement))
      link.noteWrite()
      return nil
    } catch let error as RemoteBatchError {
      if error.error.outcome == .unknown { return try await settle(set, error.error) }
      throw failure(error, of: set)
    } catch let error as RemoteError {
      throw error.translated(sql: nil)
    }
  }

  private func failure(_ error: RemoteBatchError, of set: RemoteChangeSet) -> any Error {
    if error.error.kind == .unexpectedRows { return ChangeCommit.Unexpected() }
    guard error.error.kind == .constraint, let code = error.error.code else { return error.error.translated(sql: nil) }
    let cause = DatabaseError(ResultCode(rawValue: code), error.error.message)
    let step = error.index.flatMap { set.steps.indices.contains($0 - 1) ? set.steps[$0 - 1] : nil }
    guard let table = step?.table ?? set.steps.first?.table else { return cause }
    let row = step.flatMap { $0.isNew ? nil : StagedRowID.stored($0.key) }
    return CommitFailure.constraints([ConstraintFailure(cause, of: table, row)])
  }

  /// Determines from its rows whether a transaction was committed although the connection was lost.
  ///
  /// - Returns: The remark for a transaction that was committed.
  private func settle(_ set: RemoteChangeSet, _ error: RemoteError) async throws -> String {
    let schema = try await freshSchema()
    let now = try await rows(set.keys, schema)
    func matches(_ rows: RemoteReplica.Rows) -> Bool {
      set.keys.allSatisfy { table, keys in keys.allSatisfy { now[table]?[$0] == rows[table]?[$0] } }
    }
    if matches(set.after) {
      link.noteWrite()
      return "the leader was lost before it answered, but the rows show that everything was written"
    }
    if matches(set.before) { throw DataSourceError("\(error.message); nothing was written") }
    throw UnknownOutcome(
      description: "\(error.message); it may have been written, but other programs have changed the same rows: check them")
  }

  // MARK: Reading

  /// Reads the rows that changes affect, and the rows that determine the rowids of new ones.
  private func rows(for changes: StagedChanges, _ schema: RemoteSchema) async throws -> RemoteReplica.Rows {
    var keys: [TableReference: [RowKey]] = [:]
    var numbered: [TableReference] = []
    for table in changes.tables {
      for (row, change) in changes.rows(of: table) {
        if case .stored(let key) = row { keys[table, default: []].append(key) }
        if change.kind == .inserted, !numbered.contains(table) { numbered.append(table) }
      }
    }
    var rows = try await rows(keys, schema)
    for table in numbered {
      for (key, row) in try await lastRow(of: table, schema) { rows[table, default: [:]][key] = row }
    }
    return rows
  }

  /// Reads the AUTOINCREMENT counters of the tables with new rows.
  private func sequences(of changes: StagedChanges, _ schema: RemoteSchema) async throws -> [String: Int64] {
    let tables = changes.tables.filter { changes.counts(of: $0).newRows > 0 }
    let counts = try await schema.queue.read { db in
      try Int.fetchOne(db, sql: "SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'") != nil
    }
    guard counts, !tables.isEmpty else { return [:] }
    var sequences: [String: Int64] = [:]
    for row in try await link.rows(RemoteStatement(catalog: "SELECT name AS a, seq AS b FROM sqlite_sequence"), on: .rows).rows {
      guard let name = row[0].string, let count = row[1].integer, tables.contains(where: { $0.name == name }) else { continue }
      sequences[name] = count
    }
    return sequences
  }

  /// Reads the row with the greatest rowid, from which SQLite derives the next rowid.
  private func lastRow(of table: TableReference, _ schema: RemoteSchema) async throws -> [RowKey: [String: StoredValue]] {
    guard let name = try? await schema.queue.read({ db in try db.tableSchema(table).rowIDName }) else { return [:] }
    let sql: SQLText = "SELECT max(\(identifier: name)) AS a FROM \(table.sqlText)"
    let row = try await link.rows(RemoteStatement(own: sql, limit: 255, isBrief: true), on: .rows).rows.first
    guard let id = row?.first?.integer else { return [:] }
    return try await rows([table: [.rowID(id)]], schema)[table] ?? [:]
  }

  /// Reads complete rows by their keys.
  ///
  /// Skips missing rows.
  private func rows(_ keys: [TableReference: [RowKey]], _ schema: RemoteSchema) async throws -> RemoteReplica.Rows {
    var rows: RemoteReplica.Rows = [:]
    for (table, keys) in keys {
      guard let found = try? await schema.queue.read({ db in try db.tableSchema(table) }) else { continue }
      let columns = found.storedNames
      for (key, values) in zip(keys, try await link.storedValues(keys, columns.map { "\(identifier: $0)" }, of: found)) {
        guard let values else { continue }
        rows[table, default: [:]][key] = Dictionary(zip(columns, values), uniquingKeysWith: { first, _ in first })
      }
    }
    return rows
  }

  /// Reads the complete values of columns of rows.
  public func storedRows(_ keys: [RowKey], columns: [String]?, of table: TableReference) async throws -> [[String: StoredValue]?] {
    let schema = try await schema(of: table)
    let columns = columns ?? schema.rowSetColumns.map(\.name)
    return try await link.storedValues(keys, columns.map { "\(identifier: $0)" }, of: schema).map { values in
      values.map { Dictionary(zip(columns, $0), uniquingKeysWith: { first, _ in first }) }
    }
  }

  /// Returns the values of an expression for rows with their staged changes.
  public func values(
    of expression: ColumnExpression, for rows: [StagedRowID], of table: TableReference, with changes: StagedChanges
  ) async throws -> [StoredValue?] {
    let statements = RowStatements(schema: try await schema(of: table))
    let selects = try rows.map { row in
      let change = changes.change(of: row, in: statements.schema.entry.reference)
      return try statements.select(expression, as: RemoteLink.lookupName(of: 0), of: row, with: change)
    }
    return try await link.storedValues(selects, width: 1).map { $0?.first }
  }

  /// Returns whether the rows of a query can be changed, according to the schema in memory.
  public func editability(ofQuery sql: String) async throws -> ResultEditability {
    try RemoteGuard.check(sql)
    return try await inSchema { db in try db.editability(ofQuery: sql) }
  }

  /// Returns the constraint that a row would violate, checked in a local copy of the table in memory.
  public func fault(
    in values: [String: StagedValue], of table: TableReference, by operation: RowOperation
  ) async throws -> ConstraintFailure? {
    try await RowRules(schema(of: table))?.fault(in: values, by: operation)
  }

  // MARK: The record

  /// Reads the commits recorded by this program, the latest first.
  public func recordedCommits() async throws -> [RecordedCommit] {
    try await changeLog()?.commits() ?? []
  }

  /// Returns the log of the recorded commits, or nil if commits are not recorded.
  package func changeLog() async throws -> ChangeLog? {
    changeLogs == nil ? nil : try await settledReplica().log()
  }

  /// Returns whether this program has committed staged changes.
  public func hasCommitted(_ changes: StagedChanges) async throws -> Bool {
    guard let identity = changes.identity else { return false }
    return try await changeLog()?.hasCommitted(staged: identity) == true
  }

  /// Reads rows that a commit has changed.
  public func rows(ofCommit id: RecordedCommit.ID, from offset: Int, limit: Int) async throws -> [RecordedRow] {
    try await changeLog()?.rows(of: id.number, from: offset, limit: limit) ?? []
  }
}

extension RemoteLink {
  /// The number of rows that one statement reads by their keys.
  private static let lookupLimit = 50

  /// Reads complete values of rows in the order of their keys.
  ///
  /// A missing row is nil.
  ///
  ///     SELECT 0, … FROM (SELECT Name AS "#0" FROM main.Track WHERE (TrackId = ?1)) UNION ALL SELECT 1, …
  func storedValues(_ keys: [RowKey], _ values: [SQLText], of schema: TableSchema) async throws -> [[StoredValue]?] {
    let statements = RowStatements(schema: schema)
    let inner = values.enumerated().map { "\($1) AS \(identifier: Self.lookupName(of: $0))" as SQLText }.joined(by: ", ")
    return try await storedValues(keys.map { key in statements.key(of: key).map { statements.select(inner, $0) } }, width: values.count)
  }

  /// The name of a value in the SELECT of a row.
  static func lookupName(of index: Int) -> String { "#\(index)" }

  /// Reads complete values by a SELECT for each row, whose values are named by ``lookupName(of:)``.
  ///
  /// A missing row, and a row without a SELECT, is nil.
  func storedValues(_ selects: [SQLText?], width: Int) async throws -> [[StoredValue]?] {
    try RemoteProjection.checkWidth(width)
    var found: [[StoredValue]?] = Array(repeating: nil, count: selects.count)
    let cells = (0..<width).map { RemoteProjection.cell(SQLIdentifier.quoted(Self.lookupName(of: $0)), limit: nil) + " AS a" }
      .joined(separator: ", ")
    let lookups = try stride(from: 0, to: selects.count, by: Self.lookupLimit).compactMap { start -> RemoteStatement? in
      let arms = (start..<min(start + Self.lookupLimit, selects.count)).compactMap { index in
        selects[index].map { "SELECT \(raw: String(index)) AS a, \(raw: cells) FROM (\($0))" as SQLText }
      }
      return arms.isEmpty
        ? nil
        : try RemoteStatement(
          own: arms.joined(by: " UNION ALL "), limit: database.capabilities.parameterLimit, isBrief: true)
    }
    for row in try await together(lookups, { [self] in try await rows($0, on: reading(.rows)).rows }).joined() {
      guard let place = row.first?.integer.map({ Int($0) }), found.indices.contains(place) else { continue }
      found[place] = try row.dropFirst().map { try StoredValue($0) ?? .null }
    }
    return found
  }
}
