private import Essentials

/// The terminal modes that the program enables in addition to ncurses, and the sequences that disable all of them.
struct TerminalModes {
  /// Enables mouse reports and bracketed paste.
  let on: [UInt8]
  /// Disables the same in reverse order, and restores a shell's scrolling, style and cursor.
  let off: [UInt8]
  /// Restores the terminal completely without ncurses, for a crash.
  let restoring: [UInt8]

  init(capabilities: Capabilities, usesMouse: Bool, rows: Int) {
    // Terminals without mouse reports are not of the xterm family, and may print unknown sequences.
    let modes = capabilities.hasMouse ? (usesMouse ? Self.mouseModes : []) + [2004] : []
    on = modes.flatMap { Array("\u{1B}[?\($0)h".utf8) }
    off =
      modes.reversed().flatMap { Array("\u{1B}[?\($0)l".utf8) }
      + capabilities.wholeRegion(rows: rows) + capabilities.reset + capabilities.cursorVisible
    let bottom = capabilities.leaveScreen.isEmpty ? capabilities.moveCursor(toColumn: 0, row: rows - 1) + [0x0D, 0x0A] : []
    let frameEnd = capabilities.hasMouse ? Self.frameEnd : []
    restoring = frameEnd + off + capabilities.keypadOff + bottom + capabilities.leaveScreen
  }

  private static let mouseModes = [1000, 1002, 1006]

  /// Returns the bytes that enable or disable mouse reports alone.
  static func mouse(isOn: Bool, capabilities: Capabilities) -> [UInt8] {
    guard capabilities.hasMouse else { return [] }
    return (isOn ? mouseModes : mouseModes.reversed()).flatMap { Array("\u{1B}[?\($0)\(isOn ? "h" : "l")".utf8) }
  }

  /// Between these, a terminal that supports them does not show incomplete frames.
  static let frameBegin = Array("\u{1B}[?2026h".utf8)
  static let frameEnd = Array("\u{1B}[?2026l".utf8)
}

/// Asks a terminal to put text on the clipboard (OSC 52).
enum OSC52 {
  /// The maximum number of bytes of a text.
  ///
  /// Terminals ignore more than 100,000 encoded bytes.
  static let longest = 74_994

  /// Returns the bytes of the request, or nil if the text is too long or the terminal is known not to support it.
  ///
  /// tmux supports it if its option `set-clipboard` is `on`. screen passes on a request that is wrapped in pieces.
  static func request(_ text: String, terminalName name: String, isInTmux: Bool, hasMouse: Bool) -> [UInt8]? {
    guard hasMouse, text.utf8.count <= longest else { return nil }
    let request = Array("\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{07}".utf8)
    return name.hasPrefix("screen") && !isInTmux ? wrapped(request) : request
  }

  /// Wraps a request for screen, which accepts strings of at most 768 bytes.
  private static func wrapped(_ request: [UInt8]) -> [UInt8] {
    var wrapped: [UInt8] = []
    for start in stride(from: 0, to: request.count, by: 760) {
      wrapped += Array("\u{1B}P".utf8)
      wrapped += request[start..<min(start + 760, request.count)]
      wrapped += Array("\u{1B}\\".utf8)
    }
    return wrapped
  }
}
