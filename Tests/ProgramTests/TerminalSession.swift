import Foundation
import TestSupport
import Testing

/// The built program in a terminal of its own: a pane of a tmux server that nobody else uses.
final class TerminalSession {
  private let folder: TemporaryFolder
  private let socket = "quarry-\(UUID().uuidString.prefix(8))"
  /// The process of the tmux server, as long as the terminal is there.
  private var server: pid_t?

  /// Starts the program below a shell that keeps the terminal's modes from before and after it, and its exit status.
  ///
  /// - Parameter showsErrors: whether standard error is the terminal too, and no file.
  ///   - feeder: a command of the shell whose output is the program's standard input; nil where that is the terminal.
  ///   - environment: variables besides those that every session has.
  convenience init(
    _ arguments: String..., size: (columns: Int, rows: Int) = (80, 24), showsErrors: Bool = false, fedBy feeder: String? = nil,
    environment: [String: String] = [:]
  ) throws {
    try self.init(arguments, size: size, showsErrors: showsErrors, fedBy: feeder, environment: environment)
  }

  init(
    _ arguments: [String], size: (columns: Int, rows: Int) = (80, 24), showsErrors: Bool = false, fedBy feeder: String? = nil,
    environment: [String: String] = [:]
  ) throws {
    folder = try TemporaryFolder()
    let command = ([BuiltProgram.url.path] + arguments).map { "'\($0.replacing("'", with: "'\\''"))'" }.joined(separator: " ")
    let script = """
      set -m
      trap : INT
      ulimit -c 0
      cd '\(folder.path)'
      stty -a > before
      \(feeder.map { "\($0) | " } ?? "")sh -c 'echo $$ > pid.new; mv pid.new pid; exec "$@"' sh \(command)\(showsErrors ? "" : " 2> errors")
      status=$?
      while [ $status -eq 148 ]; do
        stty -a > stopped.new; mv stopped.new stopped
        cat > /dev/null
        fg > /dev/null
        status=$?
      done
      stty -a > after
      echo $status > status.new; mv status.new status
      echo THE END
      cat
      """
    let file = try folder.write(Data(script.utf8), to: "script")
    _ = try folder.write(Data(), to: "output")
    try tmux(
      "-f", "/dev/null", "new-session", "-d", "-s", "t", "-x", String(size.columns), "-y", String(size.rows),
      """
      exec env -i VISUAL=true SWIFT_BACKTRACE=enable=no HOME='\(folder.path)' PATH="$PATH" LC_ALL=C.UTF-8 TERM="$TERM" \
      \(environment.map { "\($0)='\($1)'" }.joined(separator: " ")) bash '\(file.path)'
      """,
      ";",
      "pipe-pane", "-t", "t", "-O", "cat >> '\(folder.path("output"))'")
    server = try findServer()
  }

  private func findServer() throws -> pid_t {
    let answer = try tmux("display-message", "-p", "-t", "t", "#{pid}")
    return try #require(pid_t(answer.trimmingCharacters(in: .whitespacesAndNewlines)), "tmux did not start: \(answer)")
  }

  deinit {
    _ = try? tmux("kill-server")
  }

  /// What the screen shows.
  var screen: String {
    get throws { try tmux("capture-pane", "-p", "-t", "t") }
  }

  /// What the terminal itself is set to: the second screen, mouse reports, the cursor.
  var terminalModes: String {
    get throws { try tmux("display-message", "-p", "-t", "t", "#{alternate_on} #{mouse_any_flag} #{mouse_sgr_flag} #{cursor_flag}") }
  }

  /// Returns the modes of the terminal's line as `stty -a` names them, at one of the moments that the shell keeps.
  func lineModes(_ moment: String) throws -> String {
    try text(of: moment)
  }

  /// Every byte that the program wrote to the terminal.
  var output: String {
    get throws { String(decoding: try Data(contentsOf: URL(fileURLWithPath: folder.path("output"))), as: UTF8.self) }
  }

  /// What the program wrote to standard error.
  var errors: String {
    get throws { try text(of: "errors") }
  }

  /// Lets the terminal read nothing, and have no room for another byte, until `body` returns.
  func whileNotReading(_ body: () throws -> Void) throws {
    let server = try #require(server)
    let device = try tmux("display-message", "-p", "-t", "t", "#{pane_tty}").trimmingCharacters(in: .whitespacesAndNewlines)
    let terminal = open(device, O_WRONLY | O_NOCTTY | O_NONBLOCK)
    defer { close(terminal) }
    kill(server, SIGSTOP)
    defer { kill(server, SIGCONT) }
    // A terminal makes nothing of a NUL.
    let nothing = [UInt8](repeating: 0, count: 4096)
    while write(terminal, nothing, nothing.count) > 0 {}
    try #require(errno == EAGAIN)
    try body()
  }

  /// Whether the system counts what a program reads.
  static let hasCounters = FileManager.default.fileExists(atPath: "/proc/self/io")

