internal import Libc
internal import QuarryEngine

/// Standard input as a source of data: the name `-` stands for it.
enum StandardInput {
  /// What the command line calls it.
  static let name = "-"

  /// Whether nobody has redirected it; of a verb that runs for a person on another machine, there.
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

  /// Makes the terminal what is read from standard input, so that the keyboard is there while the data comes from elsewhere.
  ///
  /// Who reads the data has a descriptor of its own by then.
  ///
  /// - Throws: `Failure` where the program has no terminal.
  static func giveToKeyboard() throws {
    let terminal = try openKeyboard()
    guard dup2(terminal.descriptor, STDIN_FILENO) == STDIN_FILENO else {
      throw Failure.refused("the terminal cannot be read: \(SystemError(code: errno))")
    }
  }
}

/// A wait for the first lines of files, which a pipe may be slow to give: it is told where it takes half a second, and ^C ends it.
final class InputWait {
  private let start = ContinuousClock.now
  private var hasTold = false

  private static let silence = Duration.milliseconds(500)

  /// Checks for an interrupt; to be called several times a second.
  ///
  /// - Throws: `Failure` where one was asked for.
  func check() throws {
    try Interrupts.check()
    guard !hasTold, ContinuousClock.now - start >= Self.silence else { return }
    hasTold = true
    StandardError.write("quarry: waiting for the first lines of the data (^C ends that)\n")
  }
}
