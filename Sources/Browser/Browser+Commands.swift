import QuarryEngine
import Terminal

extension Browser {
  /// Does what a command asks for, or says why it cannot be done now.
  mutating func perform(_ command: Command, count: Int?) -> [Effect] {
    if let reason = unavailability(of: command) {
      notice = Notice(reason, .warning)
      return []
    }
    if case .form(let form)? = overlays.last, command == .nextPane || command == .previousPane { return perform(command, form: form) }
    if let effects = performEverywhere(command) { return effects }
    if isInPrompt { return performInBar(command) }
    switch overlays.last {
    case .record(let screen): return perform(command, count: count, record: screen)
    case .details(let screen): return perform(command, count: count, details: screen)
    case .picker, .themes: return performInPicker(command)
    case .form(let form): return perform(command, form: form)
    case nil: break
    }
    if catalog.isTyping { return performInBar(command) }
    if isInBar { return performInFilterBar(command) }
    if isInEditor { return performInEditor(command) }
    return focus == .catalog ? performInCatalog(command, count: count ?? 1) : performInGrid(command, count: count)
  }

  /// Performs what means the same on every screen; nil for any other command.
  private mutating func performEverywhere(_ command: Command) -> [Effect]? {
    switch command {
    case .help: showHelp()
    case .palette: showPalette()
    case .jumpToTable: showTables()
    case .chooseTheme: showThemes()
    case .toggleCatalog: toggleCatalog()
    case .nextPane: focusPane(pane(after: focus, by: 1))
    case .previousPane: focusPane(pane(after: focus, by: -1))
    case .paneLeft: focusPane(.catalog)
    case .paneUp: focusPane(sql.isShown ? .editor : focus)
    case .paneRight: focusPane(focus == .catalog && sql.isShown ? .editor : .grid)
    case .paneDown: focusPane(.grid)
    case .editSQL: return toggleEditor()
    case .runStatement: return runStatement()
    case .runAll: return runAll()
    case .statements: return [.loadStatements]
    case .history: return [.loadHistory]
    case .parameters: return askAgain()
    case .commit: return endTransaction(isCommitted: true)
    case .rollBack: return endTransaction(isCommitted: false)
    case .stop: return stop()
    case .backOut: return backOut()
    case .refresh: return refresh()
    case .redraw: return [.repaint]
    case .suspend: return [.suspend]
    case .close: return close()
    case .quit: return quit()
    default: return nil
    }
    return []
  }

  private mutating func toggleCatalog() {
    isCatalogShown.toggle()
    if !isCatalogShown, focus == .catalog { focus = .grid }
  }

  /// The panes that can have the keys, from left to right and from top to bottom.
  private func pane(after pane: Focus, by step: Int) -> Focus {
    let panes: [Focus] = sql.isShown ? [.catalog, .editor, .grid] : [.catalog, .grid]
    let place = panes.firstIndex(of: pane) ?? 0
    return panes[(place + step + panes.count) % panes.count]
  }

  private mutating func focusPane(_ pane: Focus) {
    guard overlays.isEmpty else { return }
    catalog.isTyping = false
    focus = pane
    if pane == .catalog { isCatalogShown = true }
  }

