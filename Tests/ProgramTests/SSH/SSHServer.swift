import Foundation
import TestSupport
import Testing

extension TemporaryFolder {
  /// Writes a program of the shell.
  ///
  /// Another process does it: a program that a test starts at the same moment would hold the file open for writing, and the system then
  /// refuses to run it.
  func writeScript(_ text: String, to name: String) throws {
    let words = ["/bin/sh", "-c", "printf '%s\\n' '#!/bin/sh' \"$1\" > \"$2\" && chmod 755 \"$2\"", "sh", text, path(name)]
    try #require(try ChildProcess(words).wait() == .exit(0))
  }
}

/// A real sshd on the loopback, as an ordinary process with keys, a configuration and a port of its own, and an ssh that knows it as `box`.
///
/// What is there has a home folder of its own, in which the shell's profile prints something, as some do.
final class SSHServer {
  let folder: TemporaryFolder
  /// The home folder there.
  let home: String
  private let process: ChildProcess

  /// Whether the machine has what this needs.
  static let isInstalled = program != nil && Fixtures.program("ssh") != nil && Fixtures.program("ssh-keygen") != nil

  static let whatIsMissing = "sshd and ssh are not installed here: apt install openssh-server openssh-client"

  /// Debian keeps it where ordinary PATHs do not lead.
  private static let program: String? = {
    let places = ["/usr/sbin/sshd", "/usr/local/sbin/sshd"]
    return Fixtures.program("sshd")?.path ?? places.first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  /// Starts one.
  ///
  /// - Parameter hasProgram: whether the program is installed there.
  init(hasProgram: Bool = true) throws {
    folder = try TemporaryFolder()
    home = folder.path("there")
    for name in ["there", "there/bin", "here", "here/bin"] {
      try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
    }
    for key in ["host", "user"] { try Self.makeKey(folder.path(key)) }
    if hasProgram {
      try FileManager.default.createSymbolicLink(atPath: home + "/bin/quarry", withDestinationPath: BuiltProgram.url.path)
    }
    _ = try folder.write(Data("echo noise of a profile; echo noise of a profile >&2\n".utf8), to: "there/.bashrc")
    // The folder into which sshd locks what it does for strangers; a package makes it when its service starts.
    if geteuid() == 0 { try? FileManager.default.createDirectory(atPath: "/run/sshd", withIntermediateDirectories: true) }
    process = try Self.start(in: folder, home: home)
    try writeClient()
  }

  private static func makeKey(_ path: String) throws {
    let keygen = try #require(Fixtures.program("ssh-keygen"))
    try #require(try ChildProcess([keygen.path, "-q", "-t", "ed25519", "-N", "", "-f", path]).wait() == .exit(0))
  }

  /// Starts sshd on a port that was free a moment ago, and on another one where it no longer is.
  private static func start(in folder: TemporaryFolder, home: String) throws -> ChildProcess {
    for _ in 0..<5 {
      let port = try FreePort.take()
      let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      let configuration = """
        Port \(port)
        ListenAddress 127.0.0.1
        HostKey \(folder.path("host"))
        AuthorizedKeysFile \(folder.path("user")).pub
        PidFile none
        UsePAM no
        StrictModes no
        PasswordAuthentication no
        KbdInteractiveAuthentication no
        PermitRootLogin yes
        SetEnv HOME=\(home) PATH=\(home)/bin:\(path)
        """
      _ = try folder.write(Data(configuration.utf8), to: "sshd_config")
      let log = folder.path("sshd.log")
      let command = ["/bin/sh", "-c", watched, "sh", try #require(program), "-D", "-e", "-f", folder.path("sshd_config")]
      let process = try ChildProcess(command, input: .pipe, errors: .file(log))
      try Waiting.wait(for: "sshd to listen") { try text(log).contains("Server listening on") || text(log).contains("Bind to port") }
      if try text(log).contains("Server listening on") {
        try "\(port)".write(toFile: folder.path("port"), atomically: true, encoding: .utf8)
        return process
      }
    }
    throw CancellationError()
  }

  /// Runs a program until its standard input ends, as it does when the test's process is gone, killed or not.
  ///
  /// What waits for that is no child of the program.
  private static let watched = "exec 3<&0; ( (cat <&3 >/dev/null; kill $$) & ); exec \"$@\" </dev/null 3<&-"

  private static func text(_ path: String) throws -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

  var port: Int {
    get throws { try #require(Int(try String(contentsOfFile: folder.path("port"), encoding: .utf8))) }
  }

  // MARK: The client

  /// Writes the ssh that tests find first in PATH: it reads no configuration of whoever runs them.
  private func writeClient() throws {
    let key = try String(contentsOfFile: folder.path("host.pub"), encoding: .utf8)
    _ = try folder.write(Data("box \(key)".utf8), to: "known_hosts")
    let configuration = """
      Host box
        HostName 127.0.0.1
        Port \(try port)
        HostKeyAlias box
      Host *
        IdentityFile \(folder.path("user"))
        IdentitiesOnly yes
        IdentityAgent none
        UserKnownHostsFile \(folder.path("known_hosts"))
        GlobalKnownHostsFile /dev/null
      """
    _ = try folder.write(Data(configuration.utf8), to: "ssh_config")
    let ssh = try #require(Fixtures.program("ssh"))
    try writeScript("exec \(ssh.path) -F \(folder.path("ssh_config")) \"$@\"", to: "here/bin/ssh")
  }

  /// Lets ssh connect over a line of some 100 kB a second.
  func slowDown() throws {
    let part = folder.path("part")
    let relay = """
      exec 3<>/dev/tcp/127.0.0.1/\(try port) 4<&0; cat <&4 >&3 & \
      while dd bs=2048 count=1 <&3 >'\(part)' 2>/dev/null && [ -s '\(part)' ]; do cat '\(part)'; sleep 0.02; done
      """
    try writeScript("exec bash -c \"\(relay)\"", to: "here/bin/slow")
    let file = folder.path("ssh_config")
    let configuration = try String(contentsOfFile: file, encoding: .utf8)
    _ = try folder.write(Data("Host box\n  ProxyCommand \(folder.path("here/bin/slow"))\n\(configuration)".utf8), to: "ssh_config")
  }

  /// Writes a program of the shell.
  func writeScript(_ text: String, to name: String) throws {
    try folder.writeScript(text, to: name)
  }

  /// The variables of the program here.
  var environment: [String: String] {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return ["PATH": "\(folder.path("here/bin")):\(path)", "HOME": folder.path("here")]
  }

  func run(_ arguments: String..., input: String = "") throws -> BuiltProgram.Outcome {
    try run(arguments, input: input)
  }

  func run(_ arguments: [String], input: String = "") throws -> BuiltProgram.Outcome {
    try BuiltProgram.run(BuiltProgram.url, arguments, input: input, environment: environment)
  }

  /// Kills the processes of sshd that have a connection; the one that listens stays.
  func cutConnections() throws {
    for child in try children() { kill(child, SIGKILL) }
  }

  /// Waits until nobody is connected.
  func waitForNobody() throws {
    try Waiting.wait(for: "the connections to end") { try children().isEmpty }
  }

  private func children() throws -> [pid_t] {
    let list = folder.path("children")
    try ChildProcess(["/usr/bin/env", "ps", "-A", "-o", "ppid=,pid="], output: .file(list)).wait()
    return try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n").compactMap { line in
      let numbers = line.split(separator: " ").compactMap { pid_t($0) }
      return numbers.count == 2 && numbers[0] == process.identifier ? numbers[1] : nil
    }
  }

  deinit {
    try? cutConnections()
    process.send(SIGTERM)
    process.wait()
  }
}
