import QuarryEngine
import QuarryRows
import Terminal

extension KeyContext {
  static let settings = KeyContext("settings", place: "in the settings", takesDigits: true)
}

/// A form with the settings of `config.toml`: a change is visible at once, and is written to the file on request.
struct SettingsScreen: Sendable {
  /// The file and its text at the last read; nil before that, or if it cannot be read.
  private(set) var file: SettingsFileText?
  /// The settings of the file alone, without the command line and the environment.
  private(set) var inFile: Settings
  /// The tables whose label columns can be changed, by name; empty until they have been read.
  private(set) var labelTables: [LabelTable] = []
  /// The changes that have not been written; nil restores the default.
  private(set) var changes: [SettingKey: SettingValue?] = [:]
  /// The settings on the screen before the form was opened.
  let before: LiveSettings
  /// The names of the themes.
  let themes: [String]
  /// The reason why nothing can be written.
  private(set) var problem: Problem?
  private(set) var cursor = ListCursor()
  /// The number or the columns that are being typed; nil while nothing is.
  var field: TextField?
  /// The changes before the field was opened.
  var formerChanges: [SettingKey: SettingValue?] = [:]
  private var isWritten = false
  /// Whether the changes are being written.
  private(set) var isWriting = false

  /// - Parameters:
  ///   - settings: The current settings, which the form shows until the file has been read.
  ///   - live: The settings on the screen.
  ///   - themes: The names of the themes.
  init(_ settings: Settings, live: LiveSettings, themes: [String]) {
    (inFile, before, self.themes) = (settings, live, themes)
  }

  // MARK: Lines

  private static let settings = SettingName.allCases.map(SettingKey.setting)

  /// The settings, and the label columns of the tables.
  var keys: [SettingKey] { Self.settings + labelTables.map { .label(table: $0.name) } }

  /// The key of the current line.
  var key: SettingKey { keys.indices.contains(cursor.index) ? keys[cursor.index] : .setting(.theme) }

  /// Returns the table of a line with label columns; nil for a setting.
  func labelTable(of key: SettingKey) -> LabelTable? {
    if case .label(let name) = key { labelTables.first { $0.name == name } } else { nil }
  }

  mutating func layOut(height: Int) { cursor.layOut(height: height, of: keys.count) }

  // MARK: Values

  /// Returns the value that a key has once the changes are written.
  func value(of key: SettingKey, _ environment: ScreenEnvironment) -> SettingValue {
    fileValue(of: key) ?? standard(of: key, environment)
  }

  /// Returns the value that the file contains once the changes are written; nil if it does not set the key.
  private func fileValue(of key: SettingKey) -> SettingValue? {
    if let change = changes[key] { change } else { inFile.fileValue(of: key) }
  }

  /// Returns the value that a key has if the file does not set it.
  private func standard(of key: SettingKey, _ environment: ScreenEnvironment) -> SettingValue {
    switch key {
    case .setting(let name): environment.options.settings.fallback(of: name)
    case .label: .text(labelTable(of: key)?.standard.joined(separator: ", ") ?? "")
    }
  }

  /// Changes a value, or restores its default if `value` is nil.
  mutating func change(_ key: SettingKey, to value: SettingValue?, _ context: inout ScreenContext<Self>) {
    touched.insert(key)
    let isFaulty = inFile.fault(of: key) != nil
    if value == inFile.fileValue(of: key), !isFaulty { changes[key] = nil } else { changes[key] = .some(value) }
    show(&context)
  }

  /// Shows the effect of all changes, and the former settings for the rest.
  private func show(_ context: inout ScreenContext<Self>) {
    var live = before
    for key in touched {
      // Without configured columns, each foreign key has its own default.
      live[key] = if case .label = key { fileValue(of: key) ?? .text("") } else { value(of: key, context.environment) }
    }
    context.send(BrowserIntent.apply(live))
  }

  /// The keys that have been changed in the form, even if they have their former values again.
  private var touched: Set<SettingKey> = []

  /// Adopts settings that were changed on the screen, such as a theme chosen from the list.
  private mutating func adoptChosen(_ settings: Settings) {
    for name in SettingName.allCases {
      let key = SettingKey.setting(name)
      guard let live = before[key], live != settings[name].value, live != inFile.fileValue(of: key) else { continue }
      if name == .theme, !themes.contains(before.theme) { continue }
      touched.insert(key)
      changes[key] = .some(live)
    }
  }

