package import Terminal

extension EditorPane {
  /// Returns whether a key edits or moves.
  func handles(_ key: Key) -> Bool { motion(of: key) != nil || edit(of: key) != nil }

  /// Handles a key that edits or moves; returns false for other keys.
  package mutating func handle(_ key: Key) -> Bool {
    if let (motion, selecting) = motion(of: key) {
      let page = key.code == .pageUp ? -extent.rows : key.code == .pageDown ? extent.rows : 0
      change(scrollingBy: page) { $0.move(motion, selecting: selecting) }
      return true
    }
    guard let edit = edit(of: key) else { return false }
    change(edit)
    return true
  }

  /// Returns the motion of a key, and whether it extends the selection.
  private func motion(of key: Key) -> (TextMotion, selecting: Bool)? {
    if case .character(let letter) = key.code { return readlineMotion(letter, key.modifiers).map { ($0, false) } }
    let motion: TextMotion? =
      switch (key.code, key.modifiers.subtracting(.shift)) {
      case (.left, []): .left
      case (.right, []): .right
      case (.up, []): .rows(-1, columns: extent.columns)
      case (.down, []): .rows(1, columns: extent.columns)
      case (.left, .control), (.left, .alt): .wordLeft
      case (.right, .control), (.right, .alt): .wordRight
      case (.home, []): .home
      case (.end, []): .lineEnd
      case (.home, .control): .top
      case (.end, .control): .bottom
      case (.pageUp, []): .rows(-extent.rows, columns: extent.columns)
      case (.pageDown, []): .rows(extent.rows, columns: extent.columns)
      default: nil
      }
    return motion.map { ($0, key.modifiers.contains(.shift)) }
  }

  private func readlineMotion(_ letter: Character, _ modifiers: Key.Modifiers) -> TextMotion? {
    switch (letter, modifiers) {
    case ("a", .control): .lineStart
    case ("e", .control): .lineEnd
    case ("b", .control): .left
    case ("f", .control): .right
    case ("b", .alt): .wordLeft
    case ("f", .alt): .wordRight
    default: nil
    }
  }

  private func edit(of key: Key) -> ((inout TextBuffer) -> Void)? {
    switch (key.code, key.modifiers) {
    case (.character(let character), []), (.character(let character), .shift): { $0.type(String(character)) }
    case (.enter, []), (.enter, .shift): { $0.breakLine() }
    case (.backspace, []), (.backspace, .shift), (.character("h"), .control): { $0.erase(.left) }
    case (.delete, []), (.delete, .shift), (.character("d"), .control): { $0.erase(.right) }
    case (.backspace, .alt), (.backspace, .control), (.character("w"), .control): { $0.kill(.wordLeft) }
    case (.delete, .alt), (.delete, .control), (.character("d"), .alt): { $0.kill(.wordRight) }
    case (.character("u"), .control): { $0.kill(.lineStart) }
    case (.character("k"), .control): { $0.kill(.lineEnd) }
    case (.character("y"), .control): { $0.yank() }
    default: nil
    }
  }
}
