import Foundation

extension Attack {
  /// Signals that end the program while its terminal does not read, in any thread.
  public static let signals = Attack(
    "signals", "signals that end the program while its terminal does not read, among other signals", fewCases: 2
  ) { trial in
    let isInThread = trial.random.oneIn(2)
    let crashes = isInThread ? [SIGSEGV, SIGABRT] : []
    let fatal = trial.random.pick([SIGALRM, SIGUSR1, SIGQUIT, SIGTERM, SIGHUP] + crashes, default: SIGALRM)
    let others = (0..<60).map { _ in trial.random.pick([SIGWINCH, SIGWINCH, SIGCONT, fatal], default: SIGWINCH) }
    try trial.files.replace(with: try Command.originals(journal: "DELETE", in: trial))
    let terminal = try PseudoTerminal([trial.world.program, "app.db", "-t", "t"], for: trial, size: (100, 40))
    terminal.waitForStart()
    terminal.fill()
    if isInThread { terminal.signalThread(fatal) } else { terminal.signal(fatal) }
    // The program writes again, and is interrupted again.
    if trial.random.oneIn(2) { terminal.read(waiting: 0) }
    for number in others where !terminal.hasEnded {
      terminal.signal(number)
      usleep(3000)
    }
    trial.count("signals", others.count + 1)
    let ending = terminal.waitForEnd()
    let line = "\(fatal)\(isInThread ? " in a thread" : ""), then \(others)"
    terminal.judge(ending, name: "screen", line: line, signals: [fatal], for: trial)
  }
}

extension PseudoTerminal {
  /// Lets the program paint until it waits for the terminal, which reads nothing meanwhile.
  fileprivate func fill() {
    for number in 0..<30 where !hasEnded {
      resize((100 + number % 2, 40 + number % 3))
      usleep(20_000)
    }
  }
}
