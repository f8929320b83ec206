package import QuarryEngine
internal import QuarryRows

/// Records the changes of a connection's transactions, so that they can be undone after they are committed.
///
/// ```swift
/// let recorder = ChangeRecorder(folder)
/// try queue.withoutTransaction { db in
///   try recorder.attach(to: db)
///   try recorder.recording(statement, in: db) { try statement.execute() }
/// }
/// ```
///
/// The recorder saves each row when a transaction first changes it, and reads the row again before the commit. Changes that a rollback of a
/// savepoint or of a failed statement has reverted are therefore not recorded. The class is Sendable because it is used only inside
/// accesses to its connection, which are serialized.
package final class ChangeRecorder: @unchecked Sendable {
  private let folder: ChangeLogFolder
  /// The recorded transactions, by database name.
  ///
  /// Nil for a database without a file.
  private var transactions: [String: RecordedTransaction?] = [:]
  /// The transaction in the database changed last.
  ///
  /// Unchecked: only the hook uses it, and ``discard()``.
  @exclusivity(unchecked) private var latest: RecordedTransaction?
  /// The open logs, by database path.
  private var logs: [String: ChangeLog] = [:]
  private var statements: [String] = []
  /// The reason why the current changes cannot be recorded.
  private var failure: (any Error)?
  /// Whether the open transaction, or else the next one, is not recorded.
  private var isPassedOver = false
  /// The commits written to the logs as pending.
  private var pending: [(log: ChangeLog, commit: WrittenCommit, lock: FileLock?)] = []
  /// The recorded commits, the latest last.
  package private(set) var written: [WrittenCommit] = []

  /// The maximum number of bytes of statement text that are recorded.
  private static let longestText = 64 << 10

  /// Creates a recorder that writes to the logs of a folder.
  package init(_ folder: ChangeLogFolder) {
    self.folder = folder
  }

  /// Starts recording a connection, and settles pending commits whose outcome is not known.
  package func attach(to db: Database) throws {
    for name in try Self.databases(of: db) { try folder.existingLog(ofDatabase: name, in: db)?.settlePending(of: name, in: db) }
    try db.setPreupdateHook { [unowned self] change in note(change) }
  }

  /// The number of row changes of the open transaction, including changes by triggers and foreign keys, but not the data of virtual tables.
  package var changeCount: Int { transactions.values.reduce(0) { $0 + ($1?.changeCount ?? 0) } }

  /// Skips recording the open transaction, or else the next one.
  package func passOver() {
    discard()
    isPassedOver = true
  }

  /// Discards the recorded changes if the transaction has ended without the recorder's knowledge.
  package func noteTransaction(in db: Database) {
    if !db.isInsideTransaction { discard() }
  }

  /// Stops recording a connection.
  package func detach(from db: Database) throws {
    try db.setPreupdateHook(nil)
    discard()
    logs = [:]
  }

  private static func databases(of db: Database) throws -> [String] {
    try String.fetchAll(db, sql: "SELECT name FROM pragma_database_list WHERE name <> 'temp'")
  }

  /// Records the rows that are about to change.
  ///
  /// If recording fails, interrupts the statement.
  private func note(_ change: PreupdateChange) {
    guard failure == nil, !isPassedOver else { return }
    do {
      if let latest, latest.database == change.table.database { return try latest.note(change) }
      latest = try transaction(of: change.table.database, in: change.database)
      try latest?.note(change)
    } catch {
      failure = ChangesUnrecorded.wrapping(error)
      change.database.interruption.interrupt()
    }
  }

  /// Returns a recorder of the current rows of a table, which the open transaction is about to change.
  ///
  /// Returns nil if the rows are not recorded, or are not identified by rowids.
  func rowsToSave(of table: TableReference, in db: Database) throws -> SavedRows? {
    try saving(in: table.database, of: db) { transaction in
      try transaction.tableToSave(named: table.name).map { SavedRows(transaction, $0) }
    }
  }

  /// Returns recorders of the cells of tables that the open transaction is about to change.
  ///
  /// The transaction must not change any other values of these tables.
  ///
  /// Returns nil if whole rows of one of them must be recorded, or none.
  func cellsToSave(of tables: [TableReference], in db: Database) throws -> [SavedCells]? {
    let found = try tables.compactMap { table in
      try saving(in: table.database, of: db) { transaction in
        try transaction.tableToSaveCells(named: table.name).map { (transaction, $0) }
      }
    }
    return found.count == tables.count ? found.map(SavedCells.init) : nil
  }

  private func saving<Saved>(in database: String, of db: Database, _ body: (RecordedTransaction) throws -> Saved?) throws -> Saved? {
    guard !isPassedOver, db.isInsideTransaction else { return nil }
    do {
      // The hook reports a database by exactly this name.
      guard try Self.databases(of: db).contains(database) else { return nil }
      return try transaction(of: database, in: db).flatMap(body)
    } catch {
      throw ChangesUnrecorded.wrapping(error)
    }
  }

  private func transaction(of database: String, in db: Database) throws -> RecordedTransaction? {
    if let known = transactions[database] { return known }
    let path = database == "temp" ? nil : db.path(ofDatabase: database)
    let log = try path.flatMap { try logs[$0] ?? folder.log(ofDatabase: database, in: db) }
    if let path { logs[path] = log }
    let made = log.map { RecordedTransaction(database, log: $0, db) }
    transactions[database] = .some(made)
    return made
  }
}

