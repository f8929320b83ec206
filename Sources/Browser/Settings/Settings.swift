internal import QuarryChanges
internal import QuarryEngine

/// The current settings, each with its origin.
///
/// The command line overrides `config.toml`, which overrides the environment (NO_COLOR as on no-color.org), which overrides the defaults.
package struct Settings: Hashable, Sendable {
  package enum Origin: Hashable, Sendable {
    case standard
    /// The file's path and line.
    case file(String, line: Int?)
    /// The name of the variable.
    case environment(String)
    /// The option as typed.
    case commandLine(String)
  }

  package struct Setting: Hashable, Sendable {
    package var value: SettingValue
    package var origin: Origin
  }

  /// The faults in the file.
  package private(set) var warnings: [ConfigurationWarning] = []
  private var settings: [SettingName: Setting] = [:]
  /// The faults of single settings, with their lines.
  private var faults: [SettingKey: ConfigurationWarning] = [:]
  private let environment: [String: String]
  private let arguments: [SettingName: SettingValue]
  private var labels: [String: Setting] = [:]

  /// Resolves the settings.
  ///
  /// - Parameter arguments: The settings on the command line.
  package init(
    fileText: String? = nil, file: String = "config.toml", environment: [String: String] = [:], arguments: [SettingName: SettingValue] = [:]
  ) {
    self.environment = environment.filter { $0.key == Self.noColor }
    self.arguments = arguments
    if let value = environment[Self.noColor], !value.isEmpty {
      settings[.theme] = Setting(value: .text(Theme.fallback.name), origin: .environment(Self.noColor))
    }
    if let fileText { read(ConfigurationDocument(text: fileText, file: file)) }
    for (name, value) in arguments {
      settings[name] = Setting(value: value, origin: .commandLine(name.option(for: value)))
    }
  }

  private static let labelPrefix = "\(SettingKey.labels)."
  private static let noColor = "NO_COLOR"

  /// Returns the settings with the text of another file, and the same environment and command line.
  func reading(_ text: String, file: String) -> Settings {
    Settings(fileText: text, file: file, environment: environment, arguments: arguments)
  }

  /// Returns the value that a setting has if neither the file nor the command line sets it.
  func fallback(of name: SettingName) -> SettingValue {
    Settings(environment: environment)[name].value
  }

  /// Returns what the file sets a key to, with its line; nil if the file does not set it.
  func fileSetting(of key: SettingKey) -> Setting? {
    let setting: Setting? =
      switch key {
      case .setting(let name): self[name]
      case .label(let table): labels.first { $0.key.lowercased() == table.lowercased() }?.value
      }
    if let setting, case .file = setting.origin { return setting }
    return nil
  }

  /// Returns the value of a key in the file; nil if the file does not set it.
  package func fileValue(of key: SettingKey) -> SettingValue? { fileSetting(of: key)?.value }

  /// Returns the fault of a key's value in the file; nil if the file sets it correctly or not at all.
  func fault(of key: SettingKey) -> ConfigurationWarning? {
    if case .label(let table) = key { faults[.label(table: table.lowercased())] } else { faults[key] }
  }

  /// The names of the tables for which the file contains label columns or something else in their place.
  var labelledTables: [String] {
    let faulty = faults.keys.compactMap { if case .label(let table) = $0 { table } else { nil } }
    return labels.keys + faulty
  }

  /// Returns a setting and its origin.
  package subscript(name: SettingName) -> Setting {
    settings[name] ?? Setting(value: name.standard, origin: .standard)
  }

  package var theme: String {
    if case .text(let name) = self[.theme].value { name } else { BuiltInThemes.standard }
  }

  package var mouse: Bool { self[.mouse].value == .flag(true) }

  package var ascii: Bool { self[.ascii].value == .flag(true) }

  package var hidesEmptyTimes: Bool { self[.hideEmptyTimes].value == .flag(true) }

  package var catalogWidth: Int {
    if case .number(let columns) = self[.catalogWidth].value { columns } else { SettingName.catalogWidths.lowerBound }
  }

  /// Whether committed changes are recorded, so that they can be undone.
  package var recordsChanges: Bool { self[.recordChanges].value == .flag(true) }

  /// The largest total size of the records of one database, in bytes.
  package var changesLimit: Int {
    if case .number(let size) = self[.changesLimit].value { size << 20 } else { ChangeLogFolder.standardLimit }
  }

  /// The configured label columns of tables, by the table's name in lowercase.
  package var labelColumns: [String: [String]] {
    Dictionary(
      labels.compactMap { table, setting in
        guard case .text(let names) = setting.value else { return nil }
        return (table.lowercased(), Self.labelColumns(in: names))
      }
    ) { $1 }
  }

  /// Returns the columns in a text such as `LastName, FirstName`.
  static func labelColumns(in text: String) -> [String] {
    text.split(separator: ",").map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
  }

  private mutating func read(_ document: ConfigurationDocument) {
    warnings = document.warnings
    for entry in document.entries.flatMap(\.settings) {
      if let complaint = apply(entry, from: document.file) {
        warnings.append(ConfigurationWarning(file: document.file, line: entry.line, message: complaint))
      }
    }
    warnings.sort { ($0.line ?? 0) < ($1.line ?? 0) }
  }

  /// Applies an entry; returns the fault if it is invalid.
  private mutating func apply(_ entry: ConfigurationDocument.Entry, from file: String) -> String? {
    if entry.key.hasPrefix(Self.labelPrefix) {
      let table = String(entry.key.dropFirst(Self.labelPrefix.count))
      guard case .text(let columns) = entry.value else {
        let complaint = "\"\(entry.key)\" is \(entry.value.kind); write the names of columns in quotes"
        faults[.label(table: table.lowercased())] = ConfigurationWarning(file: file, line: entry.line, message: complaint)
        return complaint
      }
      labels[table] = Setting(value: .text(columns), origin: .file(file, line: entry.line))
      return nil
    }
    guard let name = SettingName(rawValue: entry.key) else {
      let names = SettingName.allCases.map(\.rawValue)
      let offer = NearestNames.to(entry.key, among: names).first.map { "did you mean \"\($0)\"?" }
      return "there is no setting \"\(entry.key)\"; \(offer ?? "there are \(names.joined(separator: ", "))")"
    }
    if let complaint = name.complaint(about: entry.value) {
      faults[.setting(name)] = ConfigurationWarning(file: file, line: entry.line, message: complaint)
      return complaint
    }
    guard let value = SettingValue(entry.value) else { return nil }
    settings[name] = Setting(value: value, origin: .file(file, line: entry.line))
    return nil
  }
}

