internal import Libc
internal import QuarryEngine

/// Standard input as a source of data, named `-`.
enum StandardInput {
  /// The name of standard input on the command line.
  static let name = "-"

  /// Whether standard input is a terminal.
  ///
  /// For a verb started from another machine, whether it is there.
  static var isTerminal: Bool { SSHSession.current?.streams.isInputTerminal ?? (isatty(STDIN_FILENO) == 1) }

  /// Checks that standard input is data, and that there is a terminal for the keyboard.
  static func checkKeyboard() throws {
    if isTerminal { throw Failure.usage("standard input is the keyboard: pipe the data in, as in `… | quarry -`") }
    _ = try openKeyboard()
  }

  private static func openKeyboard() throws -> OpenFile {
    guard let terminal = try? OpenFile("/dev/tty", .device) else {
      throw Failure.usage("standard input is the data, and there is no terminal for the keys: name a verb, as in `… | quarry rows - stdin`")
    }
    return terminal
  }

  /// Replaces standard input by the terminal, so that keys can be read while the data is read from another descriptor.
  ///
  /// The reader of the data must have duplicated its descriptor before.
  ///
  /// - Throws: `Failure` if the program has no terminal.
  static func giveToKeyboard() throws {
    let terminal = try openKeyboard()
    guard dup2(terminal.descriptor, STDIN_FILENO) == STDIN_FILENO else {
      throw Failure.refused("the terminal cannot be read: \(SystemError(code: errno))")
    }
  }
}

/// A wait for the first lines of files, which may take long for a pipe.
///
/// The wait is reported after half a second and can be interrupted by ^C.
final class InputWait {
  private let start = ContinuousClock.now
  private var hasTold = false

  private static let silence = Duration.milliseconds(500)

  /// Checks for an interrupt.
  ///
  /// Call this several times a second.
  ///
  /// - Throws: `Failure` if an interrupt was requested.
  func check() throws {
    try Interrupts.check()
    guard !hasTold, ContinuousClock.now - start >= Self.silence else { return }
    hasTold = true
    StandardError.write("quarry: waiting for the first lines of the data (^C stops that)\n")
  }
}