// MARK: - Statements

extension ChangeRecorder {
  /// Runs a statement and records the changes that it commits.
  ///
  /// Outside a transaction, the statement runs in its own transaction, as in SQLite.
  ///
  ///     BEGIN DEFERRED; DELETE FROM Track; COMMIT
  ///
  /// - Throws: Any error thrown by `body`, or ``ChangesTooLarge`` if the changes exceed the size limit. The transaction is then rolled
  ///   back.
  package func recording<Value>(_ statement: Statement, in db: Database, _ body: () throws -> Value) throws -> Value {
    let kind = StatementKind(of: statement.sql)
    if kind.controlsTransaction { return try endingTransaction(in: db, ends: kind.endsTransaction, body) }
    guard !statement.isReadonly, !statement.isExplanation, !kind.runsAlone else { return try body() }
    if db.isInsideTransaction { return try noting(statement.sql, kind, in: db, body) }
    // A statement that changes rows takes its own locks. For a temporary table it does not lock the file.
    try db.execute(sql: kind.changesObjects ? "BEGIN IMMEDIATE" : "BEGIN DEFERRED")
    let result = Result { try noting(statement.sql, kind, in: db, body) }
    do {
      // A statement that violates a constraint may keep its earlier changes, depending on its conflict clause.
      if case .failure(let error) = result, (error as? DatabaseError).map({ $0.resultCode != DatabaseError.SQLITE_CONSTRAINT }) == true {
        throw error
      }
      guard failure == nil, db.isInsideTransaction else { return try result.get() }
      // SQLite does not count all changes that a failed statement has kept, such as those of a trigger that has raised FAIL.
      if statements.isEmpty { statements.append(statement.sql) }
      try commit(.sql, CommitOrigin(statement: statementText), in: db)
    } catch {
      db.rollBack()
      discard()
      throw error
    }
    return try result.get()
  }

  /// Runs `body` in a transaction and records the committed changes.
  ///
  ///     BEGIN IMMEDIATE; …; COMMIT
  ///
  /// - Parameters:
  ///   - confirm: Called just before COMMIT, when all changes are recorded as pending.
  ///   - commit: Commits the same changes elsewhere, instead of COMMIT. See ``commit(_:_:in:_:elsewhere:)``.
  /// - Throws: Any error thrown by `body`, `confirm` and `commit`. The transaction is then rolled back.
  package func inTransaction<Value>(
    _ kind: RecordedCommit.Kind, _ origin: CommitOrigin, in db: Database, _ body: () throws -> Value, confirm: () throws -> Void = {},
    committingElsewhere commit: (() throws -> Void)? = nil
  ) throws -> (value: Value, commits: [WrittenCommit]) {
    try db.execute(sql: "BEGIN IMMEDIATE")
    do {
      let value = try db.holdingTransaction(body)
      if let failure { throw failure }
      return (value, try self.commit(kind, origin, in: db, confirm, elsewhere: commit))
    } catch {
      let failure = failure
      db.rollBack()
      discard()
      throw failure ?? error
    }
  }

