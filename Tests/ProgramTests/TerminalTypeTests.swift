import Foundation
import TestSupport
import Testing

/// The full screen with types of terminals that the terminfo database does not describe, and with those that cannot have a full screen.
@Suite(.gated) struct TerminalTypeTests {
  private static let advice = "if the screen looks wrong, try TERM=vt100"

  private func start(_ environment: [String: String]) throws -> TerminalSession {
    let session = try TerminalSession("--demo", "-t", "reminders", environment: environment)
    try session.wait(for: "row 1 of")
    return session
  }

  private func end(_ session: TerminalSession) throws {
    try session.press("C-q")
    try session.waitForEnd()
    #expect(try session.exitStatus() == 0)
    #expect(try session.errors == "")
  }

  @Test(arguments: ["xterm-kitty", "foot", "tmux-quarry", "screen.quarry", "linux-quarry", "vt100-quarry"])
  func `a type without an entry looks like its family, and nothing is said`(_ name: String) throws {
    for database in [["TERMINFO": "/nonexistent"], ["TERMINFO_DIRS": "/nonexistent:/also-nonexistent"]] {
      let session = try start(database.merging(["TERM": name]) { $1 })
      try session.press("Down")
      try session.wait(for: "row 2 of")
      #expect(try !session.screen.contains(Self.advice))
      try end(session)
    }
  }

  @Test func `an unknown type is played as xterm, with a way out`() throws {
    let session = try TerminalSession("--demo", "-t", "reminders", environment: ["TERM": "nonsense", "TERMINFO": "/nonexistent"])
    try session.wait(for: "TERM: unknown type “nonsense”; \(Self.advice)")
    try end(session)
  }

  @Test func `a damaged entry counts as none`() throws {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    var bytes = try Data(contentsOf: package.appendingPathComponent("Sources/CursesTerminal/Terminfo/xterm-256color"))
    // The place of the name of the last capability, which lies outside of the table then.
    bytes[2927] = 0x7F
    let session = try TerminalSession(
      "--demo", "-t", "reminders", environment: ["TERM": "xterm-256color", "TERMINFO": "b64:" + bytes.base64EncodedString()])
    try session.wait(until: { try session.screen.contains("row 1 of") || session.screen.contains("THE END") }, "the rows, or the end")
    try session.press("C-q")
    try session.waitForEnd()
    #expect(try session.exitStatus() == 0)
    #expect(try !session.errors.contains("SIGSEGV"))
  }

  @Test(arguments: [("dumb", "TERM=xterm-256color"), ("", "try TERM=xterm-256color")])
  func `a type without a cursor is refused with a way out`(_ name: String, advice: String) throws {
    let session = try TerminalSession("--demo", environment: ["TERM": name, "TERMINFO": "/nonexistent"])
    try session.waitForEnd()
    #expect(try session.exitStatus() == 2)
    #expect(try session.errors.contains(advice))
  }
}