  // MARK: Moving

  private mutating func move(by step: Int, _ context: inout ScreenContext<Self>) {
    if endTyping(&context) { cursor.move(by: step, of: keys.count) }
  }

  mutating func select(_ key: SettingKey, _ context: inout ScreenContext<Self>) {
    if endTyping(&context), let index = keys.firstIndex(of: key) { cursor.move(to: index, of: keys.count) }
  }
}

extension SettingsScreen: Screen {
  func keyContext(in workspace: Workspace) -> KeyContext { field == nil ? .settings : .bar }
  func helpTitle(in workspace: Workspace) -> String { field == nil ? "Keys \(KeyContext.settings.place)" : "Keys in a line of text" }
  func purpose(in workspace: Workspace) -> String {
    "Changes the settings of config.toml. You see the effect at once; nothing is written before you save. Esc restores the former settings."
  }
  func backOutHint(in workspace: Workspace) -> String? { "restore" }
  func position(_ environment: ScreenEnvironment) -> String? {
    guard key == .setting(.theme), let index = choices(of: key, environment)?.chosen, index < themes.count else {
      return keys.count > cursor.height ? cursor.position(of: keys.count) : nil
    }
    return "theme \(index + 1) of \(themes.count)"
  }

  static let openers: [BrowserCommand] = [
    BrowserCommand(.settings, "Change the settings, with live preview", aliases: ["config"]) { $0.showSettings() }
  ]

  static let commands: [CommandBinding<Self>] = choosing.grouped("Changing") + moves.grouped("Moving")

  private static let choosing: [CommandBinding<Self>] = [
    CommandBinding(
      .accept, "Write the changed settings to config.toml", keys: [.bar: ["enter"], .settings: ["enter", "ctrl-s"]], hint: "save",
      hintedWhen: { screen, _ in !screen.changes.isEmpty }
    ) { screen, context, _ in
      screen.save(&context)
    },
    CommandBinding(
      .nextChoice, "Choose the next value", keys: [.settings: ["right", "l", "space"]], hint: "next value",
      hintedWhen: { screen, _ in screen.field == nil }
    ) { screen, context, count in
      screen.choose(by: count ?? 1, &context)
    },
    CommandBinding(.previousChoice, "Choose the previous value", keys: [.settings: ["left", "h"]]) { screen, context, count in
      screen.choose(by: -(count ?? 1), &context)
    },
    CommandBinding(
      .editCell, "Type the value: a number, or the columns of a label with commas between them", brief: "Type the value",
      keys: [.settings: ["e"]], hint: "type", hintedWhen: { screen, _ in screen.field == nil && screen.labelTable(of: screen.key) != nil },
      unless: { screen, context in screen.isTyped ? nil : "this value is chosen with \(context.keyHint(.nextChoice))" }
    ) { screen, context, _ in
      screen.type(&context)
    },
    CommandBinding(
      .restoreDefault, "Restore the default, without a line in the file", brief: "Restore the default",
      keys: [.settings: ["d", "delete", "backspace"]], hint: "default", hintedWhen: { screen, _ in screen.field == nil }
    ) { screen, context, _ in
      screen.restoreDefault(&context)
    },
    CommandBinding(.refresh, "Read the file again", keys: [.settings: ["R"]]) { screen, context, _ in screen.load(&context) },
  ]

  private static let moves: [CommandBinding<Self>] =
    CommandBinding.lineMotions(in: .settings, count: \.keys.count) { screen, context, count in screen.move(by: count, &context) } + [
      CommandBinding(.historyNewer, "Go to the next line", keys: [.bar: ["down"]]) { screen, context, _ in screen.move(by: 1, &context) },
      CommandBinding(.historyOlder, "Go to the previous line", keys: [.bar: ["up"]]) { screen, context, _ in screen.move(by: -1, &context)
      },
      CommandBinding(.nextPane, "Go to the next line") { screen, context, _ in screen.move(by: 1, &context) },
      CommandBinding(.previousPane, "Go to the previous line") { screen, context, _ in screen.move(by: -1, &context) },
    ]

