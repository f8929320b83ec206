/// A request that reads the file of the settings.
struct LoadSettings: Request {
  var slot: RequestSlot? { RequestSlot("settings") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> SettingsFileText {
    let file = try services.storage.requireSettings()
    return SettingsFileText(path: file.path, text: try file.read())
  }
}

/// An action that writes settings to their file, unless the file has changed since it was read.
struct SaveSettings: Action {
  let changes: [SettingKey: SettingValue?]
  /// The text that the changes are based on.
  let known: String

  var queue: ActionQueue { ActionQueue("settings") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> SettingsFile.Outcome {
    try services.storage.requireSettings().write(changes, over: known)
  }
}

/// The file of the settings, and its text.
struct SettingsFileText: Hashable, Sendable {
  var path: String
  var text: String
}

extension Storage {
  /// Returns the file of the settings.
  ///
  /// - Throws: `Problem` if the settings have no file.
  fileprivate func requireSettings() throws(Problem) -> SettingsFile {
    if let settings { return settings }
    throw Problem(settingsRefusal ?? "the settings have no file: set HOME or XDG_CONFIG_HOME, and start quarry again")
  }
}
