import Terminal

extension Browser {
  /// The context in which a key is pressed now.
  var context: CommandContext {
    if isInPrompt { return .bar }
    switch overlays.last {
    case .record, .details: return .record
    case .picker, .themes, .form: return .form
    case nil: break
    }
    if catalog.isTyping || isInBar { return .bar }
    switch focus {
    case .catalog: return .catalog
    case .editor: return sql.isShown ? .editor : .grid
    case .grid: return .grid
    }
  }

  /// Whether the prompt at the foot of the screen has the keys.
  var isInPrompt: Bool { prompt?.depth == overlays.count }

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
      if isFirst, isInEditor { return editSQL(key) }
      if isFirst, context.takesText { return edit { $0.handle(key) } }
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
    if isInEditor { return change { $0.insert(text) } }
    return insert(text)
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
      return effects + (isInEditor ? typeSQL(String(rest)) : insert(String(rest)))
    }
    return effects
  }

  /// Puts a text into the text field that has the keys, as far as it has room.
  private mutating func insert(_ text: String) -> [Effect] {
    var left = 0
    let effects = edit { field in
      left = field.insert(text)
      return true
    }
    if left > 0 { notice = Notice("a line holds \(Plural.grouped(TextField.longest)) characters: the last \(Plural.grouped(left)) are left out", .warning) }
    return effects
  }

  /// Changes the text field that has the keys, and narrows what hangs on it.
  private mutating func edit(_ change: (inout TextField) -> Bool) -> [Effect] {
    if isInPrompt, var prompt {
      _ = change(&prompt.field)
      self.prompt = prompt
    } else if case .form(var form)? = overlays.last {
      form.edit(change)
      overlays[overlays.count - 1] = .form(form)
    } else if let overlay = overlays.last, var picker = overlay.picker {
      guard picker.edit(change) else { return [] }
      overlays[overlays.count - 1] = overlay.replacing(picker)
      previewTheme()
    } else if catalog.isTyping, var field = catalog.filter {
      _ = change(&field)
      catalog.filter = field
      catalog.rebuild()
    } else if isInBar {
      return changeGrid { $0.editBar(change) }
    }
    return []
  }

  /// The first key of a command here, for a sentence; where it has none here, a key with the place where it has one, else its name.
  func keyHint(_ command: Command) -> String {
    if let key = keymap.keys(for: command, in: context).first { return key }
    let elsewhere = CommandContext.allCases.lazy.compactMap { context in
      keymap.keys(for: command, in: context).first.map { "\($0) \(context.place)" }
    }
    return elsewhere.first ?? command.rawValue
  }

  /// The first key of a command in a context that is not the present one, for a sentence that names the place.
  func keyHint(_ command: Command, in context: CommandContext) -> String {
    keymap.keys(for: command, in: context).first ?? command.rawValue
  }
}
