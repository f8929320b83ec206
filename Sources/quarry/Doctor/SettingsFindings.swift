internal import Browser

/// The checks of the settings, the keys and the themes.
struct SettingsFindings {
  private let locations: Locations
  private let files: ConfigurationFiles
  private let warnings: [ConfigurationWarning]

  init(environment: [String: String]) {
    locations = Locations(environment: environment)
    files = ConfigurationFiles(at: locations)
    let chosen = Preferences(files: files, environment: environment)
    let themes = files.themes.flatMap { chosen.themes.theme(from: $0).warnings }
    var all: [ConfigurationWarning] = []
    for warning in chosen.warnings + themes where !all.contains(warning) { all.append(warning) }
    warnings = all
  }

  var all: [Finding] {
    let faults = warnings.map { warning in
      Finding(.fault, "settings", warning.description, fix: "correct the file; `quarry config --check FILE` checks it again")
    }
    return present + faults
  }

  private var present: [Finding] {
    let read = [files.settings, files.keymap].compactMap(\.self).map(\.path) + files.themes.compactMap(\.path)
    let sound = read.filter { path in !warnings.contains { $0.file == path } }
    if !sound.isEmpty { return sound.map { Finding(.fine, "settings", $0) } }
    guard warnings.isEmpty else { return [] }
    return [Finding(.fine, "settings", "none, so the defaults apply" + (locations.settingsFile.map { " (no \($0))" } ?? ""))]
  }
}

extension ThemeSource {
  /// The path of a user's theme, or nil for a built-in one.
  fileprivate var path: String? {
    if case .file(let path) = origin { path } else { nil }
  }
}
