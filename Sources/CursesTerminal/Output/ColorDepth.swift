private import Libc

/// The number of colors of a terminal.
package enum ColorDepth: Int, Comparable, Sendable {
  case none = 0
  case eight = 8
  case sixteen = 16
  case indexed = 256
  case direct = 16_777_216

  package static func < (left: ColorDepth, right: ColorDepth) -> Bool { left.rawValue < right.rawValue }

  /// Returns the color depth of a terminal named `name` whose terminfo entry has `colors`.
  ///
  /// `colorTerm` is the environment variable COLORTERM.
  package static func detected(name: String, colors: Int, hasDirectColor: Bool, colorTerm: String?) -> ColorDepth {
    let announced = colorTerm == "truecolor" || colorTerm == "24bit"
    if announced || hasDirectColor || colors > 256 || isKnownDirect(name) { return .direct }
    return [.indexed, .sixteen, .eight].first { colors >= $0.rawValue } ?? .none
  }

  private static func isKnownDirect(_ name: String) -> Bool {
    name.hasSuffix("-direct")
      || ["alacritty", "xterm-kitty", "xterm-ghostty", "foot", "wezterm", "contour", "iterm2"].contains { name.hasPrefix($0) }
  }
}

/// Finds the most similar color of xterm's 256-color palette for a 24-bit color.
package enum NearestColor {
  /// Returns the index of the nearest color, from 16 on, because users can change the first 16.
  package static func index(red: UInt8, green: UInt8, blue: UInt8) -> UInt8 {
    let wanted = Oklab(red: red, green: green, blue: blue)
    let nearest = palette.indices.min { palette[$0].distance(to: wanted) < palette[$1].distance(to: wanted) } ?? 0
    return UInt8(16 + nearest)
  }

  /// The colors 16 to 255: a cube with six steps per side, and 24 greys.
  private static let palette: [Oklab] = {
    let steps: [UInt8] = [0, 95, 135, 175, 215, 255]
    let cube = steps.flatMap { red in steps.flatMap { green in steps.map { Oklab(red: red, green: green, blue: $0) } } }
    let greys = (0..<24).map { UInt8(8 + 10 * $0) }
    return cube + greys.map { Oklab(red: $0, green: $0, blue: $0) }
  }()
}

/// A color in a space in which distances correspond to perceived differences (Björn Ottosson, 2020).
private struct Oklab {
  let lightness: Double
  let a: Double
  let b: Double

  init(red: UInt8, green: UInt8, blue: UInt8) {
    let (red, green, blue) = (Self.linear(red), Self.linear(green), Self.linear(blue))
    let long = cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    let medium = cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    let short = cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    lightness = 0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short
    a = 1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short
    b = 0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short
  }

  func distance(to other: Oklab) -> Double {
    let (lightness, a, b) = (lightness - other.lightness, a - other.a, b - other.b)
    return lightness * lightness + a * a + b * b
  }

  private static func linear(_ value: UInt8) -> Double {
    let value = Double(value) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }
}
