package import QuarryEngine
internal import QuarryRows

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
  private var pending: [(log: ChangeLog, commit: WrittenCommit, lock: FileLock?)] = []
  /// The commits that have been recorded, the latest last.
  package private(set) var written: [WrittenCommit] = []

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

  /// How many times the open transaction has changed a row, by triggers and foreign keys too, but for the data of virtual tables.
  package var changeCount: Int { transactions.values.reduce(0) { $0 + ($1?.changeCount ?? 0) } }

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
  /// - Parameters:
  ///   - confirm: Is called when all is recorded as pending, just before COMMIT.
  ///   - commit: Commits the same changes elsewhere, in place of COMMIT: see ``commit(_:_:in:_:elsewhere:)``.
  /// - Throws: What `body`, `confirm` and `commit` throw, after which nothing of the transaction remains.
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
  ///
  /// - Parameter commit: Commits the same changes elsewhere. Nothing may fail afterwards, so that the transaction, which is a draft of
  ///   them, is rolled back, which cannot fail. ``UnknownOutcome`` leaves the record as it is: the rows tell at the next opening.
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
  /// Runs a statement of the program's own inside of a transaction that is open.
  package func execute(_ sql: String, in db: Database) throws {
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

/// A commit that has been recorded.
package struct WrittenCommit: Hashable, Sendable {
  /// What the commit is known by.
  package var id: RecordedCommit.ID
  /// The tables that it changed, with their numbers of rows.
  package var tables: [RecordedTable]
}

/// A commit of which it is not known whether it was made, as where the connection to a server was lost.
package struct UnknownOutcome: Error, Hashable, CustomStringConvertible {
  /// The sentence for a person.
  package var description: String

  package init(description: String) {
    self.description = description
  }
}

extension DestructiveStatement {
  /// Finds the table whose rows would be gone, in the first database that has it; nil where none is.
  fileprivate func lostTable(in db: Database) throws -> TableReference? {
    switch self {
    case .drops("table", let name): try db.objects("table", named: name).first
    case .dropsColumn(let table, _): try db.objects("table", named: table).first
    case .drops, .deletesAll, .updatesAll: nil
    }
  }
}

extension Database {
  /// Returns the objects of a kind, `table`, `view`, `index` or `trigger`, that a name may mean as SQL spells it; what SQLite takes it for
  /// comes first.
  ///
  ///     SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name = 'Track' COLLATE NOCASE
  ///
  /// - Throws: ``DatabaseError`` where a schema cannot be read.
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
  /// Writes what the open transaction has changed, as pending; to be called just before it is committed.
  @discardableResult
  private func prepare(_ kind: RecordedCommit.Kind, _ origin: CommitOrigin, in db: Database) throws -> [WrittenCommit] {
    for (database, transaction) in transactions {
      guard let transaction, !transaction.isEmpty else { continue }
      try write(transaction, of: database, kind, origin)
    }
    return pending.map(\.commit)
  }

  /// Writes what a transaction has changed, where it has changed anything.
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

  /// Notes that the transaction is committed.
  private func settle() {
    // One that stays pending is looked at when the log is opened the next time.
    for (log, commit, _) in pending { try? log.settle(commit.id.number) }
    written += pending.map(\.commit)
    pending = []
    discard()
  }

  /// Takes back what was written for a commit that has not been, while its transaction stays open.
  private func withdraw() throws {
    defer { pending = [] }
    for (log, commit, _) in pending { try log.withdraw(commit.id.number) }
  }

  /// Forgets what was noted: the transaction has come to its end.
  private func discard() {
    (failure, statements, transactions, isPassedOver) = (nil, [], [:], false)
    try? withdraw()
  }
}
