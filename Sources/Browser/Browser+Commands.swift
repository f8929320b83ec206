import QuarryEngine
import Terminal

extension Browser {
  mutating func toggleCatalog() -> [Effect] {
    isCatalogShown.toggle()
    if !isCatalogShown, focus == .catalog { focus = .grid }
    return []
  }

  /// Gives the keys to another of the panes, counted from left to right and from top to bottom.
  mutating func focusPane(after step: Int) -> [Effect] {
    let panes: [Focus] = sql.isShown ? [.catalog, .editor, .grid] : [.catalog, .grid]
    let index = panes.firstIndex(of: focus) ?? 0
    return focusPane(panes[(index + step + panes.count) % panes.count])
  }

  mutating func focusPane(_ pane: Focus) -> [Effect] {
    guard overlays.isEmpty else { return [] }
    catalog.isTyping = false
    focus = pane
    if pane == .catalog { isCatalogShown = true }
    return []
  }

  mutating func stop() -> [Effect] {
    if case .preparing? = sql.run?.phase {
      // What is being looked at is not to be run, should the answer be on its way already.
      sql.run = nil
      notice = Notice("stopped", .muted)
      return [.stopScript]
    }
    if sql.isBusy {
      notice = Notice("stopping\(look.glyphs.ellipsis)", .muted)
      return [.stopScript]
    }
    if lockWait != nil { return (isBusy ? stopWork() : []) + [.stopWaiting] }
    if isInEditor { return sql.editor.selectedText.map { [.copyToClipboard(CopyText(text: $0, title: "the selection"))] } ?? [] }
    if isBusy { return stopWork() }
    return grid?.selection == nil ? [] : copySelection(as: .tsv)
  }

  private mutating func stopWork() -> [Effect] {
    let stopped = opening.map { _ in [Effect.stopOpening] } ?? []
    (opening, search, copying) = (nil, nil, nil)
    grid?.dropRequests()
    notice = Notice("stopped", .muted)
    return stopped + (grid.map { [.stopAllWork($0.id)] } ?? []) + countTables()
  }

  /// Whether something runs that can be stopped.
  var isBusy: Bool {
    opening != nil || search != nil || copying != nil || (grid?.isCounting ?? false) || grid?.pending != nil
  }

  /// Undoes the nearest of: a pop-up, a selection, what runs; in the grid it never goes to another pane.
  mutating func backOut() -> [Effect] {
    guard overlays.isEmpty else {
      closeOverlay()
      return []
    }
    var isUndone = false
    run(ScreenOperations.BackOut { isUndone = $0 }, on: focusedScreen.id)
    if isUndone { return [] }
    if sql.isBusy { return stop() }
    if isInEditor {
      leaveEditor()
    } else if isBusy || lockWait != nil {
      return stop()
    }
    return []
  }

  mutating func close() -> [Effect] {
    guard overlays.isEmpty else {
      closeOverlay()
      return []
    }
    if sql.isShown {
      closeEditor()
      return sql.results.place == nil || rows.history.back.isEmpty ? [] : goBack()
    }
    return rows.history.back.isEmpty || focus == .catalog ? quit() : goBack()
  }

  /// Ends the program; where the editor's connection has something to do, once that has come to an end.
  mutating func quit() -> [Effect] {
    if sql.ending != nil {
      isLeaving = true
      notice = busyScript.map { Notice("the program ends after this: \($0)") }
      return []
    }
    if sql.isRunning, !isLeaving {
      isLeaving = true
      notice = Notice("stopping what runs\(look.glyphs.ellipsis)")
      return [.stopScript]
    }
    if let transaction = sql.transaction, !transaction.isEmpty, !sql.isRunning {
      askBeforeLeaving(transaction)
      return []
    }
    hasEnded = true
    return [.quit]
  }

  mutating func refresh() -> [Effect] {
    [.checkDatabaseFiles] + readAgain()
  }

  private mutating func readAgain() -> [Effect] {
    if let grid, sql.results.holds(grid.id), let last = sql.last { return runAgain(last) }
    guard grid != nil else {
      failure = nil
      return [.loadCatalog]
    }
    if let grid, grid.isSnapshot { return [.loadCatalog] + openAgain(grid) }
    changeGrid(grid?.id ?? GridID(number: 0)) { $0.isCounting = true }
    let count = grid.map { [Effect.count($0.id)] } ?? []
    return [.loadCatalog] + count + changeGrid { $0.refresh() }
  }

  // MARK: Catalog

  /// Opens a table and turns to it; the one that is open already is only turned to.
  mutating func openTable(_ table: TableReference) -> [Effect] {
    focus = .grid
    catalog.isTyping = false
    if let grid, grid.rowSet == RowSet(.table(table)) { return [] }
    return open(RowSet(.table(table)), title: table.name)
  }
}
