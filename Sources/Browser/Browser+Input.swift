import Terminal

/// Input: the command of a key, and the screen that receives a text.
extension Browser {
  /// Returns whether a message is a key that ends the filter bar, or what is running, even while it waits.
  func leavesBar(_ message: Message) -> Bool {
    guard case .eventArrived(.key(let key)) = message else { return false }
    return [.command(.backOut), .command(.stop)].contains(keymap.resolve([key], in: context))
  }

  mutating func press(_ key: Key) {
    if key == Key(.escape), !lastLine.keys.isEmpty || lastLine.count != nil { return forgetKeys() }
    if handleDigit(key) { return }
    if takesGuideKey(key) { return }
    let keys = lastLine.keys + [key]
    switch keymap.resolve(keys, in: context) {
    case .command(let command):
      let count = lastLine.count
      lastLine.clear()
      perform(command, count: count)
    case .pending: lastLine.keys = keys
    case .none:
      let isFirst = lastLine.keys.isEmpty
      lastLine.clear()
      if passToRows(keys) { return }
      if findName(keys) { return }
      if isFirst, context.takesText || context.takesDigits && key.isDigit {
        return run(ScreenOperations.Press(key: key), on: focusedScreen.id)
      }
      notice = Notice(environment.sentence(onUnbound: keys), .muted)
    }
  }

  /// Performs the guide's command for a key, if the guide may receive the key; returns whether it was performed.
  ///
  /// If another screen covers the panes, the guide gets only the space key.
  private mutating func takesGuideKey(_ key: Key) -> Bool {
    guard let guide = overlays.guide, !context.takesText, lastLine.keys.isEmpty, lastLine.count == nil else { return false }
    let own = keymap.ownBindings(in: guide.screen.keyContext(in: workspace)).first { $0.keys == [key] }
    guard let command = own?.command, topScreen == nil || key == Key(" "), unavailability(of: command) == nil else { return false }
    notice = nil
    run(ScreenOperations.Perform(command: command, count: nil), on: guide.id)
    return true
  }

  /// Passes keys that are unbound in the panel, and bound in the rows beside it, to the rows; returns whether it did.
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

  /// Adds a digit to the count; a 0 without a preceding digit is an ordinary key.
  private mutating func handleDigit(_ key: Key) -> Bool {
    guard !context.takesText, !context.takesDigits, lastLine.keys.isEmpty, key.modifiers.isEmpty,
      case .character(let character) = key.code,
      character.isASCII, let digit = character.wholeNumberValue, lastLine.count != nil || digit > 0
    else { return false }
    // Limits the count, which must not overflow.
    lastLine.count = min((lastLine.count ?? 0) * 10 + digit, 1 << 52)
    return true
  }

  mutating func paste(_ text: String) {
    guard context.takesText || context.includes(.grid) else { return notice = Notice("text cannot be pasted here", .muted) }
    run(ScreenOperations.Insert(text: text, isTyped: false), on: focusedScreen.id)
  }

  /// Inserts characters that were typed in quick succession, all at once if the focus is in a text.
  ///
  /// Results that depend on the text, such as its matches, are then computed once rather than for each character.
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

  /// Returns the first key of a command in this context.
  ///
  /// Falls back to a key in another context, with the name of that context, and then to the name of the command.
  package func keyHint(_ command: Command) -> String { environment.keyHint(command) }
}

/// The mouse: the screen under the pointer.
extension Browser {
  /// The number of rows that one step of the wheel scrolls.
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
      // The button was pressed on the rows, so they receive its release regardless of the pointer's position.
      guard topScreen == nil else { return }
      run(ScreenOperations.Pointer(action: mouse.action, point: mouse.point, area: ScreenLayout(self).rows), on: .rows)
    }
  }

  /// Closes the menu of keys at a click, and performs the command under the pointer; returns whether there was a menu.
  private mutating func pressKeyMenu(at point: Point) -> Bool {
    guard let menu = keyMenu(in: ScreenLayout(self).body) else { return false }
    let count = lastLine.count
    lastLine.clear()
    if let command = menu.command(at: point) { perform(command, count: count) }
    return true
  }

  /// Returns the screen at a point, and its area; nil for the title and the footer.
  private func screen(at point: Point) -> (id: ScreenID?, area: Rect) {
    let layout = ScreenLayout(self)
    if let guide = overlays.guide, layout.guide.contains(point) { return (guide.id, layout.guide) }
    if let sidePanel, layout.side.contains(point) { return (sidePanel.id, layout.side) }
    if let topScreen, topScreen.id != sidePanel?.id { return (topScreen.id, layout.area(of: topScreen.screen)) }
    let panes: [(id: ScreenID, area: Rect)] = [(.catalog, layout.catalog), (.editor, layout.editor), (.rows, layout.rows)]
    return panes.first { $0.area.contains(point) }.map { ($0.id, $0.area) } ?? (nil, .none)
  }
}
