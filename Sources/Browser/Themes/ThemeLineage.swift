internal import Terminal

/// A theme file and the files that it inherits from, starting with the heir.
struct ThemeLineage {
  private let name: String
  /// The names of the themes, starting with the heir.
  private(set) var names: [String] = []
  private var files: [ThemeFile] = []

  init(_ source: ThemeSource, in catalog: ThemeCatalog) {
    name = source.name
    var visited: Set<ThemeSource.Origin> = []
    var next: ThemeSource? = source
    while let source = next {
      visited.insert(source.identity)
      names.append(source.name)
      var file = ThemeFile(name: source.name, file: source.file, text: source.text)
      next = Self.parent(of: &file, source, visited: visited, catalog)
      files.append(file)
    }
  }

  /// Returns the theme, in which each heir's palette and looks override its parent's, and the faults in all files.
  func theme() -> (theme: Theme, warnings: [ConfigurationWarning]) {
    let palette = files.reversed().reduce(into: [:]) { $0.merge($1.palette) { _, heir in heir } }
    var looks: [Role: RoleLook] = [:]
    var warnings: [ConfigurationWarning] = []
    for var file in files.reversed() {
      looks.merge(file.resolvedLooks(palette: palette)) { $0.overridden(by: $1) }
      warnings = file.warnings.sorted { ($0.line ?? 0) < ($1.line ?? 0) } + warnings
    }
    return (Theme(name: name, looks: looks), warnings)
  }

  private static func parent(
    of file: inout ThemeFile, _ source: ThemeSource, visited: Set<ThemeSource.Origin>, _ catalog: ThemeCatalog
  ) -> ThemeSource? {
    guard let entry = file.parent, case .text(let name) = entry.value else { return nil }
    guard let candidate = name == source.name ? source : catalog.source(named: name) else {
      file.warn(entry, catalog.complaint(about: name))
      return nil
    }
    if !visited.contains(candidate.identity) { return candidate }
    // A user's file with the name of a built-in theme may inherit from that theme.
    if let builtIn = ThemeSource(builtIn: name), !visited.contains(builtIn.identity) { return builtIn }
    file.warn(entry, "\"\(source.name)\" inherits from itself through \"\(name)\"; remove one \"inherits\"")
    return nil
  }
}

extension ThemeSource {
  /// The identity of the source.
  fileprivate var identity: Origin {
    origin == .builtIn ? .file("built-in/\(name)") : origin
  }
}

/// A theme's text and its origin.
package struct ThemeSource: Hashable, Sendable {
  package enum Origin: Hashable, Sendable {
    case builtIn
    /// The path of the user's file.
    case file(String)
  }

  /// The name of the theme: the name of the file without `.toml`.
  package var name: String
  package var origin: Origin
  package var text: String

  package init(name: String, origin: Origin, text: String) {
    self.name = name
    self.origin = origin
    self.text = text
  }

  /// Finds the built-in theme with a name; nil if it does not exist.
  init?(builtIn name: String) {
    guard let text = BuiltInThemes.text(of: name) else { return nil }
    self.init(name: name, origin: .builtIn, text: text)
  }

  /// The file's name in warnings.
  var file: String {
    switch origin {
    case .builtIn: "built-in theme \(name)"
    case .file(let path): path
    }
  }
}
