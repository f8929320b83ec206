import QuarryEngine

/// Writing what is staged: the pane of rows does it, since it is there until the commit has ended.
extension RowsScreen {
  /// Writes what is staged in one transaction.
  ///
  /// - Parameters:
  ///   - isRecorded: Whether the commit can be undone.
  ///   - thenQuits: Whether the program ends once everything is written.
  func commitStaged(isRecorded: Bool = true, thenQuits: Bool = false, _ context: inout ScreenContext<Self>) {
    let changes: StagedChanges
    do throws(StagingRefusal) { changes = try context.workspace.edits.beginCommit() } catch {
      return context.notify(error.description, .warning)
    }
    // Counts hold locks that would block a commit.
    context.supersede(CountTables.slot)
    context.ask(CommitStaged(changes: context.workspace.staged, isRecorded: isRecorded)) { rows, context, result in
      context.workspace.isCommitting = false
      switch result {
      case .success(.committed(let summary)):
        let key = context.grid?.keyOnceCommitted(context.workspace.staged)
        let remark = context.environment.copyRemark(for: context.workspace.staged.tables)
        context.workspace.staged = summary.left
        context.noteWriting()
        if let key { context.change(RowsScreen.self) { rows, context in rows.change(&context) { $0.moveToRow(key) } } }
        // The rows of a statement or a view are not read again by themselves.
        if let grid = context.grid, grid.origin?.table != nil || grid.isSnapshot && !grid.isResult { rows.openAgain(grid, &context) }
        context.notify(summary.description + (remark.map { "; \($0)" } ?? ""), summary.isComplete ? .success : .warning)
        if remark != nil { context.workspace.hasChangedCopies = true }
        if thenQuits, summary.isComplete { context.quit() }
      case .success(.refused(let refusal)): rows.show(refusal, &context)
      case .success(.unrecorded(let title, let reason)): rows.askAboutRecord(title, because: reason, thenQuits: thenQuits, &context)
      case .failure(.stopped): context.notify("stopped: nothing was written, and all changes are kept", .warning)
      case .failure(let problem): rows.show(CommitRefusal(problem), &context)
      }
      context.workspace.edits.endCommit(written: changes, keys: keys)
      rows.receive(summary, of: changes, keys, &context)
      if thenQuits { context.quit() }
    }
  }

  /// Shows the rows as they are now, and reports what was written.
  private mutating func receive(
    _ summary: CommitSummary, of changes: StagedChanges, _ keys: [RowAddress: RowKey], _ context: inout ScreenContext<Self>
  ) {
    let key = context.grid?.table.flatMap { table in
      context.grid?.stagedRow.flatMap { row in if case .stored = row { keys[RowAddress(table: table, row: row)] } else { nil } }
    }
    context.noteWriting()
    if let key { context.change(RowsScreen.self) { rows, context in rows.change(&context) { $0.moveToRow(key) } } }
    // The rows of a statement or a view are not read again by themselves.
    if let grid = context.grid, grid.origin?.table != nil || grid.isSnapshot && !grid.isResult { openAgain(grid, &context) }
    let remark = context.environment.copyRemark(for: changes.tables)
    if remark != nil { context.workspace.hasChangedCopies = true }
    let left = context.workspace.staged.counts.changes
    let rest = left > 0 ? "\(Plural.of(left, "change")) staged meanwhile: \(context.environment.keyHint(.changes)) shows what is left" : nil
    context.notify([summary.description, remark, rest].compactMap(\.self).joined(separator: "; "), .success)
  }

  /// Reads the present values of cells that were staged again while they were being written.
  func readCommittedValues(_ context: inout ScreenContext<Self>) {
    let cells = context.workspace.edits.takeUnread()
    guard !cells.isEmpty else { return }
    context.ask(LoadCommittedValues(cells: cells)) { _, context, result in
      if case .success(let rows) = result { context.workspace.edits.settle(cells, rows) }
    }
  }

  /// Reports why nothing was written.
  private func explain(_ result: Result<CommitStaged.Answer, Problem>, thenQuits: Bool, _ context: inout ScreenContext<Self>) {
    switch result {
    case .success(.committed): break
    case .success(.refused(let refusal)): show(refusal, &context)
    case .success(.unrecorded(let title, let reason)): askAboutRecord(title, because: reason, thenQuits: thenQuits, &context)
    case .failure(.stopped): context.notify("stopped: nothing was written, and all changes are kept", .warning)
    case .failure(let problem): show(CommitRefusal(problem), &context)
    }
  }

  /// Shows why nothing was written among the changes; on the last line where these are closed.
  private func show(_ refusal: CommitRefusal, _ context: inout ScreenContext<Self>) {
    context.afterwards { browser in
      guard browser.overlays.all.contains(where: { $0.screen is ChangesScreen }) else {
        return browser.notice = Notice(refusal.sentence, .error)
      }
      browser.change(ChangesScreen.self) { changes, _ in changes.receive(refusal) }
    }
  }

  /// Asks whether what cannot be recorded is to be committed all the same.
  private func askAboutRecord(_ title: String, because reason: String, thenQuits: Bool, _ context: inout ScreenContext<Self>) {
    let commit = context.handler { (rows: inout RowsScreen, context: inout ScreenContext<Self>) in
      rows.commitStaged(isRecorded: false, thenQuits: thenQuits, &context)
    }
    let items = [
      PickerItem(label: "Keep them staged", preview: reason) { _ in },
      PickerItem(label: "Commit without a record", detail: "it cannot be undone afterwards", preview: reason, perform: commit),
    ]
    context.present(Picker(title: title, placeholder: "commit?", items: items))
  }
}
