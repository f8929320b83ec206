internal import ArgumentParser
internal import Browser
internal import CursesTerminal
internal import Essentials
internal import QuarryCluster
internal import QuarryEngine
internal import Terminal

struct DoctorVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check the terminal, the libraries, the settings and the folders, and suggest fixes.",
    discussion: """
      Each check prints one line. It begins with ✓ if all is well, with ! if something works only partly, with ✗ if something will not work, \
      and with · if only you can see the result. The exit status is 1 if a line begins with ✗.
      """)

  @Argument(help: "Database to check too.", completion: .file(), transform: FileArgument.path)
  var file: String?

  func run() throws {
    switch try file.map({ try Address($0) }) {
    case .ssh, .dqlite: throw Failure.usage("doctor checks this machine: run `quarry doctor` on the other one, for example through ssh")
    case .file, nil: break
    }
    let columns = StandardOutput.terminalSize?.columns
    var hasFault = false
    for finding in findings() {
      try StandardOutput.write((columns.map { finding.lines(columns: $0) } ?? [finding.line]).map { "\($0)\n" }.joined())
      hasFault = hasFault || finding.mark == .fault
    }
    if hasFault { throw Failure(status: .refused, message: nil) }
  }

  private func findings() -> [Finding] {
    let environment = ProcessInfo.processInfo.environment
    let terminal = TerminalFindings(
      report: TerminalReport(environment: environment), environment: environment,
      hasTerminal: StandardInput.isTerminal || StandardOutput.isTerminal || StandardError.isTerminal)
    let settings = SettingsFindings(environment: environment)
    return [Finding(.fine, "quarry", "\(Quarry.nameAndVersion.split(separator: " ").last ?? "")")]
      + terminal.all + SQLiteFindings.all
      + [Finding(.fine, "ncurses", TerminalReport.ncursesVersion), Finding(.fine, "OpenSSL", "\(TLSLibrary.version), for clusters only")]
      + settings.all + SystemFindings(environment: environment).all + (file.map(DatabaseFindings.all) ?? [])
  }
}