  // MARK: Keys

  mutating func press(_ key: Key, _ context: inout ScreenContext<Self>) -> Bool {
    edit(&context) { $0.handle(key) } ?? false
  }

  mutating func insert(_ text: String, isTyped: Bool, _ context: inout ScreenContext<Self>) {
    _ = edit(&context) { $0.insert(text) }
  }

  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>) { move(by: rows.signum(), &context) }

  mutating func layOut(in area: Rect, _ context: inout ScreenContext<Self>) {
    layOut(height: SettingsLayout(self, in: area, context.environment).list.rows)
  }

  /// Ends typing, and restores the value before it.
  mutating func backOut(_ context: inout ScreenContext<Self>) -> Bool {
    guard field != nil else { return false }
    field = nil
    changes = formerChanges
    show(&context)
    return true
  }

  mutating func willClose(_ context: inout ScreenContext<Self>) {
    if !isWritten { context.send(BrowserIntent.apply(before)) }
  }

  // MARK: The file

  mutating func start(_ context: inout ScreenContext<Self>) {
    adoptChosen(context.environment.options.settings)
    load(&context)
  }

  private mutating func load(_ context: inout ScreenContext<Self>) {
    context.ask(LoadSettings()) { screen, context, result in
      switch result {
      case .success(let file): screen.receive(file, &context)
      case .failure(let problem):
        screen.problem = problem
        screen.loadLabelTables(&context)
      }
    }
  }

  private func loadLabelTables(_ context: inout ScreenContext<Self>) {
    context.ask(LoadLabelTables(configured: inFile.labelledTables)) { screen, _, result in
      if case .success(let tables) = result { screen.labelTables = tables }
    }
  }

  /// Shows the settings of the file; the changes remain.
  private mutating func receive(_ file: SettingsFileText, _ context: inout ScreenContext<Self>) {
    self.file = file
    inFile = Settings(fileText: file.text, file: file.path)
    let fault = ConfigurationDocument(text: file.text, file: file.path).warnings.first
    problem = fault.map(Problem.init(unreadable:))
    for (key, value) in changes where value == inFile.fileValue(of: key) && inFile.fault(of: key) == nil { changes[key] = nil }
    show(&context)
    loadLabelTables(&context)
  }

  private mutating func save(_ context: inout ScreenContext<Self>) {
    guard endTyping(&context), !isWriting else { return }
    if let problem { return context.notify(problem.text, .error) }
    guard let file else { return context.notify("the file is still being read") }
    guard !changes.isEmpty else {
      context.notify("no setting has changed: \(context.environment.keyHint(.backOut)) closes the settings")
      return
    }
    isWriting = true
    context.ask(SaveSettings(changes: changes, known: file.text)) { screen, context, result in
      screen.isWriting = false
      switch result {
      case .success(.written(let text)): screen.end(SettingsFileText(path: file.path, text: text), &context)
      case .success(.outdated(let text)):
        screen.receive(SettingsFileText(path: file.path, text: text), &context)
        let key = context.environment.keyHint(.accept)
        context.notify("the file has changed since it was read, and nothing was written: check the values, then \(key) writes", .warning)
      case .failure(let problem): context.notify(problem.text, .error)
      }
    }
  }

  /// Closes the form after the changes have been written.
  private mutating func end(_ file: SettingsFileText, _ context: inout ScreenContext<Self>) {
    isWritten = true
    context.send(BrowserIntent.note(context.environment.options.settings.reading(file.text, file: file.path)))
    context.close()
    let changed = keys.filter { changes[$0] != nil }
    let later = changed.filter { before[$0] == nil }.map(\.title).joined(separator: " and ")
    let rest = later.isEmpty ? "" : "; \(later) takes effect when you open the next database"
    context.notifyLast("wrote \(changed.map(\.title).joined(separator: ", ")) to \(PathText.shown(file.path))\(rest)", .success)
  }
}

extension Browser {
  /// Opens the form with the settings, unless it is open.
  mutating func showSettings() {
    if !overlays.all.contains(where: { $0.screen is SettingsScreen }) {
      present(SettingsScreen(options.settings, live: live, themes: themes.names))
    }
  }
}
