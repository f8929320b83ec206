import QuarryChanges
import QuarryEngine
import QuarryRows
import QuarrySources

extension ActionQueue {
  /// The queue for writing the file of staged changes.
  static let staging = ActionQueue("staged changes")
}

/// An action that writes the staged changes to the session's own file.
struct SaveStaged: Action {
  let changes: StagedChanges
  /// The changes that a commit is writing in the meantime; nil for none.
  let sent: StagedChanges?

  var queue: ActionQueue { .staging }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws {
    guard let store = services.storage.staged else { return }
    do {
      try store.save(changes, sent: sent)
      services.storage.onStagedSave?(changes.counts.changes + (sent?.counts.changes ?? 0))
    } catch {
      services.storage.onStagedSave?(nil)
      throw error
    }
  }
}

extension Services {
  /// Returns the changes that a crashed session had staged, without the changes that it had committed.
  fileprivate func rest(of abandoned: StagedStore.OrphanedSession) async -> StagedStore.OrphanedSession {
    var rest = abandoned
    for sent in [abandoned.changes, abandoned.sent].compactMap(\.self) where (try? await source.commits?.hasCommitted(sent)) == true {
      rest.takeOut(sent, keys: await keysOnceWritten(sent))
      return rest
    }
    return rest
  }

  /// Returns the new keys of stored rows whose keys will be changed by a commit.
  func keysOnceWritten(_ changes: StagedChanges) async -> [RowAddress: RowKey] {
    var keys: [RowAddress: RowKey] = [:]
    for table in changes.tables where changes.counts(of: table).updatedRows > 0 {
      guard let schema = try? await source.schema(of: table) else { continue }
      keys.merge(changes.movedRows(of: schema)) { $1 }
    }
    return keys
  }
}

/// A request that reads the staged changes of crashed sessions, and removes the changes that they had committed.
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

/// An action that saves staged changes of a crashed session as this session's own, and removes their file.
struct AdoptStaged: Action {
  let abandoned: StagedStore.OrphanedSession

  var queue: ActionQueue { .staging }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws {
    try services.storage.staged?.save(abandoned.changes)
    services.storage.staged?.discard(abandoned)
  }
}

/// An action that removes the staged changes of a crashed session.
struct DiscardAbandoned: Action {
  let abandoned: StagedStore.OrphanedSession

  var queue: ActionQueue { .staging }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws {
    services.storage.staged?.discard(abandoned)
  }
}
