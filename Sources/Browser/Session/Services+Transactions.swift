import QuarryEngine

/// The transaction of the editor's connection, and the locks that are waited for.
extension Services {
  /// The connection of the editor's statements; where its file cannot be opened for another's lock, it waits until that is gone.
  func scriptQueue() async throws -> DatabaseQueue {
    let waits = connections.lockWaits
    let start = ContinuousClock.now
    defer { waits.note(Self.scriptOpening, isWaiting: false) }
    while true {
      do {
        return try connections.script.queue()
      } catch let error as DatabaseOpenError where error.kind == .isLocked {
        if ContinuousClock.now - start > LockWaits.delay { waits.note(Self.scriptOpening, isWaiting: true) }
        // In turns, since it is a task that waits here, which must not hold its thread.
        try await Task.sleep(for: .milliseconds(50))
      }
    }
  }

  /// What waits while the editor's connection is being opened.
  private static let scriptOpening = "the script's opening"

  /// The transaction that is open, asked of the connection itself.
  func transaction() async -> OpenTransaction? {
    let script = connections.script
    // Not as a part of this task, which may have been cancelled to stop the statement.
    return await Task { try? await script.openedQueue?.withoutTransaction { db in script.transaction(in: db) } }.value ?? nil
  }

  /// Lets go of the locks that reading keeps on the file, which no commit gets past: half-read results, counts and searches.
  ///
  /// The commit waits for none of it: a connection that waits for a lock itself holds none, and would have its turn only afterwards.
  func releaseLocks() {
    for set in openSets where !set.base.isOfScript { set.reader.cancelBackgroundWork() }
    let connections = connections
    Task { try? await connections.rows.endLastingReads() }
    Task { try? await connections.catalog.withoutTransaction { $0.endLastingReads() } }
  }

  /// Tells whose lock is waited for by the connections of these names.
  func tellLockWait(of names: Set<String>) {
    let isScriptWaiting = names.contains(ScriptConnection.name) || names.contains(Self.scriptOpening)
    // Who writes lets no other program do so: then nobody else can hold what keeps readers out.
    let isOwn = connections.script.isWriting && !isScriptWaiting
    inbox.post(.lockWaitChanged(names.isEmpty ? nil : isOwn ? .ownTransaction : .anotherProgram))
  }
}

extension RowSet {
  /// Whether it is read on the editor's connection.
  fileprivate var isOfScript: Bool {
    if case .query = source { true } else { false }
  }
}
