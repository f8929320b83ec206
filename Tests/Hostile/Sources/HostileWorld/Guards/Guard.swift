/// An expression of the program without which it would break a promise, and what finds its removal.
public struct Guard: Sendable, CustomStringConvertible {
  public let name: String
  public var description: String { name }
  /// The file below `Sources`.
  public let file: String
  /// A line of the file, which stands there once.
  public let line: String
  /// The expression in the line that protects something.
  public let text: String
  /// The expression without the protection, of the same type.
  public let replacement: String
  public let finder: Finder

  /// What finds that the guard is missing.
  public enum Finder: Sendable {
    /// Cases of an attack.
    case attack(String)
    /// A regular expression for the names of test suites.
    case tests(String)
  }

  init(_ name: String, in file: String, _ line: String, _ text: String, without replacement: String, _ finder: Finder) {
    (self.name, self.file, self.line, self.text, self.replacement, self.finder) = (name, file, line, text, replacement, finder)
  }

  /// The target with the file.
  var target: String { String(file.prefix { $0 != "/" }) }
}
