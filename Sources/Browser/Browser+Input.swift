import Terminal

extension Browser {
  mutating func press(_ key: Key) -> [Effect] {
    if key == Key(.escape), !pendingKeys.isEmpty || count != nil {
      forgetKeys()
      return []
    }
    if takeDigit(key) { return [] }
    let keys = pendingKeys + [key]
    switch keymap.resolve(keys, in: context) {
    case .command(let command):
      let count = count
      forgetKeys()
      notice = nil
      return perform(command, count: count)
    case .pending:
      pendingKeys = keys
      return []
    case .none:
      let isFirst = pendingKeys.isEmpty
      forgetKeys()
      notice = nil
      if isFirst, context.takesText {
        run(ScreenOperations.Press(key: key), on: focusedScreen.id)
        return []
      }
      notice = Notice("\(keymap.display(of: keys)) does nothing here; \(keyHint(.help)) shows the keys", .muted)
      return []
    }
  }

  private mutating func forgetKeys() {
    pendingKeys = []
    count = nil
  }

  /// Takes a digit of a count; a 0 that does not follow a digit is a key like others.
  private mutating func takeDigit(_ key: Key) -> Bool {
    guard !context.takesText, pendingKeys.isEmpty, key.modifiers.isEmpty, case .character(let character) = key.code,
      character.isASCII, let digit = character.wholeNumberValue, count != nil || digit > 0
    else { return false }
    // A count past any number of rows changes nothing more.
    count = min((count ?? 0) * 10 + digit, 1 << 52)
    return true
  }

  mutating func paste(_ text: String) -> [Effect] {
    guard context.takesText else {
      notice = Notice("there is no text to paste into here", .muted)
      return []
    }
    run(ScreenOperations.Insert(text: text, isTyped: false), on: focusedScreen.id)
    return []
  }

  /// Takes characters typed one after the other; those that come where a text is written are put in together.
  ///
  /// What follows from a text, such as what matches it, is looked for once then, and not for each of its characters.
  mutating func takeTyped(_ text: String) -> [Effect] {
    var effects: [Effect] = []
    var rest = text[...]
    while !rest.isEmpty {
      guard pendingKeys.isEmpty, context.takesText else {
        effects += press(Key(rest.removeFirst()))
        continue
      }
      notice = nil
      run(ScreenOperations.Insert(text: String(rest), isTyped: true), on: focusedScreen.id)
      return effects
    }
    return effects
  }

  /// The first key of a command here, for a sentence; where it has none here, a key with the place where it has one, else its name.
  func keyHint(_ command: Command) -> String { environment.keyHint(command) }

  /// The first key of a command in a context that is not the present one, for a sentence that names the place.
  func keyHint(_ command: Command, in context: KeyContext) -> String {
    environment.keyHint(command, in: context)
  }
}