  private mutating func stop() -> [Effect] {
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
  private mutating func backOut() -> [Effect] {
    if isInPrompt {
      prompt = nil
    } else if !overlays.isEmpty {
      closeOverlay()
    } else if isInBar {
      return backOutOfBar()
    } else if isInEditor, sql.completions != nil {
      sql.completions = nil
    } else if isInEditor, sql.editor.hasSelection {
      sql.editor.clearSelection()
    } else if sql.isBusy {
      return stop()
    } else if isInEditor {
      leaveEditor()
    } else if catalog.filter != nil, focus == .catalog {
      (catalog.filter, catalog.isTyping) = (nil, false)
      catalog.rebuild()
    } else if grid?.selection != nil {
      grid?.selection = nil
    } else if isBusy || lockWait != nil {
      return stop()
    }
    return []
  }

  private mutating func close() -> [Effect] {
    guard overlays.isEmpty else {
      closeOverlay()
      return []
    }
    if sql.isShown {
      closeEditor()
      return sql.results.place == nil || trail.back.isEmpty ? [] : goBack()
    }
    return trail.back.isEmpty || focus == .catalog ? quit() : goBack()
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

  mutating func closeOverlay() {
    switch overlays.popLast() {
    case .themes(_, let before)?: setTheme(before)
    case .form(let form)?: sql.leftForm = form
    default: break
    }
    // What waited for an answer is not to be run.
    if overlays.isEmpty, sql.run?.isUnderWay == false { sql.run = nil }
  }

  private mutating func refresh() -> [Effect] {
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

  private mutating func performInCatalog(_ command: Command, count: Int) -> [Effect] {
    switch command {
    case .moveDown: catalog.move(by: count)
    case .moveUp: catalog.move(by: -count)
    case .moveToTop: catalog.move(by: -catalog.lines.count)
    case .moveToBottom: catalog.move(by: catalog.lines.count)
    case .halfPageDown: catalog.move(by: max(1, catalog.height / 2))
    case .halfPageUp: catalog.move(by: -max(1, catalog.height / 2))
    case .pageDown: catalog.move(by: catalog.height)
    case .pageUp: catalog.move(by: -catalog.height)
    case .open: return openCurrent()
    case .fold: catalog.setFolded(true)
    case .narrow:
      catalog.filter = catalog.filter ?? TextField()
      catalog.isTyping = true
    case .details: return catalog.currentTable.map { showDetails(of: $0) } ?? []
    case .filter: return beginBar(.filter)
    default: break
    }
    return []
  }

  mutating func openCurrent() -> [Effect] {
    guard let table = catalog.currentTable else {
      if let group = catalog.current?.group { catalog.setFolded(!catalog.isFolded(group)) }
      return []
    }
    return openTable(table)
  }

  /// Opens a table and turns to it; the one that is open already is only turned to.
  mutating func openTable(_ table: TableReference) -> [Effect] {
    focus = .grid
    catalog.isTyping = false
    if let grid, grid.rowSet == RowSet(.table(table)) { return [] }
    return open(RowSet(.table(table)), title: table.name)
  }

  private mutating func showDetails(of table: TableReference) -> [Effect] {
    overlays.append(.details(DetailsScreen(table: table)))
    return [.loadDetails(table)]
  }

  mutating func showGridDetails() -> [Effect] {
    guard case .table(let table)? = grid?.rowSet.source else { return [] }
    return showDetails(of: table)
  }

  mutating func takeDetails(_ table: TableReference, _ result: Result<TableDetails, Problem>) {
    for index in overlays.indices {
      guard case .details(var screen) = overlays[index], screen.table == table else { continue }
      screen.take(result, glyphs: look.glyphs)
      overlays[index] = .details(screen)
    }
  }

  private mutating func perform(_ command: Command, count: Int?, details: DetailsScreen) -> [Effect] {
    var screen = details
    switch command {
    case .copy: return screen.copied.map { [.copyToClipboard($0)] } ?? []
    case .copyRow: return [.copyToClipboard(screen.everything)]
    case .goBack:
      closeOverlay()
      return []
    case .find:
      askForText()
      return []
    case .findNext: if !screen.findNext() { noteNotFound(screen.needle) }
    case .findPrevious: if !screen.findNext(backwards: true) { noteNotFound(screen.needle) }
    case .moveDown: screen.scroll(by: count ?? 1)
    case .moveUp: screen.scroll(by: -(count ?? 1))
    case .halfPageDown: screen.scroll(by: max(1, screen.height / 2))
    case .halfPageUp: screen.scroll(by: -max(1, screen.height / 2))
    case .pageDown: screen.scroll(by: screen.height)
    case .pageUp: screen.scroll(by: -screen.height)
    case .moveToTop: screen.scroll(by: -screen.lines.count)
    case .moveToBottom: screen.scroll(by: screen.lines.count)
    default: noteNothingDone(by: command)
    }
    overlays[overlays.count - 1] = .details(screen)
    return []
  }

  /// Says that a command is none of the screen that lies over the others.
  mutating func noteNothingDone(by command: Command) {
    notice = Notice("\(command.rawValue) does nothing here; \(keyHint(.backOut)) goes back", .muted)
  }

  // MARK: Bars

  private mutating func performInBar(_ command: Command) -> [Effect] {
    if catalog.isTyping, !isInPrompt, command == .historyOlder || command == .historyNewer {
      catalog.move(by: command == .historyOlder ? -1 : 1)
      return []
    }
    guard command == .accept else {
      noteNothingDone(by: command)
      return []
    }
    if let prompt {
      self.prompt = nil
      switch prompt.purpose {
      case .find where !overlays.isEmpty: return findInScreen(prompt.field.text)
      case .find: return find(prompt.field.text)
      case .filterName: return keepFilter(as: prompt.field.text)
      case .openFile: return prompt.field.text.isBlank ? [] : [.loadText(path: prompt.field.text)]
      case .saveText: return saveText(as: prompt.field.text)
      }
    }
    catalog.isTyping = false
    return catalog.currentTable == nil ? [] : openCurrent()
  }
}
