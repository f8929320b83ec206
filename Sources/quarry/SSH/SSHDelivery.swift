internal import Browser
internal import Libc
internal import QuarryEngine

/// The installation of this program on a host that does not have it.
struct SSHDelivery {
  let address: SSHAddress
  let build: ProgramBuild
  /// Whether the user can be asked.
  var canAsk = StandardInput.isTerminal && StandardError.isTerminal
  /// Whether it runs beside other work of this program, which takes the signals.
  var isInBackground = false

  /// Offers to send the program, and sends it.
  ///
  /// - Parameters:
  ///   - system: The output of `uname -sm` on the host.
  ///   - other: The version found on the host, or an empty text.
  /// - Throws: `Failure` if the program would not run there, the user declines, or it could not be sent.
  func offer(to system: String, having other: String) throws {
    let host = address.host
    let found = other.isEmpty ? "\(host) has no quarry" : "\(host) has \(other), and this is \(build.version)"
    guard system == build.system else {
      throw Failure(
        status: .cannotOpen,
        message: "\(found), and runs \(system), but this quarry is built for \(build.system): build and install quarry there")
    }
    guard canAsk else {
      throw Failure(
        status: .cannotOpen,
        message: "\(found): install it there, or run `quarry \(address)` on a terminal once, which offers to send this quarry")
    }
    let size = ByteSize.text(build.size)
    StandardError.write("\(found). Send this quarry (\(size)) to its ~/.cache/quarry? [y/n] ")
    guard SSHProcess.withDeadlySignals({ readLine() })?.lowercased().hasPrefix("y") == true else {
      throw Failure(status: .cannotOpen, message: "nothing was sent: install quarry on \(host), in a folder of its PATH")
    }
    try send()
  }

  private func send() throws {
    let file: OpenFile
    do throws(SystemError) {
      file = try OpenFile(build.path, .reading)
    } catch {
      throw Failure.refused("the file of this program cannot be read: \(error)")
    }
    let ssh = SSHCommand(address: address, build: build)
    let line = ProgressLine()
    let output = TextSSHOutput()
    let (size, host) = (build.size, address.host)
    let connection = SSHConnection(
      arguments: ssh.arguments(running: ssh.install(size: size), hasTerminal: false, options: ["-C"]),
      input: .file(file.descriptor), output: output, isInBackground: isInBackground,
      onProgress: { line.show("sending \(ByteSize.text($0)) of \(ByteSize.text(size)) to \(host) (^C stops that)") })
    let outcome = try withExtendedLifetime(file) { try connection.run() }
    line.end()
    switch outcome {
    case .ended where output.text.contains(SSHMarker.sent): return
    case .interrupted(let number): throw Interrupted(signal: number)
    case .ended(let status), .failed(let status, _): throw refusal(output.text, outcome, status)
    case .cut(let said): throw refusal(said.text, outcome, 255)
    case .missing: throw refusal("", outcome, 255)
    }
  }

  private func refusal(_ printed: String, _ outcome: SSHConnection.Outcome, _ status: Int32) -> Failure {
    if case .failed(255, let said) = outcome { return SSHFailure(address: address, said: said).beforeReady(status: 255) }
    var reason = printed
    if case .failed(_, let said) = outcome { reason = said.text }
    reason.replace(SSHMarker.notSent, with: "")
    let words = SSHFailure.libraryAdvice(reason) ?? reason.split(whereSeparator: \.isNewline).last.map(String.init) ?? "status \(status)"
    return Failure(status: .cannotOpen, message: "this quarry does not run on \(address.host), and was removed there: \(words)")
  }
}
