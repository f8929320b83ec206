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
