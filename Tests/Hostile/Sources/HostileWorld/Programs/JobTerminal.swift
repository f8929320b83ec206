import Foundation

/// The program in a terminal as a job of a shell, which stops and continues it.
final class JobTerminal {
  /// What the shell waits for: the program's end, or its stop.
  enum Report: Equatable {
    case stopped(Int32)
    case ended(ProgramRun.Ending)
  }

  let terminal: PseudoTerminal
  private let commands: String
  private let events: String
  private let identifierFile: String
  private var reportsRead = 0

  /// - Parameter startsInBackground: Whether the shell starts it with `&`.
  init(
    _ command: [String], for trial: Trial, size: (columns: Int, rows: Int), environment: [String: String], startsInBackground: Bool,
    stopsBackgroundOutput: Bool
  ) throws {
    commands = trial.folder.appending(path: "commands").path
    events = trial.folder.appending(path: "events").path
    identifierFile = trial.folder.appending(path: "job").path
    guard mkfifo(commands, 0o600) == 0 else { throw PseudoTerminal.OpenError(code: errno) }
    let shell = ["/bin/sh", "-c", Self.script, commands, events, identifierFile, startsInBackground ? "yes" : "no"]
    terminal = try PseudoTerminal(
      shell + command, for: trial, size: size, environment: environment, stopsBackgroundOutput: stopsBackgroundOutput)
  }

  deinit {
    // The shell is ended by the terminal, and its job would stay.
    send(SIGKILL)
  }

  private static let script = """
    set -m
    exec 3<> "$0"
    events=$1 job=$2 background=$3
    shift 3
    begin='echo $$ > "$0"; exec "$@"'
    if [ $background = yes ]; then
      /bin/sh -c "$begin" "$job" "$@" 3>&- &
    else
      /bin/sh -c "$begin" "$job" "$@" 3>&-
      echo $? >> "$events"
    fi
    while read -r word <&3; do
      case $word in
      fg) fg > /dev/null; echo $? >> "$events" ;;
      bg) bg > /dev/null ;;
      end) exit 0 ;;
      esac
    done
    """

  // MARK: The shell

  /// Gives the shell a command: `fg`, `bg` or `end`.
  func tell(_ word: String) {
    let file = open(commands, O_WRONLY | O_NONBLOCK)
    guard file >= 0 else { return }
    defer { close(file) }
    let bytes = Array("\(word)\n".utf8)
    _ = write(file, bytes, bytes.count)
  }

  /// Waits for the shell's next report on the job.
  func nextReport(within limit: Duration) -> Report? {
    terminal.wait(upTo: limit) { _ in reports.count > reportsRead }
    let next = reports.dropFirst(reportsRead).first
    if next != nil { reportsRead += 1 }
    return next
  }

  private var reports: [Report] {
    let text = FileManager.default.contents(atPath: events).map { String(decoding: $0, as: UTF8.self) } ?? ""
    // A line that is being written has no end yet.
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().compactMap { Int32($0) }.map { status in
      let signal = status - 128
      if [SIGTSTP, SIGSTOP, SIGTTIN, SIGTTOU].contains(signal) { return .stopped(signal) }
      return .ended(signal > 0 ? .signal(signal) : .exit(status))
    }
  }

  // MARK: The job

  /// The process of the job, or nil before its start.
  private var identifier: pid_t? {
    let text = FileManager.default.contents(atPath: identifierFile).map { String(decoding: $0, as: UTF8.self) }
    return text.flatMap { pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
  }

  /// The letter that the system has for the state of the process: `T` if it is stopped; nil if it has ended.
  private var state: Character? {
    guard let identifier, let bytes = FileManager.default.contents(atPath: "/proc/\(identifier)/stat") else { return nil }
    let letter = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?.first { $0 != " " }
    return letter == "Z" ? nil : letter
  }

  var isStopped: Bool { state == "T" }
  var hasEnded: Bool { reports.contains { if case .ended = $0 { true } else { identifier != nil && state == nil } } }

  func send(_ signal: Int32, toGroup: Bool = false) {
    guard let identifier, state != nil else { return }
    kill(toGroup ? -identifier : identifier, signal)
  }

  /// Waits until the process is stopped, or has ended.
  func waitForStop(within limit: Duration) -> Bool {
    terminal.wait(upTo: limit) { _ in isStopped || identifier != nil && state == nil }
    return isStopped
  }

  /// Waits until the process has gone, whoever waits for it.
  func waitForEnd(within limit: Duration) -> Bool {
    let end = ContinuousClock.now + limit
    while state != nil, .now < end { terminal.read(waiting: 5) }
    return state == nil
  }

  /// Waits until the process has been started.
  func waitForStart() {
    terminal.wait(upTo: .seconds(10)) { _ in identifier != nil }
  }
}
