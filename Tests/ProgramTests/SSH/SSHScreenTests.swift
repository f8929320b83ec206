import Foundation
import TestSupport
import Testing

/// The full screen of a file on another host, in a real terminal.
@Suite(.gated, .enabled(if: SSHServer.isInstalled, "\(SSHServer.whatIsMissing)")) struct SSHScreenTests {
  private func makeFile(_ server: SSHServer) throws -> String {
    try Fixtures.database(
      "planets.db", in: server.folder, "CREATE TABLE planets(id INTEGER PRIMARY KEY, name)",
      "INSERT INTO planets(name) VALUES ('Mercury'), ('Venus'), ('Earth')")
  }

  private func open(_ address: String..., on server: SSHServer, showsErrors: Bool = true) throws -> TerminalSession {
    try TerminalSession(address, showsErrors: showsErrors, environment: server.environment)
  }

  private func expectTerminalAsBefore(_ session: TerminalSession) throws {
    try session.wait(for: "THE END")
    #expect(try session.lineModes("after") == session.lineModes("before"))
    #expect(try session.terminalModes == "0 0 0 1\n")
    let output = try session.output
    let (on, off) = (output.ranges(of: "\u{1b}[?2004h").last, output.ranges(of: "\u{1b}[?2004l").last)
    #expect(try #require(off).lowerBound > #require(on).lowerBound, "bracketed paste stays on")
  }

  @Test func `keys, size and clipboard pass through, the title names the host, and leaving gives the terminal back`() throws {
    let server = try SSHServer()
    let session = try open("box:\(try makeFile(server))", "-t", "planets", on: server)
    try session.wait(for: "row 1 of 3")
    #expect(try session.screen.contains("box:planets.db"))
    #expect(try !session.screen.contains("noise"))
    try session.press("C-c")
    try session.press("j")
    try session.wait(for: "row 2 of 3")
    try session.press("y")
    try session.wait(until: { try session.output.contains("\u{1b}]52;c;Mg==\u{07}") }, "the clipboard to be asked for")
    // The terminal has the text before the screen says so.
    try session.wait(for: "copied id")
    try session.press("C-z")
    try session.wait(for: "quarry runs on box")
    try session.press("C-q")
    try session.waitForEnd()
    #expect(try session.exitStatus() == 0)
    try expectTerminalAsBefore(session)
    #expect(try !session.screen.contains("closed"))
  }

  @Test func `a change of the terminal's size reaches the program there`() throws {
    let server = try SSHServer()
    let session = try open("box:\(try makeFile(server))", "-t", "planets", on: server)
    try session.wait(for: "row 1 of 3")
    #expect(try lastLine(of: session).count > 60)
    try session.resize(columns: 50, rows: 12)
    try session.wait(until: { try lastLine(of: session).contains("row 1") && lastLine(of: session).count <= 50 }, "a smaller screen")
    try session.press("C-q")
    try session.waitForEnd()
    #expect(try session.exitStatus() == 0)
  }

  private func lastLine(of session: TerminalSession) throws -> String {
    try session.screen.split(separator: "\n").last.map(String.init) ?? ""
  }

  @Test func `theme and keys are those here, and nothing is left there`() throws {
    let server = try SSHServer()
    try FileManager.default.createDirectory(atPath: server.folder.path("here/.config/quarry/themes"), withIntermediateDirectories: true)
    _ = try server.folder.write(Data("[grid]\n\"x\" = \"move-down\"\n".utf8), to: "here/.config/quarry/keys.toml")
    _ = try server.folder.write(Data("theme = \"odd\"\n".utf8), to: "here/.config/quarry/config.toml")
    _ = try server.folder.write(
      Data("name = \"odd\"\ninherits = \"quarry-dark\"\ntext = { fg = \"#123456\" }\n".utf8),
      to: "here/.config/quarry/themes/odd.toml")
    var environment = server.environment
    environment["COLORTERM"] = "truecolor"
    let session = try TerminalSession(["box:\(try makeFile(server))", "-t", "planets"], environment: environment)
    try session.wait(for: "row 1 of 3")
    try session.press("x")
    try session.wait(for: "row 2 of 3")
    #expect(try session.output.contains("38;2;18;52;86"))
    try session.press("C-q")
    try session.waitForEnd()
    #expect(!FileManager.default.fileExists(atPath: server.home + "/.config"))
  }

  @Test func `of more themes than can be sent, the chosen one is`() throws {
    let server = try SSHServer()
    let themes = server.folder.path("here/.config/quarry/themes")
    try FileManager.default.createDirectory(atPath: themes, withIntermediateDirectories: true)
    let filler = String(repeating: "# a long remark\n", count: 3_000)
    for name in ["first", "second", "third", "basis"] {
      let text = "name = \"\(name)\"\ninherits = \"quarry-dark\"\n" + (name == "basis" ? "text = { fg = \"#123456\" }\n" : filler)
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(themes)/\(name).toml"))
    }
    try Data("name = \"odd\"\ninherits = \"basis\"\n".utf8).write(to: URL(fileURLWithPath: "\(themes)/odd.toml"))
    var environment = server.environment
    environment["COLORTERM"] = "truecolor"
    let session = try TerminalSession(["box:\(try makeFile(server))", "-t", "planets", "--theme", "odd"], environment: environment)
    try session.wait(for: "row 1 of 3")
    #expect(try session.output.contains("38;2;18;52;86"))
    try session.press("C-q")
    try session.waitForEnd()
  }

  @Test func `what fails there before the screen is taken is told, with its status`() throws {
    let server = try SSHServer()
    let session = try open("box:/no/such.db", on: server)
    try session.waitForEnd()
    #expect(try session.exitStatus() == 3)
    try session.wait(for: "box: There is no file")
  }

  @Test func `a connection that breaks gives the terminal back, and what was staged is offered again`() throws {
    let server = try SSHServer()
    let address = "box:\(try makeFile(server))"
    let session = try open(address, "-t", "planets", on: server)
    try session.wait(for: "row 1 of 3")
    try session.press("l", "e", "End")
    try session.send("!")
    try session.press("Enter")
    try session.wait(for: "1 change")
    try session.wait(until: { hasStaged(server) }, "the change to be on disk")
    try server.cutConnections()
    try session.waitForEnd()
    #expect(try session.exitStatus() == 1)
    try expectTerminalAsBefore(session)
    try session.wait(for: "the connection to box was lost")
    try server.waitForNobody()
    let again = try open(address, "-t", "planets", on: server)
    try again.wait(for: "1 change from an earlier session")
    try again.press("Enter")
    try again.wait(for: "Mercury!")
    try again.press("C-q")
  }

  @Test func `an ssh that is killed gives the terminal back, and that is said`() throws {
    let server = try SSHServer()
    let session = try open("box:\(try makeFile(server))", "-t", "planets", on: server)
    try session.wait(for: "row 1 of 3")
    let program = try session.processIdentifier
    let children = try String(contentsOfFile: "/proc/\(program)/task/\(program)/children", encoding: .utf8)
    kill(try #require(children.split(separator: " ").first.flatMap { pid_t($0) }), SIGKILL)
    try session.waitForEnd()
    #expect(try session.exitStatus() == 1)
    try expectTerminalAsBefore(session)
    try session.wait(for: "was ended by signal 9")
  }

  @Test func `the command line that is copied has the whole address`() throws {
    let server = try SSHServer()
    let file = try makeFile(server)
    let address = "ssh://box:\(try server.port)\(file)"
    let session = try open(address, "-t", "planets", on: server)
    try session.wait(for: "row 1 of 3")
    try session.press("g", "C")
    try session.wait(for: "These rows as")
    try session.press("Enter")
    let line = Data("quarry rows \(address) planets".utf8).base64EncodedString()
    try session.wait(until: { try session.output.contains("\u{1b}]52;c;\(line)\u{07}") }, "the command line of \(address)")
    try session.press("C-q")
    try session.waitForEnd()
  }

  /// Whether the program there has written down what is staged.
  private func hasStaged(_ server: SSHServer) -> Bool {
    let names = try? FileManager.default.contentsOfDirectory(atPath: server.home + "/.local/state/quarry/staged")
    return names?.contains { $0.hasSuffix(".changes") } ?? false
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func `a signal ends it on both machines, and gives the terminal back`(_ signal: Int32) throws {
    let server = try SSHServer()
    let session = try open("box:\(try makeFile(server))", "-t", "planets", on: server)
    try session.wait(for: "row 1 of 3")
    try session.signal(signal)
    try session.waitForEnd()
    #expect(try session.exitStatus() == 128 + Int(signal))
    try expectTerminalAsBefore(session)
    try server.waitForNobody()
  }

  @Test func `the start screen lists the address, and opens it again`() throws {
    let server = try SSHServer()
    let first = try open("box:\(try makeFile(server))", on: server)
    try first.wait(for: "Mercury")
    try first.press("C-q")
    try first.waitForEnd()
    let session = try TerminalSession([], environment: server.environment)
    try session.wait(for: "planets.db")
    #expect(try session.screen.contains("box:"))
    #expect(try !session.screen.contains("gone"))
    try session.press("Enter")
    try session.wait(for: "Mercury")
    #expect(try session.screen.contains("box:planets.db"))
    try session.press("C-q")
    try session.waitForEnd()
    #expect(try session.exitStatus() == 0)
  }

  @Test func `a new database opens with the form of its first table, and what cannot be new stays`() throws {
    let server = try SSHServer()
    let path = server.folder.path("shop.db")
    let session = try open("new", "box:\(path)", on: server)
    try session.wait(for: "F5 writes it")
    #expect(try session.screen.contains("box:shop.db"))
    try session.press("F5")
    try session.wait(for: "Create the table new_table?")
    try session.press("Down", "Enter")
    try session.wait(for: "created new_table")
    try session.press("C-q")
    try session.waitForEnd()
    #expect(try session.exitStatus() == 0)
    let recent = try String(contentsOfFile: server.folder.path("here/.local/state/quarry/recent"), encoding: .utf8)
    #expect(recent.contains("shop.db"))
    let again = try open("new", "box:\(path)", on: server)
    try again.waitForEnd()
    #expect(try again.exitStatus() == 2)
    let printed = try server.run("new", "box:\(server.folder.path("b.db"))")
    #expect(printed.text.hasPrefix("created ") && printed.text.hasSuffix("b.db`\n") && printed.status == 0, "\(printed.errors)")
    #expect(try BuiltProgram.run("tables", path).text == "name,kind,columns,rows\nnew_table,table,1,0\n")
    #expect(try BuiltProgram.run("tables", server.folder.path("b.db")).text == "name,kind,columns,rows\n")
  }

  @Test func `an address is typed on the start screen as on the command line`() throws {
    let server = try SSHServer()
    let session = try TerminalSession([], environment: server.environment)
    try session.wait(for: "the tour")
    try session.press("o")
    try session.send("ftp://box/x")
    try session.press("Enter")
    try session.wait(for: "unknown scheme")
    try session.press("C-u")
    try session.send("box:\(try makeFile(server))")
    try session.press("Enter")
    try session.wait(for: "Mercury")
    try session.press("C-q")
    try session.waitForEnd()
  }
}

/// A host without the program is offered this one.
@Suite(.gated, .enabled(if: SSHServer.isInstalled, "\(SSHServer.whatIsMissing)")) struct SSHDeliveryTests {
  private let server: SSHServer
  private let file: String

  init() throws {
    server = try SSHServer(hasProgram: false)
    file = try Fixtures.values(in: server.folder)
  }

  private var sent: [String] {
    let folder = server.home + "/.cache/quarry"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.flatMap { name in
      ((try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(name)")) ?? []).map { "\(folder)/\(name)/\($0)" }
    }
  }

  private func ask() throws -> TerminalSession {
    let session = try TerminalSession(
      ["rows", "box:\(file)", "things"], size: (120, 24), showsErrors: true, environment: server.environment)
    try session.wait(for: "[y/n]")
    return session
  }

  @Test func `it is sent whole, for its owner alone, and found there from then on`() throws {
    let session = try ask()
    try session.press("y", "Enter")
    try session.waitForEnd()
    #expect(try session.exitStatus() == 0)
    #expect(try session.screen.contains("it's"))
    let program = try #require(sent.first)
    #expect(sent.count == 1)
    #expect(program.hasSuffix("/quarry"))
    #expect(FileManager.default.contentsEqual(atPath: program, andPath: BuiltProgram.url.path))
    let mode = try FileManager.default.attributesOfItem(atPath: program)[.posixPermissions] as? Int
    #expect(mode == 0o700)
    #expect(try server.run("tables", "box:\(file)").status == 0)
  }

  @Test func `one that is damaged there is sent again`() throws {
    for isDamaged in [false, true] {
      if let program = sent.first, isDamaged { #expect(truncate(program, 100_000) == 0) }
      let session = try ask()
      try session.press("y", "Enter")
      try session.waitForEnd()
      #expect(try session.exitStatus() == 0)
    }
    #expect(FileManager.default.contentsEqual(atPath: try #require(sent.first), andPath: BuiltProgram.url.path))
  }

  @Test func `a no sends nothing, and says what else can be done`() throws {
    let session = try ask()
    try session.press("n", "Enter")
    try session.waitForEnd()
    #expect(try session.exitStatus() == 3)
    #expect(try session.screen.contains("nothing was sent: install quarry on box"))
    #expect(sent.isEmpty)
  }

  @Test func `an interrupt is a no`() throws {
    let session = try ask()
    try session.press("C-c")
    try session.waitForEnd()
    #expect(try session.exitStatus() == 130)
    #expect(sent.isEmpty)
  }

  @Test func `one that arrives in part, or cannot run there, leaves nothing`() throws {
    let ssh = try #require(Fixtures.program("ssh")).path + " -F \(server.folder.path("ssh_config"))"
    try server.writeScript(
      "case \"$*\" in *quarry.*) head -c 100000 | \(ssh) \"$@\";; *) exec \(ssh) \"$@\";; esac", to: "here/bin/ssh")
    let session = try ask()
    try session.press("y", "Enter")
    try session.waitForEnd()
    #expect(try session.exitStatus() == 3)
    #expect(try session.screen.contains("100000 of"))
    #expect(sent.isEmpty)
  }
}
