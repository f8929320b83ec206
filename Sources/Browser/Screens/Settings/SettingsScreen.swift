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
  /// The changes that have not been written; nil restores the default.
  private(set) var changes: [SettingName: SettingValue?] = [:]
  /// The settings on the screen before the form was opened.
  let before: LiveSettings
  /// The names of the themes.
  let themes: [String]
  /// The reason why nothing can be written.
  private(set) var problem: Problem?
  private(set) var cursor = ListCursor()
  /// The number that is being typed; nil while no number is.
  private(set) var number: TextField?
  /// The changes before the number was typed.
  private var formerChanges: [SettingName: SettingValue?] = [:]
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

  let names = SettingName.allCases

  var name: SettingName { names.indices.contains(cursor.index) ? names[cursor.index] : .theme }

  mutating func layOut(height: Int) { cursor.layOut(height: height, of: names.count) }

  // MARK: Values

  /// Returns the value that a setting has once the changes are written.
  func value(of name: SettingName, _ environment: ScreenEnvironment) -> SettingValue {
    let written: SettingValue? = if let change = changes[name] { change } else { inFile.fileValue(of: name) }
    return written ?? environment.options.settings.fallback(of: name)
  }

  /// Changes a setting, or restores its default if `value` is nil.
  private mutating func change(_ name: SettingName, to value: SettingValue?, _ context: inout ScreenContext<Self>) {
    let isFaulty = inFile.fault(of: name) != nil
    if value == inFile.fileValue(of: name), !isFaulty { changes[name] = nil } else { changes[name] = .some(value) }
    show(&context)
  }

  /// Shows the effect of all changes, and the former settings for the rest.
  private func show(_ context: inout ScreenContext<Self>) {
    var live = before
    for name in touched { live[name] = value(of: name, context.environment) }
    context.send(BrowserIntent.apply(live))
  }

  /// The settings that have been changed in the form, even if they have their former values again.
  private var touched: Set<SettingName> = []

  /// Adopts settings that were changed on the screen, such as a theme chosen from the list.
  private mutating func adoptChosen(_ settings: Settings) {
    for name in names {
      guard let live = before[name], live != settings[name].value, live != inFile.fileValue(of: name) else { continue }
      if name == .theme, !themes.contains(before.theme) { continue }
      touched.insert(name)
      changes[name] = .some(live)
    }
  }

  // MARK: Choosing

  /// Returns the choices of a setting; nil for a number.
  func choices(of name: SettingName, _ environment: ScreenEnvironment) -> ChoiceLine? {
    switch value(of: name, environment) {
    case .flag(let flag): ChoiceLine(labels: ["yes", "no"], chosen: flag ? 0 : 1)
    case .text(let text):
      ChoiceLine(labels: themes, chosen: themes.firstIndex(of: text) ?? themes.count)
    case .number: nil
    }
  }

  /// Selects a choice of a setting by its index.
  mutating func choose(_ index: Int, of name: SettingName, _ context: inout ScreenContext<Self>) {
    touched.insert(name)
    switch name.standard {
    case .flag: change(name, to: .flag(index == 0), &context)
    case .text: if themes.indices.contains(index) { change(name, to: .text(themes[index]), &context) }
    case .number: break
    }
  }

  /// Selects the next or the previous value of the current setting.
  private mutating func choose(by step: Int, _ context: inout ScreenContext<Self>) {
    if case .number(let number) = value(of: name, context.environment), let range = name.numbers {
      touched.insert(name)
      return change(name, to: .number(min(max(number + step * name.step, range.lowerBound), range.upperBound)), &context)
    }
    guard let choices = choices(of: name, context.environment), !choices.labels.isEmpty else { return }
    let count = choices.labels.count
    // An unknown theme is not among the choices.
    let index = choices.chosen < count ? choices.chosen + step : step > 0 ? 0 : count - 1
    choose((index + count) % count, of: name, &context)
  }

  private mutating func restoreDefault(_ context: inout ScreenContext<Self>) {
    touched.insert(name)
    change(name, to: nil, &context)
  }

  // MARK: Numbers

  /// Returns the typed number; nil if it is not valid.
  private var typedNumber: Int? {
    guard let number, let value = Int(number.text), name.numbers?.contains(value) == true else { return nil }
    return value
  }

  private mutating func edit<Result>(_ context: inout ScreenContext<Self>, _ change: (inout TextField) -> Result) -> Result? {
    guard name.numbers != nil else { return nil }
    var field = number ?? TextField()
    let result = change(&field)
    guard field.characters.allSatisfy({ ("0"..."9").contains($0) }), field.characters.count <= Self.mostDigits else { return nil }
    if number == nil { formerChanges = changes }
    number = field
    touched.insert(name)
    if let typed = typedNumber { self.change(name, to: .number(typed), &context) }
    return result
  }

  private static let mostDigits = 9

  /// Ends typing; returns false, with a notice, if the number is not valid.
  private mutating func endTyping(_ context: inout ScreenContext<Self>) -> Bool {
    guard let field = number else { return true }
    if typedNumber == nil, let complaint = name.complaint(about: .number(Int(field.text) ?? -1)), !field.isEmpty {
      context.notify(complaint, .warning)
      return false
    }
    number = nil
    return true
  }

  // MARK: Moving

  private mutating func move(by step: Int, _ context: inout ScreenContext<Self>) {
    if endTyping(&context) { cursor.move(by: step, of: names.count) }
  }

  mutating func select(_ name: SettingName, _ context: inout ScreenContext<Self>) {
    if endTyping(&context), let index = names.firstIndex(of: name) { cursor.move(to: index, of: names.count) }
  }
}

