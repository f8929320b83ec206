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

  /// The theme of that name in the binary; nil where there is none.
  init?(builtIn name: String) {
    guard let text = BuiltInThemes.text(of: name) else { return nil }
    self.init(name: name, origin: .builtIn, text: text)
  }

  /// The file as warnings name it.
  var file: String {
    switch origin {
    case .builtIn: "built-in theme \(name)"
    case .file(let path): path
    }
  }
}