  /// Runs a statement inside an open transaction.
  private func noting<Value>(_ sql: String, _ kind: StatementKind, in db: Database, _ body: () throws -> Value) throws -> Value {
    if kind.changesObjects { try willChangeSchema(sql, in: db) }
    let count = db.totalChangesCount
    do {
      let value = try body()
      if let failure { throw failure }
      if kind.changesObjects { try didChangeSchema(isAlteration: kind.altersObject) }
      statements.append(sql)
      return value
    } catch {
      if let failure {
        db.rollBack()
        discard()
        throw failure
      }
      if !db.isInsideTransaction {
        discard()
      } else if db.totalChangesCount != count {
        // UPDATE OR FAIL keeps the rows that it has changed before the error.
        statements.append(sql)
      }
      throw error
    }
  }

  /// Runs a statement that begins, commits or rolls back a transaction.
  ///
  /// - Parameter ends: Whether the statement may commit the transaction.
  package func endingTransaction<Value>(in db: Database, ends: Bool, _ body: () throws -> Value) throws -> Value {
    guard db.isInsideTransaction else { return try body() }
    do {
      if ends { try prepare(.sql, CommitOrigin(statement: statementText), in: db) }
      let value = try body()
      if !db.isInsideTransaction {
        ends ? settle() : discard()
      } else {
        try withdraw()
        for transaction in transactions.values { try transaction?.didRollBackToSavepoint() }
      }
      return value
    } catch {
      if db.isInsideTransaction { try? withdraw() } else { discard() }
      throw error
    }
  }

  /// Commits the open transaction.
  ///
  /// - Parameter commit: Commits the same changes elsewhere. The local transaction is only a draft of them and is rolled back, since no
  ///   step after the remote commit may fail. On ``UnknownOutcome`` the record stays pending. The rows determine its outcome at the next
  ///   opening.
  @discardableResult
  private func commit(
    _ kind: RecordedCommit.Kind, _ origin: CommitOrigin, in db: Database, _ confirm: () throws -> Void = {},
    elsewhere commit: (() throws -> Void)? = nil
  ) throws -> [WrittenCommit] {
    let written = try prepare(kind, origin, in: db)
    do {
      try confirm()
      if let commit { try commit() } else { try db.execute(sql: "COMMIT") }
    } catch let error as UnknownOutcome {
      pending = []
      throw error
    } catch {
      try? withdraw()
      throw error
    }
    if commit != nil { db.rollBack() }
    settle()
    return written
  }
}

// MARK: - The schema

extension ChangeRecorder {
  /// Runs one of the program's own statements inside an open transaction.
  package func execute(_ sql: String, in db: Database) throws {
    try noting(sql, StatementKind(of: sql), in: db) { try db.execute(sql: sql) }
  }

  /// Runs `body`, which alters schema objects without replacing them.
  func alteringSchema(in db: Database, _ body: () throws -> Void) throws {
    try willChangeSchema("", in: db)
    try body()
    try didChangeSchema(isAlteration: true)
  }

  /// Saves the schemas before a statement changes one of them.
  ///
  /// Saves the rows of a table that the statement drops or rewrites.
  private func willChangeSchema(_ sql: String, in db: Database) throws {
    if isPassedOver { return }
    do {
      let lost = try DestructiveStatement(sql: sql)?.lostTable(in: db)
      for name in try Self.databases(of: db) {
        let isDroppedHere = lost?.database.isSameIdentifier(as: name) == true
        try transaction(of: name, in: db)?.willChangeSchema(dropping: isDroppedHere ? lost?.name : nil)
      }
    } catch {
      throw ChangesUnrecorded.wrapping(error)
    }
  }

  private func didChangeSchema(isAlteration: Bool) throws {
    for transaction in transactions.values { try transaction?.didChangeSchema(isAlteration: isAlteration) }
  }
}

