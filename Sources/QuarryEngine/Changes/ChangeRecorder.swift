/// Records what the transactions of a connection change, so that it can be undone after they are committed.
///
/// ```swift
/// let recorder = ChangeRecorder(folder)
/// try queue.withoutTransaction { db in
///   try recorder.attach(to: db)
///   try recorder.recording(statement, in: db) { try statement.execute() }
/// }
/// ```
///
/// It notes each row as it was when a transaction first touches it, and reads the row anew before the commit: what a rollback of a
/// savepoint or of a failed statement has taken back is then no change. Sendable because it is used inside of accesses to its connection
/// only, which come one after the other.
package final class ChangeRecorder: @unchecked Sendable {
  private let folder: ChangeLogFolder
  /// What has been touched, by the names of the databases; nil for a database that has no file.
  private var transactions: [String: RecordedTransaction?] = [:]
  /// The logs that have been opened, by the paths of their databases.
  private var logs: [String: ChangeLog] = [:]
  private var statements: [String] = []
  /// Why what is being done cannot be recorded.
  private var failure: (any Error)?
  /// Whether the transaction that is open, or else the next one, is not recorded.
  private var isPassedOver = false
  /// What is about to be committed.
  private var pending: [(log: ChangeLog, number: Int, lock: FileLock?)] = []

  /// How many bytes of the statements' text are kept.
  private static let longestText = 64 << 10

  /// Makes a recorder that keeps its records in a folder.
  package init(_ folder: ChangeLogFolder) {
    self.folder = folder
  }

  /// Listens to a connection, and finds out about commits of which it is not known whether they were.
  package func attach(to db: Database) throws {
    for name in try Self.databases(of: db) { try folder.existingLog(ofDatabase: name, in: db)?.settlePending(of: name, in: db) }
    try db.setPreupdateHook { [unowned self] change in note(change) }
  }

  /// Records nothing of the transaction that is open, or else of the next one.
  package func passOver() {
    discard()
    isPassedOver = true
  }

  /// Takes note of a transaction that may have ended without a word to the recorder.
  package func noteTransaction(in db: Database) {
    if !db.isInsideTransaction { discard() }
  }

  /// Ends listening.
  package func detach(from db: Database) throws {
    try db.setPreupdateHook(nil)
    discard()
    logs = [:]
  }

  private static func databases(of db: Database) throws -> [String] {
    try String.fetchAll(db, sql: "SELECT name FROM pragma_database_list WHERE name <> 'temp'")
  }

  /// Notes the rows that are about to be changed; where that is not possible, stops the statement.
  private func note(_ change: PreupdateChange) {
    guard failure == nil, !isPassedOver else { return }
    do {
      try transaction(of: change.table.database, in: change.database)?.note(change)
    } catch {
      failure = ChangesUnrecorded.wrapping(error)
      change.database.interruption.interrupt()
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
  /// Runs a statement, and records what it commits; outside of a transaction it gets one of its own, as SQLite would give it.
  ///
  ///     BEGIN DEFERRED; DELETE FROM Track; COMMIT
  ///
  /// - Throws: What `body` throws; ``ChangesTooLarge`` where the changes are more than may be kept, after which nothing of the transaction
  ///   remains.
  package func recording<Value>(_ statement: Statement, in db: Database, _ body: () throws -> Value) throws -> Value {
    let kind = StatementKind(of: statement.sql)
    if kind.controlsTransaction { return try endingTransaction(in: db, ends: kind.endsTransaction, body) }
    guard !statement.isReadonly, !statement.isExplanation, !kind.runsAlone else { return try body() }
    if db.isInsideTransaction { return try noting(statement.sql, kind, in: db, body) }
    // A statement about rows takes its locks itself, and none of the file for a temporary table.
    try db.execute(sql: kind.changesObjects ? "BEGIN IMMEDIATE" : "BEGIN DEFERRED")
    let result = Result { try noting(statement.sql, kind, in: db, body) }
    do {
      // What a statement has done that fails by a constraint stays, where its conflict clause says so.
      if case .failure(let error) = result, (error as? DatabaseError).map({ $0.resultCode != DatabaseError.SQLITE_CONSTRAINT }) == true {
        throw error
      }
      guard failure == nil, db.isInsideTransaction else { return try result.get() }
      try commit(.sql, CommitOrigin(statement: statementText), in: db)
    } catch {
      db.rollBack()
      discard()
      throw error
    }
    return try result.get()
  }

  /// Runs `body` in a transaction of its own, and records what it commits.
  ///
  ///     BEGIN IMMEDIATE; …; COMMIT
  ///
  /// - Parameter confirm: Is called when all is recorded as pending, just before COMMIT.
  /// - Throws: What `body` and `confirm` throw, after which nothing of the transaction remains.
  func inTransaction<Value>(
    _ kind: RecordedCommit.Kind, _ origin: CommitOrigin, in db: Database, _ body: () throws -> Value, confirm: () throws -> Void = {}
  ) throws -> (value: Value, commits: [RecordedCommit.ID]) {
    try db.execute(sql: "BEGIN IMMEDIATE")
    do {
      let value = try db.holdingTransaction(body)
      if let failure { throw failure }
      return (value, try commit(kind, origin, in: db, confirm))
    } catch {
      let failure = failure
      db.rollBack()
      discard()
      throw failure ?? error
    }
  }

  /// Runs a statement inside of a transaction that is open.
  private func noting<Value>(_ sql: String, _ kind: StatementKind, in db: Database, _ body: () throws -> Value) throws -> Value {
    if kind.changesObjects { try willChangeSchema(sql, in: db) }
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
      if !db.isInsideTransaction { discard() }
      throw error
    }
  }

  /// Runs what begins, commits or rolls back.
  ///
  /// - Parameter ends: Whether it may commit the transaction.
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

  /// Commits the transaction that is open.
  @discardableResult
  private func commit(
    _ kind: RecordedCommit.Kind, _ origin: CommitOrigin, in db: Database, _ confirm: () throws -> Void = {}
  ) throws -> [RecordedCommit.ID] {
    let written = try prepare(kind, origin, in: db)
    do {
      try confirm()
      try db.execute(sql: "COMMIT")
    } catch {
      try? withdraw()
      throw error
    }
    settle()
    return written
  }
}

// MARK: - The schema

extension ChangeRecorder {
  /// Runs a statement of the program's own inside of a transaction that is open.
  func execute(_ sql: String, in db: Database) throws {
    try noting(sql, StatementKind(of: sql), in: db) { try db.execute(sql: sql) }
  }

  /// Runs `body`, which alters objects of the schema that stay the same.
  func alteringSchema(in db: Database, _ body: () throws -> Void) throws {
    try willChangeSchema("", in: db)
    try body()
    try didChangeSchema(isAlteration: true)
  }

  /// Notes what the schemas are like before a statement changes one, and keeps the rows of a table that it drops or rewrites.
  private func willChangeSchema(_ sql: String, in db: Database) throws {
    if isPassedOver { return }
    do {
      let lost = try DestructiveStatement(sql: sql)?.lostTable(in: db)
      for name in try Self.databases(of: db) {
        let isIt = lost?.database.isSameIdentifier(as: name) == true
        try transaction(of: name, in: db)?.willChangeSchema(dropping: isIt ? lost?.name : nil)
      }
    } catch {
      throw ChangesUnrecorded.wrapping(error)
    }
  }

  private func didChangeSchema(isAlteration: Bool) throws {
    for transaction in transactions.values { try transaction?.didChangeSchema(isAlteration: isAlteration) }
  }
}

extension DestructiveStatement {
  /// Finds the table whose rows would be gone, in the first database that has it; nil where none is.
  ///
  ///     SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name = 'Track' COLLATE NOCASE
  fileprivate func lostTable(in db: Database) throws -> TableReference? {
    let sql: String
    switch self {
    case .drops("table", let name): sql = name
    case .dropsColumn(let table, _): sql = table
    case .drops, .deletesAll, .updatesAll: return nil
    }
    guard let table = StatementTokens(sql).qualifiedName(0) else { return nil }
    let all = "SELECT name FROM pragma_database_list ORDER BY name <> 'temp', seq"
    for database in try table.database.map({ [$0] }) ?? String.fetchAll(db, sql: all) {
      let schema = database.isSameIdentifier(as: "temp") ? "sqlite_temp_schema" : "sqlite_schema"
      let query: SQLText = """
        SELECT count(*) FROM \(identifier: database).\(identifier: schema) WHERE type = 'table' AND name = \(table.name) COLLATE NOCASE
        """
      if try Int.fetchOne(db.makeStatement(literal: query)) != 0 { return TableReference(database: database, name: table.name) }
    }
    return nil
  }
}

// MARK: - The end of a transaction

extension ChangeRecorder {
  /// Writes what the open transaction has changed, as pending; to be called just before it is committed.
  @discardableResult
  private func prepare(_ kind: RecordedCommit.Kind, _ origin: CommitOrigin, in db: Database) throws -> [RecordedCommit.ID] {
    var written: [RecordedCommit.ID] = []
    for (database, transaction) in transactions {
      guard let transaction, !transaction.isEmpty else { continue }
      let lock = transaction.log.pendingLock(waits: true)
      let number = try write(transaction, kind, origin)
      guard let number else { continue }
      pending.append((transaction.log, number, lock))
      written.append(RecordedCommit.ID(database: database, number: number))
    }
    return written
  }

  /// Writes what a transaction has changed; returns its number, nil where it has changed nothing.
  private func write(_ transaction: RecordedTransaction, _ kind: RecordedCommit.Kind, _ origin: CommitOrigin) throws -> Int? {
    do {
      return try transaction.log.write(kind, origin) { try transaction.write(to: $0) }
    } catch {
      throw ChangesUnrecorded.wrapping(error)
    }
  }

  private var statementText: String {
    let text = statements.joined(separator: ";\n")
    return text.utf8.count <= Self.longestText ? text : String(text.prefix(Self.longestText)) + "…"
  }

  /// Notes that the transaction is committed.
  private func settle() {
    // One that stays pending is looked at when the log is opened the next time.
    for (log, number, _) in pending { try? log.settle(number) }
    pending = []
    discard()
  }

  /// Takes back what was written for a commit that has not been, while its transaction stays open.
  private func withdraw() throws {
    defer { pending = [] }
    for (log, number, _) in pending { try log.withdraw(number) }
  }

  /// Forgets what was noted: the transaction has come to its end.
  private func discard() {
    (failure, statements, transactions, isPassedOver) = (nil, [], [:], false)
    try? withdraw()
  }
}
