import QuarryFiles
import QuarrySources
import Terminal

/// The program's own commands: panes, stopping, going back, quitting.
extension Browser {
  /// Hides empty times in cells, or shows them.
  mutating func toggleEmptyTimes() {
    appearance.hidesEmptyTimes.toggle()
    let mark = appearance.glyphs.hiddenTime
    notice = Notice(
      appearance.hidesEmptyTimes ? "00:00:00 is hidden in columns marked \(mark); the values do not change" : "times are shown again"
    )
  }

  // MARK: Lists

  /// The lists of commands in the current context, for the palette, the help and the menu of keys.
  var menus: CommandMenus {
    CommandMenus(
      screen: focusedScreen.screen, isPane: topScreen == nil, environment: environment, chosen: memory.chosenCommands
    ) { unavailability(of: $0) }
  }

  mutating func showPalette() { present(menus.palette()) }

  mutating func showHelp() { present(menus.help()) }

  mutating func showThemes() {
    let names = themes.names
    let items = names.map { name in PickerItem(label: name, perform: .send(BrowserIntent.setTheme(name))) }
    let before = appearance.theme.name
    var picker = Picker(title: "Themes", placeholder: "type part of a name", items: items, cursor: names.firstIndex(of: before) ?? 0)
    picker.isBeside = true
    picker.preview = { .send(BrowserIntent.setTheme(names[$0])) }
    picker.cancel = .send(BrowserIntent.setTheme(before))
    present(picker)
  }

  mutating func setTheme(_ name: String) {
    guard let (theme, warnings) = themes.theme(named: name) else { return }
    appearance.theme = theme
    if let warning = warnings.first { notice = Notice(warning.description, .warning) }
  }

  /// The settings that the screen shows now.
  var live: LiveSettings {
    get {
      LiveSettings(
        theme: appearance.theme.name, mouse: options.usesMouse, ascii: appearance.glyphs == .ascii, catalogWidth: options.catalogWidth,
        hidesEmptyTimes: appearance.hidesEmptyTimes, labels: options.labels)
    }
    set {
      if newValue.theme != appearance.theme.name { setTheme(newValue.theme) }
      if newValue.mouse != options.usesMouse { requests.send(.useMouse(newValue.mouse)) }
      options.usesMouse = newValue.mouse
      let glyphs: Glyphs = newValue.ascii ? .ascii : .unicode
      if appearance.glyphs != glyphs { workspace.changeGrid { $0.fitNeeds(glyphs: glyphs) } }
      options.isASCII = newValue.ascii
      keymap.isASCII = newValue.ascii
      appearance.glyphs = glyphs
      options.catalogWidth = newValue.catalogWidth
      appearance.hidesEmptyTimes = newValue.hidesEmptyTimes
      if newValue.labels != options.labels { workspace.source.labelChanges += 1 }
      options.labels = newValue.labels
    }
  }

  // MARK: Panes

  mutating func toggleCatalog() {
    let isShown = !ScreenLayout(self).catalog.isEmpty
    catalog.isWanted = !isShown
    if isShown, focus == .catalog { focus = .rows }
  }

  /// Moves the focus by `step` panes, counted from left to right and from top to bottom.
  mutating func focusPane(after step: Int) {
    // From the panel, the focus returns to the pane that had it before.
    if let sidePanel, topScreen?.id == sidePanel.id { return focusPane(focus) }
    var panes: [ScreenID] = sql.isShown ? [.catalog, .editor, .rows] : [.catalog, .rows]
    if let sidePanel { panes.append(sidePanel.id) }
    let index = panes.firstIndex(of: topScreen?.id ?? focus) ?? 0
    focusPane(panes[(index + step + panes.count) % panes.count])
  }

  /// Moves the focus to a pane, or to the panel beside the rows.
  mutating func focusPane(_ pane: ScreenID) {
    if let sidePanel { overlays.yieldsFocus = pane != sidePanel.id }
    guard topScreen == nil else { return }
    catalog.isTyping = false
    focus = pane
    if pane == .catalog, catalog.isWanted == false { catalog.isWanted = nil }
  }

  /// Whether the editor has the focus.
  private var isInEditor: Bool { topScreen == nil && focusedPane == .editor }

