extension Settings {
  /// The settings in force as `config.toml` would write them, with where each came from: what `quarry config` prints.
  public var listing: String {
    let lines = SettingName.allCases.map { name in (text: "\(name.rawValue) = \(self[name].value)", origin: self[name].origin) }
    let width = lines.map(\.text.count).max() ?? 0
    return lines.map { "\($0.text)\(String(repeating: " ", count: width - $0.text.count))  # \($0.origin)\n" }.joined()
  }

  /// The default `config.toml`, every line of it a comment, so that who copies it keeps the defaults.
  public static let defaultText: String = {
    let settings = SettingName.allCases.map { "\n# \($0.help).\n# \($0.rawValue) = \($0.standard)\n" }
    return "# The settings of quarry: $XDG_CONFIG_HOME/quarry/config.toml, or ~/.config/quarry/config.toml.\n" + settings.joined()
  }()
}