extension ConfigurationDocument.Entry {
  /// The entry itself; for a table, its entries with their full names, such as `changes.limit`.
  fileprivate var settings: [Self] {
    guard case .table(let entries) = value, !entries.isEmpty else { return [self] }
    return entries.map { Self(key: "\(key).\($0.key)", value: $0.value, line: $0.line) }
  }
}

extension Settings.Origin: CustomStringConvertible {
  package var description: String {
    switch self {
    case .standard: "default"
    case .file(let path, line: let line?): "\(path):\(line)"
    case .file(let path, line: nil): path
    case .environment(let variable): variable
    case .commandLine(let option): option
    }
  }
}

extension SettingName {
  /// Returns the option of the setting, as typed.
  fileprivate func option(for value: SettingValue) -> String {
    if self == .recordChanges { return "--no-changes" }
    return value == .flag(false) ? "--no-\(rawValue)" : "--\(rawValue)"
  }
}

extension Settings {
  /// The current settings in the format of `config.toml`, with their origins: the output of `quarry config`.
  package var listing: String {
    let lines =
      SettingName.allCases.map { name in (text: "\(name.rawValue) = \(self[name].value)", origin: self[name].origin) }
      + labels.sorted { $0.key < $1.key }.map { table, setting in
        (text: "\(Self.labelPrefix)\(TOMLText.quoted(table)) = \(setting.value)", origin: setting.origin)
      }
    let width = lines.map(\.text.count).max() ?? 0
    return lines.map { "\($0.text)\(String(repeating: " ", count: width - $0.text.count))  # \($0.origin)\n" }.joined()
  }

  private static let labelText = """

    # The columns that name the rows of a table in the foreign key lens. By default, they are chosen by their names.
    # [labels]
    # Customer = "LastName, FirstName"

    """

  /// The default `config.toml`, commented out, so that a copy of it does not change the defaults.
  package static let defaultText: String = {
    let settings = SettingName.allCases.map { "\n# \($0.help).\n# \($0.rawValue) = \($0.standard)\n" }
    let title = "# The settings of quarry: $XDG_CONFIG_HOME/quarry/config.toml, or ~/.config/quarry/config.toml.\n"
    return title + settings.joined() + labelText
  }()
}

/// The preferences of the user: settings, theme and keys, with their faults.
package struct Preferences: Sendable {
  package let settings: Settings
  package let themes: ThemeCatalog
  /// The theme of the settings, or the default if that theme does not exist.
  package let theme: Theme
  package let keymap: Keymap
  package let warnings: [ConfigurationWarning]

  /// Resolves the preferences.
  ///
  /// - Parameter arguments: The settings on the command line.
  package init(
    files: ConfigurationFiles = ConfigurationFiles(), environment: [String: String] = [:], arguments: [SettingName: SettingValue] = [:]
  ) {
    settings = Settings(files: files, environment: environment, arguments: arguments)
    themes = ThemeCatalog(userThemes: files.themes)
    keymap = files.keymap.map { Keymap(userText: $0.text, file: $0.path) } ?? Keymap()
    let chosen = themes.theme(chosenBy: settings)
    theme = chosen.theme
    warnings = files.warnings + settings.warnings + chosen.warnings + keymap.warnings
  }
}

extension Settings {
  /// Resolves the settings of the files, without the keys and themes in them.
  package init(files: ConfigurationFiles, environment: [String: String], arguments: [SettingName: SettingValue] = [:]) {
    self.init(fileText: files.settings?.text, file: files.settings?.path ?? "config.toml", environment: environment, arguments: arguments)
  }
}

extension ThemeCatalog {
  /// Returns the theme named in `settings`; the default theme and a warning if it does not exist.
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
