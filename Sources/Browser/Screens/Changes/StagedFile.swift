import QuarryChanges
import QuarryEngine
import QuarryRows
import QuarrySources

extension ActionQueue {
  /// The queue of what is written to the file of staged changes.
  static let staging = ActionQueue("staged changes")
}

/// Writes what is staged to the session's own file.
struct SaveStaged: Action {
  let changes: StagedChanges
  /// What a commit is writing meanwhile; nil for none.
  let sent: StagedChanges?

  var queue: ActionQueue { .staging }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws {
    try services.storage.staged?.save(changes, sent: sent)
  }
}

extension Services {
  /// Returns the changes that a session staged before it died, without those that it had committed.
  fileprivate func rest(of abandoned: StagedStore.OrphanedSession) async -> StagedStore.OrphanedSession {
    var rest = abandoned
    for sent in [abandoned.changes, abandoned.sent].compactMap(\.self) where (try? await source.commits?.hasCommitted(sent)) == true {
      rest.takeOut(sent, keys: await keysOnceWritten(sent))
      return rest
    }
    return rest
  }

  /// Returns the keys that rows of the file have once changes are written, where these change the key.
  func keysOnceWritten(_ changes: StagedChanges) async -> [RowAddress: RowKey] {
    var keys: [RowAddress: RowKey] = [:]
    for table in changes.tables where changes.counts(of: table).updatedRows > 0 {
      guard let schema = try? await source.schema(of: table) else { continue }
      keys.merge(changes.movedRows(of: schema)) { $1 }
    }
    return keys
  }
}

/// Reads what dead sessions have left behind, and removes what they have committed: they were killed before they could.
struct LoadAbandoned: Request {
  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> StagedStore.OrphanedEdits? {
    guard let store = services.storage.staged else { return nil }
    var leavings = store.abandoned()
    var left: [StagedStore.OrphanedSession] = []
    for abandoned in leavings.changes {
      let rest = await services.rest(of: abandoned)
      if rest.changes.isEmpty { store.discard(abandoned) } else { left.append(rest) }
    }
    leavings.changes = left
    return leavings
  }
}

/// Saves changes that were left behind as this session's own, and removes the file that they were left in.
struct AdoptStaged: Action {
  let abandoned: StagedStore.OrphanedSession

  var queue: ActionQueue { .staging }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws {
    try services.storage.staged?.save(abandoned.changes)
    services.storage.staged?.discard(abandoned)
  }
}

/// Removes what a dead session has left behind.
struct DiscardAbandoned: Action {
  let abandoned: StagedStore.OrphanedSession

  var queue: ActionQueue { .staging }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws {
    services.storage.staged?.discard(abandoned)
  }
}