  /// How many bytes the program has read.
  private var readCount: Int {
    get throws {
      let counters = (try? String(contentsOfFile: "/proc/\(try processIdentifier)/io", encoding: .utf8)) ?? ""
      return counters.firstMatch(of: #/rchar: (\d+)/#).flatMap { Int($0.1) } ?? 0
    }
  }

  /// Returns the exit status as a shell has it: 128 and more for a signal.
  func exitStatus() throws -> Int {
    try #require(Int(try text(of: "status").trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  var processIdentifier: pid_t {
    get throws { try #require(pid_t(try text(of: "pid").trimmingCharacters(in: .whitespacesAndNewlines))) }
  }

  /// Waits until the screen shows `text`.
  func wait(for text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try wait(until: { try screen.contains(text) }, "\(text) to be shown", sourceLocation)
  }

  /// Waits until the program has ended, however it did.
  func waitForEnd(sourceLocation: SourceLocation = #_sourceLocation) throws {
    _ = try waitForText(of: "status", sourceLocation)
  }

  /// Waits until the program has stopped itself, and the shell has the terminal.
  func waitForStop(sourceLocation: SourceLocation = #_sourceLocation) throws {
    _ = try waitForText(of: "stopped", sourceLocation)
  }

  /// Sends keys by tmux's names: `Enter`, `C-z`, `q`.
  func press(_ keys: String...) throws {
    try press(keys)
  }

  func press(_ keys: [String]) throws {
    try tmux(["send-keys", "-t", "t"] + keys)
  }

  /// Sends many bytes as if they were typed, and returns when the program has read them or has ended.
  func type(_ bytes: Data) throws {
    let file = try folder.write(bytes, to: "typed")
    let end = try readCount + bytes.count
    try tmux("load-buffer", file.path, ";", "paste-buffer", "-r", "-t", "t")
    try wait(until: { try !isRunning || readCount >= end }, "\(bytes.count) bytes to be read")
  }

  /// Sends bytes as the terminal would: of a mouse, say.
  func send(_ text: String) throws {
    try send(bytes: Array(text.utf8))
  }

  func send(bytes: [UInt8]) throws {
    try tmux(["send-keys", "-t", "t", "-H"] + bytes.map { String($0, radix: 16) })
  }

  /// Pastes `text` as a person would: between the marks of a paste where the program asked for them.
  func paste(_ text: String) throws {
    let file = try folder.write(Data(text.utf8), to: "paste")
    try tmux("load-buffer", file.path, ";", "paste-buffer", "-p", "-r", "-t", "t")
  }

  func resize(columns: Int, rows: Int) throws {
    try tmux("resize-window", "-t", "t", "-x", String(columns), "-y", String(rows))
  }

  func signal(_ number: Int32) throws {
    kill(try processIdentifier, number)
  }

  /// The tool that limits a program which runs; Linux has it.
  private static let limiter = "/usr/bin/prlimit"
  static let canLimit = FileManager.default.fileExists(atPath: limiter)

  /// Lets the program write no file that is larger.
  func limitFileSize(to bytes: Int) throws {
    let limiting = try ChildProcess([Self.limiter, "--pid", "\(try processIdentifier)", "--fsize=\(bytes)"])
    try #require(limiting.wait() == .exit(0))
  }

  /// Closes the terminal under the program.
  func hangUp() throws {
    server = nil
    try tmux("kill-session", "-t", "t")
  }

  var isRunning: Bool {
    get throws { kill(try processIdentifier, 0) == 0 }
  }

  /// Waits until something has come to be so; in a terminal that has gone it never will.
  func wait(until isSo: () throws -> Bool, _ what: String, _ sourceLocation: SourceLocation = #_sourceLocation) throws {
    try Waiting.wait(for: "\(what):\n\((try? screen) ?? "")", sourceLocation: sourceLocation) {
      let isThere = server.map { kill($0, 0) == 0 } ?? true
      if try isSo() { return true }
      try #require(isThere, "the terminal has gone while the test waited for \(what)", sourceLocation: sourceLocation)
      return false
    }
  }

  private func waitForText(of file: String, _ sourceLocation: SourceLocation) throws {
    try wait(until: { FileManager.default.fileExists(atPath: folder.path(file)) }, file, sourceLocation)
  }

  private func text(of file: String) throws -> String {
    try String(contentsOfFile: folder.path(file), encoding: .utf8)
  }

  @discardableResult
  private func tmux(_ arguments: String...) throws -> String {
    try tmux(arguments)
  }

  @discardableResult
  private func tmux(_ arguments: [String]) throws -> String {
    let answer = folder.path("answer")
    let environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
    try ChildProcess(["/usr/bin/env", "tmux", "-L", socket] + arguments, environment: environment, output: .file(answer)).wait()
    return try String(contentsOfFile: answer, encoding: .utf8)
  }
}
