package import QuarryChanges
package import QuarryEngine
internal import Synchronization

/// The connection on which the editor's statements run, one after the other, with the transaction that is open on it.
package final class ScriptConnection: Sendable {
  /// Why nothing may be written; nil where it may.
  let refusal: String?
  /// What records the commits; nil where that is not wanted.
  let recorder: ChangeRecorder?
  private let open: @Sendable () throws -> DatabaseQueue
  private let state = Mutex(State())
  /// Not a part of the state, which is locked while the connection is being opened.
  private let writes = Atomic(false)
  private let isInside = Atomic(false)
  /// Whether anything but queries and changes of rows has run.
  private let hasOwnState = Atomic(false)

  /// What the connection is called among those that may wait for a lock.
  package static let name = "script"
  /// What waits while the connection is being opened.
  static let openingName = "the script's opening"

  private struct State {
    var queue: DatabaseQueue?
    /// What the connection had changed when the transaction began.
    var changesBefore = 0
    /// Whether the transaction has changed anything besides rows.
    var changesSchema = false
  }

  /// Makes a connection that is opened when it is first needed.
  ///
  /// - Parameters:
  ///   - refusal: Why nothing may be written; nil where it may.
  ///   - changes: Where what is committed is recorded; nil where it is not to be.
  ///   - open: Opens the connection, once the first statement is to run.
  package init(refusal: String?, changes: ChangeLogFolder? = nil, open: @escaping @Sendable () throws -> DatabaseQueue) {
    self.refusal = refusal
    recorder = refusal == nil ? changes.map { ChangeRecorder($0) } : nil
    self.open = open
  }

  /// Returns the connection, made when it is first asked for.
  func queue() throws -> DatabaseQueue {
    try state.withLock { state in
      if let queue = state.queue { return queue }
      let queue = try open()
      try queue.withoutTransaction { try recorder?.attach(to: $0) }
      state.queue = queue
      return queue
    }
  }

  /// The connection where it has been made; nil before.
  var openedQueue: DatabaseQueue? { state.withLock(\.queue) }

  /// Begins a transaction unless one is open; returns whether it did.
  func begin(in db: Database) throws -> Bool {
    guard !db.isInsideTransaction else { return false }
    try noting(in: db) { try db.execute(sql: "BEGIN IMMEDIATE") }
    return true
  }

  /// Runs a statement, and records what it commits.
  func recording<Value>(_ statement: Statement, in db: Database, _ body: () throws -> Value) throws -> Value {
    guard let recorder else { return try body() }
    return try recorder.recording(statement, in: db, body)
  }

  /// Writes what is staged in one transaction, and records it.
  ///
  ///     BEGIN IMMEDIATE; UPDATE main.Track SET Name = ? WHERE …; COMMIT
  ///
  /// - Throws: ``CommitFailure``, ``DatabaseError``, or ``ChangesTooLarge``; then nothing was written.
  func commit(_ changes: StagedChanges, in db: Database) throws -> CommitSummary {
    guard let recorder else { return try db.commit(changes) }
    let name = "edit of \(changes.tables.map(\.name).joined(separator: ", "))"
    let origin = CommitOrigin(statement: name, staged: changes.identity)
    return try ChangeCommit.run(changes, in: db) { body in
      let recorded = try recorder.inTransaction(.edit, origin, in: db, body)
      var summary = recorded.value
      if !recorded.commits.isEmpty { summary.sideEffects = SideEffects(recorded.commits, besides: summary.written, in: db) }
      return summary
    }
  }

  /// Ends the transaction that is open, and records what it has changed where it is committed.
  ///
  ///     COMMIT
  func endTransaction(isCommitted: Bool, in db: Database) throws {
    func end() throws { try db.execute(sql: isCommitted ? "COMMIT" : "ROLLBACK") }
    guard let recorder else { return try end() }
    try recorder.endingTransaction(in: db, ends: isCommitted, end)
  }

  /// Takes note of what has been changed before a transaction that begins now.
  private func noteBeginning(in db: Database) {
    let changes = db.totalChangesCount
    state.withLock { state in
      state.changesBefore = changes
      state.changesSchema = false
    }
  }

  /// Runs what may begin a transaction of its own.
  func noting<Value>(in db: Database, _ body: () throws -> Value) rethrows -> Value {
    if !db.isInsideTransaction { noteBeginning(in: db) }
    writes.store(true, ordering: .relaxed)
    defer { noteWriting(in: db) }
    return try body()
  }

  /// Whether a transaction was open after the last statement: while the first of it runs, nothing waits for it to see its changes.
  var isTransactionOpen: Bool { isInside.load(ordering: .relaxed) }

  /// Returns whether a query gives the same rows on any other connection to the same files.
  ///
  /// It may not where statements have been run that make temporary tables, attach databases or change settings, and where it calls a
  /// function that tells of what its own connection has written.
  func isIndependent(_ sql: String) -> Bool {
    !hasOwnState.load(ordering: .relaxed) && !["last_insert_rowid", "changes"].contains { sql.lowercased().contains($0) }
  }

  /// Takes note of a statement that is about to run.
  func note(_ kind: StatementKind) {
    if kind.changesSchema { hasOwnState.store(true, ordering: .relaxed) }
  }

  /// Takes note, after a statement, of whether a transaction is open.
  func noteTransaction(in db: Database) {
    isInside.store(db.isInsideTransaction, ordering: .relaxed)
    recorder?.noteTransaction(in: db)
  }

  /// Whether it has, or is about to get, the lock that lets it write.
  var isWriting: Bool { writes.load(ordering: .relaxed) }

  /// Takes note of whether a transaction is open.
  func noteWriting(in db: Database) {
    writes.store(db.isInsideTransaction, ordering: .relaxed)
  }

  /// Returns the transaction that is open; nil where none is.
  func transaction(in db: Database) -> OpenTransaction? {
    guard db.isInsideTransaction else { return nil }
    return state.withLock { OpenTransaction(changes: db.totalChangesCount - $0.changesBefore, changesSchema: $0.changesSchema) }
  }

  /// Takes note of a statement that has changed something besides rows.
  func noteSchemaChange() {
    state.withLock { $0.changesSchema = true }
  }
}
