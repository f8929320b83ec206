import Foundation
import TestSupport
import Testing

/// Whatever keeps a host from being reached is a sentence with the way out, and status 3.
@Suite(.gated, .enabled(if: SSHServer.isInstalled, "\(SSHServer.whatIsMissing)")) struct SSHRefusalTests {
  private let server: SSHServer

  init() throws {
    server = try SSHServer()
  }

  private func expect(
    _ sentence: String, from arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let outcome = try server.run(["tables"] + arguments)
    #expect(outcome.status == 3, sourceLocation: sourceLocation)
    #expect(outcome.output.isEmpty, sourceLocation: sourceLocation)
    #expect(outcome.errors.contains(sentence), "\(outcome.errors)", sourceLocation: sourceLocation)
  }

  @Test func `there is no such host`() throws {
    try expect("there is no host “no-such-host.invalid”", from: "no-such-host.invalid:/app.db")
  }

  @Test func `the host is not known yet`() throws {
    try FileManager.default.removeItem(atPath: server.folder.path("known_hosts"))
    try expect("box is not known yet: run `ssh box` once", from: "box:/app.db")
  }

  @Test func `the key of the host has changed`() throws {
    let key = try String(contentsOfFile: server.folder.path("user.pub"), encoding: .utf8)
    _ = try server.folder.write(Data("box \(key)".utf8), to: "known_hosts")
    try expect("the key of box has changed", from: "box:/app.db")
    try expect("`ssh-keygen -f", from: "box:/app.db")
  }

  @Test func `the host does not let this person in`() throws {
    try FileManager.default.removeItem(atPath: server.folder.path("user"))
    try expect("box refuses the login: make `ssh box` work first", from: "box:/app.db")
  }

  @Test func `nothing listens there`() throws {
    try expect("no ssh server listens on port 1 of 127.0.0.1", from: "ssh://127.0.0.1:1/app.db")
  }

  @Test func `the host does not answer`() throws {
    try server.writeScript("echo 'ssh: connect to host box port 22: Connection timed out' >&2; exit 255", to: "here/bin/ssh")
    try expect("box does not answer", from: "box:/app.db")
  }

  @Test func `there is no ssh here`() throws {
    let environment = server.environment.merging(["PATH": server.home]) { $1 }
    let outcome = try BuiltProgram.run(BuiltProgram.url, ["tables", "box:/app.db"], environment: environment)
    #expect(outcome.status == 3)
    #expect(outcome.errors.contains("ssh, which opens files on other machines, is not installed"), "\(outcome.errors)")
  }

  @Test func `there is no such file there, and which machine that is`() throws {
    try expect("quarry: box: There is no file “/no/such.db”", from: "box:/no/such.db")
  }

  @Test func `the program is not there, and nobody can be asked`() throws {
    try FileManager.default.removeItem(atPath: server.home + "/bin/quarry")
    try expect("box has no quarry: install it there, or run `quarry box:/app.db` on a terminal once", from: "box:/app.db")
    try server.writeScript("echo quarry 0.0.1", to: "there/bin/quarry")
    try expect("box has quarry 0.0.1, and this is quarry", from: "box:/app.db")
  }

  @Test func `the processor is another one`() throws {
    try FileManager.default.removeItem(atPath: server.home + "/bin/quarry")
    try server.writeScript("echo Linux riscv64", to: "there/bin/uname")
    try expect("box has no quarry, and runs Linux riscv64, but this quarry is built for", from: "box:/app.db")
  }

  @Test func `a library is missing there`() throws {
    try FileManager.default.removeItem(atPath: server.home + "/bin/quarry")
    let version = try #require(try BuiltProgram.run("--version").text.split(separator: "\n").first)
    try server.writeScript(
      """
      if [ "$1" = --version ]; then echo \(version); exit 0; fi
      echo 'quarry: error while loading shared libraries: libsqlite3.so.0: cannot open shared object file' >&2; exit 127
      """, to: "there/bin/quarry")
    try expect("libsqlite3.so.0 is missing there: install it, for example with `apt install libsqlite3-0", from: "box:/app.db")
  }

  @Test func `what no program of another machine has made is refused`() throws {
    let outcome = try BuiltProgram.run("--ssh-request", "nonsense")
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("is internal"))
  }
}

/// The command that ssh hands to the login shell there means the same to all of them.
@Suite(.gated) struct SSHShellTests {
  @Test(arguments: ["sh", "dash", "bash", "zsh", "tcsh", "fish", "ksh", "busybox"])
  func `any login shell starts the program`(shell: String) throws {
    guard let program = Fixtures.program(shell) else { return }
    let folder = try TemporaryFolder()
    let file = try Fixtures.values(in: folder)
    try FileManager.default.createDirectory(atPath: folder.path("bin"), withIntermediateDirectories: true)
    let command = shell == "busybox" ? "\(program.path) sh" : program.path
    try folder.writeScript("for last; do :; done\nexec \(command) -c \"$last\"", to: "bin/ssh")
    try FileManager.default.createSymbolicLink(atPath: folder.path("bin/quarry"), withDestinationPath: BuiltProgram.url.path)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let outcome = try BuiltProgram.run(
      BuiltProgram.url, ["query", "box:\(file)", "SELECT '!`$HOME\\ \"''%' AS x"],
      environment: ["PATH": folder.path("bin") + ":" + path, "HOME": folder.path])
    #expect(outcome.text == "x\n\"!`$HOME\\ \"\"'%\"\n", "\(outcome.errors)")
    #expect(outcome.status == 0)
  }
}

/// Whatever reads a FILE takes an address.
@Suite(.gated) struct AddressedVerbTests {
  /// Arguments for each verb that reads a FILE, which F stands for.
  private static let verbs = [
    ["tables", "F"], ["schema", "F"], ["rows", "F", "t"], ["search", "F", "x"], ["query", "F", "SELECT 1"], ["counts", "F", "t", "a"],
    ["profile", "F", "t"], ["chart", "F", "SELECT 1"], ["changes", "F"], ["undo", "F"], ["import", "F", "t", "x.csv"], ["dump", "F"],
    ["backup", "F", "copy.db"], ["filter-check", "F", "t", "a = 1"], ["diff", "F", "F"],
    ["group", "F", "t", "--by", "a"], ["new", "F"], ["doctor", "F"], ["merge", "F", "F", "F", "-o", "result.db"], ["textconv", "F"],
    ["check", "F"],
  ]

  @Test(arguments: verbs)
  func `an address that is wrong is told by every verb`(arguments: [String]) throws {
    let outcome = try BuiltProgram.run(BuiltProgram.url, arguments.map { $0 == "F" ? "ftp://box/app.db" : $0 })
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("has an unknown scheme “ftp”"), "\(outcome.errors)")
  }

  @Test func `these are all verbs but for those that read no FILE`() throws {
    let help = try BuiltProgram.run("--help").text
    let list = try #require(help.firstRange(of: "SUBCOMMANDS:")).upperBound
    let lines = help[list...].split(separator: "\n").prefix { $0.hasPrefix("  ") }
    let verbs = lines.compactMap { $0.firstMatch(of: #/^  ([a-z-]+) /#).map { String($0.1) } }
    let others = ["browse", "themes", "keys", "config", "man"]
    #expect(Set(verbs).subtracting(others) == Set(Self.verbs.map { $0[0] }))
  }
}
