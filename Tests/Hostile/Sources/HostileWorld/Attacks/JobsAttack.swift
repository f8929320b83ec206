import Foundation

extension Attack {
  /// A shell that stops and continues the program in every state of its screen.
  static let jobs = Attack(
    "jobs", "stops and continuations by a shell, with signals, sizes and hangups between, in every state of the screen", fewCases: 1
  ) { trial in
    try JobsCase(trial).play()
  }
}

/// A screen that is a job of a shell.
private final class JobsCase {
  private let trial: Trial
  private let state: ScreenState
  private let job: JobTerminal
  private let startsInBackground: Bool
  private var story: [String] = []
  private var terminal: PseudoTerminal { job.terminal }
  private var isEditing: Bool { state.name == ScreenState.externalEditor.name }
  /// The time that a busy machine needs for anything.
  private static let patience = Duration.seconds(20)

  init(_ trial: Trial) throws {
    self.trial = trial
    try trial.files.replace(with: try Command.originals(journal: trial.random.oneIn(2) ? "DELETE" : "WAL", in: trial))
    state = trial.random.pick(ScreenState.all, default: .grid)
    startsInBackground = trial.random.oneIn(6)
    let stopsOutput = trial.random.oneIn(3)
    let type = trial.random.pick(["xterm-256color", "xterm-256color", "screen-256color", "tmux-256color", "xterm-kitty"], default: "xterm")
    job = try JobTerminal(
      [trial.world.program, "app.db", "-t", "t"], for: trial, size: (90, 28),
      environment: ["TERM": type, "VISUAL": try trial.waitingEditor()], startsInBackground: startsInBackground,
      stopsBackgroundOutput: stopsOutput)
    story = ["\(type)\(stopsOutput ? ", tostop" : "")\(startsInBackground ? ", started in the background" : ""), \(state.name)"]
  }

  private var line: String { story.joined(separator: ", ") }

  func play() throws {
    guard begin() else { return }
    terminal.enter(state)
    terminal.settle()
    for _ in 0...trial.random.below(3) where trial.findings.isEmpty {
      guard stop(), beStopped(), trial.findings.isEmpty else { return }
      resume()
    }
    if trial.findings.isEmpty { end() }
  }

  // MARK: Steps

  /// Waits for the first screen, and returns whether it has come.
  private func begin() -> Bool {
    job.waitForStart()
    if startsInBackground {
      let isStopped = job.waitForStop(within: Self.patience)
      trial.expect(isStopped, "jobs: takes the terminal in the background", line)
      expectRestored("in the background")
      trial.count("starts in the background")
      guard isStopped, trial.findings.isEmpty else { return false }
      job.tell("fg")
    }
    return expectWhole("does not show its screen")
  }

  /// Stops the job, and returns whether it is stopped.
  private func stop() -> Bool {
    let before = terminal.model.screen.lines
    // The interrupted program restores nothing after SIGSTOP, which no program sees.
    let way = trial.random.below(5)
    trial.count("stops")
    switch way {
    case 0, 1:
      story.append("^Z")
      // The first one may end a sequence of keys.
      for _ in 0..<2 where !job.waitForStop(within: .milliseconds(500)) { terminal.type("\u{1A}") }
    case 2:
      story.append("SIGTSTP")
      job.send(SIGTSTP, toGroup: isEditing)
    case 3:
      story.append("SIGTSTP to the job")
      job.send(SIGTSTP, toGroup: true)
    default:
      story.append("SIGSTOP")
      job.send(SIGSTOP, toGroup: isEditing)
    }
    guard case .stopped = job.nextReport(within: Self.patience) else {
      trial.report("jobs: does not stop", "\(line): \(before)")
      return false
    }
    terminal.read(waiting: 5)
    if way < 4 { expectRestored("after a stop") }
    return true
  }

  /// Does what happens while a job is stopped, and returns whether it is to be continued.
  private func beStopped() -> Bool {
    terminal.spoil()
    for _ in 0..<trial.random.below(4) {
      switch trial.random.below(8) {
      case 0, 1:
        let size = (40 + trial.random.below(120), 10 + trial.random.below(40))
        story.append("\(size.0)x\(size.1)")
        terminal.resize(size)
      case 2:
        story.append("SIGWINCH")
        job.send(SIGWINCH)
      case 3, 4: if !continueInBackground() { return false }
      case 5 where trial.random.oneIn(2): return endStopped(by: SIGTERM)
      case 6 where trial.random.oneIn(2): return endStopped(by: SIGHUP)
      case 7 where trial.random.oneIn(4): return vanish()
      default: break
      }
    }
    return true
  }

