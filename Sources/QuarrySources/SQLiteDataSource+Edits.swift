public import QuarryChanges
public import QuarryEngine
public import QuarryRows
internal import Synchronization

extension SQLiteDataSource {
  /// The reason why the files are read-only, or nil if they are writable.
  public var editRefusal: String? { script.refusal }

  /// Throws ``DataSourceError`` if the files are opened read-only.
  public func allowWriting() throws {
    if let editRefusal { throw DataSourceError(editRefusal) }
  }

  /// Writes staged changes on the connection of statements.
  ///
  /// Waits for a lock until the task is cancelled.
  ///
  /// - Throws: ``CommitFailure``, ``DatabaseError``, or ``DataSourceError`` if a transaction of statements is open.
  public func commit(_ changes: StagedChanges) async throws -> CommitSummary {
    try await writingAlone { script, db in try script.noting(in: db) { try script.commit(changes, in: db) } }
  }

  /// Returns the changes that foreign keys and triggers will make along with staged changes.
  ///
  /// See ``Database/forecast(of:)``.
  public func forecast(of changes: StagedChanges) async throws -> CommitForecast {
    try await background.readUndivided { db in try db.forecast(of: changes) }
  }

  /// Runs a write in its own transaction on the connection of statements.
  ///
  /// Waits for a lock until the task is cancelled.
  ///
  /// - Throws: Any error thrown by `body`, or ``DataSourceError`` if the files are read-only or a transaction of statements is open.
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

  /// Reads values of rows.
  ///
  /// See ``Database/storedRows(_:columns:of:)``.
  public func storedRows(_ keys: [RowKey], columns: [String]?, of table: TableReference) async throws -> [[String: StoredValue]?] {
    try await schemaConnection().read { db in try db.storedRows(keys, columns: columns, of: db.tableSchema(table)) }
  }

  /// Returns the values of an expression for rows with their staged changes.
  ///
  /// See ``Database/values(of:for:of:with:)``.
  public func values(
    of expression: ColumnExpression, for rows: [StagedRowID], of table: TableReference, with changes: StagedChanges
  ) async throws -> [StoredValue?] {
    try await schemaConnection().read { db in try db.values(of: expression, for: rows, of: db.tableSchema(table), with: changes) }
  }

  /// Returns the changes that an expression would make to a column.
  ///
  /// See ``Database/edits(of:to:in:limit:)``.
  public func edits(of column: String, to expression: ColumnExpression, in set: RowSet, limit: Int) async throws -> [ColumnEdit] {
    let queue = script.isTransactionOpen ? try script.queue() : background
    return try await queue.read { db in try db.edits(of: column, to: expression, in: set, limit: limit) }
  }

  /// Returns whether the rows of a query can be changed.
  ///
  /// See ``Database/editability(ofQuery:)``.
  public func editability(ofQuery sql: String) async throws -> ResultEditability {
    try await scriptQueue().read { db in try db.editability(ofQuery: sql) }
  }

  /// Returns the table's keys of a query's rows.
  ///
  /// See ``Database/keys(of:in:)``.
  public func keys(of rows: [WindowRow], in table: ResultTable) async throws -> [RowKey?] {
    guard table.needsRowIDs else { return rows.map { table.key(of: $0.cells) } }
    return try await schemaConnection().read { db in try db.keys(of: rows, in: table) }
  }

  /// Returns the constraint that a row would violate, checked in a copy of the table in memory.
  ///
  /// See ``RowRules``.
  public func fault(
    in values: [String: StagedValue], of table: TableReference, by operation: RowOperation
  ) async throws -> ConstraintFailure? {
    let schema = try await schema(of: table)
    return try rules.withLock { known in
      if known?.schema != schema { known = (schema, try RowRules(schema)) }
      return known?.rules
    }?.fault(in: values, by: operation)
  }

  /// Returns suggested values for a column.
  ///
  /// See ``Database/choices(for:of:prefix:limit:)``.
  public func choices(for column: String, of table: TableReference, prefix: String, limit: Int) async throws -> [ColumnChoice] {
    try await background.readUndivided(of: table.database) { db in
      try db.choices(for: column, of: db.tableSchema(table), prefix: prefix, limit: limit)
    }
  }
}
