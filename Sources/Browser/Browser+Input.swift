import Terminal

/// Input: which command a key stands for, and which screen receives a text.
extension Browser {
  mutating func press(_ key: Key) {
    if key == Key(.escape), !lastLine.keys.isEmpty || lastLine.count != nil { return forgetKeys() }
    if handleDigit(key) { return }
    if takesGuideKey(key) { return }
    let keys = lastLine.keys + [key]
    switch keymap.resolve(keys, in: context) {
    case .command(let command):
      let count = lastLine.count
      lastLine = LastLine()
      perform(command, count: count)
    case .pending: lastLine.keys = keys
    case .none:
      let isFirst = lastLine.keys.isEmpty
      lastLine = LastLine()
      if passToRows(keys) { return }
      if findName(keys) { return }
      if isFirst, context.takesText { return run(ScreenOperations.Press(key: key), on: focusedScreen.id) }
      notice = Notice(environment.sentence(onUnbound: keys), .muted)
    }
  }

  /// Performs the command that a key is to the screen beside the others, where these let it have the key; returns whether it has taken it.
  ///
  /// Where another screen lies over the panes, Esc and what moves there are its own.
  private mutating func takesGuideKey(_ key: Key) -> Bool {
    guard let guide = overlays.guide, !context.takesText, lastLine.keys.isEmpty, lastLine.count == nil else { return false }
    let own = keymap.ownBindings(in: guide.screen.keyContext(in: workspace)).first { $0.keys == [key] }
    guard let command = own?.command, topScreen == nil || key == Key(" "), unavailability(of: command) == nil else { return false }
    notice = nil
    run(ScreenOperations.Perform(command: command, count: nil), on: guide.id)
    return true
  }

  /// Gives keys that mean nothing in the panel beside the rows, and something in these, to them; returns whether it has.
  private mutating func passToRows(_ keys: [Key]) -> Bool {
    guard let sidePanel, topScreen?.id == sidePanel.id, workspace.grid != nil,
      keymap.resolve(keys, in: rows.keyContext(in: workspace)) != .none
    else { return false }
    leave(sidePanel.id)
    for key in keys { press(key) }
    return true
  }

  /// Looks for a name that begins with letters that have no command; returns whether names are found here.
  private mutating func findName(_ keys: [Key]) -> Bool {
    let letters = keys.compactMap(\.letter)
    guard context.findsNames, letters.count == keys.count else { return false }
    run(ScreenOperations.Insert(text: String(letters), isTyped: true), on: focusedScreen.id)
    return true
  }

  private mutating func forgetKeys() {
    lastLine.keys = []
    lastLine.count = nil
  }

  /// Adds a digit to the count; a 0 that follows no digit is an ordinary key.
  private mutating func handleDigit(_ key: Key) -> Bool {
    guard !context.takesText, lastLine.keys.isEmpty, key.modifiers.isEmpty, case .character(let character) = key.code,
      character.isASCII, let digit = character.wholeNumberValue, lastLine.count != nil || digit > 0
    else { return false }
    // Limits the count, which must not overflow.
    lastLine.count = min((lastLine.count ?? 0) * 10 + digit, 1 << 52)
    return true
  }

  mutating func paste(_ text: String) {
    guard context.takesText || context == .grid else { return notice = Notice("nothing here takes pasted text", .muted) }
    run(ScreenOperations.Insert(text: text, isTyped: false), on: focusedScreen.id)
  }

  /// Inserts characters that were typed in quick succession, together where the focus is in a text.
  ///
  /// What depends on the text, such as its matches, is then computed once rather than for each character.
  mutating func enter(_ text: String) {
    var rest = text[...]
    while !rest.isEmpty {
      workspace.pendingCommand = nil
      guard lastLine.keys.isEmpty, context.takesText else {
        press(Key(rest.removeFirst()))
        continue
      }
      notice = nil
      return run(ScreenOperations.Insert(text: String(rest), isTyped: true), on: focusedScreen.id)
    }
  }

  /// Returns the first key of a command here; failing that a key with the context that it works in, or the command's name.
  package func keyHint(_ command: Command) -> String { environment.keyHint(command) }
}

/// The mouse: which screen lies under it.
extension Browser {
  /// The rows that one step of the wheel scrolls by.
  private static let wheelStep = 3

  mutating func receive(_ mouse: Mouse) {
    if case .press = mouse.action, pressKeyMenu(at: mouse.point) { return }
    if mouse.action == .press(.left), let command = hint(at: mouse.point) { return perform(command) }
    let (id, area) = screen(at: mouse.point)
    switch mouse.action {
    case .wheelUp: run(ScreenOperations.Scroll(rows: -Browser.wheelStep), on: id ?? .rows)
    case .wheelDown: run(ScreenOperations.Scroll(rows: Browser.wheelStep), on: id ?? .rows)
    case .wheelLeft, .wheelRight:
      let step = mouse.action == .wheelLeft ? -1 : 1
      if topScreen == nil { send(RowsIntent.scrollColumns(by: step)) }
    case .press:
      if mouse.action == .press(.left) { notice = nil }
      if sidePanel != nil, let id { overlays.yieldsFocus = id != sidePanel?.id }
      if let id { run(ScreenOperations.Pointer(action: mouse.action, point: mouse.point, area: area), on: id) }
    case .drag, .release:
      // The button was pressed on the rows, so that they receive its release wherever the pointer is.
      guard topScreen == nil else { return }
      run(ScreenOperations.Pointer(action: mouse.action, point: mouse.point, area: ScreenLayout(self).rows), on: .rows)
    }
  }

  /// Closes the list of keys at a press of the mouse, and performs what it hits; returns whether there was a list.
  private mutating func pressKeyMenu(at point: Point) -> Bool {
    guard let menu = keyMenu(in: ScreenLayout(self).body) else { return false }
    let count = lastLine.count
    lastLine = LastLine()
    if let command = menu.command(at: point) { perform(command, count: count) }
    return true
  }

  /// Returns the screen at a point, and its area; nil for title and footer.
  private func screen(at point: Point) -> (id: ScreenID?, area: Rect) {
    let layout = ScreenLayout(self)
    if let guide = overlays.guide, layout.guide.contains(point) { return (guide.id, layout.guide) }
    if let sidePanel, layout.side.contains(point) { return (sidePanel.id, layout.side) }
    if let topScreen, topScreen.id != sidePanel?.id { return (topScreen.id, layout.area(of: topScreen.screen)) }
    let panes: [(id: ScreenID, area: Rect)] = [(.catalog, layout.catalog), (.editor, layout.editor), (.rows, layout.rows)]
    return panes.first { $0.area.contains(point) }.map { ($0.id, $0.area) } ?? (nil, .none)
  }
}
