/// The findings of `quarry config --check FILE`.
package struct ConfigurationCheck: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable { case settings, keymap, theme }

  package let kind: Kind
  package let warnings: [ConfigurationWarning]

  /// Checks a file as the kind that its name, its folder or its content indicates.
  ///
  /// - Parameter themes: The themes that themes can inherit from and that settings can name.
  package init(_ file: ConfigurationFiles.File, themes: ThemeCatalog = ThemeCatalog()) {
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

/// A fault in a theme, a keymap or the settings, with its position and a correction.
///
/// The rest of the file is used.
package struct ConfigurationWarning: Error, Hashable {
  /// The file: its path, or the name of a built-in theme.
  package var file: String
  /// The line, from 1; nil if the fault is not in a single line.
  package var line: Int?
  package var message: String

  package init(file: String, line: Int?, message: String) {
    self.file = file
    self.line = line
    self.message = message
  }
}

extension ConfigurationWarning: CustomStringConvertible {
  /// The warning as one line: `keys.toml:12: …`.
  package var description: String {
    guard let line else { return "\(file): \(message)" }
    return "\(file):\(line): \(message)"
  }
}
