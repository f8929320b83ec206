internal import Synchronization

/// The connection on which the editor's statements run, one after the other, with the transaction that is open on it.
package final class ScriptConnection: Sendable {
  /// Why nothing may be written; nil where it may.
  let refusal: String?
  private let open: @Sendable () throws -> DatabaseQueue
  private let state = Mutex(State())
  /// Not a part of the state, which is locked while the connection is being opened.
  private let writes = Atomic(false)
  private let isInside = Atomic(false)

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
  ///   - open: Opens the connection, once the first statement is to run.
  package init(refusal: String?, open: @escaping @Sendable () throws -> DatabaseQueue) {
    self.refusal = refusal
    self.open = open
  }

  /// Returns the connection, made when it is first asked for.
  func queue() throws -> DatabaseQueue {
    try state.withLock { state in
      if let queue = state.queue { return queue }
      let queue = try open()
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

  /// Takes note, after a statement, of whether a transaction is open.
  func noteTransaction(in db: Database) {
    isInside.store(db.isInsideTransaction, ordering: .relaxed)
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
