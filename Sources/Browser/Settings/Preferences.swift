/// All that a person has chosen: settings, theme and keys, with what was wrong in any of it.
public struct Preferences: Sendable {
  public let settings: Settings
  public let themes: ThemeCatalog
  /// The theme of the settings, or the default one where that does not exist.
  public let theme: Theme
  public let keymap: Keymap
  public let warnings: [ConfigurationWarning]

  /// - Parameter arguments: What the command line says.
  public init(
    files: ConfigurationFiles = ConfigurationFiles(), environment: [String: String] = [:], arguments: [SettingName: SettingValue] = [:]
  ) {
    settings = Settings(
      fileText: files.settings?.text, file: files.settings?.path ?? "config.toml", environment: environment, arguments: arguments)
    themes = ThemeCatalog(userThemes: files.themes)
    keymap = files.keymap.map { Keymap(userText: $0.text, file: $0.path) } ?? Keymap()
    let chosen = themes.theme(chosenBy: settings)
    theme = chosen.theme
    warnings = files.warnings + settings.warnings + chosen.warnings + keymap.warnings
  }
}

extension ThemeCatalog {
  /// Returns the theme that `settings` name; where there is none, the default one and a warning.
  func theme(chosenBy settings: Settings) -> (theme: Theme, warnings: [ConfigurationWarning]) {
    if let found = theme(named: settings.theme) { return found }
    let warning = ConfigurationWarning(setting: settings[.theme], message: complaint(about: settings.theme))
    let standard = theme(named: BuiltInThemes.standard)
    return (standard?.theme ?? .fallback, [warning] + (standard?.warnings ?? []))
  }
}

extension ConfigurationWarning {
  init(setting: Settings.Setting, message: String) {
    if case .file(let path, let line) = setting.origin {
      self.init(file: path, line: line, message: message)
    } else {
      self.init(file: setting.origin.description, line: nil, message: message)
    }
  }
}
