internal import QuarryEngine

/// The themes there are: the built-in ones, and the user's own, which win by name.
public struct ThemeCatalog: Sendable {
  private let userThemes: [String: ThemeSource]

  public init(userThemes: [ThemeSource] = []) {
    self.userThemes = Dictionary(userThemes.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
  }

  /// The names in alphabetical order.
  public var names: [String] {
    Set(BuiltInThemes.names).union(userThemes.keys).sorted()
  }

  /// Returns where the theme of that name lies; nil where there is none.
  public func origin(of name: String) -> ThemeSource.Origin? {
    userThemes[name]?.origin ?? (BuiltInThemes.names.contains(name) ? .builtIn : nil)
  }

  /// Returns the theme of that name and what was wrong in its file; nil where there is none.
  ///
  /// Only this theme, and those that it inherits from, are parsed.
  public func theme(named name: String) -> (theme: Theme, warnings: [ConfigurationWarning])? {
    guard let source = source(named: name) else { return nil }
    return ThemeLineage(source, in: self).theme()
  }

  /// Returns the theme that `source` describes, whether or not it is one of these, and what was wrong in it.
  public func theme(from source: ThemeSource) -> (theme: Theme, warnings: [ConfigurationWarning]) {
    ThemeLineage(source, in: self).theme()
  }

  /// Returns what to tell somebody who asked for a theme that does not exist.
  public func complaint(about name: String) -> String {
    let offer = NearestNames.to(name, among: names).first.map { "did you mean \"\($0)\"?" }
    return "there is no theme \"\(name)\"; \(offer ?? "there are \(names.joined(separator: ", "))")"
  }

  func source(named name: String) -> ThemeSource? {
    userThemes[name] ?? ThemeSource(builtIn: name)
  }
}

extension ThemeCatalog {
  /// The themes with where each lies, a line each: what `quarry themes` prints.
  ///
  /// The one in force has a mark.
  public func listing(chosen: String) -> String {
    let width = names.map(\.count).max() ?? 0
    return names.map { name in
      let padding = String(repeating: " ", count: width - name.count)
      return "\(name == chosen ? "*" : " ") \(name)\(padding)  \(place(of: name))\n"
    }.joined()
  }

  /// The default theme as a file, to begin one's own with.
  public static var defaultText: String { BuiltInThemes.text(of: BuiltInThemes.standard) ?? "" }

  private func place(of name: String) -> String {
    if case .file(let path)? = origin(of: name) { path } else { "built in" }
  }
}

/// The themes in the binary: the files of the folder `themes`.
enum BuiltInThemes {
  /// The theme of somebody who chose none.
  static let standard = "quarry-dark"

  /// Returns the text of the theme of that name.
  static func text(of name: String) -> String? {
    files[name].map { String(decoding: $0(), as: UTF8.self) }
  }

  static var names: [String] { files.keys.sorted() }

  /// Functions, since reading a file's bytes builds them.
  private static let files: [String: @Sendable () -> [UInt8]] = [
    "catppuccin-mocha": { PackageResources.catppuccin_mocha_toml },
    "dracula": { PackageResources.dracula_toml },
    "gruvbox-dark": { PackageResources.gruvbox_dark_toml },
    "high-contrast": { PackageResources.high_contrast_toml },
    "mono": { PackageResources.mono_toml },
    "nord": { PackageResources.nord_toml },
    "quarry-dark": { PackageResources.quarry_dark_toml },
    "quarry-light": { PackageResources.quarry_light_toml },
    "solarized-dark": { PackageResources.solarized_dark_toml },
    "solarized-light": { PackageResources.solarized_light_toml },
    "terminal": { PackageResources.terminal_toml },
  ]
}