/// A recorded commit.
package struct WrittenCommit: Hashable, Sendable {
  /// The identifier of the commit.
  package var id: RecordedCommit.ID
  /// The changed tables with their numbers of changed rows.
  package var tables: [RecordedTable]
}

/// A commit with an unknown outcome, for example because the connection to a server was lost.
package struct UnknownOutcome: Error, Hashable, CustomStringConvertible {
  /// A sentence for the user.
  package var description: String

  package init(description: String) {
    self.description = description
  }
}

extension DestructiveStatement {
  /// Returns the table whose rows would be lost, in the first database that contains it, or nil if no rows would be lost.
  fileprivate func lostTable(in db: Database) throws -> TableReference? {
    switch self {
    case .drops("table", let name): try db.objects("table", named: name).first
    case .dropsColumn(let table, _): try db.objects("table", named: table).first
    case .drops, .deletesAll, .updatesAll: nil
    }
  }
}

extension Database {
  /// Returns the `table`, `view`, `index` or `trigger` objects that a name in SQL may mean.
  ///
  /// The object that SQLite chooses comes first.
  ///
  ///     SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name = 'Track' COLLATE NOCASE
  ///
  /// - Throws: ``DatabaseError`` if a schema cannot be read.
  package func objects(_ kind: String, named sql: String) throws -> [TableReference] {
    guard let object = StatementTokens(sql).qualifiedName(0) else { return [] }
    let all = "SELECT name FROM pragma_database_list ORDER BY name <> 'temp', seq"
    return try (object.database.map { [$0] } ?? String.fetchAll(self, sql: all)).compactMap { database in
      let query: SQLText = """
        SELECT count(*) FROM \(identifier: database).sqlite_schema WHERE type = \(kind) AND name = \(object.name) COLLATE NOCASE
        """
      let isThere = try Int.fetchOne(makeStatement(literal: query)) != 0
      return isThere ? TableReference(database: database, name: object.name) : nil
    }
  }
}

// MARK: - The end of a transaction

extension ChangeRecorder {
  /// Writes the changes of the open transaction to the logs as pending.
  ///
  /// Call this just before the transaction is committed.
  @discardableResult
  private func prepare(_ kind: RecordedCommit.Kind, _ origin: CommitOrigin, in db: Database) throws -> [WrittenCommit] {
    for (database, transaction) in transactions {
      guard let transaction, !transaction.isEmpty else { continue }
      try write(transaction, of: database, kind, origin)
    }
    return pending.map(\.commit)
  }

  /// Writes the changes of a transaction to its log, if there are any.
  private func write(
    _ transaction: RecordedTransaction, of database: String, _ kind: RecordedCommit.Kind, _ origin: CommitOrigin
  ) throws {
    do {
      let lock = try transaction.log.pendingLock(waits: true)
      guard let written = try transaction.log.write(kind, origin, { try transaction.write(to: $0) }) else { return }
      let id = RecordedCommit.ID(database: database, number: written.number)
      pending.append((transaction.log, WrittenCommit(id: id, tables: written.tables), lock))
    } catch {
      throw ChangesUnrecorded.wrapping(error)
    }
  }

  private var statementText: String {
    let text = statements.joined(separator: ";\n")
    return text.utf8.count <= Self.longestText ? text : String(text.prefix(Self.longestText)) + "…"
  }

  /// Marks the pending commits as settled.
  private func settle() {
    // A commit that stays pending is checked when the log is next opened.
    for (log, commit, _) in pending { try? log.settle(commit.id.number) }
    written += pending.map(\.commit)
    pending = []
    discard()
  }

  /// Removes the pending records of a commit that has failed while its transaction stays open.
  private func withdraw() throws {
    defer { pending = [] }
    for (log, commit, _) in pending { try log.withdraw(commit.id.number) }
  }

  /// Discards the recorded changes when the transaction has ended.
  private func discard() {
    (failure, statements, transactions, isPassedOver) = (nil, [], [:], false)
    latest = nil
    try? withdraw()
  }
}
