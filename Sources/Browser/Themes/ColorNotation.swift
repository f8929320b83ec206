internal import Terminal

/// Colours as theme files write them: `#rrggbb`, a name of the terminal's own 16, or `default`, the terminal's own ground.
enum ColorNotation {
  /// Returns the colour that `text` writes without help of a palette.
  static func color(_ text: String) -> Color? {
    if text == "default" { return .standard }
    if let index = ansiNames.firstIndex(of: text) { return .ansi(UInt8(index)) }
    return rgb(text, ansi: nil)
  }

  /// Returns the colour `#rrggbb`.
  static func rgb(_ text: String, ansi: UInt8?) -> Color? {
    let digits = text.dropFirst()
    guard text.first == "#", digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: 16) else {
      return nil
    }
    return .rgb(red: UInt8(value >> 16 & 0xff), green: UInt8(value >> 8 & 0xff), blue: UInt8(value & 0xff), ansi: ansi)
  }

  /// The names of the terminal's own colours, by number.
  static let ansiNames: [String] = {
    let names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]
    return names + names.map { "bright-\($0)" }
  }()
}
