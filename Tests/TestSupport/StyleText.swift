public import Terminal

extension Style: CustomStringConvertible {
  /// The attributes and colors in words: `bold fg #ff0000 bg 4`, or `plain` if there are none.
  public var description: String {
    var words = Attributes.names.filter { attributes.contains($0.attribute) }.map(\.name)
    if foreground != .standard { words.append("fg \(foreground)") }
    if background != .standard { words.append("bg \(background)") }
    return words.isEmpty ? "plain" : words.joined(separator: " ")
  }
}

extension Color: CustomStringConvertible {
  /// `standard`, the number of one of the terminal's own 16, or `#rrggbb`.
  public var description: String {
    switch self {
    case .standard: "standard"
    case .ansi(let index): String(index)
    case .rgb(let red, let green, let blue, _): "#" + [red, green, blue].map(Self.hexadecimal).joined()
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
  }
}

extension Attributes {
  fileprivate static let names: [(attribute: Attributes, name: String)] = [
    (.bold, "bold"), (.dim, "dim"), (.italic, "italic"), (.underline, "underline"), (.reverse, "reverse"),
    (.strikethrough, "strikethrough"),
  ]
}
