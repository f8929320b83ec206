import Foundation
import TestSupport
import Testing

/// The program in a real terminal: it starts, answers, and leaves the terminal as it was, however it ends.
@Suite(.gated) struct FullScreenTests {
  private static let shell = "0 0 0 1"

  /// Opens the sample database on the full screen.
  private func start(environment: [String: String] = [:]) throws -> TerminalSession {
    let session = try TerminalSession("--demo", "-t", "reminders", environment: environment)
    try session.wait(for: "row 1 of")
    return session
  }

  private func expectTerminalAsBefore(_ session: TerminalSession, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try session.wait(for: "THE END", sourceLocation: sourceLocation)
    #expect(try session.lineModes("after") == session.lineModes("before"), sourceLocation: sourceLocation)
    #expect(try session.terminalModes == Self.shell + "\n", sourceLocation: sourceLocation)
    let output = try session.output
    let (on, off) = (output.ranges(of: "\u{1b}[?2004h").last, output.ranges(of: "\u{1b}[?2004l").last)
    #expect(try #require(off).lowerBound > #require(on).lowerBound, "bracketed paste stays on", sourceLocation: sourceLocation)
  }

  @Test func `it starts, takes the whole screen, and gives it back`() throws {
    let session = try start()
    #expect(try session.terminalModes.hasPrefix("1 1 1"))
    #expect(try session.screen.contains("reminders"))
    try session.press("C-q")
    try session.waitForEnd()
    #expect(try session.exitStatus() == 0)
    try expectTerminalAsBefore(session)
    #expect(try !session.screen.contains("row 1 of"))
  }

