private import Essentials

/// What the program switches on beside what ncurses does, and how all of it is switched off.
struct TerminalModes {
  /// Mouse reports and bracketed paste on.
  let on: [UInt8]
  /// The same off, in the opposite order, and the style and cursor of a shell.
  let off: [UInt8]
  /// All that makes the terminal what it was, without ncurses' help: for a crash.
  let restoring: [UInt8]

  init(capabilities: Capabilities, usesMouse: Bool, rows: Int) {
    // Terminals that report no mouse are not xterm's kin, and may print what they do not know.
    let modes = capabilities.hasMouse ? (usesMouse ? [1000, 1002, 1006] : []) + [2004] : []
    on = modes.flatMap { Array("\u{1B}[?\($0)h".utf8) }
    off = modes.reversed().flatMap { Array("\u{1B}[?\($0)l".utf8) } + capabilities.reset + capabilities.cursorVisible
    let bottom = capabilities.leaveScreen.isEmpty ? capabilities.moveCursor(toColumn: 0, row: rows - 1) + [0x0D, 0x0A] : []
    let frameEnd = capabilities.hasMouse ? Self.frameEnd : []
    restoring = frameEnd + capabilities.wholeRegion(rows: rows) + off + capabilities.keypadOff + bottom + capabilities.leaveScreen
  }

  /// Between these a terminal that knows them shows nothing half done.
  static let frameBegin = Array("\u{1B}[?2026h".utf8)
  static let frameEnd = Array("\u{1B}[?2026l".utf8)
}

/// Asks a terminal to put text on the clipboard (OSC 52).
enum OSC52 {
  /// Terminals drop what is longer: 100,000 bytes once it is encoded.
  static let longest = 74_994

  /// Returns the bytes that ask for it; nil where the text is too long or the terminal is known not to listen.
  ///
  /// tmux listens where its option `set-clipboard` is `on`; screen passes on what is wrapped for it, piece by piece.
  static func request(_ text: String, terminalName name: String, isInTmux: Bool, hasMouse: Bool) -> [UInt8]? {
    guard hasMouse, text.utf8.count <= longest else { return nil }
    let request = Array("\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{07}".utf8)
    return name.hasPrefix("screen") && !isInTmux ? wrapped(request) : request
  }

  /// Wraps a request for screen, which takes strings of 768 bytes at most.
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