  /// Moves the focus to the editor, or from the editor to the rows; closes an empty editor.
  mutating func toggleEditor() {
    if options.first == .startScreen { return notice = Notice("no database is open yet: choose one first", .warning) }
    if !options.first.hasDatabase { return notice = Notice("no database is open here", .warning) }
    if isInEditor, sql.isEmpty, rows.results.tabs.isEmpty { return send(SQLIntent.close) }
    if isInEditor { return focus = .rows }
    closeAll()
    sql.isShown = true
    focus = .editor
  }

  // MARK: Stopping

  /// Stops the most urgent work: a change of the database, then work that the person waits for, then reads.
  ///
  /// Copies the selection if no work is running.
  ///
  /// - Parameter byEscape: Whether Esc was pressed, which does not stop work that is expensive or impossible to restart.
  mutating func stop(byEscape: Bool = false) {
    if requests.isBusy(atLeast: .change, byEscape: byEscape) { return stopChanges(byEscape: byEscape) }
    if workspace.source.lockWait != nil {
      workspace.source.lockWait = nil
      stopReading(byEscape: byEscape)
      return requests.send(.call(IssuedCall(call: StopWaiting())))
    }
    if isInEditor {
      guard let text = sql.editor.selectedText else { return notice = restNotice }
      return requests.send(.copyToClipboard(CopyText(text: text, title: "the selection")))
    }
    if requests.isBusy(atLeast: .background, byEscape: byEscape) { return stopReading(byEscape: byEscape) }
    if workspace.grid?.selection != nil { return send(RowsIntent.copySelection) }
    if !byEscape { notice = restNotice }
  }

  /// Stops all changes of the database; each action reports its own outcome.
  ///
  /// - Parameter byEscape: Whether Esc was pressed, which does not stop an import.
  mutating func stopChanges(byEscape: Bool = false) {
    for id in requests.stop(atLeast: .change, byEscape: byEscape) { deliver(.answer(.failure(.stopped)), of: id) }
    // Another lock wait is reported again as soon as this one has ended.
    workspace.source.lockWait = nil
    notice = requests.isBusy(atLeast: .change) ? stoppingNotice : Notice("stopped")
  }

  /// The notice shown until all changes of the database have stopped.
  var stoppingNotice: Notice { Notice("stopping\(appearance.glyphs.ellipsis)") }

  private mutating func stopReading(byEscape: Bool) {
    let stopped = requests.stop(atLeast: .background, byEscape: byEscape)
    guard !stopped.isEmpty else { return }
    notice = Notice("stopped", .muted)
    for id in stopped { deliver(.answer(.failure(.stopped)), of: id) }
  }

  // MARK: Going back

  /// Undoes the innermost state: a pop-up, a selection, running work; in the grid it never moves to another pane.
  mutating func backOut() {
    var isUndone = false
    run(ScreenOperations.BackOut { isUndone = $0 }, on: focusedScreen.id)
    if isUndone { return }
    if let id = topScreen?.id { return close(id, by: .backOut) }
    if requests.isBusy(atLeast: .change, byEscape: true) { return stopChanges(byEscape: true) }
    if isInEditor { return send(SQLIntent.leave) }
    if requests.isBusy(atLeast: .background, byEscape: true) || workspace.source.lockWait != nil { return stop(byEscape: true) }
    if let sidePanel { return close(sidePanel.id) }
    let activity = requests.activity(atLeast: .change)?.name
    notice = activity.map { Notice("\($0) continues: \(keyHint(.stop)) stops it") } ?? restNotice
  }

  /// The notice for a stop or back key when nothing is running and no screen can be closed.
  private var restNotice: Notice { Notice("nothing is running; \(keyHint(.quit)) quits") }

  mutating func close() {
    if let id = topScreen?.id ?? sidePanel?.id { return close(id, by: .close) }
    if sql.isShown { return send(SQLIntent.close) }
    quit()
  }

  /// Suspends the program, if a shell can resume it.
  mutating func suspend() {
    guard let refusal = options.suspensionRefusal else { return requests.send(.suspend) }
    notice = Notice(refusal, .muted)
  }

  /// Quits the program, unless a screen has unfinished work.
  mutating func quit() {
    for id in ScreenID.panes + overlays.ids {
      var canEnd = true
      run(ScreenOperations.PrepareToEnd { canEnd = $0 }, on: id)
      guard canEnd else { return }
    }
    life = .ended(nil)
    requests.send(.quit)
  }
}

/// A call that interrupts a wait for a lock.
struct StopWaiting: ServiceCall {
  func perform(in services: Services) { services.source.watch?.stopWaiting() }
}
