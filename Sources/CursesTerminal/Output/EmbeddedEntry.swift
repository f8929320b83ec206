private import Essentials
private import Libc

/// A compiled terminfo entry inside the program, for systems whose terminfo database does not describe the terminal.
///
/// The files in `Terminfo` are those of ncurses-base 6.4 in Debian 12, unchanged: `cp /lib/terminfo/*/{xterm,tmux,screen}-256color
/// /lib/terminfo/l/linux /lib/terminfo/v/vt100 Sources/CursesTerminal/Terminfo`. `infocmp -x -A Sources/CursesTerminal/Terminfo` prints them.
package enum EmbeddedEntry: String, CaseIterable, Sendable {
  case xterm = "xterm-256color"
  case tmux = "tmux-256color"
  case screen = "screen-256color"
  case console = "linux"
  case vt100

  /// Finds the entry that is most similar to a terminal.
  ///
  /// Terminals with unknown names are most likely to understand xterm's sequences. Returns nil for names of terminals without a cursor.
  package init?(similarTo name: String) {
    if ["dumb", "unknown", "network", "dialup"].contains(name) { return nil }
    if let same = Self(rawValue: name) {
      self = same
    } else if name.hasPrefix("vt"), name.dropFirst(2).first?.isNumber == true {
      self = .vt100
    } else {
      let families: [(String, EmbeddedEntry)] = [("tmux", .tmux), ("screen", .screen), ("linux", .console)]
      self = families.first { Self.isMember(name, of: $0.0) }?.1 ?? .xterm
    }
  }

  /// Returns whether a terminal looks and works the same with this entry as with its own.
  package func suits(_ name: String) -> Bool {
    self != .xterm || Self.descendantsOfXterm.contains { Self.isMember(name, of: $0) }
  }

  private static let descendantsOfXterm = [
    "xterm", "alacritty", "contour", "foot", "ghostty", "gnome", "iterm2", "kitty", "konsole", "ms-terminal", "rio", "st", "vte", "wezterm",
  ]

  /// Returns whether a name is that of a family, or continues it: `screen.xterm`, `foot-extra`.
  private static func isMember(_ name: String, of family: String) -> Bool {
    name.hasPrefix(family) && name.dropFirst(family.count).first.map { "-.+".contains($0) } ?? true
  }

  /// Calls `body` while ncurses reads this entry instead of the terminfo database.
  func whileInForce<Value>(_ body: () -> Value) -> Value {
    let variable = "TERMINFO"
    let previous = getenv(variable).map { String(cString: $0) }
    // ncurses decodes the value, so no file is needed.
    setenv(variable, "b64:" + Data(bytes).base64EncodedString(), 1)
    defer {
      if let previous { setenv(variable, previous, 1) } else { unsetenv(variable) }
    }
    return body()
  }

  private var bytes: [UInt8] {
    switch self {
    case .xterm: PackageResources.xterm_256color
    case .tmux: PackageResources.tmux_256color
    case .screen: PackageResources.screen_256color
    case .console: PackageResources.linux
    case .vt100: PackageResources.vt100
    }
  }
}
