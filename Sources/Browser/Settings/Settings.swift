internal import QuarryEngine

/// The settings in force, each with where it came from.
///
/// The command line goes before `config.toml`, that before the environment (as no-color.org asks of NO_COLOR), that before the defaults.
public struct Settings: Hashable, Sendable {
  public enum Origin: Hashable, Sendable {
    case standard
    /// The file's path and the line in it.
    case file(String, line: Int?)
    /// The name of the variable.
    case environment(String)
    /// The option as it is typed.
    case commandLine(String)
  }

  public struct Setting: Hashable, Sendable {
    public var value: SettingValue
    public var origin: Origin
  }

  /// What was wrong in the file.
  public private(set) var warnings: [ConfigurationWarning] = []
  private var settings: [SettingName: Setting] = [:]

  /// - Parameter arguments: What the command line says.
  public init(
    fileText: String? = nil, file: String = "config.toml", environment: [String: String] = [:], arguments: [SettingName: SettingValue] = [:]
  ) {
    if let value = environment["NO_COLOR"], !value.isEmpty {
      settings[.theme] = Setting(value: .text(Theme.fallback.name), origin: .environment("NO_COLOR"))
    }
    if let fileText { read(ConfigurationDocument(text: fileText, file: file)) }
    for (name, value) in arguments {
      settings[name] = Setting(value: value, origin: .commandLine(name.option(for: value)))
    }
  }

  /// Returns a setting and where it came from.
  public subscript(name: SettingName) -> Setting {
    settings[name] ?? Setting(value: name.standard, origin: .standard)
  }

  public var theme: String {
    if case .text(let name) = self[.theme].value { name } else { BuiltInThemes.standard }
  }

  public var mouse: Bool { self[.mouse].value == .flag(true) }

  public var ascii: Bool { self[.ascii].value == .flag(true) }

  public var catalogWidth: Int {
    if case .number(let columns) = self[.catalogWidth].value { columns } else { SettingName.catalogWidths.lowerBound }
  }

  private mutating func read(_ document: ConfigurationDocument) {
    warnings = document.warnings
    for entry in document.entries {
      if let complaint = take(entry, from: document.file) {
        warnings.append(ConfigurationWarning(file: document.file, line: entry.line, message: complaint))
      }
    }
    warnings.sort { ($0.line ?? 0) < ($1.line ?? 0) }
  }

  /// Takes an entry over, or returns what is wrong with it.
  private mutating func take(_ entry: ConfigurationDocument.Entry, from file: String) -> String? {
    guard let name = SettingName(rawValue: entry.key) else {
      let names = SettingName.allCases.map(\.rawValue)
      let offer = NearestNames.to(entry.key, among: names).first.map { "did you mean \"\($0)\"?" }
      return "there is no setting \"\(entry.key)\"; \(offer ?? "there are \(names.joined(separator: ", "))")"
    }
    if let complaint = name.complaint(about: entry.value) { return complaint }
    guard let value = SettingValue(entry.value) else { return nil }
    settings[name] = Setting(value: value, origin: .file(file, line: entry.line))
    return nil
  }
}

extension Settings.Origin: CustomStringConvertible {
  public var description: String {
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
  /// The option that sets it, as it is typed.
  fileprivate func option(for value: SettingValue) -> String {
    value == .flag(false) ? "--no-\(rawValue)" : "--\(rawValue)"
  }
}
