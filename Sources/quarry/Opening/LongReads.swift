internal import Libc
internal import QuarryCluster
internal import QuarrySources

extension RemoteDataSource {
  /// Checks that a statement runs quickly on a server.
  ///
  /// If the statement may take long, asks the user on the terminal.
  ///
  /// - Throws: `Failure` if the user declines, or there is no terminal.
  func requireBrief(_ sql: String) throws {
    try askingFirst { try InsightOptions.waiting { try await self.checkLongRead(sql) } }
  }

  /// Runs an operation that may take long on a server, after the user on the terminal has agreed.
  ///
  /// - Parameter body: Throws ``LongRead`` before anything is sent. It is then called again.
  func askingFirst<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let read as LongRead {
      try confirm(read)
      return try body()
    }
  }

  /// Asks the user on the terminal whether the server may take long.
  ///
  /// - Throws: `Failure` if it may not.
  func confirm(_ read: LongRead) throws {
    try read.ask()
    allowLongReads()
  }
}

extension LongRead {
  private var warning: String { "the server \(act), and nothing can stop it before it has finished" }

  /// Asks whether the read may run.
  ///
  /// - Throws: `Failure` if it may not.
  fileprivate func ask() throws {
    guard StandardInput.isTerminal, StandardError.isTerminal else {
      throw Failure.refused("\(warning): narrow the query, or give --long to run it anyway")
    }
    StandardError.write("quarry: \(warning). Run it? [y/n] ")
    guard try Self.answer().lowercased().hasPrefix("y") else {
      throw Failure.refused("nothing was run: narrow the query, or give --long")
    }
  }

  /// Reads a line from the terminal.
  ///
  /// An interrupt ends the wait.
  private static func answer() throws -> String {
    var event = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    while poll(&event, 1, 200) == 0 || event.revents == 0 { try Interrupts.check() }
    return readLine() ?? ""
  }
}
