/// What `quarry config --check FILE` finds.
public struct ConfigurationCheck: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable { case settings, keymap, theme }

  public let kind: Kind
  public let warnings: [ConfigurationWarning]

  /// Checks a file as what its name, its folder or else its content says it is.
  ///
  /// - Parameter themes: Those that a theme may inherit from and settings may name.
  public init(_ file: ConfigurationFiles.File, themes: ThemeCatalog = ThemeCatalog()) {
    kind = Self.kind(of: file)
    switch kind {
    case .keymap:
      warnings = Keymap(userText: file.text, file: file.path).warnings
    case .theme:
      warnings = themes.theme(from: ThemeSource(path: file.path, text: file.text)).warnings
    case .settings:
      let settings = Settings(fileText: file.text, file: file.path)
      warnings = settings.warnings + themes.theme(chosenBy: settings).warnings.filter { $0.file == file.path }
    }
  }

  private static func kind(of file: ConfigurationFiles.File) -> Kind {
    let parts = file.path.split(separator: "/")
    switch parts.last {
    case "keys.toml": return .keymap
    case "config.toml": return .settings
    default: return parts.dropLast().last == "themes" ? .theme : kind(ofText: file.text)
    }
  }

  private static func kind(ofText text: String) -> Kind {
    let keys = ConfigurationDocument(text: text, file: "").entries.map(\.key)
    if keys.contains(where: { CommandList.standard.context(named: $0) != nil }) { return .keymap }
    let isTheme = keys.contains { ["name", "inherits", "palette"].contains($0) || Role(rawValue: $0) != nil }
    return isTheme ? .theme : .settings
  }
}
