internal import QuarryEngine

/// The available themes: the built-in themes and the user's own, which override built-in themes of the same name.
package struct ThemeCatalog: Sendable {
  private let userThemes: [String: ThemeSource]

  package init(userThemes: [ThemeSource] = []) {
    self.userThemes = Dictionary(userThemes.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
  }

  /// The names in alphabetical order.
  package var names: [String] {
    Set(BuiltInThemes.names).union(userThemes.keys).sorted()
  }

  /// Returns the origin of the theme with a name; nil if it does not exist.
  package func origin(of name: String) -> ThemeSource.Origin? {
    userThemes[name]?.origin ?? (BuiltInThemes.names.contains(name) ? .builtIn : nil)
  }

  /// Returns the theme with a name, and the faults in its file; nil if it does not exist.
  ///
  /// Only this theme and the themes that it inherits from are parsed.
  package func theme(named name: String) -> (theme: Theme, warnings: [ConfigurationWarning])? {
    guard let source = source(named: name) else { return nil }
    return ThemeLineage(source, in: self).theme()
  }

  /// Returns the theme that `source` describes, whether or not it is in the catalog, and the faults in it.
  package func theme(from source: ThemeSource) -> (theme: Theme, warnings: [ConfigurationWarning]) {
    ThemeLineage(source, in: self).theme()
  }

  /// Returns the message about a theme that does not exist.
  package func complaint(about name: String) -> String {
    let offer = NearestNames.to(name, among: names).first.map { "did you mean \"\($0)\"?" }
    return "there is no theme \"\(name)\"; \(offer ?? "there are \(names.joined(separator: ", "))")"
  }

  /// Returns the comment in the first line of the theme's file; nil without a comment.
  package func remark(on name: String) -> String? {
    guard let line = source(named: name)?.text.prefix(while: { !$0.isNewline }), line.hasPrefix("# ") else { return nil }
    return String(line.dropFirst(2))
  }

  /// Returns the names of the user's themes that a theme consists of: itself, and the themes that it inherits from.
  package func userThemes(in name: String) -> [String] {
    source(named: name).map { ThemeLineage($0, in: self).names.filter { userThemes[$0] != nil } } ?? []
  }

  func source(named name: String) -> ThemeSource? {
    userThemes[name] ?? ThemeSource(builtIn: name)
  }
}

extension ThemeCatalog {
  /// Returns the themes with their origins, one per line: the output of `quarry themes`.
  ///
  /// The current theme is marked.
  package func listing(chosen: String) -> String {
    let width = names.map(\.count).max() ?? 0
    return names.map { name in
      let padding = String(repeating: " ", count: width - name.count)
      return "\(name == chosen ? "*" : " ") \(name)\(padding)  \(location(of: name))\n"
    }.joined()
  }

  /// The default theme as a file, to use as a template.
  package static var defaultText: String { BuiltInThemes.text(of: BuiltInThemes.standard) ?? "" }

  private func location(of name: String) -> String {
    if case .file(let path)? = origin(of: name) { path } else { "built in" }
  }
}

/// The themes in the binary: the files of the folder `themes`.
package enum BuiltInThemes {
  /// The default theme.
  static let standard = "quarry-dark"

  /// Returns the text of the theme with a name.
  package static func text(of name: String) -> String? {
    files[name].map { String(decoding: $0(), as: UTF8.self) }
  }

  package static var names: [String] { files.keys.sorted() }

  /// The files, as functions because reading their bytes builds an array.
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
