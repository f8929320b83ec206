/// Something wrong in a theme, a keymap or the settings: what, where, and the way out.
///
/// The rest of the file goes on.
public struct ConfigurationWarning: Hashable, Sendable {
  /// The file as the person knows it: its path, or its name for what is built in.
  public var file: String
  /// Counted from 1; nil where no one line is at fault.
  public var line: Int?
  public var message: String

  public init(file: String, line: Int?, message: String) {
    self.file = file
    self.line = line
    self.message = message
  }
}

extension ConfigurationWarning: CustomStringConvertible {
  /// The warning as one line: `keys.toml:12: …`.
  public var description: String {
    guard let line else { return "\(file): \(message)" }
    return "\(file):\(line): \(message)"
  }
}
