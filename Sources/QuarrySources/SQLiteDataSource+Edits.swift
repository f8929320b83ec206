public import QuarryChanges
public import QuarryEngine
public import QuarryRows
internal import Synchronization

extension SQLiteDataSource {
  /// Why nothing may be written: the files are open to be read only.
  public var editRefusal: String? { script.refusal }

  /// Throws ``DataSourceError`` where the files are open to be read only.
  public func allowWriting() throws {
    if let editRefusal { throw DataSourceError(editRefusal) }
  }

  /// Writes what is staged on the connection of statements, which waits for a lock until the task is cancelled.
  ///
  /// - Throws: ``CommitFailure``, ``DatabaseError``, or ``DataSourceError`` where a transaction of statements is open.
  public func commit(_ changes: StagedChanges) async throws -> CommitSummary {
    try await writingAlone { script, db in try script.noting(in: db) { try script.commit(changes, in: db) } }
  }

  /// Finds what foreign keys and triggers will change along with staged changes: see ``Database/forecast(of:)``.
  public func forecast(of changes: StagedChanges) async throws -> CommitForecast {
    try await background.readUndivided { db in try db.forecast(of: changes) }
  }

  /// Runs what writes in a transaction of its own on the connection of statements, which waits for a lock until the task is cancelled.
  ///
  /// - Throws: What `body` throws; ``DataSourceError`` where nothing may be written or a transaction of statements is open.
  func writingAlone<Result: Sendable>(
    _ body: @escaping @Sendable (ScriptConnection, Database) throws -> Result
  ) async throws -> Result {
    if let refusal = script.refusal { throw DataSourceError(refusal) }
    releaseLocks()
    let script = script
    return try await scriptQueue().withoutTransaction { db in
      guard !db.isInsideTransaction else {
        throw DataSourceError("a transaction of statements is open: :commit or :rollback it first")
      }
      defer { script.noteTransaction(in: db) }
      db.endLastingReads()
      return try body(script, db)
    }
  }

  /// Reads values of rows: see ``Database/storedRows(_:columns:of:)``.
  public func storedRows(_ keys: [RowKey], columns: [String]?, of table: TableReference) async throws -> [[String: StoredValue]?] {
    try await schemaConnection().read { db in try db.storedRows(keys, columns: columns, of: db.tableSchema(table)) }
  }

  /// Returns what an expression yields for rows: see ``Database/values(of:for:of:)``.
  public func values(of expression: ColumnExpression, for rows: [RowKey], of table: TableReference) async throws -> [StoredValue?] {
    try await schemaConnection().read { db in try db.values(of: expression, for: rows, of: db.tableSchema(table)) }
  }

  /// Returns what an expression would make of a column: see ``Database/edits(of:to:in:limit:)``.
  public func edits(of column: String, to expression: ColumnExpression, in set: RowSet, limit: Int) async throws -> [ColumnEdit] {
    let queue = script.isTransactionOpen ? try script.queue() : background
    return try await queue.read { db in try db.edits(of: column, to: expression, in: set, limit: limit) }
  }

  /// Returns whether the rows of a query can be changed: see ``Database/editability(ofQuery:)``.
  public func editability(ofQuery sql: String) async throws -> ResultEditability {
    try await scriptQueue().read { db in try db.editability(ofQuery: sql) }
  }

  /// Returns what a table knows the rows of a query by: see ``Database/keys(of:in:)``.
  public func keys(of rows: [WindowRow], in table: ResultTable) async throws -> [RowKey?] {
    guard table.needsRowIDs else { return rows.map { table.key(of: $0.cells) } }
    return try await schemaConnection().read { db in try db.keys(of: rows, in: table) }
  }

  /// Returns what a row would break, found out in a table in memory that is made as this one is: see ``RowRules``.
  public func fault(
    in values: [String: StagedValue], of table: TableReference, by operation: RowOperation
  ) async throws -> ConstraintFailure? {
    let schema = try await schema(of: table)
    return try rules.withLock { known in
      if known?.schema != schema { known = (schema, try RowRules(schema)) }
      return known?.rules
    }?.fault(in: values, by: operation)
  }

  /// Looks for values that a column may be given: see ``Database/choices(for:of:prefix:limit:)``.
  public func choices(for column: String, of table: TableReference, prefix: String, limit: Int) async throws -> [ColumnChoice] {
    try await background.readUndivided(of: table.database) { db in
      try db.choices(for: column, of: db.tableSchema(table), prefix: prefix, limit: limit)
    }
  }
}
