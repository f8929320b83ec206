private import CNcurses
private import Libc
package import Terminal

/// The capabilities of the terminal that TERM names, without taking it over.
package struct TerminalReport: Sendable {
  /// The value of TERM, which may be empty.
  package let name: String
  /// The reason why the terminal cannot show a full screen, or nil if it can.
  package let obstacle: TerminalError?
  /// The entry inside the program that describes the terminal, or nil if the terminfo database has its entry.
  package let embedded: EmbeddedEntry?
  /// The number of colors that Quarry uses.
  package let depth: ColorDepth
  /// Whether Quarry asks the terminal to put copies on the clipboard (OSC 52).
  package let hasClipboard: Bool
  /// The special keys that terminfo does not name.
  package let unnamedKeys: [Key]
  /// The size of the window, or nil if standard output is not a terminal.
  package let size: Size?

  /// Examines the terminal type of the environment.
  package init(environment: [String: String]) {
    name = environment["TERM"] ?? ""
    size = Descriptor.output.isTerminal ? Descriptor.output.windowSize : nil
    do throws(TerminalError) {
      let entry = try TerminalEntry(name: name)
      let capabilities = entry.capabilities
      obstacle = nil
      embedded = entry.embedded
      depth = ColorDepth.detected(
        name: name, colors: capabilities.colors, hasDirectColor: capabilities.hasDirectColor, colorTerm: environment["COLORTERM"])
      hasClipboard = capabilities.hasMouse
      unnamedKeys = Self.specialKeys.filter { !entry.keys.contains($0) }
    } catch {
      (obstacle, embedded, depth, hasClipboard, unnamedKeys) = (error, nil, .none, false, [])
    }
  }

  /// The special keys that have a command by default.
  private static let specialKeys: [Key] =
    (1...12).map { Key(.function($0)) }
    + [.up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .insert, .delete].map { Key($0) }
    + [.tab, .up, .down, .left, .right].map { Key($0, .shift) } + [.home, .end].map { Key($0, .control) }

  /// The version of ncurses, such as `ncurses 6.4.20221231`.
  package static var ncursesVersion: String { curses_version().map { String(cString: $0) } ?? "ncurses" }
}
