/// Why a terminal cannot show a full screen.
public enum TerminalError: Error, Hashable, Sendable {
  /// Standard input or output is no terminal.
  case notATerminal
  /// TERM is not set.
  case noName
  /// There is no terminfo entry for the name in TERM.
  case unknown(name: String)
  /// The terminal cannot clear its screen or place its cursor.
  case tooSimple(name: String)
  /// ncurses does not take the terminal, or the system refuses a descriptor.
  case failed(name: String)
}

extension TerminalError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notATerminal: "Standard input and output must be a terminal for the full screen."
    case .noName: "TERM is not set, so it is not known how to address the terminal; try TERM=xterm-256color."
    case .unknown(let name):
      "The terminal \"\(name)\" (TERM) is not in the terminfo database; install its entry, or try TERM=xterm-256color."
    case .tooSimple(let name): "The terminal \"\(name)\" (TERM) cannot place its cursor, which the full screen needs."
    case .failed(let name): "The terminal \"\(name)\" (TERM) could not be started."
    }
  }
}
