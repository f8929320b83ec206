internal import Essentials
internal import QuarryEngine

/// The texts of the configuration files.
package struct ConfigurationFiles: Hashable, Sendable {
  /// A file that has been read.
  package struct File: Hashable, Sendable {
    package var path: String
    package var text: String

    package init(path: String, text: String) {
      self.path = path
      self.text = text
    }
  }

  package var settings: File?
  package var keymap: File?
  package var themes: [ThemeSource] = []
  /// The files that could not be read.
  package var warnings: [ConfigurationWarning] = []

  package init() {}

  /// Reads the files at `locations`; a missing file is nil, and an unreadable file causes a warning.
  package init(at locations: Locations) {
    settings = locations.settingsFile.flatMap { read($0) }
    keymap = locations.keymapFile.flatMap { read($0) }
    guard let folder = locations.themesFolder else { return }
    for name in Self.names(in: folder) where name.hasSuffix(".toml") && !name.hasPrefix(".") {
      guard let file = read("\(folder)/\(name)") else { continue }
      themes.append(ThemeSource(path: file.path, text: file.text))
    }
  }

  /// The size limit of a configuration file.
  private static let mostBytes = 1 << 20

  private mutating func read(_ path: String) -> File? {
    do throws(ConfigurationWarning) {
      return try Self.file(at: path)
    } catch {
      warnings.append(error)
      return nil
    }
  }

  /// Reads a configuration file; nil if it does not exist.
  ///
  /// - Throws: `ConfigurationWarning` if it cannot be read.
  static func file(at path: String) throws(ConfigurationWarning) -> File? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let data: [UInt8]
    do throws(SystemError) {
      data = try OpenFile.contents(of: path, limit: mostBytes + 1)
    } catch {
      throw ConfigurationWarning(
        file: path, line: nil, message: "the file cannot be read (\(error)); check the path and its permissions")
    }
    guard data.count <= mostBytes else {
      throw ConfigurationWarning(file: path, line: nil, message: "the file is larger than 1 MiB and is ignored")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw ConfigurationWarning(file: path, line: nil, message: "the file is not UTF-8 and is ignored; save it as UTF-8")
    }
    return File(path: path, text: text)
  }

  private static func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? []
  }
}

extension ThemeSource {
  /// Creates a user's theme, which is named after its file.
  package init(path: String, text: String) {
    let file = path.split(separator: "/").last ?? ""
    self.init(name: String(file.hasSuffix(".toml") ? file.dropLast(5) : file), origin: .file(path), text: text)
  }
}

/// The locations of the program's files, according to the XDG base directory specification, also on macOS.
package struct Locations: Hashable, Sendable {
  /// The folder of `config.toml`, `keys.toml` and `themes`; nil without the variable and HOME.
  package let configuration: String?
  /// The folder of the user's own data: `statements`.
  package let data: String?
  /// The folder of the program's state: history, parameter values, views, texts in the editor.
  package let state: String?

  package init(environment: [String: String]) {
    configuration = Self.folder("XDG_CONFIG_HOME", or: ".config", environment)
    data = Self.folder("XDG_DATA_HOME", or: ".local/share", environment)
    state = Self.folder("XDG_STATE_HOME", or: ".local/state", environment)
  }

  package var settingsFile: String? { configuration.map { "\($0)/config.toml" } }
  package var keymapFile: String? { configuration.map { "\($0)/keys.toml" } }
  package var themesFolder: String? { configuration.map { "\($0)/themes" } }
  package var statementsFolder: String? { data.map { "\($0)/statements" } }
  package var historyFile: String? { state.map { "\($0)/history" } }
  package var changesFolder: String? { state.map { "\($0)/changes" } }
  package var recentFile: String? { state.map { "\($0)/recent" } }

  /// Returns a folder of the program; a relative path in a variable is ignored, as the specification demands.
  private static func folder(_ variable: String, or fallback: String, _ environment: [String: String]) -> String? {
    if let path = environment[variable], path.hasPrefix("/") { return "\(path)/quarry" }
    return home(environment).map { "\($0)/\(fallback)/quarry" }
  }

  private static func home(_ environment: [String: String]) -> String? {
    environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// Returns the folder for which `~` stands: as in a shell, HOME comes before the folder of the account.
  package static func homeFolder(_ environment: [String: String]) -> String {
    home(environment).map { URL(fileURLWithPath: $0).path } ?? FileManager.default.homeDirectoryForCurrentUser.path
  }

  static var homeFolder: String { homeFolder(ProcessInfo.processInfo.environment) }
}
