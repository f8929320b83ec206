import QuarryEngine

/// Writing what is staged: the pane of rows does it, since it is there until the commit has ended.
extension RowsScreen {
  /// Writes what is staged in one transaction.
  ///
  /// - Parameters:
  ///   - isRecorded: Whether the commit can be undone.
  ///   - thenQuits: Whether the program ends once everything is written.
  func commitStaged(isRecorded: Bool = true, thenQuits: Bool = false, _ context: inout ScreenContext<Self>) {
    context.workspace.isCommitting = true
    // Counts hold locks that would block a commit.
    context.supersede(CountTables.slot)
    context.ask(CommitStaged(changes: context.workspace.staged, isRecorded: isRecorded)) { rows, context, result in
      context.workspace.isCommitting = false
      switch result {
      case .success(.committed(let summary)):
        let key = context.grid?.keyOnceCommitted(context.workspace.staged)
        let remark = context.environment.copyRemark(for: context.workspace.staged.tables)
        context.workspace.staged = StagedChanges()
        context.noteWriting()
        if let key { context.change(RowsScreen.self) { rows, context in rows.change(&context) { $0.moveToRow(key) } } }
        // The rows of a statement or a view are not read again by themselves.
        if let grid = context.grid, grid.origin?.table != nil || grid.isSnapshot && !grid.isResult { rows.openAgain(grid, &context) }
        context.notify(summary.description + (remark.map { "; \($0)" } ?? ""), .success)
        if remark != nil { context.workspace.hasChangedCopies = true }
        if thenQuits { context.quit() }
      case .success(.refused(let refusal)): rows.show(refusal, &context)
      case .success(.unrecorded(let title, let reason)): rows.askAboutRecord(title, because: reason, thenQuits: thenQuits, &context)
      case .failure(.stopped): context.notify("stopped: nothing was written, and all changes are kept", .warning)
      case .failure(let problem): rows.show(CommitRefusal(problem), &context)
      }
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

extension GridPane {
  /// Returns the key that the row under the cursor has once what is staged is committed; nil where it keeps the one that it has.
  fileprivate func keyOnceCommitted(_ staged: StagedChanges) -> RowKey? {
    guard let schema, let table, let row = stagedRow, case .updated(let cells)? = staged.change(of: row, in: table) else { return nil }
    switch currentRow?.key {
    case .rowID?:
      guard let column = schema.columns.first(where: \.isRowID), case .integer(let id)? = cells[column.name]?.value.stored?.value else {
        return nil
      }
      return .rowID(id)
    case .values(let values)?:
      let changed = zip(schema.primaryKey, values).map { name, value in cells[name]?.value.stored?.value ?? value }
      return changed == values ? nil : .values(changed)
    case .position?, nil: return nil
    }
  }
}
