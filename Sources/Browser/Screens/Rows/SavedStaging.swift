import QuarryChanges
import QuarryEngine
import QuarryRows
import QuarrySources

/// What is on disk of what is staged, and what earlier sessions have left there.
///
///               begin: something was staged              end(success)
///     on disk ───────────────────────────────▶ saving ─────────────────▶ on disk
///        ▲                                       │ ▲
///        │                          end(failure) ▼ │ begin: the next change tries again
///        └────────────────────────────────── not on disk: the person is warned
struct SavedStaging: Sendable {
  /// The number of the change that was saved last, or is being saved.
  private(set) var revision = 0
  /// Why what is staged could not be saved the last time; nil where it was.
  private(set) var problem: Problem?

  /// Takes note that a change is being saved; returns false where that has been done.
  mutating func begin(_ revision: Int) -> Bool {
    defer { self.revision = revision }
    return self.revision != revision
  }

  mutating func end(_ result: Result<Void, Problem>) {
    problem = if case .failure(let problem) = result { problem } else { nil }
  }
}

/// Keeping what is staged on disk, and taking over what an earlier session has left behind.
extension SavedStaging {
  /// Saves what is staged where it has changed.
  mutating func save(_ context: inout RowsContext) {
    let edits = context.workspace.edits
    guard begin(edits.revision) else { return }
    context.ask(SaveStaged(changes: edits.staged, sent: edits.sent)) { rows, context, result in rows.saved.note(result, &context) }
  }

  /// Warns where what is staged is not on disk.
  private mutating func note(_ result: Result<Void, Problem>, _ context: inout RowsContext) {
    end(result)
    guard let problem else { return }
    let key = context.environment.keyHint(.changes, in: .grid)
    context.notify(
      "what is staged is not on disk, and lost if the program ends now: \(problem.text.withoutFullStop). \(key) commits it", .warning)
  }

  /// Offers what earlier sessions have staged and not committed.
  func offerAbandoned(_ context: inout RowsContext) {
    context.ask(LoadAbandoned()) { _, context, result in
      guard case .success(let leavings?) = result else { return }
      if let damaged = leavings.damaged.first {
        context.notify("changes that an earlier session had staged cannot be read: they are kept as \(damaged)", .warning)
      }
      guard let first = leavings.changes.first else { return }
      let count = Plural.of(first.changes.counts.changes, "change")
      let adopt = context.handler { rows, context in rows.saved.adopt(first, &context) }
      let discard = context.handler { _, context in
        context.ask(DiscardAbandoned(abandoned: first)) { _, _, _ in }
      }
      let tables = first.changes.tables.map(\.name).joined(separator: ", ")
      let items = [
        PickerItem(label: "Take them over", detail: "\(first.changes.counts.words) in \(tables)", perform: adopt),
        PickerItem(label: "Leave them for later"),
        PickerItem(label: "Discard them", detail: "the file stays as it is", perform: discard),
      ]
      context.present(Picker(title: "\(count) from an earlier session, not committed", placeholder: "take over?", items: items))
    }
  }

  private mutating func adopt(_ abandoned: StagedStore.OrphanedSession, _ context: inout RowsContext) {
    guard context.changeStaged({ edits throws(StagingRefusal) in try edits.adopt(abandoned.changes) }) else { return }
    _ = begin(context.workspace.edits.revision)
    // What was left behind goes once the changes are on disk as this session's.
    context.ask(AdoptStaged(abandoned: abandoned)) { rows, context, result in rows.saved.note(result, &context) }
    context.notify("\(Plural.of(abandoned.changes.counts.changes, "change")) staged: \(context.environment.keyHint(.changes)) shows them")
  }
}
