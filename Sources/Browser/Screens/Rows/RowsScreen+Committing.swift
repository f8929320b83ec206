import QuarryChanges
import QuarryEngine
import QuarryRows

/// Writing the staged changes: the pane of rows does it, because it stays open until the commit has ended.
extension RowsScreen {
  /// Writes the staged changes in one transaction.
  ///
  /// - Parameters:
  ///   - isRecorded: Whether the commit can be undone.
  ///   - thenQuits: Whether the program quits after everything has been written.
  func commitStaged(isRecorded: Bool = true, thenQuits: Bool = false, _ context: inout ScreenContext<Self>) {
    let changes: StagedChanges
    do throws(StagingRefusal) { changes = try context.workspace.edits.beginCommit() } catch {
      return context.notify(error.description, .warning)
    }
    // Counts hold locks that would block a commit.
    context.supersede(CountTables.slot)
    context.ask(CommitStaged(changes: changes, isRecorded: isRecorded)) { rows, context, result in
      guard case .success(.committed(let summary, let written, let keys)) = result else {
        context.workspace.edits.cancelCommit()
        return rows.explain(result, thenQuits: thenQuits, &context)
      }
      context.workspace.edits.endCommit(written: written, keys: keys)
      rows.receive(summary, of: written, keys, &context)
      if thenQuits, summary.isComplete { context.quit() }
    }
  }

  /// Updates the rows and reports the written changes.
  private mutating func receive(
    _ summary: CommitSummary, of changes: StagedChanges, _ keys: [RowAddress: RowKey], _ context: inout ScreenContext<Self>
  ) {
    let key = context.grid?.table.flatMap { table in
      context.grid?.stagedRow.flatMap { row in if case .stored = row { keys[RowAddress(table: table, row: row)] } else { nil } }
    }
    context.noteWriting()
    if let key { context.send(RowsIntent.moveTo(key)) }
    // The rows of a statement or a view are not read again automatically.
    if let grid = context.grid, grid.origin?.table != nil || grid.isSnapshot && !grid.isResult { opening.openAgain(grid, &context) }
    let remark = context.environment.copyRemark(for: changes.tables)
    if remark != nil { context.workspace.files.haveChangedCopies = true }
    let left = context.workspace.staged.counts.changes - summary.left.counts.changes
    let rest = left > 0 ? "\(Plural.of(left, "change")) staged meanwhile: \(context.environment.keyHint(.changes)) shows them" : nil
    let report = [summary.description, remark, rest].compactMap(\.self).joined(separator: "; ")
    context.notify(report, summary.isComplete ? .success : .warning)
  }

  /// Reads the current values of cells that were staged again during the commit.
  func readCommittedValues(_ context: inout ScreenContext<Self>) {
    let cells = context.workspace.edits.takeUnread()
    guard !cells.isEmpty else { return }
    context.ask(LoadCommittedValues(cells: cells)) { _, context, result in
      if case .success(let rows) = result { context.workspace.edits.settle(cells, rows) }
    }
  }

  /// Reports the reason why nothing was written.
  private func explain(_ result: Result<CommitStaged.Answer, Problem>, thenQuits: Bool, _ context: inout ScreenContext<Self>) {
    switch result {
    case .success(.committed): break
    case .success(.refused(let refusal)): show(refusal, &context)
    case .success(.unrecorded(let title, let reason)): askAboutRecord(title, because: reason, thenQuits: thenQuits, &context)
    case .failure(.stopped): context.notify("stopped: nothing was written, and all changes stay staged", .warning)
    case .failure(let problem): show(CommitRefusal(problem), &context)
    }
  }

  /// Shows the reason why nothing was written in the list of changes; in the last line if the list is closed.
  private func show(_ refusal: CommitRefusal, _ context: inout ScreenContext<Self>) {
    context.send(ChangesIntent.explain(refusal), orNotify: Notice(refusal.sentence, .error))
  }

  /// Asks whether to commit changes that cannot be recorded.
  private func askAboutRecord(_ title: String, because reason: String, thenQuits: Bool, _ context: inout ScreenContext<Self>) {
    let commit = context.handler { rows, context in
      rows.commitStaged(isRecorded: false, thenQuits: thenQuits, &context)
    }
    let items = [
      PickerItem(label: "Keep them staged", preview: reason),
      PickerItem(label: "Commit without a record", detail: "it cannot be undone afterwards", preview: reason, perform: commit),
    ]
    context.present(Picker(title: title, placeholder: "commit?", items: items))
  }
}
