/// Where the program's files lie, by the XDG base directory specification, also on macOS.
public struct Locations: Hashable, Sendable {
  /// The folder of `config.toml`, `keys.toml` and `themes`; nil where there is neither a variable nor a home.
  public let configuration: String?
  /// The folder of what a person keeps: `statements`.
  public let data: String?
  /// The folder of what the program remembers: history, parameter values, view state, buffers.
  public let state: String?

  public init(environment: [String: String]) {
    configuration = Self.folder("XDG_CONFIG_HOME", or: ".config", environment)
    data = Self.folder("XDG_DATA_HOME", or: ".local/share", environment)
    state = Self.folder("XDG_STATE_HOME", or: ".local/state", environment)
  }

  public var settingsFile: String? { configuration.map { "\($0)/config.toml" } }
  public var keymapFile: String? { configuration.map { "\($0)/keys.toml" } }
  public var themesFolder: String? { configuration.map { "\($0)/themes" } }
  public var statementsFolder: String? { data.map { "\($0)/statements" } }
  public var historyFile: String? { state.map { "\($0)/history" } }

  /// The specification has a relative path ignored.
  private static func folder(_ variable: String, or fallback: String, _ environment: [String: String]) -> String? {
    if let path = environment[variable], path.hasPrefix("/") { return "\(path)/quarry" }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return "\(home)/\(fallback)/quarry"
  }
}
