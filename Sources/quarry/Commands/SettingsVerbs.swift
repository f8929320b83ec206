internal import ArgumentParser
internal import Browser
internal import Essentials

struct ConfigVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Print the current settings and where each comes from, or check a file.")

  @Option(
    help: ArgumentHelp("Check a theme, a keymap or settings. Exit with status 2 on errors.", valueName: "file"), completion: .file())
  var check: String?

  @Flag(name: .customLong("default"), help: "Print the default config.toml.")
  var printsDefault = false

  func validate() throws {
    if check != nil, printsDefault { throw ValidationError("--check or --default, not both") }
  }

  func run() throws {
    if let check { return try run(check) }
    if printsDefault { return try StandardOutput.write(Settings.defaultText) }
    let choices = Preferences.ofThisPerson()
    try StandardOutput.write(choices.settings.listing)
    for warning in choices.warnings { StandardError.write("quarry: \(warning)\n") }
  }

  private func run(_ path: String) throws {
    guard let file = TextFile(path: path) else { throw Failure(status: .cannotOpen, message: "“\(path)” cannot be read") }
    let text = try file.text(named: "“\(path)”")
    let found = ConfigurationCheck(.init(path: path, text: text), themes: Preferences.ofThisPerson().themes)
    guard !found.warnings.isEmpty else { return }
    try StandardOutput.write(found.warnings.map { "\($0)\n" }.joined())
    throw Failure(status: .usage, message: nil)
  }
}

struct KeysVerb: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "keys", abstract: "List the current keys, including your own.")

  @Flag(name: .customLong("default"), help: "Print the default keys as a keys.toml.")
  var printsDefault = false

  func run() throws {
    try StandardOutput.write(printsDefault ? Keymap.defaultText : Preferences.ofThisPerson().keymap.listing)
  }
}

struct ThemesVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "themes", abstract: "List the themes and where each comes from. The current theme is marked.")

  @Flag(name: .customLong("default"), help: "Print the default theme, as a start for your own.")
  var printsDefault = false

  func run() throws {
    if printsDefault { return try StandardOutput.write(ThemeCatalog.defaultText) }
    let choices = Preferences.ofThisPerson()
    try StandardOutput.write(choices.themes.listing(chosen: choices.settings.theme))
  }
}

extension Preferences {
  /// Reads the user's preferences.
  ///
  /// `arguments` are the settings on the command line.
  static func ofThisPerson(arguments: [SettingName: SettingValue] = [:]) -> Preferences {
    Preferences(files: .ofThisPerson(), environment: ProcessInfo.processInfo.environment, arguments: arguments)
  }
}

extension Settings {
  /// Reads the user's settings, which takes less time than all preferences.
  static func ofThisPerson() -> Settings {
    Settings(files: .ofThisPerson(), environment: ProcessInfo.processInfo.environment)
  }
}

extension ConfigurationFiles {
  /// Reads the user's files: the ones of this machine, or the ones sent by the user's machine through ssh.
  fileprivate static func ofThisPerson() -> ConfigurationFiles {
    SSHSession.current.map { Self($0.preferences) } ?? Self(at: Locations(environment: ProcessInfo.processInfo.environment))
  }
}