  @Test func `the command line says which table is shown, which of its rows and columns, and in which order`() throws {
    let session = try TerminalSession(
      "--demo", "-t", "reminders", "--where", "priority = :p and not is_completed", "-p", "p=3", "--sort", "-estimate", "--columns",
      "estimate,title")
    try session.wait(for: "row 1 of 4")
    let lines = try session.screen.split(separator: "\n").map { line in
      line.split(separator: " ").joined(separator: " ")
    }
    let header = try #require(lines.firstIndex { $0.hasPrefix("estimate") })
    #expect(lines[header] == "estimate▼ title")
    #expect(
      lines[(header + 2)...].prefix(4) == [
        "▌ 12.0 Prepare the quarterly report", "6.0 Birthday party 🎂", "2.0 Find a hotel", "0.5 Call grandmother",
      ])
    #expect(lines.contains("filter › priority = :p and not is_completed"))
    try session.press("C-q")
    try session.waitForEnd()
    #expect(try session.exitStatus() == 0)
  }

  @Test(arguments: [
    (["-t", "remidners"], "reminders"), (["-t", "reminders", "--where", "titel ~ x"], "try: title ~ x"),
    (["-t", "reminders", "--where", "title = :x"], "-p x="), (["-t", "reminders", "--sort", "-titel"], "try: -title"),
    (["-t", "reminders", "--columns", "id,titel"], "did you mean title?"), (["--where", "title ~ x"], "-t"),
    (["--columns", "title"], "-t"),
  ])
  func `what the command line asks for in vain is told, and no screen is taken`(_ arguments: [String], _ message: String) throws {
    let outcome = try BuiltProgram.run(BuiltProgram.url, ["--demo"] + arguments)
    #expect(outcome.status == (arguments[1] == "remidners" ? 1 : 2))
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal that asks it to end leaves the terminal as it was`(_ signal: Int32) throws {
    let session = try start()
    try session.signal(signal)
    try session.waitForEnd()
    #expect(try session.exitStatus() == 128 + Int(signal))
    try expectTerminalAsBefore(session)
  }

  @Test(arguments: [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT])
  func `a crash leaves the terminal as it was, and says what happened and how to report it`(_ signal: Int32) throws {
    let session = try start()
    try session.signal(signal)
    try session.waitForEnd()
    #expect(try session.exitStatus() == 128 + Int(signal))
    try expectTerminalAsBefore(session)
    let sentence = try session.errors
    #expect(sentence.hasPrefix("quarry: ended by SIG"))
    #expect(sentence.contains("--log") == (signal != SIGBUS))
  }

  @Test(arguments: [SIGSEGV, SIGABRT, SIGQUIT])
  func `a crash names in one line what was saved, and the next start restores it`(_ signal: Int32) throws {
    let folder = try TemporaryFolder()
    let path = try Fixtures.database("app.db", in: folder, "CREATE TABLE t(a)", "INSERT INTO t VALUES ('old'), ('other')")
    let state = ["XDG_STATE_HOME": folder.path("state")]
    let session = try TerminalSession([path, "-t", "t", "--log", folder.path("log")], size: (columns: 120, rows: 36), environment: state)
    try session.wait(for: "row 1 of 2")
    try session.press("e", "C-u")
    try session.send("new")
    try session.press("Enter")
    let staged = folder.path("state/quarry/staged")
    try session.wait(
      until: { (try? FileManager.default.contentsOfDirectory(atPath: staged))?.contains { $0.hasSuffix(".changes") } == true }, "the file")
    try session.press("j")
    try session.wait(for: "row 2 of 2")
    try session.signal(signal)
    try session.waitForEnd()
    #expect(try session.exitStatus() == 128 + Int(signal))
    try expectTerminalAsBefore(session)
    let line = try #require(try session.errors.split(separator: "\n").first)
    #expect(line.hasSuffix(". 1 staged change is saved: open “app.db” again to restore it."), "\(line)")
    #expect(line.contains("The log “\(folder.path("log"))” shows") == (signal != SIGQUIT))
    let next = try TerminalSession([path, "-t", "t"], size: (columns: 120, rows: 36), environment: state)
    try next.wait(for: "1 change from an earlier session")
  }

  @Test func `a crash names the log`() throws {
    let session = try TerminalSession("--demo", "-t", "reminders", "--log", "my.log")
    try session.wait(for: "row 1 of")
    try session.signal(SIGILL)
    try session.waitForEnd()
    #expect(try session.errors.contains("The log “my.log” shows what Quarry did last."))
  }

  @Test(arguments: [SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF] + linuxSignals)
  func `every signal that ends it leaves the terminal as it was, and is named`(_ signal: Int32) throws {
    let session = try start()
    try session.signal(signal)
    try session.waitForEnd()
    #expect(try session.exitStatus() == 128 + Int(signal))
    try expectTerminalAsBefore(session)
    #expect(try session.errors.hasPrefix("quarry: ended by "))
  }

  @Test(.enabled(if: TerminalSession.canLimit))
  func `a file that would become too large stops what writes it, with the way out, and not the program`() throws {
    let folder = try TemporaryFolder()
    let path = try Fixtures.database(in: folder, "CREATE TABLE t(a)", "INSERT INTO t VALUES (1)")
    let session = try TerminalSession(path, "-t", "t", size: (columns: 120, rows: 36))
    try session.wait(for: "row 1 of 1")
    try session.limitFileSize(to: 100_000)
    try session.press("F4")
    try session.send("INSERT INTO t VALUES (zeroblob(1000000))")
    try session.press("F5")
    try session.wait(for: "not committed yet")
    try session.press("Down", "Enter")
    func isTold(_ words: String) throws -> Bool {
      try session.screen.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(words)
    }
    try session.wait(until: { try isTold("larger than the system allows (File too large)") }, "the reason")
    #expect(try isTold("`ulimit -f unlimited`") && isTold("the transaction is still open"))
    #expect(try session.isRunning)
  }

  #if os(Linux)
    /// SIGIO, SIGPWR and the first and last of those without a name.
    private static let linuxSignals: [Int32] = [29, 30, 34, 64]
  #else
    private static let linuxSignals: [Int32] = []
  #endif

  @Test func `a job that was stopped and is told to end gives the terminal back`() throws {
    let session = try start()
    try session.signal(SIGSTOP)
    // The shell takes the terminal back from the stopped job.
    try session.waitForEnd()
    for signal in [SIGTERM, SIGTERM, SIGCONT] { try session.signal(signal) }
    try session.wait(until: { try !session.isRunning }, "the program to end")
    try session.wait(until: { try session.terminalModes == Self.shell + "\n" }, "the terminal to be as before")
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func `it ends by a signal while the terminal reads nothing`(_ signal: Int32) throws {
    let session = try start()
    try session.whileNotReading {
      // It has a whole picture to paint, and no room for it.
      try session.signal(SIGWINCH)
      try session.signal(signal)
      // Not with `wait`, which asks the terminal what it shows.
      try Waiting.wait(for: "the program to end") { try !session.isRunning }
    }
    try session.waitForEnd()
    #expect(try session.exitStatus() == 128 + Int(signal))
    try session.wait(for: "THE END")
    #expect(try session.lineModes("after") == session.lineModes("before"))
  }

  @Test(arguments: ["C-q", "Escape C-q"])
  func `a paste without an end does not take the keys`(_ keys: String) throws {
    let session = try start()
    try session.press("/")
    try session.send("\u{1b}[200~zebra")
    try session.wait(for: "zebra")
    for key in keys.split(separator: " ").map(String.init) {
      try session.press(key)
      if key != "C-q" { try session.wait(until: { try !session.screen.contains("zebra") }, "the search to close") }
    }
    try session.waitForEnd()
    #expect(try session.exitStatus() == 0)
    try expectTerminalAsBefore(session)
  }

  @Test func `a paste that comes in pieces is one text`() throws {
    let session = try start()
    try session.press("/")
    // Each piece is shown before the next is sent: the marks and a letter of two bytes are cut apart.
    try session.send("\u{1b}[200~zeb")
    try session.wait(for: "zeb")
    try session.send("ra\u{3}q")
    try session.wait(for: "zebra␃q")
    try session.send(bytes: [0x78, 0xC3])
    try session.wait(for: "zebra␃qx")
    try session.send(bytes: [0xA9, 0x21, 0x1B, 0x5B, 0x32])
    try session.wait(for: "zebra␃qxé!")
    try session.send(bytes: [0x30, 0x31, 0x7E])
    try session.press("Escape")
    try session.wait(until: { try !session.screen.contains("zebra") }, "the search to close")
    try session.press("C-q")
    try session.waitForEnd()
    #expect(try session.exitStatus() == 0)
    try expectTerminalAsBefore(session)
  }

  @Test func `what a terminal answers acts as no key`() throws {
    let session = try start()
    try session.send("\u{1b}]11;rgb:1c1c/1c1c/1c1c\u{7}\u{1b}P1+r544e=787465726d\u{1b}\\\u{1b}[24;80R\u{1b}[?62;4cj")
    try session.wait(for: "row 2 of")
    try session.press("C-q")
    try session.waitForEnd()
    #expect(try session.exitStatus() == 0)
  }

  @Test(.enabled(if: TerminalSession.hasCounters))
  func `20 KB typed into a filter are met, and the keys after them`() throws {
    let session = try start()
    try session.type(Data("&".utf8) + Data(String(repeating: "abc def ", count: 2_500).utf8))
    try session.wait(for: "abc def")
    try session.press("Escape")
    try session.wait(until: { try !session.screen.contains("abc def") }, "the filter to close")
    try session.press("C-q")
    try session.waitForEnd()
    #expect(try session.exitStatus() == 0)
  }

  @Test(.enabled(if: TerminalSession.hasCounters), arguments: [1, 2] as [UInt64])
  func `10,000 bytes of noise are met, and it ends as it should`(_ seed: UInt64) throws {
    let session = try start()
    var state = seed
    let noise = (0..<10_000).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 40)
    }
    // Without the keys that end the program or stop it.
    let keys: [UInt8] = [0x11, 0x1A, UInt8(ascii: "q"), UInt8(ascii: "Z")]
    try session.type(Data(noise.filter { !keys.contains($0) }))
    try session.signal(SIGTERM)
    try session.waitForEnd()
    #expect(try session.exitStatus() == 128 + Int(SIGTERM))
    try expectTerminalAsBefore(session)
  }

  @Test func `it stops itself, gives the terminal to the shell, and comes back`() throws {
    let session = try start()
    try session.press("j", "C-z")
    try session.waitForStop()
    #expect(try session.terminalModes == Self.shell + "\n")
    #expect(try session.lineModes("stopped") == session.lineModes("before"))
    try session.press("C-d")
    try session.wait(for: "row 2 of")
    #expect(try session.terminalModes.hasPrefix("1 1 1"))
    try session.press("j")
    try session.wait(for: "row 3 of")
    try session.press("C-q")
    try session.waitForEnd()
    try expectTerminalAsBefore(session)
  }

  #if os(Linux)
    @Test func `a job that is continued in the background, and told to end, takes the terminal no more`() throws {
      let session = try start()
      try session.press("C-z")
      try session.waitForStop()
      try session.signal(SIGCONT)
      let status = "/proc/\(try session.processIdentifier)/status"
      try session.wait(until: { try String(contentsOfFile: status, encoding: .utf8).contains("T (stopped)") }, "it to stop again")
      for signal in [SIGTERM, SIGCONT] { try session.signal(signal) }
      try session.wait(until: { try !session.isRunning }, "it to end in the background")
      #expect(try session.output.ranges(of: "\u{1B}[?1049h").count == 1)
    }
  #endif

  @Test(arguments: [SIGTERM, SIGINT]) func `the screen of a verb ends by a signal, and gives the terminal back`(_ number: Int32) throws {
    let folder = try TemporaryFolder()
    let (old, new) = (try Fixtures.values(in: folder), try Fixtures.database("new.db", in: folder, "CREATE TABLE t(a)"))
    let session = try TerminalSession("diff", old, new)
    try session.wait(for: "1 of")
    try session.signal(number)
    try session.waitForEnd()
    #expect(try session.exitStatus() == 128 + Int(number))
    try expectTerminalAsBefore(session)
  }

  @Test func `an editor that was stopped by ^S gives a terminal back that takes what is written`() throws {
    let folder = try TemporaryFolder()
    let script = try folder.write(
      Data("#!/bin/sh\nstty ixon\necho THE EDITOR\nwhile [ ! -e '\(folder.path("go"))' ]; do sleep 0.05; done\n".utf8), to: "editor")
    let session = try start(environment: ["VISUAL": "sh \(script.path)"])
    try session.press("F4")
    try session.wait(for: "SQL")
    try session.press("M-e")
    try session.wait(for: "THE EDITOR")
    try session.press("C-s")
    _ = try folder.write(Data(), to: "go")
    try session.wait(for: "not saved")
    try session.press("C-q")
    try session.waitForEnd()
    #expect(try session.exitStatus() == 0)
    try expectTerminalAsBefore(session)
  }

  @Test func `^C goes to the editor alone, and ^Z stops both, which go on together`() throws {
    let folder = try TemporaryFolder()
    let script = try folder.write(
      Data(
        "trap 'echo GOT ^C' INT; echo THE EDITOR\nwhile [ ! -e '\(folder.path("go"))' ]; do sleep 0.05; done\n".utf8), to: "editor")
    let session = try start(environment: ["VISUAL": "sh \(script.path)"])
    try session.press("F4")
    try session.wait(for: "SQL")
    try session.press("M-e")
    try session.wait(for: "THE EDITOR")
    try session.press("C-c")
    try session.wait(for: "GOT ^C")
    try session.press("C-z")
    try session.waitForStop()
    try session.press("C-d")
    _ = try folder.write(Data(), to: "go")
    try session.wait(for: "not saved")
    try session.press("C-q")
    try session.waitForEnd()
    #expect(try session.exitStatus() == 0)
    try expectTerminalAsBefore(session)
  }

  @Test func `it fits every size that the terminal takes, and is there again afterwards`() throws {
    let session = try start()
    for (columns, rows) in [(120, 36), (40, 10), (1, 1), (200, 50), (80, 24)] {
      try session.resize(columns: columns, rows: rows)
      guard columns >= 40 else { continue }
      try session.wait(until: { try isWhole(session, columns, rows) }, "a screen of \(columns) by \(rows)")
    }
    try session.press("C-q")
    try session.waitForEnd()
    try expectTerminalAsBefore(session)
  }

  /// Returns whether the last line of a screen of that size has the number of the row at its end, as only a screen drawn for it has.
  private func isWhole(_ session: TerminalSession, _ columns: Int, _ rows: Int) throws -> Bool {
    let lines = try session.screen.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    guard lines.count == rows, let last = lines.last else { return false }
    return last.contains("row 1 of") && last.count > columns - 4 && last.count <= columns
  }

  @Test func `a paste is a text, not keys`() throws {
    let session = try start()
    try session.press("/")
    try session.paste("q\u{3}zebra\nq")
    try session.wait(for: "zebra")
    #expect(try session.isRunning)
    try session.press("Escape")
    try session.wait(until: { try !session.screen.contains("zebra") }, "the search to close")
    try session.press("C-q")
    try session.waitForEnd()
    #expect(try session.exitStatus() == 0)
  }

  @Test func `a click chooses the row under it, and the wheel scrolls`() throws {
    let session = try start()
    let lines = try session.screen.split(separator: "\n", omittingEmptySubsequences: false)
    let header = try #require(lines.firstIndex { $0.contains("integ") })
    let (column, row) = (60, header + 1 + 3)
    try session.send("\u{1b}[<0;\(column);\(row)M\u{1b}[<0;\(column);\(row)m")
    try session.wait(for: "row 3 of")
    try session.send("\u{1b}[<65;\(column);\(row)M")
    try session.wait(until: { try !session.screen.contains("row 3 of") || session.screen != lines.joined(separator: "\n") }, "the wheel")
    try session.press("C-q")
    try session.waitForEnd()
    try expectTerminalAsBefore(session)
  }

  @Test func `it ends with its terminal`() throws {
    let session = try start()
    try session.hangUp()
    try session.wait(until: { try !session.isRunning }, "the program to end")
  }

  @Test func `a file that cannot be opened leaves the terminal alone`() throws {
    let session = try TerminalSession("/nowhere/none.db")
    try session.waitForEnd()
    #expect(try session.exitStatus() == 3)
    try session.wait(for: "THE END")
    #expect(try session.lineModes("after") == session.lineModes("before"))
    #expect(try !session.output.contains("\u{1b}[?1049h"))
  }
}
