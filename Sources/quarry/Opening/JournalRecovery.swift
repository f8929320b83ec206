internal import QuarryEngine
internal import Terminal

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// What is done about a database that a program left in the midst of a change when it stopped: SQLite undoes the change from the journal
/// beside the file, but only on a connection that may write.
enum JournalRecovery {
  /// The error is thrown as it is: the command line forbids to write.
  case refused
  /// The change is undone, and that is told.
  case told
  /// The person is asked first, on the terminal.
  case asked

  /// Runs `open`, and once more where a change had to be undone first.
  func recovering<Value>(_ open: () throws -> Value) throws -> Value {
    do {
      return try open()
    } catch let error as DatabaseOpenError where error.kind == .needsRecovery {
      guard try isWanted(error) else { throw error }
      let path = PathText.shown(error.path)
      // To open a file and to read its schema is all that it takes.
      try DatabaseQueue(path: error.path).close()
      StandardError.write("quarry: “\(path)” was left in the midst of a change, which “\(path)-journal” has undone\n")
      return try open()
    }
  }

  private func isWanted(_ error: DatabaseOpenError) throws -> Bool {
    switch self {
    case .refused: return false
    case .told: return true
    case .asked:
      let path = PathText.shown(error.path).pictured
      guard StandardOutput.isTerminal, isatty(STDIN_FILENO) == 1 else { return false }
      try StandardOutput.write(
        """
        “\(path)” was left in the midst of a change by a program that stopped.
        Undo that change from “\(path)-journal”, as every program does that opens the file to write? [y/n]\u{20}
        """)
      return readLine()?.lowercased().hasPrefix("y") == true
    }
  }
}
