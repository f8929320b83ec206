/// How many colours a terminal shows.
package enum ColorDepth: Int, Comparable, Sendable {
  case none = 0
  case eight = 8
  case sixteen = 16
  case indexed = 256
  case direct = 16_777_216

  package static func < (left: ColorDepth, right: ColorDepth) -> Bool { left.rawValue < right.rawValue }

  /// Returns what a terminal of `name` can, whose terminfo entry says that it has `colors`; `colorTerm` is the environment's COLORTERM.
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
