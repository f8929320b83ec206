import Terminal

/// Keys and texts: which command they are, or which screen takes them.
extension Browser {
  mutating func press(_ key: Key) {
    if key == Key(.escape), !lastLine.keys.isEmpty || lastLine.count != nil { return forgetKeys() }
    if takeDigit(key) { return }
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
      if isFirst, context.takesText { return run(ScreenOperations.Press(key: key), on: focusedScreen.id) }
      notice = Notice("\(keymap.display(of: keys)) does nothing here; \(keyHint(.help)) shows the keys", .muted)
    }
  }

  private mutating func forgetKeys() {
    lastLine.keys = []
    lastLine.count = nil
  }

  /// Takes a digit of a count; a 0 that does not follow a digit is a key like others.
  private mutating func takeDigit(_ key: Key) -> Bool {
    guard !context.takesText, lastLine.keys.isEmpty, key.modifiers.isEmpty, case .character(let character) = key.code,
      character.isASCII, let digit = character.wholeNumberValue, lastLine.count != nil || digit > 0
    else { return false }
    // A count past any number of rows changes nothing more.
    lastLine.count = min((lastLine.count ?? 0) * 10 + digit, 1 << 52)
    return true
  }

  mutating func paste(_ text: String) {
    guard context.takesText else { return notice = Notice("there is no text to paste into here", .muted) }
    run(ScreenOperations.Insert(text: text, isTyped: false), on: focusedScreen.id)
  }

  /// Takes characters typed one after the other; those that come where a text is written are put in together.
  ///
  /// What follows from a text, such as what matches it, is looked for once then, and not for each of its characters.
  mutating func enter(_ text: String) {
    var rest = text[...]
    while !rest.isEmpty {
      guard lastLine.keys.isEmpty, context.takesText else {
        press(Key(rest.removeFirst()))
        continue
      }
      notice = nil
      return run(ScreenOperations.Insert(text: String(rest), isTyped: true), on: focusedScreen.id)
    }
  }

  /// The first key of a command here, for a sentence; where it has none here, a key with the place where it has one, else its name.
  func keyHint(_ command: Command) -> String { environment.keyHint(command) }

  /// The first key of a command in a context that is not the present one, for a sentence that names the place.
  func keyHint(_ command: Command, in context: KeyContext) -> String {
    environment.keyHint(command, in: context)
  }
}

/// The mouse: which screen lies under it.
extension Browser {
  /// Rows that a turn of the wheel scrolls by.
  private static let wheelStep = 3

  mutating func receive(_ mouse: Mouse) {
    let (id, area) = screen(at: mouse.point)
    switch mouse.action {
    case .wheelUp: run(ScreenOperations.Scroll(rows: -Browser.wheelStep), on: id ?? .rows)
    case .wheelDown: run(ScreenOperations.Scroll(rows: Browser.wheelStep), on: id ?? .rows)
    case .wheelLeft, .wheelRight:
      let step = mouse.action == .wheelLeft ? -1 : 1
      if overlays.isEmpty { change(RowsScreen.self) { $0.scrollColumns(by: step, &$1) } }
    case .press:
      if mouse.action == .press(.left) { notice = nil }
      if let id { run(ScreenOperations.Pointer(action: mouse.action, point: mouse.point, area: area), on: id) }
    case .drag, .release:
      // Wherever it is by now, the button was pressed on something else of the rows.
      guard overlays.isEmpty else { return }
      run(ScreenOperations.Pointer(action: mouse.action, point: mouse.point, area: ScreenLayout(self).rows), on: .rows)
    }
  }

  /// Returns the screen at a point, and where that lies; nil for title and footer.
  private func screen(at point: Point) -> (id: ScreenID?, area: Rect) {
    let layout = ScreenLayout(self)
    if let topScreen { return (topScreen.id, layout.body) }
    let panes: [(id: ScreenID, area: Rect)] = [(.catalog, layout.catalog), (.editor, layout.editor), (.rows, layout.rows)]
    return panes.first { $0.area.contains(point) }.map { ($0.id, $0.area) } ?? (nil, .none)
  }
}
