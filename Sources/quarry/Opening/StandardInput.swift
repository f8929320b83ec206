#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Standard input as a source of data: the name `-` stands for it.
enum StandardInput {
  /// What the command line calls it.
  static let name = "-"

  static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  /// How long the first bytes are waited for before that is said, in milliseconds.
  private static let silence: Int32 = 500

  /// Waits until there is something to read, or the end.
  static func waitForData() throws {
    guard !isReady(within: silence) else { return }
    StandardError.write("quarry: waiting for data on standard input (^C ends that)\n")
    while !isReady(within: 200) { try Interrupts.check() }
  }

  private static func isReady(within milliseconds: Int32) -> Bool {
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&input, 1, milliseconds) > 0
  }

  /// Checks that standard input is data, and that there is a terminal for the keyboard.
  static func checkKeyboard() throws {
    if isTerminal { throw Failure.usage("standard input is the keyboard: pipe the data in, as in `… | quarry -`") }
    close(try openKeyboard())
  }

  private static func openKeyboard() throws -> Int32 {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else {
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
    defer { close(terminal) }
    guard dup2(terminal, STDIN_FILENO) == STDIN_FILENO else {
      throw Failure.refused("the terminal cannot be read: \(String(cString: strerror(errno)))")
    }
  }
}
