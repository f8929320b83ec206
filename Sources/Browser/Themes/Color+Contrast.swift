internal import Terminal

extension Color {
  /// The relative luminance of WCAG 2, 0 to 1; nil for colours that only the terminal knows.
  var luminance: Double? {
    guard case .rgb(let red, let green, let blue, _) = self else { return nil }
    return 0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
  }

  /// Returns the contrast ratio of WCAG 2, 1 to 21; nil where a colour is one that only the terminal knows.
  func contrast(to other: Color) -> Double? {
    guard let mine = luminance, let its = other.luminance else { return nil }
    return (max(mine, its) + 0.05) / (min(mine, its) + 0.05)
  }

  /// Whether a terminal of 16 colours shows both as one.
  func sharing(_ other: Color) -> Bool {
    guard case .rgb(_, _, _, let mine) = self, case .rgb(_, _, _, let its) = other else { return self == other }
    return mine == its
  }

  /// Returns the colour with `other`'s stand-in on a terminal of 16 colours.
  func inSixteen(as other: Color) -> Color {
    guard case .rgb(let red, let green, let blue, _) = self, case .rgb(_, _, _, let ansi) = other else { return self }
    return .rgb(red: red, green: green, blue: blue, ansi: ansi)
  }

  /// The light of one sRGB component: a cubic within a hundredth of the standard's curve, which would need a C library for `pow`.
  private static func linear(_ component: UInt8) -> Double {
    let value = Double(component) / 255
    return value * (value * (value * 0.305306011 + 0.682171111) + 0.012522878)
  }
}
