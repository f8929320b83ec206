package import Terminal

extension Color {
  /// Returns the WCAG 2 contrast ratio, 1 to 21; nil if a color is the terminal's default, which only the terminal knows.
  package func contrast(to other: Color) -> Double? {
    Self.contrast(luminance, other.luminance)
  }

  /// Returns the contrast on a terminal with 16 colors.
  func contrastInSixteen(to other: Color) -> Double? {
    Self.contrast(sixteen.flatMap(Self.luminance(ofANSI:)), other.sixteen.flatMap(Self.luminance(ofANSI:)))
  }

  /// Returns the color with `other`'s substitute on a terminal with 16 colors.
  func inSixteen(as other: Color) -> Color {
    guard case .rgb(let red, let green, let blue, _) = self else { return self }
    return .rgb(red: red, green: green, blue: blue, ansi: other.sixteen)
  }

  /// Returns the color mixed with a number of eighths of `other`; returns `other` if one of them is a color of the terminal.
  func mixed(with other: Color, eighths: Int) -> Color {
    guard case .rgb(let red, let green, let blue, let ansi) = self, case .rgb(let otherRed, let otherGreen, let otherBlue, _) = other else {
      return other
    }
    func mix(_ one: UInt8, _ other: UInt8) -> UInt8 { UInt8((Int(one) * (8 - eighths) + Int(other) * eighths) / 8) }
    return .rgb(red: mix(red, otherRed), green: mix(green, otherGreen), blue: mix(blue, otherBlue), ansi: ansi)
  }

  /// The substitute on a terminal with 16 colors.
  private var sixteen: UInt8? {
    switch self {
    case .standard: nil
    case .ansi(let index): index
    case .rgb(_, _, _, let ansi): ansi
    }
  }

  /// The WCAG 2 relative luminance, 0 to 1.
  private var luminance: Double? {
    switch self {
    case .standard: nil
    case .ansi(let index): Self.luminance(ofANSI: index)
    case .rgb(let red, let green, let blue, _): Self.luminance(red, green, blue)
    }
  }

  private static func contrast(_ left: Double?, _ right: Double?) -> Double? {
    guard let left, let right else { return nil }
    return (max(left, right) + 0.05) / (min(left, right) + 0.05)
  }

  /// Returns the luminance of one of the terminal's 16 colors, as displayed by xterm.
  private static func luminance(ofANSI index: UInt8) -> Double? {
    ansiLuminances.indices.contains(Int(index)) ? ansiLuminances[Int(index)] : nil
  }

  private static let ansiLuminances: [Double] = [
    luminance(0, 0, 0), luminance(205, 0, 0), luminance(0, 205, 0), luminance(205, 205, 0),
    luminance(0, 0, 238), luminance(205, 0, 205), luminance(0, 205, 205), luminance(229, 229, 229),
    luminance(127, 127, 127), luminance(255, 0, 0), luminance(0, 255, 0), luminance(255, 255, 0),
    luminance(92, 92, 255), luminance(255, 0, 255), luminance(0, 255, 255), luminance(255, 255, 255),
  ]

  private static func luminance(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Double {
    0.2126 * light(red) + 0.7152 * light(green) + 0.0722 * light(blue)
  }

  /// Returns the linear light of an sRGB component: a cubic within a hundredth of the standard's curve, which would need C's `pow`.
  private static func light(_ component: UInt8) -> Double {
    let value = Double(component) / 255
    return value * (value * (value * 0.305306011 + 0.682171111) + 0.012522878)
  }
}

/// The notation of colors in theme files: `#rrggbb`, a name of the terminal's 16 colors, or `default`, the terminal's default color.
enum ColorNotation {
  /// Returns the color of `text` without a palette.
  static func color(_ text: String) -> Color? {
    if text == "default" { return .standard }
    if let index = ansiNames.firstIndex(of: text) { return .ansi(UInt8(index)) }
    return rgb(text, ansi: nil)
  }

  /// Returns the color of a text in the form `#rrggbb`.
  static func rgb(_ text: String, ansi: UInt8?) -> Color? {
    let digits = text.dropFirst()
    guard text.first == "#", digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: 16) else {
      return nil
    }
    return .rgb(red: UInt8(value >> 16 & 0xff), green: UInt8(value >> 8 & 0xff), blue: UInt8(value & 0xff), ansi: ansi)
  }

  /// The names of the terminal's colors, by number.
  static let ansiNames: [String] = {
    let names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]
    return names + names.map { "bright-\($0)" }
  }()
}