  /// Continues the job in the background, where it must stop again before it touches the terminal.
  private func continueInBackground() -> Bool {
    let isShell = trial.random.oneIn(2)
    story.append(isShell ? "bg" : "SIGCONT")
    trial.count("continuations in the background")
    let wasRestored = terminal.model.unrestored.isEmpty
    if isShell { job.tell("bg") } else { job.send(SIGCONT, toGroup: true) }
    // The program may not have run yet, so its first stop may still be seen.
    terminal.wait(milliseconds: 30)
    if !isEditing, !job.waitForStop(within: Self.patience) {
      trial.report("jobs: runs in the background of a terminal", line)
      return false
    }
    terminal.read(waiting: 5)
    if wasRestored { expectRestored("in the background") }
    return true
  }

  /// Sends a signal that ends the job once it is continued.
  private func endStopped(by signal: Int32) -> Bool {
    story.append("signal \(signal) while it is stopped")
    trial.count("signals while it is stopped")
    let isFull = terminal.model.isFullScreen
    job.send(signal, toGroup: isEditing)
    job.tell("fg")
    finish(signals: [signal])
    // After SIGSTOP the program had not given the screen back.
    let isPainted = !isFull && terminal.model.screen.lines.contains { $0.contains("300 rows") }
    trial.expect(!isPainted, "jobs: paints before it ends", "\(line): \(terminal.model.screen.lines)")
    return false
  }

  private func vanish() -> Bool {
    story.append("hangup while it is stopped")
    trial.count("hangups while it is stopped")
    terminal.hangUp()
    trial.expect(job.waitForEnd(within: .seconds(30)), "jobs: goes on without its terminal", line)
    return false
  }

  private func resume() {
    story.append("fg")
    job.tell("fg")
    if isEditing { return terminal.wait(milliseconds: 20) }
    expectWhole("is not whole after it is continued")
  }

  private func end() {
    switch trial.random.below(4) {
    case 0:
      let signal = trial.random.pick([SIGTERM, SIGHUP], default: SIGTERM)
      story.append("signal \(signal)")
      job.send(signal, toGroup: isEditing)
      finish(signals: [signal])
    default:
      story.append("quit")
      if isEditing {
        terminal.type("\r")
        guard expectWhole("is not whole after the editor") else { return }
      }
      for keys in ["\u{1B}", "\u{1B}", "\u{3}", "\u{11}", "\u{11}"] where !job.hasEnded {
        terminal.type(keys)
        terminal.settle(60)
      }
      job.send(SIGTERM)
      finish(signals: [])
    }
  }

  // MARK: Expectations

  /// Waits for the end, and judges it.
  private func finish(signals: Set<Int32>) {
    guard case .ended(let ending) = job.nextReport(within: .seconds(30)) else {
      return trial.report("jobs: does not end", "\(line): \(terminal.model.screen.lines)")
    }
    job.tell("end")
    _ = terminal.waitForEnd()
    terminal.judge(ending, name: "jobs", line: line, signals: signals.union([SIGTERM]), for: trial)
  }

  private func expectRestored(_ when: String) {
    let (screen, modes) = (terminal.model.unrestored, terminal.changedModes)
    trial.expect(screen.isEmpty, "jobs: the terminal is not restored \(when)", "\(line): \(screen)")
    trial.expect(modes.isEmpty, "jobs: the modes of the line are not restored \(when)", "\(line): \(modes)")
  }

  @discardableResult
  private func expectWhole(_ what: String) -> Bool {
    // The screen is cleared before it is painted.
    let isWhole = terminal.wait(upTo: Self.patience) { model in
      model.isFullScreen && model.screen.spoiledPlaces.isEmpty && model.screen.lines.contains { !$0.isEmpty }
    }
    terminal.settle()
    let screen = terminal.model.screen
    trial.expect(
      isWhole, "jobs: the screen \(what)",
      "\(line): \(screen.columns)x\(screen.rows), \(screen.spoiledPlaces.count) cells: \(screen.lines.joined(separator: "\n"))")
    return isWhole
  }
}
