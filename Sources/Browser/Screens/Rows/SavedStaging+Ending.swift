import QuarryChanges
import QuarryEngine
import Terminal

/// The staged changes at the end of the program.
extension SavedStaging {
  /// Returns whether the program can end; asks what to do with the staged changes.
  func askAboutStaged(_ context: inout RowsContext) -> Bool {
    if let obstacle = context.environment.needsStagedRows {
      context.notify(obstacle, .warning)
      return false
    }
    if let obstacle = context.environment.takingBackObstacle {
      context.notify(obstacle, .warning)
      return false
    }
    let edits = context.workspace.edits
    guard !edits.staged.isEmpty, context.workspace.leftRevision != edits.revision else { return true }
    let leave = context.handler { _, context in
      context.workspace.leftRevision = context.workspace.edits.revision
      context.quit()
    }
    let discard = context.handler { _, context in
      if context.changeStaged({ edits throws(StagingRefusal) in try edits.discardAll() }) { context.quit() }
    }
    let reason = problem.map { "They cannot be saved for later: \($0.text)" } ?? ""
    var items = [
      PickerItem(label: "Stay", preview: reason),
      PickerItem(
        label: "Commit and quit", detail: "write them now", preview: reason,
        perform: .send(ChangesIntent.open, RowsIntent.commit(thenQuits: true))),
      PickerItem(label: "Discard and quit", detail: "the file is not changed", preview: reason, perform: discard),
    ]
    if problem == nil, context.workspace.keepsStaged {
      items.insert(
        PickerItem(label: "Save for later and quit", detail: "offered when you open the file again", perform: leave), at: 2)
    }
    let count = Plural.of(context.workspace.staged.counts.changes, "change")
    context.present(Picker(title: "\(count), not committed yet", placeholder: "quit?", items: items))
    return false
  }
}
