import QuarryChanges
import QuarryEngine
import QuarryRows
import QuarrySources

/// The saved copy of the staged changes on disk, and the changes of earlier sessions.
///
///               begin: changes were staged            end(success)
///     on disk ───────────────────────────────▶ saving ─────────────────▶ on disk
///        ▲                                       │ ▲
///        │                          end(failure) ▼ │ begin: the next change retries
///        └────────────────────────────────── not on disk: the person is warned
struct SavedStaging: Sendable {
  /// The revision of the staged changes that was last saved or is being saved.
  private(set) var revision = 0
  /// The reason why the last save failed; nil if it succeeded.
  private(set) var problem: Problem?

  /// Records that a revision is being saved; returns false if it was already saved.
  mutating func begin(_ revision: Int) -> Bool {
    defer { self.revision = revision }
    return self.revision != revision
  }

  mutating func end(_ result: Result<Void, Problem>) {
    problem = if case .failure(let problem) = result { problem } else { nil }
  }
}

/// Saving the staged changes on disk, and adopting the changes of an earlier session.
extension SavedStaging {
  /// Saves the staged changes if they have changed.
  mutating func save(_ context: inout RowsContext) {
    let edits = context.workspace.edits
    guard begin(edits.revision) else { return }
    context.ask(SaveStaged(changes: edits.staged, sent: edits.sent)) { rows, context, result in rows.saved.note(result, &context) }
  }

  /// Warns if the staged changes are not on disk.
  private mutating func note(_ result: Result<Void, Problem>, _ context: inout RowsContext) {
    end(result)
    guard let problem else { return }
    let key = context.environment.keyHint(.changes, in: .grid)
    context.notify(
      "staged changes cannot be saved and will be lost if Quarry exits: \(problem.text.withoutFullStop). \(key) commits them", .warning)
  }

  /// Offers the uncommitted staged changes of earlier sessions.
  func offerAbandoned(_ context: inout RowsContext) {
    context.ask(LoadAbandoned()) { _, context, result in
      guard case .success(let leavings?) = result else { return }
      if let damaged = leavings.damaged.first {
        context.notify("staged changes of an earlier session cannot be read: their file is now \(damaged)", .warning)
      }
      guard let first = leavings.changes.first else { return }
      let count = Plural.of(first.changes.counts.changes, "change")
      let adopt = context.handler { rows, context in rows.saved.adopt(first, &context) }
      let discard = context.handler { _, context in
        context.ask(DiscardAbandoned(abandoned: first)) { _, _, _ in }
      }
      let tables = first.changes.tables.map(\.name).joined(separator: ", ")
      let items = [
        PickerItem(label: "Restore them", detail: "\(first.changes.counts.words) in \(tables)", perform: adopt),
        PickerItem(label: "Decide later"),
        PickerItem(label: "Discard them", detail: "the file is not changed", perform: discard),
      ]
      context.present(Picker(title: "\(count) from an earlier session, not committed", placeholder: "restore?", items: items))
    }
  }

  private mutating func adopt(_ abandoned: StagedStore.OrphanedSession, _ context: inout RowsContext) {
    guard context.changeStaged({ edits throws(StagingRefusal) in try edits.adopt(abandoned.changes) }) else { return }
    _ = begin(context.workspace.edits.revision)
    // The former session's changes are removed after they have been saved as changes of this session.
    context.ask(AdoptStaged(abandoned: abandoned)) { rows, context, result in rows.saved.note(result, &context) }
    context.notify("\(Plural.of(abandoned.changes.counts.changes, "change")) staged: \(context.environment.keyHint(.changes)) shows them")
  }
}
