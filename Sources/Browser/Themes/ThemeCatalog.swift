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