extension SettingsScreen: Screen {
  func keyContext(in workspace: Workspace) -> KeyContext { number == nil ? .settings : .bar }
  func helpTitle(in workspace: Workspace) -> String { number == nil ? "Keys \(KeyContext.settings.place)" : "Keys in a line of text" }
  func purpose(in workspace: Workspace) -> String {
    "Changes the settings of config.toml. You see the effect at once; nothing is written before you save. Esc restores the former settings."
  }
  func backOutHint(in workspace: Workspace) -> String? { "restore" }
  func position(_ environment: ScreenEnvironment) -> String? {
    guard name == .theme, let index = choices(of: .theme, environment)?.chosen, index < themes.count else { return nil }
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
      hintedWhen: { screen, _ in screen.number == nil }
    ) { screen, context, count in
      screen.choose(by: count ?? 1, &context)
    },
    CommandBinding(.previousChoice, "Choose the previous value", keys: [.settings: ["left", "h"]]) { screen, context, count in
      screen.choose(by: -(count ?? 1), &context)
    },
    CommandBinding(
      .restoreDefault, "Restore the default, without a line in the file", brief: "Restore the default",
      keys: [.settings: ["d", "delete", "backspace"]], hint: "default", hintedWhen: { screen, _ in screen.number == nil }
    ) { screen, context, _ in
      screen.restoreDefault(&context)
    },
    CommandBinding(.refresh, "Read the file again", keys: [.settings: ["R"]]) { screen, context, _ in screen.load(&context) },
  ]

  private static let moves: [CommandBinding<Self>] =
    CommandBinding.lineMotions(in: .settings, count: \.names.count) { screen, context, count in screen.move(by: count, &context) } + [
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

  /// Ends typing a number, and restores the number before it.
  mutating func backOut(_ context: inout ScreenContext<Self>) -> Bool {
    guard number != nil else { return false }
    number = nil
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
      case .failure(let problem): screen.problem = problem
      }
    }
  }

  /// Shows the settings of the file; the changes remain.
  private mutating func receive(_ file: SettingsFileText, _ context: inout ScreenContext<Self>) {
    self.file = file
    inFile = Settings(fileText: file.text, file: file.path)
    let fault = ConfigurationDocument(text: file.text, file: file.path).warnings.first
    problem = fault.map(Problem.init(unreadable:))
    for (name, value) in changes where value == inFile.fileValue(of: name) && inFile.fault(of: name) == nil { changes[name] = nil }
    show(&context)
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
    let changed = names.filter { changes[$0] != nil }
    let later = changed.filter { before[$0] == nil }.map(\.rawValue).joined(separator: " and ")
    let rest = later.isEmpty ? "" : "; \(later) takes effect when you open the next database"
    context.notifyLast("wrote \(changed.map(\.rawValue).joined(separator: ", ")) to \(PathText.shown(file.path))\(rest)", .success)
  }
}

extension SettingName {
  /// The amount by which an arrow key changes a number.
  fileprivate var step: Int { self == .changesLimit ? 64 : 1 }
}

extension Browser {
  /// Opens the form with the settings, unless it is open.
  mutating func showSettings() {
    if !overlays.all.contains(where: { $0.screen is SettingsScreen }) {
      present(SettingsScreen(options.settings, live: live, themes: themes.names))
    }
  }
}
