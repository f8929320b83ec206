package import QuarryChanges
package import QuarryEngine
internal import Synchronization

/// The connection on which the editor's statements run one after the other, with its open transaction.
package final class ScriptConnection: Sendable {
  /// The reason why the connection is read-only, or nil if it is writable.
  let refusal: String?
  /// The recorder of commits, or nil if commits are not recorded.
  let recorder: ChangeRecorder?
  private let open: @Sendable () throws -> DatabaseQueue
  private let state = Mutex(State())
  /// Separate from the state, which is locked while the connection is being opened.
  private let writes = Atomic(false)
  private let isInside = Atomic(false)
  /// Whether statements other than queries and row changes have run.
  private let hasOwnState = Atomic(false)

  /// The name of the connection in the list of lock waits.
  package static let name = "script"
  /// The name of the opening connection in the list of lock waits.
  static let openingName = "the script's opening"

  private struct State {
    var queue: DatabaseQueue?
    /// The connection's number of changes at the start of the transaction.
    var changesBefore = 0
    /// Whether the transaction has changed more than rows.
    var changesSchema = false
  }

  /// Creates a connection that is opened when first needed.
  ///
  /// - Parameters:
  ///   - refusal: The reason why the connection is read-only, or nil if it is writable.
  ///   - changes: The folder in which commits are recorded, or nil if they are not recorded.
  ///   - open: Opens the connection before its first statement.
  package init(refusal: String?, changes: ChangeLogFolder? = nil, open: @escaping @Sendable () throws -> DatabaseQueue) {
    self.refusal = refusal
    recorder = refusal == nil ? changes.map { ChangeRecorder($0) } : nil
    self.open = open
  }

  /// Returns the connection.
  ///
  /// Opens it on first use.
  func queue() throws -> DatabaseQueue {
    try state.withLock { state in
      if let queue = state.queue { return queue }
      let queue = try open()
      try queue.withoutTransaction { try recorder?.attach(to: $0) }
      state.queue = queue
      return queue
    }
  }

  /// The connection, or nil if it is not open yet.
  var openedQueue: DatabaseQueue? { state.withLock(\.queue) }

  /// Begins a transaction unless one is open, and returns whether it did.
  func begin(in db: Database) throws -> Bool {
    guard !db.isInsideTransaction else { return false }
    try noting(in: db) { try db.execute(sql: "BEGIN IMMEDIATE") }
    return true
  }

  /// Runs a statement and records the changes that it commits.
  func recording<Value>(_ statement: Statement, in db: Database, _ body: () throws -> Value) throws -> Value {
    guard let recorder else { return try body() }
    return try recorder.recording(statement, in: db, body)
  }

  /// Writes staged changes in one transaction and records it.
  ///
  ///     BEGIN IMMEDIATE; UPDATE main.Track SET Name = ? WHERE …; COMMIT
  ///
  /// - Throws: ``CommitFailure``, ``DatabaseError``, or ``ChangesTooLarge``. No changes are written in that case.
  func commit(_ changes: StagedChanges, in db: Database) throws -> CommitSummary {
    guard let recorder else { return try db.commit(changes) }
    let name = "edit of \(changes.tables.map(\.name).joined(separator: ", "))"
    let origin = CommitOrigin(statement: name, staged: changes.identity)
    return try ChangeCommit.run(changes, in: db, recorder: recorder) { body in
      let recorded = try recorder.inTransaction(.edit, origin, in: db, body)
      var summary = recorded.value
      if !recorded.commits.isEmpty { summary.sideEffects = SideEffects(recorded.commits, besides: summary.written, in: db) }
      return summary
    }
  }

  /// Ends the open transaction, and records its changes if it is committed.
  ///
  ///     COMMIT
  func endTransaction(isCommitted: Bool, in db: Database) throws {
    func end() throws { try db.execute(sql: isCommitted ? "COMMIT" : "ROLLBACK") }
    guard let recorder else { return try end() }
    try recorder.endingTransaction(in: db, ends: isCommitted, end)
  }

  /// Saves the number of changes before a transaction that begins now.
  private func noteBeginning(in db: Database) {
    let changes = db.totalChangesCount
    state.withLock { state in
      state.changesBefore = changes
      state.changesSchema = false
    }
  }

  /// Runs a statement that may begin a transaction.
  func noting<Value>(in db: Database, _ body: () throws -> Value) rethrows -> Value {
    if !db.isInsideTransaction { noteBeginning(in: db) }
    writes.store(true, ordering: .relaxed)
    defer { noteWriting(in: db) }
    return try body()
  }

  /// Whether a transaction was open after the last statement.
  ///
  /// The value does not change until the first statement of a transaction has ended.
  var isTransactionOpen: Bool { isInside.load(ordering: .relaxed) }

  /// Returns whether a query returns the same rows on any other connection to the same files.
  ///
  /// The rows may differ after statements that create temporary tables, attach databases or change settings, and for queries that call a
  /// function about the connection's own writes.
  func isIndependent(_ sql: String) -> Bool {
    !hasOwnState.load(ordering: .relaxed) && !["last_insert_rowid", "changes"].contains { sql.lowercased().contains($0) }
  }

  /// Notes the kind of a statement that is about to run.
  func note(_ kind: StatementKind) {
    if kind.changesSchema { hasOwnState.store(true, ordering: .relaxed) }
  }

  /// Notes, after a statement, whether a transaction is open.
  func noteTransaction(in db: Database) {
    isInside.store(db.isInsideTransaction, ordering: .relaxed)
    recorder?.noteTransaction(in: db)
  }

  /// Whether the connection holds, or is about to acquire, the write lock.
  var isWriting: Bool { writes.load(ordering: .relaxed) }

  /// Notes whether a transaction is open.
  func noteWriting(in db: Database) {
    writes.store(db.isInsideTransaction, ordering: .relaxed)
  }

  /// Returns the open transaction, or nil if no transaction is open.
  func transaction(in db: Database) -> OpenTransaction? {
    guard db.isInsideTransaction else { return nil }
    return state.withLock { OpenTransaction(changes: db.totalChangesCount - $0.changesBefore, changesSchema: $0.changesSchema) }
  }

  /// Notes that a statement has changed more than rows.
  func noteSchemaChange() {
    state.withLock { $0.changesSchema = true }
  }
}
